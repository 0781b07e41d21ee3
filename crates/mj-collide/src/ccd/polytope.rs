//! A triangulated polytope inside a Minkowski difference that grows around the origin.

use mj_math::DVec3;
use mj_math::lanes::{FourKernel, Lanes, Points, four};

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
    /// What is across the edges (0, 1), (1, 2) and (2, 0).
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

/// The polytope; its memory is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pub verts: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// Squared distances of the faces among which the nearest to the origin is sought, and which they are.
    dist2: Vec<f64>,
    candidates: Vec<u32>,
    /// The border of the part of the surface seen from a point outside: faces beyond it and their edges on it.
    horizon: Vec<Across>,
    /// The feet of a fan's faces.
    feet: Vec<Feet>,
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
            dist2: Vec::with_capacity(faces),
            candidates: Vec::with_capacity(faces),
            horizon: Vec::with_capacity(faces),
            feet: Vec::with_capacity(faces.div_ceil(4)),
            center: DVec3::ZERO,
            careful: false,
        }
    }

    /// Empties it and sets the point that tells outside from inside.
    pub fn restart(&mut self, center: DVec3) {
        self.verts.clear();
        self.faces.clear();
        self.dist2.clear();
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
            self.add_face(verts, across) >= ON_FACE
        })
    }

    /// Appends a face with its neighbours; returns the squared distance of its plane, zero where it has no area.
    fn add_face(&mut self, verts: [u32; 3], adjacent: [Across; 3]) -> f64 {
        let [p1, p2, p3] = verts.map(|v| self.verts[v as usize].w);
        let found = foot_on_plane(p3, p2, p1).unwrap_or(DVec3::ZERO);
        let foot = self.outward(found, p1);
        let dist2 = foot.length_squared();
        self.faces.push(Face { verts, adjacent, foot, dist2, place: IGNORED, doubtful: false });
        if self.careful
            && let Some(last) = self.faces.len().checked_sub(1)
        {
            let inside = p1 - self.center;
            self.faces[last].doubtful = foot != found && dist2 > ROUNDING * ROUNDING * p1.length_squared()
                || self.normal(&self.faces[last]).dot(inside) < FLAT * inside.length();
        }
        dist2
    }

    /// Lets a face take part in the search for the nearest.
    pub fn make_candidate(&mut self, face: u32) {
        let known = &mut self.faces[face as usize];
        known.place = self.candidates.len() as u32;
        self.dist2.push(known.dist2);
        self.candidates.push(face);
    }

    /// Whether there is no such face.
    pub fn has_no_candidates(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Such faces up to a squared distance.
    pub fn candidates_within(&self, dist2: f64) -> impl Iterator<Item = u32> {
        let candidates = self.candidates.iter().zip(&self.dist2);
        candidates.filter(move |&(_, &d)| d <= dist2).map(|(&face, _)| face)
    }

    /// The candidate nearest to the origin, the first of equals.
    pub fn nearest(&self) -> Option<u32> {
        // Eight lists at once: vectors, without a branch.
        let (eights, rest) = self.dist2.as_chunks::<8>();
        let mut least = [f64::INFINITY; 8];
        for eight in eights {
            for k in 0..8 {
                least[k] = if eight[k] < least[k] { eight[k] } else { least[k] };
            }
        }
        let least = least.iter().chain(rest).fold(f64::INFINITY, |least, &d| if d < least { d } else { least });
        let first = self.dist2.iter().position(|&d| d == least).filter(|_| least < f64::INFINITY)?;
        Some(self.candidates[first])
    }

    fn remove(&mut self, face: u32) {
        let place = std::mem::replace(&mut self.faces[face as usize].place, GONE);
        if place < GONE {
            self.dist2.swap_remove(place as usize);
            self.candidates.swap_remove(place as usize);
            if let Some(&moved) = self.candidates.get(place as usize) {
                self.faces[moved as usize].place = place;
            }
        }
    }

    /// Replaces the faces that are seen from a vertex outside `face` by a fan around it. `accept` decides by its
    /// distance whether a new face is a candidate. Returns false where a face has no area, or nothing is left.
    pub fn grow(&mut self, face: u32, vertex: Vertex, accept: impl Fn(f64) -> bool) -> bool {
        let apex = self.add_vertex(vertex);
        self.horizon.clear();
        self.remove(face);
        for edge in 0..3 {
            self.look_across(face, edge, vertex.w);
        }
        self.horizon.len() >= 3 && self.close(apex, accept)
    }

    /// Goes from a removed face across one of its edges, and removes what is seen from `w`; what is not is `horizon`.
    fn look_across(&mut self, from: u32, edge: u32, w: DVec3) {
        let across = self.faces[from as usize].adjacent[edge as usize];
        let face = &self.faces[across.face() as usize];
        if face.place == GONE {
            return;
        }
        if self.is_seen(face, w) {
            self.remove(across.face());
            let edge = next(across.edge());
            self.look_across(across.face(), edge, w);
            self.look_across(across.face(), next(edge), w);
        } else {
            self.horizon.push(across);
        }
    }

    /// Whether a point is outside of a face.
    fn is_seen(&self, face: &Face, w: DVec3) -> bool {
        let rise =
            if face.dist2 > NEAR * NEAR { face.foot.dot(w) - face.dist2 } else { self.normal(face).dot(w - face.foot) };
        rise > TINY
    }

    /// Closes the hole inside `horizon`. The new faces' neighbours on the horizon are told.
    fn close(&mut self, apex: u32, accept: impl Fn(f64) -> bool) -> bool {
        let (first, count) = (self.faces.len() as u32, self.horizon.len() as u32);
        if !self.careful {
            let Self { verts, faces, horizon, feet, center, .. } = self;
            feet.clear();
            four(Fan { verts, faces, horizon, apex: verts[apex as usize].w, center: *center, feet });
        }
        for i in 0..count {
            let across = self.horizon[i as usize];
            let (beyond, edge, face) = (across.face() as usize, across.edge(), first + i);
            let old = &mut self.faces[beyond];
            let (from, to) = (old.verts[edge as usize], old.verts[next(edge) as usize]);
            old.adjacent[edge as usize] = Across::new(face, 1);
            // In the fan, edges from the apex meet edges to it.
            let before = Across::new(if i == 0 { first + count - 1 } else { face - 1 }, 2);
            let after = Across::new(if i + 1 == count { first } else { face + 1 }, 0);
            let (verts, adjacent) = ([apex, to, from], [before, across, after]);
            let dist2 = match self.feet.get(i as usize / 4).and_then(|feet| feet.get(i as usize % 4)) {
                Some((foot, dist2)) if !self.careful => {
                    self.faces.push(Face { verts, adjacent, foot, dist2, place: IGNORED, doubtful: false });
                    dist2
                }
                _ => self.add_face(verts, adjacent),
            };
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

/// The feet of the origin on four faces: their coordinates, and their squares, or no number where rounding asks for more
/// care.
#[derive(Clone, Copy, Debug)]
struct Feet {
    foot: [[f64; 4]; 3],
    dist2: [f64; 4],
}

impl Feet {
    /// The foot of a face, and its square.
    fn get(&self, l: usize) -> Option<(DVec3, f64)> {
        let [x, y, z] = &self.foot;
        (!self.dist2[l].is_nan()).then(|| (DVec3::new(x[l], y[l], z[l]), self.dist2[l]))
    }
}

/// The feet of a fan's faces, four at a time: what [`Polytope::add_face`] does for one.
struct Fan<'a> {
    verts: &'a [Vertex],
    faces: &'a [Face],
    horizon: &'a [Across],
    apex: DVec3,
    center: DVec3,
    feet: &'a mut Vec<Feet>,
}

impl FourKernel for Fan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
        let (apex, inside) = (Points::splat(s, self.apex), Points::splat(s, self.apex - self.center));
        for edges in self.horizon.chunks(4) {
            // An end of each, the last repeated.
            let end = |l: usize, along: fn(u32) -> u32| {
                let across = edges[l.min(edges.len() - 1)];
                let face = &self.faces[across.face() as usize];
                self.verts[face.verts[along(across.edge()) as usize] as usize].w
            };
            let from = Points::new(s, std::array::from_fn(|l| end(l, |edge| edge)));
            let to = Points::new(s, std::array::from_fn(|l| end(l, next)));
            let normal = (apex - to).cross(to - from);
            let (height, length2) = (normal.dot(to), normal.length_squared());
            let zero = height.like(0.0);
            let sound = (height.lt(zero) | zero.lt(height)) & height.like(TINY).lt(length2);
            let found = normal * (height / length2);
            let outward = Points::select(found.dot(inside).lt(zero), -found, found);
            let dist2 = sound.select(outward.length_squared(), height.like(f64::NAN));
            let foot = [outward.x.get(), outward.y.get(), outward.z.get()];
            self.feet.push(Feet { foot, dist2: dist2.get() });
        }
    }
}
