//! Several contacts where flat or straight parts of two shapes lie against each other: the part of one that
//! faces the other is clipped against it.
//!
//! Boxes and polyhedra have faces and edges, cylinders caps (as regular polygons) and sides (as the line that is nearest to
//! the other shape), capsules sides.

use mj_math::DVec3;

use super::Touch;
use super::clip::{clip, widest_quad};
use super::support::SupportMap;
use crate::frame::direction;
use crate::{Placed, PreContacts, ShapeKind};

/// Two faces are against each other where the cosine of the angle between their normals is below this: 5°.
const FACE: f64 = -0.996;
/// An edge lies on a face where the sine of the angle between them is below this: 5°.
const EDGE: f64 = 0.0888;
/// A quarter of the regular polygon that stands for a cylinder's cap: cosine and sine of multiples of 22.5°. Which
/// four of its corners span the largest area is a matter of the last digits, so these are the reference's.
#[allow(clippy::approx_constant)]
const CAP_QUARTER: [[f64; 2]; 4] = [
    [1.0, 0.0],
    [0.923879532511287, 0.38268343236509],
    [0.707106781186548, 0.707106781186547],
    [0.38268343236509, 0.923879532511287],
];
/// Contacts that a polygon is reduced to.
const MOST: usize = 4;

/// Most corners of a face that is no polyhedron's, and most faces that may share one of its points.
const FEW: usize = 16;

/// Memory for faces and what is cut out of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    window: Vec<DVec3>,
    patch: Vec<DVec3>,
    spare: Vec<DVec3>,
    heights: Vec<f64>,
    faces: [Vec<usize>; 2],
}

impl Patches {
    /// Makes room for polyhedra whose sides have at most this many corners, and corners this many sides.
    pub fn reserve(&mut self, corners: usize, sides: usize) {
        let corners = corners.max(FEW);
        self.window.reserve(corners);
        // Each cut adds a corner at most.
        self.patch.reserve(2 * corners);
        self.spare.reserve(2 * corners);
        self.heights.reserve(2 * corners);
        self.faces.iter_mut().for_each(|faces| faces.reserve(sides.max(FEW)));
    }
}

/// A flat part: its corners, clockwise seen from outside, and its outward normal.
struct Face<'a> {
    corners: &'a [DVec3],
    normal: DVec3,
}

/// A straight part.
struct Edge {
    ends: [DVec3; 2],
    /// How far outside its shape it is.
    inflation: f64,
}

/// The corners of a box's faces (+x, −x, +y, −y, +z, −z), clockwise seen from outside: a bit for each positive
/// coordinate.
const BOX_FACES: [[usize; 4]; 6] = [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];

/// Replaces the single contact of two shapes by several, if their facing parts allow; returns whether they do.
/// `ahead` says that the shapes are apart and will touch, and the contacts are to join the points that will.
pub(crate) fn manifold(
    a: &Placed,
    b: &Placed,
    touch: &Touch,
    (margin, ahead): (f64, bool),
    memory: &mut Patches,
    out: &mut PreContacts,
) -> bool {
    let round = |s: &Placed| matches!(s.shape.kind, ShapeKind::Sphere | ShapeKind::Ellipsoid);
    if round(a) || round(b) {
        return false;
    }
    let normal = touch.witness.normal;
    let (part1, part2) = (Part::of_touch(a, touch, 0), Part::of_touch(b, touch, 1));
    let Patches { window, patch, spare, heights, faces: [faces1, faces2] } = memory;
    part1.faces(faces1);
    part2.faces(faces2);
    // The two faces that are most nearly against each other.
    let mut against: Option<(usize, usize, f64)> = None;
    for &n1 in faces1.iter() {
        let normal1 = part1.normal(n1);
        for &n2 in faces2.iter() {
            let cosine = normal1.dot(part2.normal(n2));
            if against.is_none_or(|best| cosine < best.2) {
                against = Some((n1, n2, cosine));
            }
        }
    }
    if let Some((n1, n2, cosine)) = against
        && cosine < FACE
    {
        part2.face(n2, patch);
        let face1 = part1.face(n1, window);
        clip(patch, (spare, heights), face1.corners, face1.normal);
        return face_face(&face1, part2.normal(n2), patch, (margin, ahead.then_some(normal)), out);
    }
    // Otherwise an edge of one on a face of the other that is turned to it; that of the lesser feature first.
    let both = part1.is_polyhedral() && part2.is_polyhedral();
    let parts = [(&part1, &*faces1, normal, -1.0), (&part2, &*faces2, -normal, 1.0)];
    let order = if both && part2.corners < part1.corners { [1, 0] } else { [0, 1] };
    for i in order {
        let (with_edge, (with_face, faces, toward, sign)) = (parts[i].0, parts[1 - i]);
        for &n in faces.iter().filter(|&&n| with_face.normal(n).dot(toward) > 0.0) {
            if let Some(edge) = with_edge.edge_on(with_face.normal(n), margin) {
                let face = with_face.face(n, window);
                patch.clear();
                patch.extend(edge.ends);
                clip(patch, (spare, heights), face.corners, face.normal);
                return edge_face(edge.inflation, &face, patch, sign, margin, out);
            }
        }
    }
    false
}

