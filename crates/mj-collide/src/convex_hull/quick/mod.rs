//! Quickhull with united facets, in three dimensions.
//!
//! The method is that of C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull algorithm for convex hulls", ACM
//! Transactions on Mathematical Software 22 (1996): a simplex grows by the point that is farthest above one of its
//! facets, the facets that see the point are replaced by a cone of triangles, and facets that rounding makes flat or
//! dented are united with a neighbour, to be split into fans in the end.
//!
//! Any hull of a cube has twelve triangles; which, and in which order, depends on what is searched first. Sides of
//! meshes start at the vertex that this order gives, and which points make up a contact of two sides depends on where
//! they start. So the order here is Qhull's, whose program made it the common one: of points, facets, neighbours and
//! edges alike. Where exact coordinates would call for the rarer kinds of repair, this says
//! [`Unsupported`], and something else must find a hull.

mod cone;
mod facets;
mod merge;
mod needless;
mod partition;
mod plane;
mod search;
mod start;
mod unite;

use facets::{Facets, Ridge, Vertex};
use merge::Candidate;
use mj_math::DVec3;
use start::{Extent, Tolerance};
use std::collections::HashMap;

/// The points need a repair that is not supported; the text says which.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unsupported(pub &'static str);

/// A hull that grows.
struct Quickhull<'a> {
    points: &'a [DVec3],
    tolerance: Tolerance,
    facets: Facets,
    vertices: Vec<Vertex>,
    ridges: Vec<Ridge>,
    /// A point inside.
    inside: DVec3,
    /// Vertices that are new, or of facets that are.
    new_vertices: Vec<usize>,
    /// Vertices that have gone in this step, and how many went before.
    deleted: Vec<usize>,
    gone: usize,
    /// How far above its facet any point that was dropped is.
    outmost: f64,
    /// How far a point may be above, at most, that is dropped.
    widest: f64,
    merges: usize,
    candidates: Vec<Candidate>,
    /// Do vertices know the facets around them?
    knows_around: bool,
    /// Are all new facets to be looked at for each point? Are they known to be so blunt that a walk will do?
    search_all: bool,
    blunt: bool,
    /// The number of the present search: what it met bears it.
    visit: u64,
    /// Buffers.
    as_good: Vec<usize>,
    open_edges: HashMap<usize, (usize, usize)>,
}

/// Triangles of the hull, counter-clockwise seen from outside. With `most`, the hull of at most so many points (four at
/// least), each the farthest out of those before it.
///
/// # Errors
/// If the points need a rare repair, or are flat.
pub(super) fn hull(points: &[DVec3], most: Option<usize>) -> Result<Vec<[u32; 3]>, Unsupported> {
    let extent = Extent::of(points);
    let simplex = extent.simplex(points)?;
    let mut hull = Quickhull::start(points, extent.tolerance, &simplex)?;
    // Points that merges leave outside come again; not for ever.
    let mut left = 4 * points.len();
    while let Some((point, facet)) = hull.farthest(most.is_some()) {
        left = left.checked_sub(1).ok_or(Unsupported("points that come again and again"))?;
        if most.is_some_and(|most| hull.vertices.len() - hull.gone >= most) {
            break;
        }
        hull.add(point, facet)?;
    }
    Ok(hull.triangles())
}

