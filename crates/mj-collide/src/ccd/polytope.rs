//! A triangulated polytope inside a Minkowski difference that grows around the origin.

use mj_math::DVec3;

use super::gjk::Vertex;
use super::simplex::foot_on_plane;
use crate::frame::TINY;

/// Planes nearer to the origin than this have their normal from their corners.
const NEAR: f64 = 1e-7;
/// Distances below this part of those of the corners are rounding.
const ROUNDING: f64 = 1e-13;
/// A face under which the point inside lies at a smaller angle is not to be told from one through it.
const FLAT: f64 = 1e-7;

/// A triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Corner indices.
    pub verts: [usize; 3],
    /// The faces across the edges (0, 1), (1, 2) and (2, 0).
    adjacent: [usize; 3],
    /// The foot of the origin on the face's plane: the outward normal times the distance.
    pub foot: DVec3,
    /// The outward unit normal.
    pub normal: DVec3,
    /// Squared distance of the plane.
    pub dist2: f64,
    /// The origin is beyond the plane, or the point inside on it: the polytope is flat, or does not hold the origin.
    pub doubtful: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// On the surface, but too far away to matter.
    Ignored,
    /// On the surface, at this place of the list of candidates.
    Candidate(usize),
    /// Removed.
    Gone,
}

impl Face {
    /// Whether a point is outside.
    fn is_below(&self, w: DVec3) -> bool {
        let rise =
            if self.dist2 > NEAR * NEAR { self.foot.dot(w) - self.dist2 } else { self.normal.dot(w - self.foot) };
        rise > TINY
    }
}

/// The polytope; its memory is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pub verts: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// Indices of the faces among which the nearest to the origin is sought.
    pub candidates: Vec<usize>,
    /// The border of the part of the surface seen from a point outside: faces beyond it and their edges on it.
    pub horizon: Vec<(usize, usize)>,
    /// A point inside.
    center: DVec3,
}

impl Polytope {
    /// With room for this many added vertices: each replaces the faces that it sees by a fan, which adds two faces
    /// more than it removes.
    pub fn with_capacity(steps: usize) -> Self {
        let faces = 6 + 2 * steps;
        Self {
            verts: Vec::with_capacity(5 + steps),
            faces: Vec::with_capacity(6 * (1 + steps)),
            candidates: Vec::with_capacity(faces),
            horizon: Vec::with_capacity(faces),
            center: DVec3::ZERO,
        }
    }

    /// Empties it and sets the point that tells outside from inside.
    pub fn restart(&mut self, center: DVec3) {
        self.verts.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
        self.center = center;
    }

    pub fn add_vertex(&mut self, vertex: Vertex) -> usize {
        self.verts.push(vertex);
        self.verts.len() - 1
    }

    /// Appends a face with its neighbours; returns the squared distance of its plane, zero where it has no area.
    pub fn add_face(&mut self, verts: [usize; 3], adjacent: [usize; 3]) -> f64 {
        let [p1, p2, p3] = verts.map(|v| self.verts[v].w);
        let found = foot_on_plane(p3, p2, p1);
        let found = found.unwrap_or(DVec3::ZERO);
        let outward = |v: DVec3| if v.dot(p1 - self.center) < 0.0 { -v } else { v };
        let foot = outward(found);
        let dist2 = foot.length_squared();
        // A foot this short has no direction that could be trusted.
        let normal = if dist2 > NEAR * NEAR {
            foot / dist2.sqrt()
        } else {
            outward((p2 - p1).cross(p3 - p1)).normalize_or_zero()
        };
        let doubtful = foot != found && dist2 > ROUNDING * ROUNDING * p1.length_squared()
            || normal.dot(p1 - self.center) < FLAT * p1.distance(self.center);
        self.faces.push(Face { verts, adjacent, foot, normal, dist2, doubtful, state: State::Ignored });
        dist2
    }

    /// Lets a face take part in the search for the nearest.
    pub fn make_candidate(&mut self, face: usize) {
        self.faces[face].state = State::Candidate(self.candidates.len());
        self.candidates.push(face);
    }

    /// The candidate nearest to the origin, the first of equals.
    pub fn nearest(&self) -> Option<usize> {
        let mut best = (f64::INFINITY, None);
        for &face in &self.candidates {
            if self.faces[face].dist2 < best.0 {
                best = (self.faces[face].dist2, Some(face));
            }
        }
        best.1
    }

    fn remove(&mut self, face: usize) {
        if let State::Candidate(place) = self.faces[face].state {
            self.candidates.swap_remove(place);
            if let Some(&moved) = self.candidates.get(place) {
                self.faces[moved].state = State::Candidate(place);
            }
        }
        self.faces[face].state = State::Gone;
    }

    /// Removes the faces that are seen from the point `w` outside `face`, and leaves their border in `horizon`.
    pub fn remove_visible(&mut self, face: usize, w: DVec3) {
        self.horizon.clear();
        self.remove(face);
        for edge in 0..3 {
            self.look_across(face, edge, w);
        }
    }

    /// Goes from a removed face across one of its edges.
    fn look_across(&mut self, from: usize, edge: usize, w: DVec3) {
        let face = self.faces[from].adjacent[edge];
        if self.faces[face].state == State::Gone {
            return;
        }
        let shared = self.faces[from].verts[(edge + 1) % 3];
        let back = self.faces[face].verts.iter().position(|&v| v == shared).unwrap_or(2);
        if self.faces[face].is_below(w) {
            self.remove(face);
            self.look_across(face, (back + 1) % 3, w);
            self.look_across(face, (back + 2) % 3, w);
        } else {
            self.horizon.push((face, back));
        }
    }

    /// Closes the hole that `remove_visible` left with a fan of faces around `apex`. The new faces' neighbours on
    /// the horizon are told; `accept` decides by its distance whether a face is a candidate. Returns false where
    /// a face has no area.
    pub fn close(&mut self, apex: usize, accept: impl Fn(f64) -> bool) -> bool {
        let (first, count) = (self.faces.len(), self.horizon.len());
        for i in 0..count {
            let (beyond, edge) = self.horizon[i];
            let face = first + i;
            let (from, to) = (self.faces[beyond].verts[edge], self.faces[beyond].verts[(edge + 1) % 3]);
            self.faces[beyond].adjacent[edge] = face;
            let before = first + (i + count - 1) % count;
            let after = first + (i + 1) % count;
            let dist2 = self.add_face([apex, to, from], [before, beyond, after]);
            if dist2 == 0.0 {
                return false;
            }
            if accept(dist2) {
                self.make_candidate(face);
            }
        }
        true
    }
}