/// The part of a shape that touches the other.
struct Part<'a> {
    shape: &'a Placed<'a>,
    /// Where the other shape is, in the shape's frame.
    direction: DVec3,
    /// The point nearest to the other shape, or deepest in it, of the inflated shape in its frame.
    witness: DVec3,
    /// Support points there, in the shape's frame.
    support: [DVec3; 3],
    /// Their numbers, of a polyhedron's corners.
    number: [u32; 3],
    /// How many of them are different.
    corners: usize,
}

impl<'a> Part<'a> {
    /// The part of the first or second shape.
    fn of_touch(shape: &'a Placed<'a>, touch: &Touch, which: usize) -> Self {
        let direction = touch.witness.normal * if which == 0 { 1.0 } else { -1.0 };
        Self::new(shape, direction, touch.inflated[which], touch.support(which))
    }

    /// The part that faces a direction, with the point farthest along it and support points, all in the world.
    fn new(
        shape: &'a Placed<'a>,
        direction: DVec3,
        witness: DVec3,
        points: impl Iterator<Item = (DVec3, u32)>,
    ) -> Self {
        let witness = shape.pose.local_point(witness);
        let mut support = [DVec3::ZERO; 3];
        let mut number = [0; 3];
        let mut corners = 0;
        for (p, corner) in points {
            let local = shape.pose.local_point(p);
            // A box's corners are known by the signs of their coordinates, a polyhedron's by their numbers.
            let same = |i: usize| match shape.shape.kind {
                ShapeKind::Box => sides(support[i]) == sides(local),
                ShapeKind::Mesh => number[i] == corner,
                _ => false,
            };
            if !(0..corners).any(same) {
                (support[corners], number[corners]) = (local, corner);
                corners += 1;
            }
        }
        Self { shape, direction: shape.pose.local_vector(direction), witness, support, number, corners }
    }

    fn is_polyhedral(&self) -> bool {
        matches!(self.shape.shape.kind, ShapeKind::Box | ShapeKind::Mesh)
    }

    /// The faces that the part may belong to: a polyhedron's sides by number; otherwise 2k for the positive side of
    /// axis k, 2k + 1 for the negative.
    fn faces(&self, out: &mut Vec<usize>) {
        out.clear();
        if let Some(hull) = self.shape.shape.hull {
            let Some((first, rest)) = self.number[..self.corners].split_first() else { return };
            // The sides that all corners share.
            let shared = hull.around(*first).iter().filter(|&s| rest.iter().all(|c| hull.around(*c).contains(s)));
            return out.extend(shared.map(|&s| s as usize));
        }
        let aligned = |k: usize| {
            let cos = self.direction[k];
            (cos.abs() > -FACE).then_some(if cos > 0.0 { 2 * k } else { 2 * k + 1 })
        };
        let mut found = [None; 3];
        match self.shape.shape.kind {
            // The cap that all support points are on.
            ShapeKind::Cylinder => {
                let ends = self.support[..self.corners].iter().fold(0, |ends, p| ends | if p.z > 0.0 { 1 } else { 2 });
                found[0] = match ends {
                    1 => Some(4),
                    2 => Some(5),
                    _ => None,
                };
            }
            ShapeKind::Box => {
                // The sides that all support points share.
                let all = self.support[..self.corners].iter().fold((7, 7), |(high, low), &p| {
                    let side = sides(p);
                    (high & side, low & !side)
                });
                for k in 0..3 {
                    if all.0 & (1 << k) != 0 {
                        found[k] = Some(2 * k);
                    } else if all.1 & (1 << k) != 0 {
                        found[k] = Some(2 * k + 1);
                    }
                }
                let shared = found.iter().flatten().count();
                if self.corners == 0 || shared != 4 - self.corners {
                    found = [aligned(0).or(aligned(1)).or(aligned(2)), None, None];
                }
            }
            _ => {}
        }
        out.extend(found.into_iter().flatten());
    }

