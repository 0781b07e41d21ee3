//! Vertices that merges have left in the middle of an edge, or inside a facet, go.

use super::facets::{insert_vertex, swap_out};
use super::{Quickhull, Unsupported};

impl Quickhull<'_> {
    /// Drops vertices that no edge of a facet has, and those that only two facets share.
    pub(super) fn drop_needless_vertices(&mut self) -> Result<(), Unsupported> {
        let united = |this: &Self| this.facets.new_ones().filter(|&f| this.facets[f].merged).collect::<Vec<_>>();
        for facet in united(self) {
            self.drop_inner_vertices(facet)?;
        }
        for facet in united(self) {
            self.facets[facet].merged = false;
            let mut i = 0;
            while let Some(&v) = self.facets[facet].vertices.get(i) {
                if !(self.vertices[v].lost_ridge && self.drop_shared_vertex(v, facet)?) {
                    i += 1;
                }
            }
        }
        for &v in &self.new_vertices {
            self.vertices[v].lost_ridge &= self.vertices[v].deleted;
        }
        Ok(())
    }

    /// Drops the vertices of a facet that none of its edges has.
    fn drop_inner_vertices(&mut self, facet: usize) -> Result<(), Unsupported> {
        let f = &self.facets[facet];
        if f.simplicial {
            return Ok(());
        }
        let is_used = |v: usize| f.ridges.iter().any(|&r| self.ridges[r].vertices.contains(&v));
        let (kept, inner): (Vec<usize>, Vec<usize>) = f.vertices.iter().partition(|&&v| is_used(v));
        if inner.is_empty() {
            return Ok(());
        }
        self.facets[facet].vertices = kept;
        for v in inner {
            swap_out(&mut self.vertices[v].neighbors, facet);
            if self.vertices[v].neighbors.is_empty() {
                self.delete_vertex(v);
            }
        }
        self.refuse_contained(facet)
    }

    /// Drops a vertex between two edges of the same two facets: another vertex of both takes its place, and so one of
    /// the edges vanishes. False if there is no such vertex.
    fn drop_shared_vertex(&mut self, vertex: usize, facet: usize) -> Result<bool, Unsupported> {
        let &[a, b] = &self.vertices[vertex].neighbors[..] else { return Ok(false) };
        let other = if a == facet { b } else { a };
        let edges: Vec<usize> = (self.facets[facet].ridges.iter().copied())
            .filter(|&r| self.ridges[r].across(facet) == other && self.ridges[r].vertices.contains(&vertex))
            .collect();
        let Some(stand_in) = self.stand_in(vertex, facet, other, &edges) else { return Ok(false) };
        for &edge in &edges {
            self.rename_in_edge(edge, vertex, stand_in)?;
        }
        for f in [a, b] {
            self.facets[f].vertices.retain(|&v| v != vertex);
        }
        self.delete_vertex(vertex);
        self.refuse_contained(a)?;
        self.refuse_contained(b)?;
        Ok(true)
    }

    /// A vertex of both facets, on as few of the edges as can be, that is not joined already to what these edges lead
    /// to.
    fn stand_in(&self, vertex: usize, facet: usize, other: usize, edges: &[usize]) -> Option<usize> {
        let uses = |v: usize| edges.iter().filter(|&&r| self.ridges[r].vertices.contains(&v)).count();
        let mut common: Vec<usize> = self.facets[facet].vertices.clone();
        common.retain(|v| self.facets[other].vertices.contains(v));
        swap_out(&mut common, vertex);
        let mut i = 0;
        while let Some(&v) = common.get(i) {
            if uses(v) == 0 {
                common.swap_remove(i);
            } else {
                i += 1;
            }
        }
        common.sort_by_key(|&v| uses(v));
        let leads_to = |v: usize| edges.iter().any(|&r| self.ridges[r].vertices.contains(&v));
        common.into_iter().find(|&v| {
            let mut around = self.vertices[v].neighbors.iter().flat_map(|&f| &self.facets[f].ridges);
            !around.any(|&r| match self.ridges[r].vertices[..] {
                [a, b] if a == v => b != vertex && leads_to(b),
                [a, b] if b == v => a != vertex && leads_to(a),
                _ => false,
            })
        })
    }

    /// Renames a vertex of an edge; deletes the edge if it has the other name already.
    fn rename_in_edge(&mut self, edge: usize, vertex: usize, stand_in: usize) -> Result<(), Unsupported> {
        let ridge = &mut self.ridges[edge];
        let place = |vertices: &[usize], v: usize| vertices.iter().position(|&x| x == v);
        let old = place(&ridge.vertices, vertex);
        if ridge.vertices.contains(&stand_in) {
            ridge.vertices.retain(|&v| v != vertex);
            self.delete_ridge(edge);
            return Ok(());
        }
        ridge.vertices.retain(|&v| v != vertex);
        insert_vertex(&mut ridge.vertices, stand_in);
        (ridge.simplicial_top, ridge.simplicial_bottom) = (false, false);
        if place(&ridge.vertices, stand_in) != old {
            std::mem::swap(&mut ridge.top, &mut ridge.bottom);
        }
        let (vertices, sides) = (ridge.vertices.clone(), [ridge.top, ridge.bottom]);
        let is_twin = |&r: &usize| r != edge && self.ridges[r].vertices == vertices;
        if sides.iter().any(|&f| !self.facets[f].simplicial && self.facets[f].ridges.iter().any(is_twin)) {
            return Err(Unsupported("two edges of the same vertices"));
        }
        Ok(())
    }
}
