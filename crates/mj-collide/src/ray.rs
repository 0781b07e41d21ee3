//! Where a ray meets a convex shape.
//!
//! A line meets a convex shape in one interval, and the interval of an intersection of convex sets
//! is the intersection of their intervals: boxes are three slabs, a cylinder is a slab and an
//! infinite tube, a capsule is a cylinder and two balls (whose union is convex).

use crate::{Hull, Placed, ShapeKind};
use mj_math::DVec3;

/// The part t₀ ≤ t ≤ t₁ of a line; empty where t₀ > t₁.
#[derive(Clone, Copy)]
struct Interval(f64, f64);

impl Interval {
    const EMPTY: Self = Self(f64::INFINITY, f64::NEG_INFINITY);

    fn and(self, o: Self) -> Self {
        Self(self.0.max(o.0), self.1.min(o.1))
    }

    /// The hull of two intervals: their union, where that is known to be one interval.
    fn or(self, o: Self) -> Self {
        match (self.0 > self.1, o.0 > o.1) {
            (true, _) => o,
            (_, true) => self,
            _ => Self(self.0.min(o.0), self.1.max(o.1)),
        }
    }

    /// |p + t v| ≤ half, in one dimension.
    fn slab(p: f64, v: f64, half: f64) -> Self {
        if v == 0.0 {
            return if p.abs() <= half { Self(f64::NEG_INFINITY, f64::INFINITY) } else { Self::EMPTY };
        }
        let (a, b) = ((-half - p) / v, (half - p) / v);
        Self(a.min(b), a.max(b))
    }

    /// |p + t v|² ≤ r².
    fn ball(p: DVec3, v: DVec3, r: f64) -> Self {
        let (a, b, c) = (v.length_squared(), v.dot(p), p.length_squared() - r * r);
        if a == 0.0 {
            return if c <= 0.0 { Self(f64::NEG_INFINITY, f64::INFINITY) } else { Self::EMPTY };
        }
        let det = b * b - a * c;
        if det < 0.0 {
            return Self::EMPTY;
        }
        let root = det.sqrt();
        Self((-b - root) / a, (-b + root) / a)
    }
}

/// The intersection of the half-spaces below a polyhedron's sides.
fn polyhedron(hull: &Hull, p: DVec3, v: DVec3) -> Interval {
    let below = |i: usize| {
        let normal = hull.normal(i);
        let Some(&corner) = hull.side(i).first() else { return Interval::EMPTY };
        let height = normal.dot(p - hull.corners()[corner as usize]);
        let rise = normal.dot(v);
        if rise == 0.0 {
            return if height <= 0.0 { Interval(f64::NEG_INFINITY, f64::INFINITY) } else { Interval::EMPTY };
        }
        let t = -height / rise;
        if rise > 0.0 { Interval(f64::NEG_INFINITY, t) } else { Interval(t, f64::INFINITY) }
    };
    if hull.side_count() == 0 {
        return Interval::EMPTY;
    }
    (0..hull.side_count()).map(below).fold(Interval(f64::NEG_INFINITY, f64::INFINITY), Interval::and)
}

/// The side whose plane a point is farthest above, or least below: the height, and the side's normal.
pub(crate) fn nearest_side(hull: &Hull, p: DVec3) -> (f64, DVec3) {
    let mut best = (f64::NEG_INFINITY, DVec3::Z);
    for i in 0..hull.side_count() {
        if let Some(&corner) = hull.side(i).first() {
            let height = hull.normal(i).dot(p - hull.corners()[corner as usize]);
            if height > best.0 {
                best = (height, hull.normal(i));
            }
        }
    }
    best
}

