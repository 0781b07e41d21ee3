//! A triangulated polytope inside a Minkowski difference that grows around the origin.

use mj_math::DVec3;

use super::gjk::Vertex;
use super::simplex::foot_on_plane;
use crate::frame::TINY;

/// Planes nearer to the origin than this have their normal from their corners.
const NEAR: f64 = 1e-7;
/// Squared distance below which a face is taken to hold the origin.
const ON_FACE: f64 = TINY * TINY;
/// Distances below this part of those of the corners are rounding.
const ROUNDING: f64 = 1e-13;
/// A face under which the point inside lies at a smaller angle is not to be told from one through it.
const FLAT: f64 = 1e-7;

/// A triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Corner indices.
    pub verts: [u32; 3],
    /// Neighbours across the edges (0, 1), (1, 2) and (2, 0).
    adjacent: [Across; 3],
    /// The foot of the origin on the face's plane: the outward normal times the distance.
    pub foot: DVec3,
    /// Squared distance of the plane.
    pub dist2: f64,
    /// Its place in the list of candidates, or `IGNORED` or `GONE`.
    place: u32,
    /// The origin is beyond the plane, or the point inside on it: the polytope is flat, or does not hold the origin.
    /// Known where care is taken.
    pub doubtful: bool,
}

/// A face, and which of its edges is shared: the sum of four times the one and the other.
#[derive(Clone, Copy, Debug)]
struct Across(u32);

impl Across {
    fn new(face: u32, edge: u32) -> Self {
        Self(face << 2 | edge)
    }

    fn face(self) -> u32 {
        self.0 >> 2
    }

    fn edge(self) -> u32 {
        self.0 & 3
    }
}

/// The edge after another, or the corner.
fn next(edge: u32) -> u32 {
    if edge == 2 { 0 } else { edge + 1 }
}

/// On the surface, but too far away to matter.
const IGNORED: u32 = u32::MAX;
/// Removed.
const GONE: u32 = u32::MAX - 1;

/// A face among which the nearest to the origin is sought.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    dist2: f64,
    face: u32,
}

