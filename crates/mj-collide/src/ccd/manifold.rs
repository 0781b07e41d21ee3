//! Several contacts where flat or straight parts of two shapes lie against each other: the part of one that
//! faces the other is clipped against it.
//!
//! Boxes have faces and edges, cylinders caps (as regular polygons) and sides (as the line that is nearest to
//! the other shape), capsules sides.

use mj_math::DVec3;

use super::Witness;
use crate::polygon::Polygon;
use crate::{Placed, PreContacts, ShapeKind};

/// Two faces are against each other where the cosine of the angle between their normals is below this: 5°.
const FACE: f64 = -0.996;
/// An edge lies on a face where the sine of the angle between them is below this: 5°.
const EDGE: f64 = 0.0888;
/// Corners of the polygon that stands for a cylinder's cap.
const CAP_CORNERS: usize = 16;
/// Contacts that a polygon is reduced to.
const MOST: usize = 4;

/// Room for a cap clipped by another.
type Patch = Polygon<40>;

/// A flat part: its corners, clockwise seen from outside, and its outward normal.
struct Face {
    corners: Patch,
    normal: DVec3,
}

/// A straight part.
struct Edge {
    ends: [DVec3; 2],
}

/// Replaces the single contact `witness` of two shapes by several, if their facing parts allow; returns whether
/// they do.
pub(crate) fn manifold(a: &Placed, b: &Placed, witness: &Witness, margin: f64, out: &mut PreContacts) -> bool {
    let normal = witness.normal;
    let (face1, face2) = (facing(a, normal), facing(b, -normal));
    if let (Some(f1), Some(f2)) = (&face1, &face2)
        && f1.normal.dot(f2.normal) < FACE
    {
        return face_face(f1, f2, margin, out);
    }
    if let Some(f2) = &face2
        && let Some(edge) = edge_along(a, normal, f2.normal)
    {
        return edge_face(&edge, f2, 1.0, margin, out);
    }
    if let Some(f1) = &face1
        && let Some(edge) = edge_along(b, -normal, f1.normal)
    {
        return edge_face(&edge, f1, -1.0, margin, out);
    }
    false
}

/// The face of a shape that looks most along `direction`.
fn facing(shape: &Placed, direction: DVec3) -> Option<Face> {
    let (pose, size) = (&shape.pose, shape.shape.size);
    let local = pose.local_vector(direction);
    match shape.shape.kind {
        ShapeKind::Box => {
            let k = if local.x.abs() >= local.y.abs() && local.x.abs() >= local.z.abs() {
                0
            } else if local.y.abs() >= local.z.abs() {
                1
            } else {
                2
            };
            let side = if local[k] >= 0.0 { 1.0 } else { -1.0 };
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            let mut corners = Patch::new();
            for (cu, cv) in [(-side, 1.0), (side, 1.0), (side, -1.0), (-side, -1.0)] {
                let mut corner = DVec3::ZERO;
                (corner[k], corner[u], corner[v]) = (side * size[k], cu * size[u], cv * size[v]);
                corners.push(pose.point(corner));
            }
            Some(Face { corners, normal: pose.mat.col(k) * side })
        }
        ShapeKind::Cylinder => {
            let side = if local.z >= 0.0 { 1.0 } else { -1.0 };
            let mut corners = Patch::new();
            for i in 0..CAP_CORNERS {
                let (sin, cos) = (std::f64::consts::TAU * i as f64 / CAP_CORNERS as f64).sin_cos();
                corners.push(pose.point(DVec3::new(size.x * cos, -side * size.x * sin, side * size.y)));
            }
            Some(Face { corners, normal: pose.mat.z_axis * side })
        }
        _ => None,
    }
}

/// The edge of a shape that is farthest along `direction` and lies in a face with this normal.
fn edge_along(shape: &Placed, direction: DVec3, face: DVec3) -> Option<Edge> {
    let (pose, size) = (&shape.pose, shape.shape.size);
    let local = pose.local_vector(direction);
    match shape.shape.kind {
        ShapeKind::Box => {
            let corner = size * DVec3::select(local.cmpge(DVec3::ZERO), DVec3::ONE, DVec3::NEG_ONE);
            let k = (0..3).find(|&k| pose.mat.col(k).dot(face).abs() < EDGE)?;
            let mut other = corner;
            other[k] = -other[k];
            Some(Edge { ends: [pose.point(corner), pose.point(other)] })
        }
        ShapeKind::Cylinder | ShapeKind::Capsule if shape.axis().dot(face).abs() < EDGE => {
            let radial = DVec3::new(local.x, local.y, 0.0).try_normalize()? * size.x;
            let end = DVec3::new(0.0, 0.0, size.y);
            Some(Edge { ends: [pose.point(radial + end), pose.point(radial - end)] })
        }
        _ => None,
    }
}

