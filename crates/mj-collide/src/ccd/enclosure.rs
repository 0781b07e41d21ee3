//! How far one convex shape juts out of another.
//!
//! The signed distance s(p) of a point to a convex set is a convex function of p, inside too. The distance by which
//! another convex set juts out is the greatest s over its points (the directed Hausdorff distance; below zero, the
//! clearance). A convex function has its maximum at an extreme point, and from any point the step to the support
//! point along its gradient can only increase it. So: ascend from many directions, and take the best. Spheres and
//! capsules are points and segments plus a radius, which adds to s as it is; of these and of boxes the extreme points
//! are few and all of them are tried.

use mj_math::DVec3;

use crate::ray::nearest_side;
use crate::{Hull, Placed, Shape, ShapeKind, SupportMap};

/// Most steps of an ascent.
const ASCENT_STEPS: usize = 200;

/// Most steps of the search for the nearest point of an ellipsoid.
const ROOT_STEPS: usize = 100;

/// Signed distance from a point, in the shape's own frame, to the surface of a compact shape, negative inside; and
/// its gradient, the outward normal at the nearest point of the surface. `None` for planes, height fields and meshes without sides.
///
/// Example: [`distance`](crate::distance).
pub fn signed_distance(shape: &Shape, p: DVec3) -> Option<(f64, DVec3)> {
    let s = shape.size;
    let from_core = |core: DVec3, radius: f64| {
        let out = p - core;
        (out.length() - radius, out.try_normalize().unwrap_or(DVec3::X))
    };
    Some(match shape.kind {
        ShapeKind::Plane | ShapeKind::Hfield | ShapeKind::Simplex | ShapeKind::Sdf => return None,
        ShapeKind::Mesh => return to_polyhedron(shape.hull?, p),
        ShapeKind::Sphere => from_core(DVec3::ZERO, s.x),
        ShapeKind::Capsule => from_core(DVec3::Z * p.z.clamp(-s.y, s.y), s.x),
        ShapeKind::Box => corner(p.abs() - s, [sign(p.x) * DVec3::X, sign(p.y) * DVec3::Y, sign(p.z) * DVec3::Z]),
        ShapeKind::Cylinder => {
            let flat = p.with_z(0.0);
            let side = flat.try_normalize().unwrap_or(DVec3::X);
            let out = DVec3::new(flat.length() - s.x, p.z.abs() - s.y, f64::NEG_INFINITY);
            corner(out, [side, sign(p.z) * DVec3::Z, DVec3::ZERO])
        }
        ShapeKind::Ellipsoid => to_ellipsoid(s, p),
    })
}

fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

/// Distance to an intersection of slabs, given how far out of each the point is, along orthogonal axes.
fn corner(out: DVec3, axes: [DVec3; 3]) -> (f64, DVec3) {
    let beyond = out.max(DVec3::ZERO);
    let dist = beyond.length();
    if dist > 0.0 {
        let normal = axes[0] * beyond.x + axes[1] * beyond.y + axes[2] * beyond.z;
        return (dist, normal / dist);
    }
    let nearest = if out.x >= out.y && out.x >= out.z {
        0
    } else if out.y >= out.z {
        1
    } else {
        2
    };
    (out[nearest], axes[nearest])
}

/// Distance to an ellipsoid with semi-axes a. The nearest point x has p = x + t x/a² for some t > −min a², so
/// xᵢ = aᵢ² pᵢ/(aᵢ² + t), where t makes Σ (xᵢ/aᵢ)² = 1; the sum falls with t.
fn to_ellipsoid(a: DVec3, p: DVec3) -> (f64, DVec3) {
    let a2 = a * a;
    let least = a2.min_element();
    let excess = |t: f64| {
        let q = a * p / (a2 + t);
        q.length_squared() - 1.0
    };
    let (mut low, mut high) = (-least, a.max_element() * p.length());
    // Near the centre of the shortest axis' plane there may be no root: t is at its bound.
    for _ in 0..ROOT_STEPS {
        let mid = 0.5 * (low + high);
        if mid <= low || mid >= high {
            break;
        }
        if excess(mid) > 0.0 {
            low = mid;
        } else {
            high = mid;
        }
    }
    let t = high;
    let mut x = a2 * p / (a2 + t);
    // There the remaining length is along a shortest axis.
    let short = if a2.x == least {
        0
    } else if a2.y == least {
        1
    } else {
        2
    };
    let rest = 1.0 - (x / a).length_squared();
    if rest > 1e-9 {
        let c = x[short] / a[short];
        x[short] = sign(p[short]) * a[short] * (c * c + rest).sqrt();
    }
    let normal = (x / a2).normalize_or(DVec3::X);
    ((p - x).dot(normal), normal)
}