/// The polytope; its memory is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pub verts: Vec<Vertex>,
    pub faces: Vec<Face>,
    candidates: Vec<Candidate>,
    /// The border of the part of the surface seen from a point outside: faces beyond it and their edges on it.
    horizon: Vec<Across>,
    /// Edges that are still to be visited on the way to it.
    ahead: Vec<Across>,
    /// A point inside.
    center: DVec3,
    /// Whether faces are to be found doubtful.
    pub careful: bool,
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
            ahead: Vec::with_capacity(faces),
            center: DVec3::ZERO,
            careful: false,
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

    /// The corners of a face.
    pub fn corners(&self, face: &Face) -> [Vertex; 3] {
        face.verts.map(|v| self.verts[v as usize])
    }

    /// The corners of the face that was added last.
    pub fn last_face(&self) -> Option<[Vertex; 3]> {
        self.faces.last().map(|face| self.corners(face))
    }

    /// The outward unit normal of a face.
    pub fn normal(&self, face: &Face) -> DVec3 {
        // A foot this short has no direction that could be trusted.
        if face.dist2 > NEAR * NEAR {
            return face.foot / face.dist2.sqrt();
        }
        let [p1, p2, p3] = face.verts.map(|v| self.verts[v as usize].w);
        self.outward((p2 - p1).cross(p3 - p1), p1).normalize_or_zero()
    }

    /// A normal, turned outward, of a face through the point `p`.
    fn outward(&self, v: DVec3, p: DVec3) -> DVec3 {
        if v.dot(p - self.center) < 0.0 { -v } else { v }
    }

    pub fn add_vertex(&mut self, vertex: Vertex) -> u32 {
        self.verts.push(vertex);
        self.verts.len() as u32 - 1
    }

    /// Replaces whatever there is by faces with these corners and, for each of their edges, the number of the face
    /// across it. Returns false as soon as one of them holds the origin or has no area: then it is the last.
    pub fn begin(&mut self, faces: &[([u32; 3], [u32; 3])]) -> bool {
        faces.iter().all(|&(verts, adjacent)| {
            // The edge runs the other way there.
            let edge = |k: usize| {
                let shared = verts[(k + 1) % 3];
                faces[adjacent[k] as usize].0.iter().position(|&v| v == shared).unwrap_or(0) as u32
            };
            let across = [0, 1, 2].map(|k| Across::new(adjacent[k], edge(k)));
            let corners = verts.map(|v| self.verts[v as usize].w);
            self.add_face(verts, corners, across) >= ON_FACE
        })
    }

    /// Appends a face with its neighbours; returns the squared distance of its plane, zero where it has no area.
    #[inline(always)]
    fn add_face(&mut self, verts: [u32; 3], [p1, p2, p3]: [DVec3; 3], adjacent: [Across; 3]) -> f64 {
        let found = foot_on_plane(p3, p2, p1).unwrap_or(DVec3::ZERO);
        let foot = self.outward(found, p1);
        let dist2 = foot.length_squared();
        let mut face = Face { verts, adjacent, foot, dist2, place: IGNORED, doubtful: false };
        if self.careful {
            let inside = p1 - self.center;
            face.doubtful = foot != found && dist2 > ROUNDING * ROUNDING * p1.length_squared()
                || self.normal(&face).dot(inside) < FLAT * inside.length();
        }
        self.faces.push(face);
        dist2
    }

    /// Lets a face take part in the search for the nearest.
    pub fn make_candidate(&mut self, face: u32) {
        let known = &mut self.faces[face as usize];
        known.place = self.candidates.len() as u32;
        self.candidates.push(Candidate { dist2: known.dist2, face });
    }

    /// Whether there is no such face.
    pub fn has_no_candidates(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Returns candidate faces up to a squared distance.
    pub fn candidates_within(&self, dist2: f64) -> impl Iterator<Item = u32> {
        self.candidates.iter().filter(move |c| c.dist2 <= dist2).map(|c| c.face)
    }

    /// The candidate nearest to the origin, the first of equals.
    pub fn nearest(&self) -> Option<u32> {
        let mut best = Candidate { dist2: f64::INFINITY, face: u32::MAX };
        for candidate in &self.candidates {
            if candidate.dist2 < best.dist2 {
                best = *candidate;
            }
        }
        (best.face != u32::MAX).then_some(best.face)
    }

    fn remove(&mut self, face: u32) {
        let place = std::mem::replace(&mut self.faces[face as usize].place, GONE);
        if place < GONE {
            self.candidates.swap_remove(place as usize);
            if let Some(moved) = self.candidates.get(place as usize) {
                self.faces[moved.face as usize].place = place;
            }
        }
    }

    /// Replaces the faces that are seen from a vertex outside `face` by a fan around it. `accept` decides by its
    /// distance whether a new face is a candidate. Returns false where a face has no area, or nothing is left.
    pub fn grow(&mut self, face: u32, vertex: Vertex, accept: impl Fn(f64) -> bool) -> bool {
        let apex = self.add_vertex(vertex);
        self.uncover(face, vertex.w);
        self.horizon.len() >= 3 && self.close((apex, vertex.w), accept)
    }

    /// Removes a face and what else is seen from `w`. What is not, across its border, is `horizon`, in the order in which
    /// a walk finds it that goes from each removed face across its edges in turn.
    fn uncover(&mut self, face: u32, w: DVec3) {
        self.horizon.clear();
        self.ahead.clear();
        self.remove(face);
        let [first, second, third] = self.faces[face as usize].adjacent;
        self.ahead.extend([third, second, first]);
        while let Some(across) = self.ahead.pop() {
            let face = &self.faces[across.face() as usize];
            if face.place == GONE {
                continue;
            }
            if self.is_seen(face, w) {
                let edge = next(across.edge());
                let further = [face.adjacent[next(edge) as usize], face.adjacent[edge as usize]];
                self.ahead.extend(further);
                self.remove(across.face());
            } else {
                self.horizon.push(across);
            }
        }
    }

    /// Whether a point is outside of a face.
    fn is_seen(&self, face: &Face, w: DVec3) -> bool {
        let rise =
            if face.dist2 > NEAR * NEAR { face.foot.dot(w) - face.dist2 } else { self.normal(face).dot(w - face.foot) };
        rise > TINY
    }

    /// Closes the hole inside `horizon`. The new faces' neighbours on the horizon are told.
    fn close(&mut self, (apex, w): (u32, DVec3), accept: impl Fn(f64) -> bool) -> bool {
        let (first, count) = (self.faces.len() as u32, self.horizon.len() as u32);
        for i in 0..count {
            let across = self.horizon[i as usize];
            let (beyond, edge, face) = (across.face() as usize, across.edge(), first + i);
            let old = &mut self.faces[beyond];
            let (from, to) = (old.verts[edge as usize], old.verts[next(edge) as usize]);
            old.adjacent[edge as usize] = Across::new(face, 1);
            // In the fan, edges from the apex meet edges to it.
            let before = Across::new(if i == 0 { first + count - 1 } else { face - 1 }, 2);
            let after = Across::new(if i + 1 == count { first } else { face + 1 }, 0);
            let corners = [w, self.verts[to as usize].w, self.verts[from as usize].w];
            let dist2 = self.add_face([apex, to, from], corners, [before, across, after]);
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