    fn normal(&self, face: usize) -> DVec3 {
        if let Some(hull) = self.shape.shape.hull {
            return self.shape.pose.mat * hull.normal(face);
        }
        self.shape.pose.mat.col(face / 2) * if face.is_multiple_of(2) { 1.0 } else { -1.0 }
    }

    fn face<'p>(&self, face: usize, corners: &'p mut Vec<DVec3>) -> Face<'p> {
        let (pose, size) = (&self.shape.pose, self.shape.shape.size);
        corners.clear();
        if let Some(hull) = self.shape.shape.hull {
            for &corner in hull.side(face).iter().rev() {
                corners.push(pose.point(hull.corners()[corner as usize]));
            }
        } else if self.shape.shape.kind == ShapeKind::Box {
            for corner in BOX_FACES[face] {
                corners.push(pose.point(corner_point(size, corner)));
            }
        } else {
            let side = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
            for i in 0..4 * CAP_QUARTER.len() {
                let [mut cos, mut sin] = CAP_QUARTER[i % CAP_QUARTER.len()];
                for _ in 0..i / CAP_QUARTER.len() {
                    (cos, sin) = (-sin, cos);
                }
                corners.push(pose.point(DVec3::new(size.x * cos, -side * size.x * sin, side * size.y)));
            }
        }
        Face { corners, normal: self.normal(face) }
    }

    /// The part's edge that lies in a face with this normal.
    fn edge_on(&self, face: DVec3, margin: f64) -> Option<Edge> {
        let mut inflation = 0.0;
        let (pose, size) = (&self.shape.pose, self.shape.shape.size);
        let lies = |along: DVec3| (pose.mat * along).dot(face).abs() < EDGE;
        let (from, to) = match self.shape.shape.kind {
            ShapeKind::Box => {
                // The corners themselves: the support points are inflated.
                let corner = |i: usize| corner_point(size, sides(self.support[i]));
                let from = corner(0);
                match self.corners {
                    1 => (0..3).find_map(|k| {
                        let mut to = from;
                        to[k] = -to[k];
                        lies(DVec3::AXES[k]).then_some((from, to))
                    })?,
                    2 => {
                        let to = corner(1);
                        lies((to - from).normalize_or_zero()).then_some((from, to))?
                    }
                    _ => return None,
                }
            }
            ShapeKind::Mesh => {
                let hull = self.shape.shape.hull?;
                let at = |corner: u32| hull.corners()[corner as usize];
                let from = at(self.number[0]);
                let lies_to = |to: DVec3| lies((to - from).normalize_or_zero()).then_some((from, to));
                match self.corners {
                    1 => hull.around(self.number[0]).iter().find_map(|&s| {
                        // The edge that leads to the corner along this side.
                        let side = hull.side(s as usize);
                        let k = side.iter().position(|&c| c == self.number[0])?;
                        lies_to(at(side[(k + side.len() - 1) % side.len()]))
                    })?,
                    2 => lies_to(at(self.number[1]))?,
                    _ => return None,
                }
            }
            // The side's line through the support point.
            ShapeKind::Cylinder | ShapeKind::Capsule if lies(DVec3::Z) => {
                let radial = if self.shape.shape.kind == ShapeKind::Cylinder {
                    self.support[0].with_z(0.0).try_normalize()? * size.x
                } else {
                    inflation = 0.5 * margin.max(0.0);
                    self.witness.with_z(0.0)
                };
                // A cylinder's from the end that was found, a capsule's from below.
                let up = self.shape.shape.kind == ShapeKind::Cylinder && self.support[0].z >= 0.0;
                let end = DVec3::Z * if up { size.y } else { -size.y };
                (radial + end, radial - end)
            }
            _ => return None,
        };
        Some(Edge { ends: [pose.point(from), pose.point(to)], inflation })
    }
}

/// Which coordinates are positive, a bit each.
fn sides(p: DVec3) -> usize {
    (0..3).filter(|&k| p[k] > 0.0).fold(0, |bits, k| bits | 1 << k)
}

/// A corner of a box.
fn corner_point(half: DVec3, corner: usize) -> DVec3 {
    let sign = |bit: usize| if corner & bit != 0 { 1.0 } else { -1.0 };
    half * DVec3::new(sign(1), sign(2), sign(4))
}