/// Distance to a convex polyhedron, which is inside that to the plane of the nearest side, and outside that to the nearest
/// point of the sides that face `p`.
fn to_polyhedron(hull: &Hull, p: DVec3) -> Option<(f64, DVec3)> {
    if hull.side_count() == 0 {
        return None;
    }
    let (height, normal) = nearest_side(hull, p);
    if height <= 0.0 {
        return Some((height, normal));
    }
    let mut best = (f64::INFINITY, normal);
    for i in 0..hull.side_count() {
        let (side, normal) = (hull.side(i), hull.normal(i));
        let corner = |k: usize| hull.corners()[side[k % side.len()] as usize];
        let height = normal.dot(p - corner(0));
        if height <= 0.0 {
            continue;
        }
        let mut over = true;
        for k in 0..side.len() {
            let (a, edge) = (corner(k), corner(k + 1) - corner(k));
            over &= normal.cross(edge).dot(p - a) >= 0.0;
            let along = (edge.dot(p - a) / edge.length_squared()).clamp(0.0, 1.0);
            let out = p - a - along * edge;
            if out.length() < best.0 {
                best = (out.length(), out.try_normalize().unwrap_or(normal));
            }
        }
        if over && height < best.0 {
            best = (height, normal);
        }
    }
    Some(best)
}