impl<'a> Quickhull<'a> {
    /// The simplex, with all points given to its facets.
    fn start(points: &'a [DVec3], tolerance: Tolerance, simplex: &[u32]) -> Result<Self, Unsupported> {
        let vertices: Vec<Vertex> = (simplex.iter()).map(|&point| Vertex { point, ..Vertex::default() }).collect();
        let mut hull = Self {
            points,
            widest: tolerance.widest(0.0),
            tolerance,
            facets: Facets::new(),
            vertices,
            ridges: Vec::new(),
            inside: DVec3::ZERO,
            new_vertices: Vec::new(),
            deleted: Vec::new(),
            gone: 0,
            outmost: 0.0,
            merges: 0,
            candidates: Vec::new(),
            knows_around: false,
            search_all: false,
            blunt: false,
            visit: 0,
            as_good: Vec::new(),
            open_edges: HashMap::new(),
        };
        hull.inside = (0..4).rev().fold(DVec3::ZERO, |sum, v| sum + hull.at(v)) / 4.0;
        let facets: Vec<usize> = (0..4)
            .map(|skip| hull.facets.make((0..4).rev().filter(|&v| v != 3 - skip).collect(), skip % 2 == 0))
            .collect();
        for &f in &facets {
            hull.facets[f].neighbors = facets.iter().copied().filter(|&n| n != f).collect();
            hull.facets[f].new = false;
        }
        if !hull.set_plane(facets[0])? && hull.above(hull.inside, facets[0]) > hull.tolerance.round {
            facets.iter().for_each(|&f| hull.facets[f].top ^= true);
        }
        for &f in &facets {
            if !hull.set_plane(f)? {
                return Err(Unsupported("a flat simplex"));
            }
        }
        let normal = |f: usize| hull.facets[f].normal;
        if facets.iter().any(|&f| facets.iter().any(|&g| f != g && normal(f).dot(normal(g)) < -0.999_999_99)) {
            return Err(Unsupported("a narrow simplex"));
        }
        hull.partition_all();
        hull.facets.next = hull.facets.first();
        hull.advance_farthest();
        Ok(hull)
    }

    /// Puts the facet with the farthest point next.
    fn advance_farthest(&mut self) {
        let mut best: Option<usize> = None;
        for f in self.facets.from(self.facets.first()) {
            let facet = &self.facets[f];
            if !facet.outside.is_empty() && best.is_none_or(|b| facet.farthest > self.facets[b].farthest) {
                best = Some(f);
            }
        }
        if let Some(facet) = best {
            self.facets.remove(facet);
            self.facets.prepend_next(facet);
        }
    }

    /// The next point to add, and a facet that it is above: the farthest above the next facet, or of all.
    fn farthest(&mut self, of_all: bool) -> Option<(u32, usize)> {
        while self.facets.next != facets::TAIL && self.facets[self.facets.next].outside.is_empty() {
            self.facets.next = self.facets.after(self.facets.next);
        }
        if of_all {
            self.advance_farthest();
        }
        let facet = self.facets.next;
        Some((self.facets[facet].outside.pop()?, facet))
    }

    /// Adds a point that is above a facet.
    fn add(&mut self, point: u32, facet: usize) -> Result<(), Unsupported> {
        self.widest = self.tolerance.widest(self.outmost);
        self.find_horizon(point, facet)?;
        self.make_cone(point)?;
        self.make_convex()?;
        self.search_all = self.merges > 50 || self.facets.new_ones().any(|f| !self.facets[f].simplicial);
        self.partition_visible()?;
        (self.search_all, self.blunt) = (false, false);
        for facet in self.facets.visible_ones().collect::<Vec<_>>() {
            self.facets.remove(facet);
        }
        for v in std::mem::take(&mut self.new_vertices) {
            self.vertices[v].new = false;
        }
        for facet in self.facets.new_ones().collect::<Vec<_>>() {
            self.facets[facet].new = false;
        }
        (self.facets.new, self.facets.visible) = (None, None);
        Ok(())
    }

    /// All facets as triangles: first the simplicial ones, then fans of the others, about their newest vertices.
    fn triangles(&self) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        let mut push = |vertices: [usize; 3], top: bool| {
            let [a, b, c] = vertices.map(|v| self.vertices[v].point);
            out.push(if top { [b, a, c] } else { [a, b, c] });
        };
        let all = || self.facets.from(self.facets.first());
        for f in all().filter(|&f| self.facets[f].simplicial).map(|f| &self.facets[f]) {
            push([f.vertices[0], f.vertices[1], f.vertices[2]], f.top);
        }
        for f in all().filter(|&f| !self.facets[f].simplicial) {
            let apex = self.facets[f].vertices[0];
            for ridge in self.facets[f].ridges.iter().map(|&r| &self.ridges[r]) {
                if let [a, b] = ridge.vertices[..]
                    && a != apex
                {
                    push([apex, a, b], ridge.top == f);
                }
            }
        }
        out
    }
}
