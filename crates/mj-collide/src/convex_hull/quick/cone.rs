//! One point more: what it sees goes, and a cone of new triangles joins it to the horizon.

use super::facets::{Ridge, replace, swap_out};
use super::{Quickhull, Unsupported};

impl Quickhull<'_> {
    /// Finds what a point sees, from one facet that it is above; and the horizon, of which facets may be in one plane
    /// with it.
    pub(super) fn find_horizon(&mut self, point: u32, facet: usize) -> Result<(), Unsupported> {
        self.facets.remove(facet);
        self.facets.append(facet);
        self.facets.visible = Some(facet);
        self.visit += 1;
        self.facets[facet].visit = self.visit;
        self.see(facet);
        let mut has_horizon = false;
        let mut visible = facet;
        while self.facets[visible].visible {
            for i in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[i];
                if self.facets[neighbor].visit == self.visit {
                    continue;
                }
                self.facets[neighbor].visit = self.visit;
                let above = self.point_above(point, neighbor);
                if above > self.tolerance.flat {
                    self.facets.remove(neighbor);
                    self.facets.append(neighbor);
                    self.see(neighbor);
                    continue;
                }
                has_horizon = true;
                let is_flat = above >= -self.tolerance.flat;
                self.facets[neighbor].flat_horizon = is_flat;
                if is_flat {
                    self.outmost = self.outmost.max(above);
                }
            }
            visible = self.facets.after(visible);
        }
        if has_horizon { Ok(()) } else { Err(Unsupported("a point above all facets")) }
    }

    fn see(&mut self, facet: usize) {
        self.facets[facet].visible = true;
        self.facets[facet].replacement = None;
    }

    /// Joins a point to the horizon.
    pub(super) fn make_cone(&mut self, point: u32) -> Result<(), Unsupported> {
        self.facets.new = Some(super::facets::TAIL);
        self.new_vertices.clear();
        let apex = self.make_vertex(point);
        self.visit += 1;
        // The last facet made stands in for the visible one, and for a later one that makes none.
        let (mut last, mut from_ridges) = (None, None);
        for visible in self.facets.visible_ones().collect::<Vec<_>>() {
            for i in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[i];
                self.facets[neighbor].seen = false;
            }
            if self.facets[visible].has_ridges {
                self.facets[visible].visit = self.visit;
                from_ridges = self.cone_from_ridges(visible, apex)?;
            }
            if self.facets[visible].simplicial {
                last = self.cone_from_triangle(visible, apex)?;
            }
            last = from_ridges.or(last);
            let f = &mut self.facets[visible];
            f.replacement = last;
            f.ridges.clear();
            f.neighbors.clear();
        }
        self.match_cone()?;
        for facet in self.facets.new_ones().collect::<Vec<_>>() {
            if !self.facets[facet].joins_horizon && !self.set_plane(facet)? {
                return Err(Unsupported("a facet that is inside out"));
            }
        }
        self.update_around();
        Ok(())
    }

    fn make_vertex(&mut self, point: u32) -> usize {
        self.vertices.push(super::facets::Vertex { point, new: true, ..Default::default() });
        let vertex = self.vertices.len() - 1;
        self.new_vertices.push(vertex);
        vertex
    }

    /// Counts a vertex among the new ones.
    pub(super) fn renew(&mut self, vertex: usize) {
        if !self.vertices[vertex].new {
            self.vertices[vertex].new = true;
            self.new_vertices.push(vertex);
        }
    }

    fn make_facet(&mut self, vertices: Vec<usize>, top: bool, horizon: usize) -> usize {
        vertices.iter().for_each(|&v| self.renew(v));
        let facet = self.facets.make(vertices, top);
        self.facets[facet].neighbors.push(horizon);
        self.facets[facet].joins_horizon = self.facets[horizon].flat_horizon;
        facet
    }

    /// New facets across the ridges of a visible one.
    fn cone_from_ridges(&mut self, visible: usize, apex: usize) -> Result<Option<usize>, Unsupported> {
        let mut last = None;
        for i in 0..self.facets[visible].ridges.len() {
            let number = self.facets[visible].ridges[i];
            let ridge: &Ridge = &self.ridges[number];
            let (neighbor, top) = (ridge.across(visible), ridge.top == visible);
            if !self.facets[neighbor].visible {
                let vertices = [&[apex], &ridge.vertices[..]].concat();
                let facet = self.make_facet(vertices, top, neighbor);
                last = Some(facet);
                if self.facets[neighbor].seen {
                    if self.facets[facet].joins_horizon {
                        return Err(Unsupported("several triangles in the plane of one facet of the horizon"));
                    }
                    self.facets[neighbor].neighbors.push(facet);
                } else {
                    replace(&mut self.facets[neighbor].neighbors, visible, facet);
                }
                if self.facets[neighbor].simplicial {
                    swap_out(&mut self.facets[neighbor].ridges, number);
                } else {
                    self.facets[facet].ridges.push(number);
                    self.facets[facet].has_ridges = true;
                    let ridge = &mut self.ridges[number];
                    if top {
                        (ridge.top, ridge.simplicial_top) = (facet, true);
                    } else {
                        (ridge.bottom, ridge.simplicial_bottom) = (facet, true);
                    }
                }
            }
            self.facets[neighbor].seen = true;
        }
        Ok(last)
    }

    /// New facets across the sides of a visible triangle that have no ridges.
    fn cone_from_triangle(&mut self, visible: usize, apex: usize) -> Result<Option<usize>, Unsupported> {
        let mut last = None;
        for i in 0..self.facets[visible].neighbors.len() {
            let neighbor = self.facets[visible].neighbors[i];
            let n = &self.facets[neighbor];
            if n.seen || n.visible {
                continue;
            }
            let across = n.neighbors.iter().take(3).position(|&f| f == visible);
            let across = across.ok_or(Unsupported("neighbours that do not know each other"))?;
            let mut vertices = vec![apex];
            vertices.extend(n.vertices.iter().enumerate().filter(|&(k, _)| k != across).map(|(_, &v)| v));
            let top = (across & 1 == 1) == n.top;
            let facet = self.make_facet(vertices, top, neighbor);
            last = Some(facet);
            self.facets[neighbor].neighbors[across] = facet;
        }
        Ok(last)
    }

    /// Makes neighbours of new facets that share an edge at the apex.
    fn match_cone(&mut self) -> Result<(), Unsupported> {
        let odd = Unsupported("a cone that touches itself");
        let mut open = std::mem::take(&mut self.open_edges);
        open.clear();
        for facet in self.facets.new_ones().collect::<Vec<_>>() {
            self.facets[facet].neighbors.resize(3, super::facets::TAIL);
            for skip in 1..3 {
                let shared = self.facets[facet].vertices[3 - skip];
                let Some((other, other_skip)) = open.insert(shared, (facet, skip)) else { continue };
                if other_skip == 0 || (skip == other_skip) == (self.facets[facet].top == self.facets[other].top) {
                    return Err(odd);
                }
                self.facets[facet].neighbors[skip] = other;
                self.facets[other].neighbors[other_skip] = facet;
                open.insert(shared, (facet, 0));
            }
        }
        let is_closed = open.values().all(|&(_, skip)| skip == 0);
        self.open_edges = open;
        if is_closed { Ok(()) } else { Err(odd) }
    }

    /// Once facets have been united: facets around vertices. And the vertices that are left inside.
    fn update_around(&mut self) {
        if self.knows_around {
            for &v in &self.new_vertices {
                let around = &mut self.vertices[v].neighbors;
                let mut i = 0;
                while i < around.len() {
                    if self.facets[around[i]].visible {
                        around.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
            }
            for facet in self.facets.new_ones() {
                self.facets[facet].vertices.iter().for_each(|&v| self.vertices[v].neighbors.push(facet));
            }
        }
        for visible in self.facets.visible_ones() {
            for &v in &self.facets[visible].vertices {
                let vertex = &mut self.vertices[v];
                if vertex.new || vertex.deleted {
                    continue;
                }
                if vertex.neighbors.iter().all(|&f| self.facets[f].visible) {
                    vertex.deleted = true;
                    self.deleted.push(v);
                } else {
                    swap_out(&mut vertex.neighbors, visible);
                }
            }
        }
    }
}
