//! Shortest paths around spheres and cylinders.
//!
//! Both are problems in a plane: for a sphere the plane through its centre and both ends, for a
//! cylinder the plane across its axis, in which the path is the plane path with a constant slope
//! along the axis. In polar angles about the circle's centre, an end at distance l sees the circle's
//! tangent points the angle α to either side of itself, with l cos α = r and l sin α = t, the length
//! of the tangent. A path that sweeps the angle Θ from end to end therefore lies on the circle over
//! |Θ| − α₀ − α₁; if that is negative, the straight line clears the circle. Up to half a turn,
//! cosines tell: the line clears it if e₀·e₁ > r² − t₀ t₁.

pub(crate) mod sliding;

use mj_math::{DMat3, DVec2, DVec3, MINVAL, real};
use mj_model::WrapType;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A point or direction in the plane of the problem.
type Point = DVec2;

/// Signed angle from `a` to `b`, in [−π, π].
fn angle(a: Point, b: Point) -> f64 {
    real::atan2(a.perp_dot(b), a.dot(b))
}

/// A sphere, or a cylinder along its local z axis.
pub(crate) struct Round {
    pos: DVec3,
    mat: DMat3,
    radius: f64,
    cylinder: bool,
}

/// Where a path meets the geom and leaves it, and the length between.
pub(crate) struct Arc {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    pub(crate) length: f64,
}

impl Round {
    pub(crate) fn new(kind: WrapType, pos: DVec3, mat: DMat3, radius: f64) -> Self {
        Self { pos, mat, radius, cylinder: kind == WrapType::Cylinder }
    }

    /// The path from `x0` to `x1` around the geom; none if it is a straight line. It goes around the
    /// same way as the line from `x0` over `side` to `x1`, or the short way without a side; if the
    /// side lies inside the geom, so does the path: it touches the surface from within.
    pub(crate) fn wrap(&self, x0: DVec3, x1: DVec3, side: Option<DVec3>) -> Option<Arc> {
        let (p0, p1, side) = (x0 - self.pos, x1 - self.pos, side.map(|s| s - self.pos));
        if p0.length() < MINVAL || p1.length() < MINVAL {
            return None;
        }
        let (u, v) = if self.cylinder { (self.mat.x_axis, self.mat.y_axis) } else { plane(p0, p1) };
        let flat = |p: DVec3| Point::new(p.dot(u), p.dot(v));
        let ends = [flat(p0), flat(p1)];
        let (points, mut length) = match side {
            Some(s) if s.length() < self.radius => ([inside(ends, self.radius)?; 2], 0.0),
            s => around(ends, s.map(flat), self.radius)?,
        };
        let [mut q0, mut q1] = points.map(|q| self.pos + u * q.x + v * q.y);
        if self.cylinder {
            // The rise along the axis goes with the length of the plane path.
            let axis = self.mat.z_axis;
            let (z0, z1) = (p0.dot(axis), p1.dot(axis));
            let (l0, l1) = (ends[0].distance(points[0]), ends[1].distance(points[1]));
            let slope = (z1 - z0) / (l0 + length + l1);
            q0 += axis * (z0 + slope * l0);
            q1 += axis * (z0 + slope * (l0 + length));
            length *= (1.0 + slope * slope).sqrt();
        }
        Some(Arc { from: q0, to: q1, length })
    }
}

/// Axes of the plane through the origin and both points, the first towards `p0`, the second to the
/// side of `p1`.
fn plane(p0: DVec3, p1: DVec3) -> (DVec3, DVec3) {
    let u = p0.normalize();
    let mut normal = p0.cross(p1);
    if normal.length() < MINVAL {
        // Opposite or equal directions: any plane through them.
        let a = u.abs();
        let mut other = DVec3::ONE;
        let largest = if a.y > a.x && a.y > a.z {
            1
        } else if a.z > a.x && a.z > a.y {
            2
        } else {
            0
        };
        other[largest] = 0.0;
        normal = u.cross(other);
    }
    (u, normal.cross(u).normalize())
}