/// Clips the second face to the prism over the first, and measures along the second's normal.
fn face_face(face1: &Face, face2: &Face, margin: f64, out: &mut PreContacts) -> bool {
    let mut patch = face2.corners.clone();
    clip(&mut patch, face1);
    let (base1, base2) = (face1.corners.points()[0], face2.corners.points()[0]);
    let mut kept = Patch::new();
    for &v in patch.points() {
        let on_first = v - face1.normal * face1.normal.dot(v - base1);
        if face2.normal.dot(on_first - base2) <= margin {
            kept.push(on_first);
        }
    }
    let mut add = |p: DVec3| {
        let dist = face2.normal.dot(p - base2);
        out.add(dist, p - face2.normal * (0.5 * dist), -face2.normal);
    };
    let points = kept.points();
    if points.len() > MOST {
        widest_quad(points).into_iter().for_each(|i| add(points[i]));
    } else {
        points.iter().for_each(|&p| add(p));
    }
    !points.is_empty()
}

/// Clips an edge to the prism over a face. `sign` is 1 where the edge is the first shape's.
fn edge_face(edge: &Edge, face: &Face, sign: f64, margin: f64, out: &mut PreContacts) -> bool {
    let mut patch = Patch::from_points(edge.ends);
    clip(&mut patch, face);
    let base = face.corners.points()[0];
    let height = |p: DVec3| face.normal.dot(p - base);
    let mut kept = Patch::new();
    for &p in patch.points() {
        if height(p) <= margin {
            kept.push(p);
        }
    }
    let mut add = |p: DVec3| {
        let dist = height(p);
        out.add(dist, p - face.normal * (0.5 * dist), face.normal * -sign);
    };
    let points = kept.points();
    if points.len() > 2 {
        // Clipping went around the edge and left points twice: the ends are the farthest apart.
        let mut ends = (0, 1, 0.0);
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                let distance2 = points[i].distance_squared(points[j]);
                if distance2 > ends.2 {
                    ends = (i, j, distance2);
                }
            }
        }
        add(points[ends.0]);
        add(points[ends.1]);
    } else {
        points.iter().for_each(|&p| add(p));
    }
    !points.is_empty()
}

/// Cuts a polygon with the planes through the edges of a face along its normal.
fn clip(patch: &mut Patch, face: &Face) {
    let corners = face.corners.points();
    for (k, &v) in corners.iter().enumerate() {
        let edge = corners[(k + 1) % corners.len()] - v;
        patch.cut(edge.cross(face.normal).normalize_or_zero(), v);
    }
}

/// Four corners of a convex polygon that span a large area, by rotating calipers.
fn widest_quad(p: &[DVec3]) -> [usize; 4] {
    let n = p.len();
    let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
    let area = |[a, b, c, d]: [usize; 4]| {
        let cross = (p[d] - p[a]).cross(p[b] - p[d]) + (p[c] - p[b]).cross(p[a] - p[c]);
        0.5 * cross.length()
    };
    let [mut b, mut c, mut d] = [1, 2, 3];
    let mut best = [0, 1, 2, 3];
    let mut most = area(best);
    for a in 0..n {
        // Move each of the other corners on as long as the area grows.
        loop {
            let wider = area([a, b, c, next(d)]);
            if wider <= most {
                break;
            }
            most = wider;
            d = next(d);
            best = [a, b, c, d];
            loop {
                let wider = area([a, b, next(c), d]);
                if wider <= most {
                    break;
                }
                most = wider;
                c = next(c);
                best = [a, b, c, d];
            }
            loop {
                let wider = area([a, next(b), c, d]);
                if wider <= most {
                    break;
                }
                most = wider;
                b = next(b);
                best = [a, b, c, d];
            }
        }
        if b == a {
            b = next(b);
            if c == b {
                c = next(c);
                if d == c {
                    d = next(d);
                }
            }
        }
    }
    best
}