/// Measures what is left of the second face over the first, along the second's normal.
///
/// Of faces that will touch with the normal `ahead`, it joins the points that do: the projection on the first, and on the
/// second the way back along its own normal, brought to the surface that is half of the margin farther out along this
/// normal and back along that of the contact.
fn face_face(
    face1: &Face,
    normal2: DVec3,
    patch: &mut Vec<DVec3>,
    (margin, ahead): (f64, Option<DVec3>),
    out: &mut PreContacts,
) -> bool {
    let base = face1.corners[0];
    // A point of the second face, projected on the first, and the distance back to the second face's plane there.
    // (A polygon of a mesh is not exactly flat: the plane is the one through the point itself.)
    let measure = |v: DVec3| {
        let p = v - face1.normal * face1.normal.dot(v - base);
        (p, normal2.dot(p - v))
    };
    patch.retain(|&v| measure(v).1 <= margin);

    let mut add = |v: DVec3| {
        let (p, dist) = measure(v);
        if let Some(normal) = ahead {
            let second = p - normal2 * dist + (normal2 + normal) * (0.5 * margin);
            let (along, length) = direction(second - p);
            out.add(length, 0.5 * (p + second), along);
        } else if dist > 0.0 {
            // Of faces that are apart, the first gives the direction.
            let height = face1.normal.dot(v - base);
            out.add(height, 0.5 * (p + v), face1.normal);
        } else {
            out.add(dist, p - normal2 * (0.5 * dist), -normal2);
        }
    };
    if patch.len() > MOST {
        widest_quad(patch.len(), |i| patch[i]).into_iter().for_each(|i| add(patch[i]));
    } else {
        patch.iter().for_each(|&p| add(p));
    }
    !patch.is_empty()
}

/// Measures what is left of an edge over a face. `sign` is 1 where the edge is the first shape's.
fn edge_face(
    inflation: f64,
    face: &Face,
    patch: &mut Vec<DVec3>,
    sign: f64,
    margin: f64,
    out: &mut PreContacts,
) -> bool {
    let base = face.corners[0];
    let height = |p: DVec3| face.normal.dot(p - base);
    patch.iter_mut().for_each(|p| *p += face.normal * inflation);
    patch.retain(|&p| height(p) <= margin);
    let mut add = |p: DVec3| {
        let dist = height(p);
        out.add(dist, p - face.normal * (0.5 * dist), face.normal * -sign);
    };
    if patch.len() > 2 {
        // Clipping went around the edge and left points twice: the ends are the farthest apart.
        let mut ends = (0, 1, 0.0);
        for i in 0..patch.len() {
            for j in i + 1..patch.len() {
                let distance2 = patch[i].distance_squared(patch[j]);
                if distance2 > ends.2 {
                    ends = (i, j, distance2);
                }
            }
        }
        add(patch[ends.0]);
        add(patch[ends.1]);
    } else {
        patch.iter().for_each(|&p| add(p));
    }
    !patch.is_empty()
}

/// Up to four points of a shape that face a half-space below it with this unit normal: the corners of the face that
/// looks down most, or the ends of a side that lies along the plane, or the lowest point.
pub(crate) fn facing_plane(shape: &Placed, normal: DVec3, memory: &mut Patches) -> ([DVec3; MOST], usize) {
    let (lowest, corner) = shape.corner(-normal);
    let part = Part::new(shape, -normal, lowest, std::iter::once((lowest, corner)));
    let axis = |axis: usize| if part.direction[axis] > 0.0 { 2 * axis } else { 2 * axis + 1 };
    let d = part.direction.abs();
    let steepest = if d.x >= d.y && d.x >= d.z { 0 } else { 1 + usize::from(d.z > d.y) };
    let edge = part.edge_on(normal, 0.0);
    let face = match shape.shape.kind {
        ShapeKind::Box => Some(axis(steepest)),
        ShapeKind::Mesh => {
            let down = |side: &u32| part.normal(*side as usize).dot(-normal);
            let around = shape.shape.hull.map_or(&[][..], |hull| hull.around(corner));
            let most = around.iter().reduce(|best, side| if down(side) > down(best) { side } else { best });
            most.map(|&side| side as usize)
        }
        ShapeKind::Cylinder if edge.is_none() => Some(axis(2)),
        _ => None,
    };
    let points = &mut memory.patch;
    points.clear();
    match (face, edge) {
        (Some(face), _) => _ = part.face(face, points),
        (None, Some(edge)) if shape.shape.kind != ShapeKind::Mesh => points.extend(edge.ends),
        _ => points.push(lowest),
    }
    let mut out = [lowest; MOST];
    if points.len() > MOST {
        out = widest_quad(points.len(), |i| points[i]).map(|i| points[i]);
    } else {
        out[..points.len()].copy_from_slice(points);
    }
    (out, points.len().min(MOST))
}
