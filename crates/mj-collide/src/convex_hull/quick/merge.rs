//! Facets that are not clearly convex are united.
//!
//! A new facet and a neighbour make a flat or a dented edge if the centre of one is in or above the plane of the other.
//! Then one of the two is united with the neighbour whose plane is nearest to its vertices: Barber, Dobkin and
//! Huhdanpaa, "The Quickhull algorithm for convex hulls" (1996), sec. 4.

use super::facets::{Facet, TAIL};
use super::{Quickhull, Unsupported};
use std::cmp::Ordering;

/// Defect of the edge of two facets; the later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Fault {
    Flat,
    Dented,
    /// Seen from one side flat, from the other dented.
    Both,
}

/// Two facets whose edge is not clearly convex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    facets: [usize; 2],
    fault: Fault,
    distance: f64,
}

/// How far the vertices of a facet are from the plane of another: the worst, and how far below and above.
struct Misfit {
    facet: usize,
    worst: f64,
    below: f64,
    above: f64,
}

impl Quickhull<'_> {
    /// Unites new facets until all their edges are convex.
    pub(super) fn make_convex(&mut self) -> Result<(), Unsupported> {
        if self.is_clearly_convex() {
            return Ok(());
        }
        let mut any = self.join_horizon()?;
        self.test_new();
        while !self.candidates.is_empty() {
            while let Some(Candidate { facets: [a, b], fault, .. }) = self.candidates.pop() {
                let [f, g] = [&self.facets[a], &self.facets[b]];
                // Flat edges of facets that changed since are tested again first.
                let waits = |f: &Facet| !f.tested && f.new;
                if f.visible || g.visible || fault == Fault::Flat && (waits(f) || waits(g)) {
                    continue;
                }
                self.unite_best(a, b)?;
                any = true;
            }
            self.test_changed();
        }
        if any { self.drop_needless_vertices() } else { Ok(()) }
    }

    /// Is every new facet a triangle, across from a triangle, with all edges convex beyond doubt?
    fn is_clearly_convex(&self) -> bool {
        let is_plain = |f: usize| self.facets[self.facets[f].neighbors[0]].simplicial && self.facets[f].has_plane;
        if !self.facets.new_ones().all(is_plain) {
            return false;
        }
        let below = |vertex: usize, facet: usize| self.vertex_above(vertex, facet) < -self.tolerance.flat;
        self.facets.new_ones().all(|facet| {
            let f = &self.facets[facet];
            let horizon = f.neighbors[0];
            let other = self.facets[horizon].vertices.iter().find(|v| !f.vertices[1..].contains(v));
            (1..3).all(|k| below(f.vertices[k], f.neighbors[k])) && other.is_none_or(|&v| below(v, facet))
        })
    }

    /// Unites triangles that were made in the plane of a facet of the horizon with that facet.
    fn join_horizon(&mut self) -> Result<bool, Unsupported> {
        let mut any = false;
        let mut next = self.facets.new.unwrap_or(TAIL);
        while next != TAIL {
            let facet = next;
            next = self.facets.after(facet);
            if self.facets[facet].has_plane {
                continue;
            }
            for k in 1..3 {
                let v = self.facets[facet].vertices[k];
                self.vertices[v].lost_ridge = true;
            }
            self.unite(facet, self.facets[facet].neighbors[0], None)?;
            any = true;
        }
        for facet in self.facets.new_ones().collect::<Vec<_>>() {
            if any && std::mem::take(&mut self.facets[facet].flat_horizon) {
                self.refuse_degenerate(facet)?;
            }
        }
        Ok(any)
    }

    /// Tests all edges of the new facets.
    fn test_new(&mut self) {
        self.visit += 1;
        for facet in self.facets.new_ones().collect::<Vec<_>>() {
            self.facets[facet].visit = self.visit;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                if self.facets[neighbor].visit != self.visit && self.test_edge(facet, neighbor) {
                    let mut edges = self.facets[neighbor].ridges.iter();
                    if let Some(&r) = edges.find(|&&r| self.ridges[r].across(neighbor) == facet) {
                        self.ridges[r].nonconvex = true;
                    }
                }
            }
            self.facets[facet].tested = true;
            for &r in &self.facets[facet].ridges {
                self.ridges[r].tested = true;
            }
        }
        self.sort_candidates();
    }

    /// Tests the edges that changed.
    fn test_changed(&mut self) {
        self.visit += 1;
        for facet in self.facets.new_ones().collect::<Vec<_>>() {
            if self.facets[facet].tested {
                continue;
            }
            self.facets[facet].visit = self.visit;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                self.facets[neighbor].seen = false;
            }
            for i in 0..self.facets[facet].ridges.len() {
                let number = self.facets[facet].ridges[i];
                let ridge = &self.ridges[number];
                if ridge.tested && !ridge.nonconvex {
                    continue;
                }
                let neighbor = ridge.across(facet);
                let n = &mut self.facets[neighbor];
                // One test will do for two facets.
                if n.visit == self.visit && !n.seen {
                    continue;
                }
                let nonconvex = !n.seen && {
                    n.seen = true;
                    self.test_edge(facet, neighbor)
                };
                let ridge = &mut self.ridges[number];
                (ridge.tested, ridge.nonconvex) = (true, nonconvex);
            }
            self.facets[facet].tested = true;
        }
        self.sort_candidates();
    }

    /// Notes two facets if their edge is not convex beyond doubt.
    fn test_edge(&mut self, facet: usize, neighbor: usize) -> bool {
        let flat = self.tolerance.flat;
        let centre = self.centre(facet);
        let here = self.above(centre, neighbor);
        let centre = self.centre(neighbor);
        let there = self.above(centre, facet);
        let is_dented = here > flat || there > flat;
        let is_flat = [here, there].iter().any(|d| (-flat..=flat).contains(d));
        let (facets, fault, distance) = match (is_dented, is_flat) {
            (true, true) if here > there => ([facet, neighbor], Fault::Both, here),
            (true, true) => ([neighbor, facet], Fault::Both, there),
            (true, false) => ([facet, neighbor], Fault::Dented, here.max(there)),
            (false, true) => ([facet, neighbor], Fault::Flat, here.abs().min(there.abs())),
            (false, false) => return false,
        };
        self.candidates.push(Candidate { facets, fault, distance });
        true
    }

    /// The least faults come last, to be mended first.
    fn sort_candidates(&mut self) {
        self.candidates.sort_by(|a, b| {
            b.fault.partial_cmp(&a.fault).unwrap_or(Ordering::Equal).then(b.distance.total_cmp(&a.distance))
        });
    }

    /// Unites one of two facets with that of its neighbours which suits it best.
    fn unite_best(&mut self, mut a: usize, mut b: usize) -> Result<(), Unsupported> {
        if !self.facets[a].new {
            std::mem::swap(&mut a, &mut b);
        }
        let (for_a, for_b) = (self.best_neighbor(a), self.best_neighbor(b));
        if for_a.worst < for_b.worst {
            self.unite(a, for_a.facet, Some((for_a.below, for_a.above)))
        } else {
            self.unite(b, for_b.facet, Some((for_b.below, for_b.above)))
        }
    }

    /// The neighbour whose plane is nearest to the vertices of a facet.
    fn best_neighbor(&mut self, facet: usize) -> Misfit {
        let size = self.facets[facet].vertices.len();
        // Of large facets only the centre is tried.
        let centre = (size > 26).then(|| self.centre(facet));
        let f = &self.facets[facet];
        let fits = |neighbor: usize| match centre {
            None => self.misfit(facet, neighbor),
            Some(centre) => {
                let d = 3.0 * self.above(centre, neighbor);
                Misfit { facet: neighbor, worst: d.abs(), below: d.min(0.0), above: d.max(0.0) }
            }
        };
        let better = |a: Misfit, b: Misfit| if b.worst < a.worst { b } else { a };
        let dented = f.ridges.iter().map(|&r| &self.ridges[r]).filter(|r| size > 18 && r.nonconvex);
        let best = (dented.map(|r| fits(r.across(facet))).reduce(better))
            .or_else(|| f.neighbors.iter().map(|&n| fits(n)).reduce(better))
            .unwrap_or(Misfit { facet: TAIL, worst: f64::INFINITY, below: 0.0, above: 0.0 });
        if centre.is_some() { self.misfit(facet, best.facet) } else { best }
    }

    /// How far the vertices of a facet are from a neighbour's plane.
    fn misfit(&self, facet: usize, neighbor: usize) -> Misfit {
        let (mut below, mut above) = (0.0f64, 0.0f64);
        let n = &self.facets[neighbor];
        for v in self.facets[facet].vertices.iter().filter(|v| n.vertices.binary_search_by(|w| v.cmp(&w)).is_err()) {
            let d = self.vertex_above(*v, neighbor);
            if d < below {
                below = d;
            } else if d > above {
                above = d;
            }
        }
        Misfit { facet: neighbor, worst: above.max(-below), below, above }
    }
}