/// How far `inner` juts out of `outer`: the greatest distance of its points from `outer`; where it lies inside, minus
/// the least distance to the surface. `None` where either is a plane or a height field, or `outer` a mesh
/// without sides.
///
/// Example: [`distance`](crate::distance).
pub fn protrusion(inner: &Placed, outer: &Placed) -> Option<f64> {
    let unbounded = |p: &Placed| matches!(p.shape.kind, ShapeKind::Plane | ShapeKind::Hfield);
    if unbounded(inner) || unbounded(outer) {
        return None;
    }
    let size = inner.shape.size;
    let at = |p: DVec3| {
        let found = signed_distance(&outer.shape, outer.pose.local_point(p))?;
        Some((found.0, outer.pose.mat * found.1))
    };
    // Spheres and capsules: a point or a segment, and a radius.
    let (ends, radius) = match inner.shape.kind {
        ShapeKind::Sphere => (Some(0.0), size.x),
        ShapeKind::Capsule => (Some(size.y), size.x),
        _ => (None, 0.0),
    };
    if let Some(half) = ends {
        let end = |z: f64| at(inner.pose.point(DVec3::Z * z)).map(|found| found.0);
        return Some(end(half)?.max(end(-half)?) + radius);
    }

    let mut greatest = f64::NEG_INFINITY;
    for i in 0..27 {
        let direction = DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64) - DVec3::ONE;
        let Some(direction) = direction.try_normalize() else { continue };
        let mut point = inner.support(inner.pose.mat * direction);
        let (mut dist, mut gradient) = at(point)?;
        for _ in 0..ASCENT_STEPS {
            let next = inner.support(gradient);
            let (d, g) = at(next)?;
            let gain = d - dist;
            if gain <= 0.0 || next == point {
                break;
            }
            (point, dist, gradient) = (next, d, g);
            if gain < 1e-14 {
                break;
            }
        }
        greatest = greatest.max(dist);
    }
    Some(greatest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use mj_math::DMat3;
    use proptest::prelude::*;

    fn vec3(r: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
        (r.clone(), r.clone(), r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    fn shapes(size: DVec3) -> [Shape<'static>; 5] {
        [
            Shape::sphere(size.x),
            Shape::capsule(size.x, size.y),
            Shape::ellipsoid(size),
            Shape::cylinder(size.x, size.y),
            Shape::cuboid(size),
        ]
    }

    /// Directions all over the sphere, on a spiral.
    fn directions(n: usize) -> impl Iterator<Item = DVec3> {
        (0..n).map(move |i| {
            let z = 1.0 - (2 * i + 1) as f64 / n as f64;
            let (sin, cos) = (i as f64 * 2.399_963_229_728_653).sin_cos();
            let r = (1.0 - z * z).sqrt();
            DVec3::new(r * cos, r * sin, z)
        })
    }

    proptest! {
        /// The gradient has unit length, and going against it for the distance leads to the surface.
        #[test]
        fn the_nearest_point_is_on_the_surface(size in vec3(0.1..1.0), p in vec3(-1.5..1.5)) {
            for shape in shapes(size) {
                let (dist, normal) = signed_distance(&shape, p).unwrap();
                prop_assert!((normal.length() - 1.0).abs() < 1e-9, "{shape:?}");
                let on = p - normal * dist;
                let (zero, _) = signed_distance(&shape, on).unwrap();
                prop_assert!(zero.abs() < 1e-6, "{shape:?}: {zero}");
                // The distance is sup over u of u·p − h(u): the normal attains it, and no direction exceeds it.
                let placed = Placed::new(shape, Pose::IDENTITY);
                let beyond = |u: DVec3| u.dot(p - placed.support(u));
                prop_assert!((beyond(normal) - dist).abs() < 1e-6, "{shape:?}: {} {dist}", beyond(normal));
                let greatest = directions(500).map(beyond).fold(f64::MIN, f64::max);
                prop_assert!(greatest <= dist + 1e-9, "{shape:?}: {greatest} {dist}");
            }
        }

        /// A box is the polyhedron of its corners.
        #[test]
        fn distances_to_polyhedra_are_those_to_boxes(size in vec3(0.1..1.0), p in vec3(-1.5..1.5)) {
            let corner = |i: usize| size * DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 1 { 1.0 } else { -1.0 }));
            let corners: Vec<DVec3> = (0..8).map(corner).collect();
            let hull = Hull::from_points(&corners).unwrap();
            let (dist, normal) = signed_distance(&Shape::mesh(&hull), p).unwrap();
            let (expected, _) = signed_distance(&Shape::cuboid(size), p).unwrap();
            prop_assert!((dist - expected).abs() < 1e-9, "{dist} {expected}");
            let (zero, _) = signed_distance(&Shape::cuboid(size), p - normal * dist).unwrap();
            prop_assert!(zero.abs() < 1e-9, "{zero}");
        }

        /// No support function difference exceeds the protrusion, which is the greatest of them.
        #[test]
        fn protrusion_is_the_greatest_difference_of_support(
            a in vec3(0.1..0.6), b in vec3(0.1..0.6), pos in vec3(-0.5..0.5), axis in vec3(-1.0..1.0), angle in -3.0..3.0f64,
        ) {
            prop_assume!(axis.length() > 0.1);
            let mat = DMat3::from_axis_angle(axis.normalize(), angle);
            for inner in shapes(a) {
                for outer in shapes(b) {
                    let (i, o) = (Placed::new(inner, Pose { pos, mat }), Placed::new(outer, Pose::IDENTITY));
                    let found = protrusion(&i, &o).unwrap();
                    let gap = |u: DVec3| i.support(u) - o.support(u);
                    let brute = directions(1000).map(|u| u.dot(gap(u))).fold(f64::MIN, f64::max);
                    // A direction is at most 0.1 from one of these, and the difference falls no faster than its points
                    // are apart.
                    let apart = pos.length() + a.length() + b.length();
                    let most = brute + 0.1 * apart;
                    prop_assert!(found >= brute - 1e-9 && found < most, "{inner:?} {outer:?}: {found} {brute}");
                }
            }
        }
    }

    #[test]
    fn concentric_boxes_and_a_ball_in_a_ball() {
        let placed = |shape| Placed::new(shape, Pose::IDENTITY);
        let (small, large) = (placed(Shape::cuboid(DVec3::splat(0.1))), placed(Shape::cuboid(DVec3::splat(0.3))));
        assert!((protrusion(&small, &large).unwrap() + 0.2).abs() < 1e-15);
        assert!((protrusion(&large, &small).unwrap() - 0.2 * 3f64.sqrt()).abs() < 1e-15);
        let ball = placed(Shape::sphere(0.2));
        assert!((protrusion(&ball, &large).unwrap() + 0.1).abs() < 1e-15);
        assert_eq!(protrusion(&ball, &placed(Shape::plane())), None);
        // The middle of a flat ellipsoid is nearest to its pole.
        let (dist, normal) = signed_distance(&Shape::ellipsoid(DVec3::new(0.5, 0.4, 0.1)), DVec3::X * 0.1).unwrap();
        assert!((normal.z.abs() - 1.0).abs() < 0.1 && dist > -0.1 && dist < -0.09);
    }
}