/// Distance along a ray, in units of the length of `direction`, to the first point of a shape's
/// surface; none if the ray misses it. From inside, the distance to the way out.
///
/// A plane with positive sizes is a rectangle to rays. Height fields, and meshes as they are, are not met.
///
/// Example: [`distance`](crate::distance).
pub fn ray(target: &Placed, origin: DVec3, direction: DVec3) -> Option<f64> {
    let (p, v) = (target.pose.local_point(origin), target.pose.local_vector(direction));
    let s = target.shape.size;
    let flat = |u: DVec3| u.with_z(0.0);
    let cylinder = || Interval::ball(flat(p), flat(v), s.x).and(Interval::slab(p.z, v.z, s.y));
    let Interval(enter, leave) = match target.shape.kind {
        ShapeKind::Plane => {
            // Its surface can be met from above only.
            let t = -p.z / v.z;
            let on = |x: f64, half: f64| half <= 0.0 || x.abs() <= half;
            let met = v.z < 0.0 && t >= 0.0 && on(p.x + t * v.x, s.x) && on(p.y + t * v.y, s.y);
            return met.then_some(t);
        }
        ShapeKind::Hfield | ShapeKind::Simplex => return None,
        ShapeKind::Sdf => return target.shape.field().and_then(|f| crate::sdf::march(f, p, v)).map(|hit| hit.0),
        ShapeKind::Mesh => target.shape.hull.map_or(Interval::EMPTY, |hull| polyhedron(hull, p, v)),
        ShapeKind::Sphere => Interval::ball(p, v, s.x),
        ShapeKind::Ellipsoid => Interval::ball(p / s, v / s, 1.0),
        ShapeKind::Cylinder => cylinder(),
        ShapeKind::Capsule => {
            let cap = DVec3::Z * s.y;
            cylinder().or(Interval::ball(p - cap, v, s.x)).or(Interval::ball(p + cap, v, s.x))
        }
        ShapeKind::Box => {
            Interval::slab(p.x, v.x, s.x).and(Interval::slab(p.y, v.y, s.y)).and(Interval::slab(p.z, v.z, s.z))
        }
    };
    if enter > leave {
        None
    } else if enter >= 0.0 {
        Some(enter)
    } else {
        (leave >= 0.0 && leave.is_finite()).then_some(leave)
    }
}

