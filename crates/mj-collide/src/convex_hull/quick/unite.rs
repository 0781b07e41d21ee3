//! Two facets become one.

use super::facets::{Ridge, insert_vertex, replace, swap_out};
use super::{Quickhull, Unsupported};

impl Quickhull<'_> {
    /// Adds one facet to another. `misfit` is how far below and above the other's plane its vertices are; without it, it
    /// is a triangle made at the apex of a cone, in the plane of the other.
    pub(super) fn unite(&mut self, from: usize, into: usize, misfit: Option<(f64, f64)>) -> Result<(), Unsupported> {
        let is_wide = misfit.is_some_and(|(below, above)| above.max(-below) > 100.0 * self.tolerance.merge);
        let visible = self.facets.visible_ones().count();
        if is_wide || self.facets.count - visible <= 4 {
            return Err(Unsupported("facets that do not fit each other"));
        }
        self.know_around();
        self.make_ridges(from);
        self.make_ridges(into);
        if let Some((below, above)) = misfit {
            self.outmost = self.outmost.max(above);
            self.facets[into].keeps_centre |= above.max(-below) > self.tolerance.wide;
        }
        self.merges += 1;
        self.facets[into].merged = true;
        self.forget_tests(from, into);
        if self.facets[from].vertices.len() == 3 {
            self.unite_triangle(from, into, misfit.is_none());
        } else {
            self.unite_polygon(from, into);
        }
        self.facets.remove(into);
        self.facets.append(into);
        self.facets[into].new = true;
        self.facets[into].tested = false;
        if misfit.is_some() {
            self.refuse_degenerate(into)?;
            if self.facets[from].neighbors.iter().any(|&n| self.facets[n].neighbors.len() < 3) {
                return Err(Unsupported("a facet of two sides"));
            }
            self.refuse_contained(into)?;
        }
        self.facets.remove(from);
        self.facets.prepend_visible(from);
        let f = &mut self.facets[from];
        (f.visible, f.replacement) = (true, Some(into));
        f.ridges.clear();
        f.neighbors.clear();
        Ok(())
    }

    /// Has a facet got a neighbour with none but its own vertices, or fewer than three neighbours?
    pub(super) fn refuse_degenerate(&self, facet: usize) -> Result<(), Unsupported> {
        let f = &self.facets[facet];
        let contains = |n: usize| self.facets[n].vertices.iter().all(|v| f.vertices.contains(v));
        if f.neighbors.len() < 3 || f.neighbors.iter().any(|&n| contains(n)) {
            return Err(Unsupported("a facet of two sides"));
        }
        Ok(())
    }

    /// Are all vertices of a facet those of a neighbour, or has it fewer than three neighbours?
    pub(super) fn refuse_contained(&self, facet: usize) -> Result<(), Unsupported> {
        let f = &self.facets[facet];
        let is_in = |n: usize| f.vertices.iter().all(|v| self.facets[n].vertices.contains(v));
        if f.neighbors.len() < 3 || f.neighbors.iter().any(|&n| is_in(n)) {
            return Err(Unsupported("a facet of two sides"));
        }
        Ok(())
    }

    /// From the first merge on, vertices know the facets around them.
    fn know_around(&mut self) {
        if std::mem::replace(&mut self.knows_around, true) {
            return;
        }
        for facet in self.facets.from(self.facets.first()) {
            if !self.facets[facet].visible {
                self.facets[facet].vertices.iter().for_each(|&v| self.vertices[v].neighbors.push(facet));
            }
        }
    }

    /// Edges of a triangle, where it has none.
    fn make_ridges(&mut self, facet: usize) {
        if !std::mem::replace(&mut self.facets[facet].simplicial, false) {
            return;
        }
        let neighbors = self.facets[facet].neighbors.clone();
        for &n in &neighbors {
            self.facets[n].seen = false;
        }
        for i in 0..self.facets[facet].ridges.len() {
            let across = self.ridges[self.facets[facet].ridges[i]].across(facet);
            self.facets[across].seen = true;
        }
        for (i, &n) in neighbors.iter().enumerate() {
            if self.facets[n].seen {
                continue;
            }
            let (f, across) = (&self.facets[facet], self.facets[n].simplicial);
            let mut vertices = f.vertices.clone();
            vertices.remove(i);
            let is_top = f.top != (i & 1 == 1);
            let (top, bottom) = if is_top { (facet, n) } else { (n, facet) };
            let (simplicial_top, simplicial_bottom) = if is_top { (true, across) } else { (across, true) };
            let (tested, nonconvex) = (f.tested, false);
            self.ridges.push(Ridge { vertices, top, bottom, simplicial_top, simplicial_bottom, tested, nonconvex });
            for f in [facet, n] {
                self.facets[f].ridges.push(self.ridges.len() - 1);
                self.facets[f].has_ridges = true;
            }
        }
    }

    fn forget_tests(&mut self, from: usize, into: usize) {
        self.facets[into].tested = false;
        for &r in &self.facets[from].ridges {
            self.ridges[r].tested = false;
        }
        let f = &mut self.facets[into];
        if f.centre.is_none() {
            return;
        }
        f.keeps_centre |= f.vertices.len() > 8;
        if !f.keeps_centre {
            f.centre = None;
            for &r in &f.ridges {
                self.ridges[r].tested = false;
            }
        }
    }

    /// Adds a triangle, which brings one vertex.
    fn unite_triangle(&mut self, from: usize, into: usize, at_apex: bool) {
        let triangle = self.facets[from].vertices.clone();
        let (vertex, is_new) = if at_apex {
            if !self.facets[into].new {
                self.renew_all(into);
            }
            let apex = triangle[0];
            (apex, insert_vertex(&mut self.facets[into].vertices, apex))
        } else {
            let between = self.facets[from].ridges.iter().find(|&&r| self.ridges[r].across(from) == into);
            let shared = between.map_or(Vec::new(), |&r| self.ridges[r].vertices.clone());
            shared.iter().for_each(|&v| self.vertices[v].lost_ridge = true);
            let opposite = triangle.iter().copied().find(|v| !shared.contains(v)).unwrap_or(triangle[0]);
            let is_new = insert_vertex(&mut self.facets[into].vertices, opposite);
            if self.facets[into].new {
                self.renew(opposite);
            } else {
                self.renew_all(into);
            }
            (opposite, is_new)
        };
        for &v in &triangle {
            if v == vertex && is_new {
                replace(&mut self.vertices[v].neighbors, from, into);
            } else {
                self.leave(v, from, into);
            }
        }
        self.visit += 1;
        for n in self.facets[into].neighbors.clone() {
            self.facets[n].visit = self.visit;
        }
        let mut i = 0;
        while let Some(&number) = self.facets[from].ridges.get(i) {
            let other = self.ridges[number].across(from);
            if other == into {
                self.delete_ridge(number);
                swap_out(&mut self.facets[into].neighbors, from);
                continue;
            }
            self.facets[into].ridges.push(number);
            if self.facets[other].visit != self.visit {
                self.facets[other].visit = self.visit;
                self.facets[into].neighbors.push(other);
                replace(&mut self.facets[other].neighbors, from, into);
            } else {
                self.make_ridges(other);
                let others = &mut self.facets[other].neighbors;
                // What is across from the apex of a new facet stays first.
                if others.first() == Some(&from) {
                    swap_out(others, into);
                    replace(others, from, into);
                } else {
                    swap_out(others, from);
                }
            }
            self.hand_over(number, from, into);
            i += 1;
        }
    }

    /// Adds a facet of several triangles.
    fn unite_polygon(&mut self, from: usize, into: usize) {
        let kept = self.facets[into].vertices.clone();
        self.visit += 1;
        for n in self.facets[into].neighbors.clone() {
            self.facets[n].visit = self.visit;
        }
        for n in self.facets[from].neighbors.clone() {
            if self.facets[n].visit == self.visit {
                self.make_ridges(n);
                let others = &mut self.facets[n].neighbors;
                if others.first() != Some(&from) {
                    swap_out(others, from);
                } else {
                    swap_out(others, into);
                    replace(others, from, into);
                }
            } else if n != into {
                self.facets[into].neighbors.push(n);
                replace(&mut self.facets[n].neighbors, from, into);
            }
        }
        swap_out(&mut self.facets[from].neighbors, into);
        swap_out(&mut self.facets[into].neighbors, from);
        let added = self.facets[from].vertices.clone();
        for &v in &added {
            insert_vertex(&mut self.facets[into].vertices, v);
        }
        let mut i = 0;
        while let Some(&number) = self.facets[into].ridges.get(i) {
            if self.ridges[number].across(into) == from {
                self.delete_ridge(number);
            } else {
                i += 1;
            }
        }
        for number in self.facets[from].ridges.clone() {
            self.hand_over(number, from, into);
            self.facets[into].ridges.push(number);
        }
        for &v in &added {
            if kept.contains(&v) {
                self.leave(v, from, into);
            } else {
                replace(&mut self.vertices[v].neighbors, from, into);
            }
        }
        if !self.facets[into].new {
            self.renew_all(into);
        }
    }

    /// A facet goes from around a vertex. With but one left, the vertex is inside that.
    fn leave(&mut self, vertex: usize, from: usize, into: usize) {
        swap_out(&mut self.vertices[vertex].neighbors, from);
        if self.vertices[vertex].neighbors.len() < 2 {
            self.facets[into].vertices.retain(|&v| v != vertex);
            self.delete_vertex(vertex);
        }
    }

    pub(super) fn delete_vertex(&mut self, vertex: usize) {
        if !std::mem::replace(&mut self.vertices[vertex].deleted, true) {
            self.deleted.push(vertex);
        }
    }

    fn renew_all(&mut self, facet: usize) {
        for v in self.facets[facet].vertices.clone() {
            self.renew(v);
        }
    }

    pub(super) fn delete_ridge(&mut self, number: usize) {
        let Ridge { vertices, top, bottom, .. } = self.ridges[number].clone();
        vertices.iter().for_each(|&v| self.vertices[v].lost_ridge = true);
        swap_out(&mut self.facets[top].ridges, number);
        swap_out(&mut self.facets[bottom].ridges, number);
    }

    /// An edge of one facet becomes one of another.
    fn hand_over(&mut self, number: usize, from: usize, into: usize) {
        let ridge = &mut self.ridges[number];
        if ridge.top == from {
            (ridge.top, ridge.simplicial_top) = (into, false);
        } else {
            (ridge.bottom, ridge.simplicial_bottom) = (into, false);
        }
    }
}
