//! Signed distances of primitive shapes, in their frames (after I. Quilez, "Distance functions").
//!
//! They are exact but for ellipsoids, where they are to first order, and inside boxes, where they are measured along a
//! direction that turns from radial in the middle to each face's normal at the face.

use crate::{Shape, ShapeKind};
use mj_math::{DVec3, MAXVAL};

/// Computes the distance of a point from a primitive's surface, or from that of a shape with a field; zero for height
/// fields and for meshes without a field.
///
/// Example: [`distance`](crate::distance).
pub fn shape_distance(shape: &Shape, p: DVec3) -> f64 {
    let s = shape.size;
    match shape.kind {
        ShapeKind::Plane => p.z,
        ShapeKind::Sphere => p.length() - s.x,
        ShapeKind::Capsule => from_segment(p, s.y).length() - s.x,
        ShapeKind::Ellipsoid => {
            let (scaled, slope) = ((p / s).length(), (p / s / s).length());
            if slope == 0.0 { -s.min_element() } else { scaled * (scaled - 1.0) / slope }
        }
        ShapeKind::Cylinder => {
            let (side, end) = ((p.x * p.x + p.y * p.y).sqrt() - s.x, p.z.abs() - s.y);
            let (out, up) = (side.max(0.0), end.max(0.0));
            side.max(end).min(0.0) + (out * out + up * up).sqrt()
        }
        ShapeKind::Box => {
            let out = p.abs() - s;
            if out.max_element() >= 0.0 {
                return out.max(DVec3::ZERO).length();
            }
            let direction = inner_direction(out, p, s);
            -(-out / direction.abs()).min_element() * direction.length()
        }
        ShapeKind::Sdf | ShapeKind::Mesh => shape.field().map_or(0.0, |f| f.distance(p)),
        ShapeKind::Hfield | ShapeKind::Simplex => 0.0,
    }
}

/// Computes the distance as [`shape_distance`] does, and its gradient, zero where there is none.
///
/// Example: [`distance`](crate::distance).
pub fn shape_distance_gradient(shape: &Shape, p: DVec3) -> (f64, DVec3) {
    let s = shape.size;
    let gradient = match shape.kind {
        ShapeKind::Sdf | ShapeKind::Mesh => {
            return shape.field().map_or((0.0, DVec3::ZERO), |f| f.distance_gradient(p));
        }
        ShapeKind::Plane => DVec3::Z,
        ShapeKind::Sphere => p * (1.0 / p.length()),
        ShapeKind::Capsule => {
            let out = from_segment(p, s.y);
            out / out.length()
        }
        ShapeKind::Ellipsoid => {
            // Of k0 (k0 − 1) / k1, where k1 is the slope of k0.
            let (a, b) = (p / s, p / s / s);
            let (k0, k1) = (a.length(), b.length());
            let (i0, i1) = (1.0 / k0, 1.0 / k1);
            let (slope0, slope1) = (b * i0, b * i1 / (s * s));
            unit(slope0 * ((2.0 * k0 - 1.0) * i1) - slope1 * (k0 * (k0 - 1.0) * i1 * i1))
        }
        ShapeKind::Cylinder => {
            let rho = (p.x * p.x + p.y * p.y).sqrt();
            let (side, end) = (rho - s.x, p.z.abs() - s.y);
            let out = DVec3::new(p.x, p.y, 0.0) / rho.max(1.0 / MAXVAL);
            let up = DVec3::Z * (p.z / p.z.abs().max(1.0 / MAXVAL));
            if side.max(end) < 0.0 {
                if side > end { out } else { up }
            } else {
                let (a, b) = (side.max(0.0), end.max(0.0));
                let length = (a * a + b * b).sqrt().max(1.0 / MAXVAL);
                out * a / length + up * b / length
            }
        }
        ShapeKind::Box => {
            let out = p.abs() - s;
            if out.max_element() < 0.0 {
                inner_direction(out, p, s)
            } else {
                let beyond = out.max(DVec3::ZERO);
                DVec3::select(out.cmpgt(DVec3::ZERO), beyond / beyond.length() * p / p.abs(), DVec3::ZERO)
            }
        }
        ShapeKind::Hfield | ShapeKind::Simplex => DVec3::ZERO,
    };
    (shape_distance(shape, p), gradient)
}

/// A vector's direction; x where it has none.
fn unit(v: DVec3) -> DVec3 {
    let length = v.length();
    if length < mj_math::MINVAL { DVec3::X } else { v * (1.0 / length) }
}

/// Vector to a point from the nearest one of a segment along z.
fn from_segment(p: DVec3, half: f64) -> DVec3 {
    DVec3::new(p.x, p.y, p.z - p.z.max(-half).min(half))
}

/// Direction outwards at a point in a box; `out` are the distances above the faces.
fn inner_direction(out: DVec3, p: DVec3, size: DVec3) -> DVec3 {
    let along = unit(-size / out);
    DVec3::select(p.cmplt(DVec3::ZERO), -along, along)
}