/// The outward unit normal at a point of a shape's surface, both in the world.
///
/// Example: [`distance`](crate::distance).
pub fn surface_normal(target: &Placed, point: DVec3) -> DVec3 {
    let p = target.pose.local_point(point);
    let s = target.shape.size;
    let local = match target.shape.kind {
        ShapeKind::Plane | ShapeKind::Hfield | ShapeKind::Simplex => DVec3::Z,
        ShapeKind::Sdf => target.shape.field().map_or(DVec3::Z, |f| f.distance_gradient(p).1),
        ShapeKind::Mesh => target.shape.hull.map_or(DVec3::Z, |hull| nearest_side(hull, p).1),
        ShapeKind::Sphere => p,
        ShapeKind::Ellipsoid => p / (s * s),
        ShapeKind::Capsule => p - DVec3::Z * p.z.max(-s.y).min(s.y),
        ShapeKind::Cylinder => {
            // The surface that the point is farthest out of: an end or the side.
            let flat = p.with_z(0.0);
            if p.z.abs() - s.y > flat.length() - s.x { DVec3::Z * p.z } else { flat }
        }
        ShapeKind::Box => {
            let out = p.abs() - s;
            if out.x >= out.y && out.x >= out.z {
                DVec3::X * p.x
            } else if out.y >= out.z {
                DVec3::Y * p.y
            } else {
                DVec3::Z * p.z
            }
        }
    };
    target.pose.mat * local.normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Shape};
    use parry3d_f64::math::Vector;
    use parry3d_f64::query::{Ray, RayCast};
    use parry3d_f64::shape::{Ball, Cuboid};
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    fn shapes() -> [Shape<'static>; 5] {
        [
            Shape::sphere(0.5),
            Shape::capsule(0.3, 0.5),
            Shape::ellipsoid(DVec3::new(0.3, 0.5, 0.7)),
            Shape::cylinder(0.4, 0.6),
            Shape::cuboid(DVec3::new(0.2, 0.4, 0.6)),
        ]
    }

    proptest! {
        /// Just before the point met there is no shape, or just after there is none.
        #[test]
        fn the_point_met_is_on_the_surface(o in vec3(2.0), v in vec3(1.0)) {
            prop_assume!(v.length() > 0.1);
            for shape in shapes() {
                let placed = Placed::new(shape, Pose::IDENTITY);
                if let Some(t) = ray(&placed, o, v) {
                    let at = |t: f64| {
                        let p = o + v * t;
                        // A ray from a point that leaves the shape in both directions starts inside.
                        ray(&placed, p, v).is_some() && ray(&placed, p, -v).is_some()
                    };
                    prop_assert!(!at(t - 1e-6) || !at(t + 1e-6), "{shape:?}");
                }
            }
        }

        /// A line leaves a convex shape with the outward normal and enters it against the normal.
        #[test]
        fn rays_enter_against_the_normal(o in vec3(2.0), v in vec3(1.0), axis in vec3(1.0), angle in -3.0..3.0) {
            prop_assume!(v.length() > 0.1 && axis.length() > 0.1);
            let mat = mj_math::DMat3::from_axis_angle(axis.normalize(), angle);
            for shape in shapes() {
                let placed = Placed::new(shape, Pose { pos: DVec3::new(0.1, -0.2, 0.3), mat });
                let Some(t) = ray(&placed, o, v) else { continue };
                let n = surface_normal(&placed, o + v * t);
                prop_assert!((n.length() - 1.0).abs() < 1e-12);
                // A little farther on the ray is inside, from where every direction leads out, or outside.
                let after = o + v * (t + 1e-7);
                let inside = ray(&placed, after, v).is_some() && ray(&placed, after, -v).is_some();
                let cosine = n.dot(v);
                prop_assert!(if inside { cosine <= 1e-6 } else { cosine >= -1e-4 }, "{shape:?}: {cosine} {inside}");
            }
        }

        #[test]
        fn agrees_with_parry(o in vec3(2.0), v in vec3(1.0)) {
            prop_assume!(v.length() > 0.1);
            let cast = Ray::new(Vector::new(o.x, o.y, o.z), Vector::new(v.x, v.y, v.z));
            let pairs: [(Shape, Option<f64>); 2] = [
                (Shape::sphere(0.5), Ball::new(0.5).cast_local_ray(&cast, 1e9, false)),
                (shapes()[4], Cuboid::new(Vector::new(0.2, 0.4, 0.6)).cast_local_ray(&cast, 1e9, false)),
            ];
            for (shape, theirs) in pairs {
                match (ray(&Placed::new(shape, Pose::IDENTITY), o, v), theirs) {
                    (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-9),
                    (None, None) => {}
                    (a, b) => prop_assert!(false, "{shape:?}: {a:?} {b:?}"),
                }
            }
        }
    }

    #[test]
    fn capsule_end_and_side() {
        let c = Placed::new(Shape::capsule(0.3, 0.5), Pose::IDENTITY);
        assert!((ray(&c, DVec3::new(0.0, 0.0, 2.0), DVec3::NEG_Z).unwrap() - 1.2).abs() < 1e-12);
        assert!((ray(&c, DVec3::new(2.0, 0.0, 0.2), DVec3::NEG_X).unwrap() - 1.7).abs() < 1e-12);
        assert_eq!(ray(&c, DVec3::new(2.0, 0.0, 0.9), DVec3::NEG_X), None);
    }

    #[test]
    fn a_plane_is_as_large_as_its_size() {
        let sized = |x, y| {
            let shape = Shape::primitive(ShapeKind::Plane, DVec3::new(x, y, 0.0));
            Placed::new(shape, Pose::IDENTITY)
        };
        let down = |plane: &Placed, x: f64| ray(plane, DVec3::new(x, 5.0, 2.0), DVec3::NEG_Z);
        assert_eq!(down(&sized(0.0, 0.0), 3.0), Some(2.0));
        assert_eq!(down(&sized(1.0, 0.0), 0.9), Some(2.0));
        assert_eq!(down(&sized(1.0, 0.0), 1.1), None);
        assert_eq!(down(&sized(0.0, 4.0), 0.0), None);
        assert_eq!(ray(&sized(0.0, 0.0), DVec3::NEG_Z, DVec3::Z), None);
    }

    #[test]
    fn normals_of_faces_and_ends() {
        let at = |shape, p: [f64; 3]| surface_normal(&Placed::new(shape, Pose::IDENTITY), DVec3::from_array(p));
        assert_eq!(at(Shape::cuboid(DVec3::new(1.0, 2.0, 3.0)), [0.9, -2.0, 2.9]), DVec3::NEG_Y);
        assert_eq!(at(Shape::cylinder(1.0, 2.0), [0.5, 0.0, -2.0]), DVec3::NEG_Z);
        assert_eq!(at(Shape::cylinder(1.0, 2.0), [0.0, 1.0, 1.9]), DVec3::Y);
        assert_eq!(at(Shape::capsule(1.0, 2.0), [0.0, 0.0, 3.0]), DVec3::Z);
    }
}