/// Tangent points and length of the arc between them, on the outside.
fn around([e0, e1]: [Point; 2], side: Option<Point>, r: f64) -> Option<([Point; 2], f64)> {
    let (l0, l1) = (e0.length_squared(), e1.length_squared());
    let r2 = r * r;
    if l0 < r2 || l1 < r2 || r < MINVAL || e0.distance_squared(e1) < MINVAL {
        return None;
    }
    let (t0, t1) = ((l0 - r2).sqrt(), (l1 - r2).sqrt());
    // Over the side, the sweep may exceed half a turn: then the short way turns the other way.
    let short = e0.perp_dot(e1);
    let (forward, far) = match side {
        Some(s) => match (e0.perp_dot(s) >= 0.0, s.perp_dot(e1) >= 0.0) {
            (true, true) => (true, short < 0.0),
            (false, false) => (false, short > 0.0),
            _ => (short >= 0.0, false),
        },
        None => (short >= 0.0, false),
    };
    if !far && e0.dot(e1) > r2 - t0 * t1 {
        return None;
    }
    let sign = if forward { 1.0 } else { -1.0 };
    let q0 = (e0 * r + e0.perp() * (sign * t0)) * (r / l0);
    let q1 = (e1 * r - e1.perp() * (sign * t1)) * (r / l1);
    // Rounding may have put the ends of an arc of no length in the wrong order.
    let mut arc = sign * angle(q0, q1);
    if arc < -1e-8 {
        arc += TAU;
    }
    Some(([q0, q1], r * arc.max(0.0)))
}

/// The point where the path touches the circle from within.
///
/// The path is reflected there: with β the angle of incidence, the triangles to both ends give
/// β − asin(sin β r/l₀) + β − asin(sin β r/l₁) = G, the angle between the ends.
fn inside([e0, e1]: [Point; 2], r: f64) -> Option<Point> {
    let (l0, l1) = (e0.length(), e1.length());
    if l0 <= r || l1 <= r || r < MINVAL {
        return None;
    }
    let dif = e1 - e0;
    let dd = dif.length_squared();
    if dd > MINVAL {
        // The straight line passes through the circle already.
        let a = -dif.dot(e0) / dd;
        if a > 0.0 && a < 1.0 && (e0 + dif * a).length() <= r {
            return None;
        }
    }
    let (a, b, gap) = (r / l0, r / l1, angle(e0, e1));
    // The left side grows with β from 0, and exceeds G at a right angle since the line misses the
    // circle: Newton's method, halving the bracket where it would leave it.
    let (mut low, mut high, mut beta) = (0.0, FRAC_PI_2, 0.5 * gap.abs());
    for _ in 0..50 {
        let (s, c) = real::sin_cos(beta);
        let excess = 2.0 * beta - real::asin(a * s) - real::asin(b * s) - gap.abs();
        if excess < 0.0 {
            low = beta;
        } else {
            high = beta;
        }
        let slope = 2.0 - a * c / (1.0 - a * a * s * s).sqrt() - b * c / (1.0 - b * b * s * s).sqrt();
        let newton = beta - excess / slope;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let step = (next - beta).abs();
        beta = next;
        if step < 1e-15 {
            break;
        }
    }
    let turn = beta - real::asin(a * real::sin(beta));
    let turn = Point::from_angle(if gap < 0.0 { -turn } else { turn });
    Some(turn.rotate(e0) * a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    fn sphere() -> Round {
        Round::new(WrapType::Sphere, DVec3::ZERO, DMat3::IDENTITY, 1.0)
    }

    #[test]
    fn half_way_around_a_sphere() {
        // Tangents are vertical: a quarter turn on the circle lies between y = 0 ends far below.
        let (x0, x1) = (DVec3::new(-1.0, -3.0, 0.0), DVec3::new(1.0, -3.0, 0.0));
        let arc = sphere().wrap(x0, x1, Some(DVec3::new(0.0, 2.0, 0.0))).unwrap();
        assert!((arc.length - PI).abs() < 1e-12);
        assert!((arc.from - DVec3::NEG_X).length() < 1e-12 && (arc.to - DVec3::X).length() < 1e-12);
        // Without a side, the straight line is free.
        assert!(sphere().wrap(x0, x1, None).is_none());
    }

    #[test]
    fn a_cylinder_rises_evenly() {
        let c = Round::new(WrapType::Cylinder, DVec3::ZERO, DMat3::IDENTITY, 1.0);
        let arc = c
            .wrap(DVec3::new(-1.0, -1.0, 0.0), DVec3::new(1.0, -1.0, 2.0 + PI), Some(DVec3::new(0.0, 5.0, 0.0)))
            .unwrap();
        assert!((arc.from.z - 1.0).abs() < 1e-12 && (arc.to.z - 1.0 - PI).abs() < 1e-12);
        assert!((arc.length - PI * 2f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn an_inside_wrap_touches_symmetrically() {
        let (x0, x1) = (DVec3::new(-2.0, 2.0, 0.0), DVec3::new(2.0, 2.0, 0.0));
        let arc = sphere().wrap(x0, x1, Some(DVec3::ZERO)).unwrap();
        assert!((arc.from - DVec3::Y).length() < 1e-6 && arc.length == 0.0);
    }

    /// Length of the shortest way on the surface from one of its points to another.
    fn geodesic(round: &Round, a: DVec3, b: DVec3) -> f64 {
        if round.cylinder {
            real::hypot(round.radius * angle(Point::new(a.x, a.y), Point::new(b.x, b.y)), b.z - a.z)
        } else {
            round.radius * real::atan2(a.cross(b).length(), a.dot(b))
        }
    }

    /// A point of the surface.
    fn on_surface(round: &Round, p: DVec3) -> DVec3 {
        if round.cylinder {
            let flat = Point::new(p.x, p.y).normalize() * round.radius;
            DVec3::new(flat.x, flat.y, p.z)
        } else {
            p.normalize() * round.radius
        }
    }

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-r..r).prop_map(DVec3::from_array)
    }

    proptest! {
        /// Around a geom at the origin, no path over other points of the surface is shorter; where
        /// there is none, the straight line is clear of the geom.
        #[test]
        fn a_wrapped_path_is_the_shortest(
            cylinder in any::<bool>(),
            ends in (vec3(2.0), vec3(2.0)),
            others in prop::collection::vec((vec3(1.0), vec3(1.0), -4.0..0.5f64), 200),
        ) {
            let kind = if cylinder { WrapType::Cylinder } else { WrapType::Sphere };
            let round = Round::new(kind, DVec3::ZERO, DMat3::IDENTITY, 0.8);
            let across = |p: DVec3| if cylinder { DVec3::new(p.x, p.y, 0.0) } else { p };
            let (x0, x1) = ends;
            prop_assume!(across(x0).length() > 0.81 && across(x1).length() > 0.81);
            let Some(arc) = round.wrap(x0, x1, None) else {
                let (a, d) = (across(x0), across(x1 - x0));
                let nearest = a + d * (-a.dot(d) / d.length_squared()).clamp(0.0, 1.0);
                prop_assert!(nearest.length() > 0.8 - 1e-9);
                return Ok(());
            };
            for p in [arc.from, arc.to] {
                prop_assert!((on_surface(&round, p) - p).length() < 1e-9);
            }
            prop_assert!((geodesic(&round, arc.from, arc.to) - arc.length).abs() < 1e-9);
            // What touches the surface from outside is not hidden behind it.
            let visible = |from: DVec3, at: DVec3| (from - at).dot(across(at)) > -1e-9;
            prop_assert!(visible(x0, arc.from) && visible(x1, arc.to));
            let length = |a: DVec3, b: DVec3| x0.distance(a) + geodesic(&round, a, b) + b.distance(x1);
            let shortest = length(arc.from, arc.to);
            for (da, db, scale) in others {
                let near = |p: DVec3, by: DVec3| on_surface(&round, p + by * 10f64.powf(scale));
                let (a, b) = (near(arc.from, da), near(arc.to, db));
                if visible(x0, a) && visible(x1, b) {
                    prop_assert!(length(a, b) > shortest - 1e-9, "{} {shortest}", length(a, b));
                }
            }
        }

        /// Turning everything and moving it along changes nothing.
        #[test]
        fn paths_move_along_with_the_geom(turn in vec3(3.0), shift in vec3(2.0), x0 in vec3(2.0), x1 in vec3(2.0), side in vec3(2.0)) {
            let mat = mj_math::quat::to_mat(mj_math::quat::exp(turn));
            for kind in [WrapType::Sphere, WrapType::Cylinder] {
                let still = Round::new(kind, DVec3::ZERO, DMat3::IDENTITY, 0.7).wrap(x0, x1, Some(side));
                let at = |p: DVec3| mat * p + shift;
                let moved = Round::new(kind, shift, mat, 0.7).wrap(at(x0), at(x1), Some(at(side)));
                prop_assert_eq!(still.is_some(), moved.is_some());
                if let (Some(a), Some(b)) = (still, moved) {
                    prop_assert!((a.length - b.length).abs() < 1e-9);
                    prop_assert!((at(a.from) - b.from).length() < 1e-6 && (at(a.to) - b.to).length() < 1e-6);
                }
            }
        }
    }
}
