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

use crate::buffers::Poses;
use mj_math::{DMat3, DVec3, MINVAL, real};
use mj_model::*;
use std::f64::consts::{FRAC_PI_2, TAU};

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

    /// A geom of a model, as it lies now.
    #[inline]
    pub(crate) fn of(m: &Model, poses: &Poses, g: GeomId, kind: WrapType) -> Self {
        Self::new(kind, poses.geom_xpos[g], poses.geom_xmat[g], m.geom.size[g].x)
    }

    /// The path from `x0` to `x1` around the geom; none if it is a straight line. It goes around the
    /// same way as the line from `x0` over `side` to `x1`, or the short way without a side; if the
    /// side lies inside the geom, so does the path: it touches the surface from within.
    pub(crate) fn wrap(&self, x0: DVec3, x1: DVec3, side: Option<DVec3>) -> Option<Arc> {
        let (p0, p1, side) = (x0 - self.pos, x1 - self.pos, side.map(|s| s - self.pos));
        let axis = self.mat.z_axis;
        // The ends in the plane of the problem, and its normal.
        let (plane, rises) = if self.cylinder {
            let rises = [p0.dot(axis), p1.dot(axis)];
            (Plane { ends: [p0 - axis * rises[0], p1 - axis * rises[1]], normal: axis }, rises)
        } else {
            (Plane { ends: [p0, p1], normal: normal(p0, p1) }, [0.0; 2])
        };
        let Touch { points: [mut q0, mut q1], straight: [l0, l1], mut length } = match side {
            Some(s) if s.length_squared() < self.radius * self.radius => plane.inside(self.radius)?,
            s => plane.around(s, self.radius)?,
        };
        if self.cylinder {
            // The rise along the axis goes with the length of the plane path.
            let slope = (rises[1] - rises[0]) / (l0 + length + l1);
            q0 += axis * (rises[0] + slope * l0);
            q1 += axis * (rises[0] + slope * (l0 + length));
            length *= (1.0 + slope * slope).sqrt();
        }
        Some(Arc { from: q0 + self.pos, to: q1 + self.pos, length })
    }
}

/// Unit normal of the plane through the origin and both points; of any such plane, if they lie on one line with it.
fn normal(p0: DVec3, p1: DVec3) -> DVec3 {
    let normal = p0.cross(p1);
    let length = normal.length();
    if length >= MINVAL {
        return normal * (1.0 / length);
    }
    let a = p0.abs();
    let mut other = DVec3::ONE;
    let largest = if a.y > a.x && a.y > a.z {
        1
    } else if a.z > a.x && a.z > a.y {
        2
    } else {
        0
    };
    other[largest] = 0.0;
    p0.cross(other).normalize_or_zero()
}

/// Where a path meets and leaves the circle, the lengths of the straight pieces to there and from there, and the
/// length between.
struct Touch {
    points: [DVec3; 2],
    straight: [f64; 2],
    length: f64,
}

/// The problem around a circle about the origin: both ends, and the unit normal of the plane that holds them.
struct Plane {
    ends: [DVec3; 2],
    normal: DVec3,
}

impl Plane {
    /// A quarter turn.
    #[inline]
    fn turned(&self, p: DVec3) -> DVec3 {
        self.normal.cross(p)
    }

    /// Tangent points and length of the arc between them, on the outside.
    #[inline]
    fn around(&self, side: Option<DVec3>, r: f64) -> Option<Touch> {
        let [e0, e1] = self.ends;
        let (l0, l1) = (e0.length_squared(), e1.length_squared());
        let r2 = r * r;
        if l0 < r2 || l1 < r2 || r < MINVAL || e0.distance_squared(e1) < MINVAL {
            return None;
        }
        let (t0, t1) = ((l0 - r2).sqrt(), (l1 - r2).sqrt());
        // Over the side, the sweep may exceed half a turn: then the short way turns the other way.
        // The product with a vector turned has the sine of the angle from the vector, the plain one its cosine. Where the
        // side sticks out of the plane doesn't count.
        let (n0, n1) = (self.turned(e0), self.turned(e1));
        let (cos, sin) = (e0.dot(e1), n0.dot(e1));
        let (forward, far) = match side {
            Some(s) => match (n0.dot(s) >= 0.0, n1.dot(s) <= 0.0) {
                (true, true) => (true, sin < 0.0),
                (false, false) => (false, sin > 0.0),
                _ => (sin >= 0.0, false),
            },
            None => (sin >= 0.0, false),
        };
        if !far && cos > r2 - t0 * t1 {
            return None;
        }
        let sign = if forward { 1.0 } else { -1.0 };
        let (k0, k1, straight) = (r / l0, r / l1, [t0, t1]);
        let (t0, t1) = (sign * t0, sign * t1);
        let points = [e0 * (r * k0) + n0 * (t0 * k0), e1 * (r * k1) - n1 * (t1 * k1)];
        // The sweep from end to end, less the angles between the ends and their tangent points, whose tangents are t/r.
        let (cos, sin) = (cos * r + sin * t0, sin * r - cos * t0);
        let mut arc = sign * real::atan2(sin * r - cos * t1, cos * r + sin * t1);
        // Rounding may have put the ends of an arc of no length in the wrong order.
        if arc < -1e-8 {
            arc += TAU;
        }
        Some(Touch { points, straight, length: r * arc.max(0.0) })
    }

    /// The point where the path touches the circle from within.
    ///
    /// The path is reflected there: with β the angle of incidence, the triangles to both ends give
    /// β − asin(sin β r/l₀) + β − asin(sin β r/l₁) = G, the angle between the ends.
    fn inside(&self, r: f64) -> Option<Touch> {
        let [e0, e1] = self.ends;
        let (l0, l1) = (e0.length(), e1.length());
        if l0 <= r || l1 <= r || r < MINVAL {
            return None;
        }
        let dif = e1 - e0;
        let dd = dif.length_squared();
        if dd > MINVAL {
            // The straight line passes through the circle already.
            let a = -dif.dot(e0) / dd;
            if a > 0.0 && a < 1.0 && (e0 + dif * a).length_squared() <= r * r {
                return None;
            }
        }
        let n0 = self.turned(e0);
        let gap = real::atan2(n0.dot(e1), e0.dot(e1));
        let turn = incidence(r / l0, r / l1, gap.abs());
        let (sin, cos) = real::sin_cos(if gap < 0.0 { -turn } else { turn });
        let q = (e0 * cos + n0 * sin) * (r / l0);
        Some(Touch { points: [q; 2], straight: [e0.distance(q), e1.distance(q)], length: 0.0 })
    }
}

/// The angle β − asin(a sin β) between the first end and the point of reflection, with β the root of
/// 2β − asin(a sin β) − asin(b sin β) = `gap`, for a and b below 1.
///
/// The left side is convex and grows with β from 0, and exceeds the gap at a right angle since the line misses the
/// circle: Newton's method, from the right of all roots but the last, halving the bracket where it would leave it.
fn incidence(a: f64, b: f64, gap: f64) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    let mut beta = (gap / (2.0 - a - b)).min(1.5);
    let mut first = 0.0;
    for _ in 0..50 {
        let (s, c) = real::sin_cos(beta);
        let (sa, sb) = (a * s, b * s);
        first = real::asin(sa);
        let excess = 2.0 * beta - first - real::asin(sb) - gap;
        if excess < 0.0 {
            low = beta;
        } else {
            high = beta;
        }
        let (da, db) = (a * c / (1.0 - sa * sa).sqrt(), b * c / (1.0 - sb * sb).sqrt());
        let newton = beta - excess / (2.0 - da - db);
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let step = next - beta;
        beta = next;
        first += da * step;
        // The next step would be of the order of this one's square.
        if step.abs() < 1e-11 {
            break;
        }
    }
    beta - first
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::DVec2;
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

    proptest! {
        /// A path within a circle is reflected where it touches it, however near the ends are to the circle.
        #[test]
        fn what_touches_from_within_is_reflected(near in prop::array::uniform2(-9.0..1.0f64), part in 0.0..1.0f64) {
            let [l0, l1] = near.map(|x| 1.0 + 10f64.powf(x));
            // At the greatest angle between the ends the line between them touches the circle.
            let gap = part * (PI - real::asin(1.0 / l0) - real::asin(1.0 / l1));
            let turn = incidence(1.0 / l0, 1.0 / l1, gap);
            prop_assert!(turn >= -1e-15 && turn <= gap + 1e-15);
            let cosine = |l: f64, turn: f64| {
                let to_end = DVec2::new(l * real::cos(turn) - 1.0, l * real::sin(turn));
                to_end.x / to_end.length()
            };
            let (here, there) = (cosine(l0, turn), cosine(l1, gap - turn));
            // Near the circle the angles are those of short lines: rounding shows.
            let rounding = 1e-14 / (l0.min(l1) - 1.0);
            prop_assert!((here - there).abs() < 1e-12 + rounding, "{l0} {l1} {gap}: {here} {there}");
        }
    }

    /// Signed angle from `a` to `b`, in [−π, π].
    fn angle(a: DVec2, b: DVec2) -> f64 {
        real::atan2(a.perp_dot(b), a.dot(b))
    }

    /// Length of the shortest way on the surface from one of its points to another.
    fn geodesic(round: &Round, a: DVec3, b: DVec3) -> f64 {
        if round.cylinder {
            real::hypot(round.radius * angle(DVec2::new(a.x, a.y), DVec2::new(b.x, b.y)), b.z - a.z)
        } else {
            round.radius * real::atan2(a.cross(b).length(), a.dot(b))
        }
    }

    /// A point of the surface.
    fn on_surface(round: &Round, p: DVec3) -> DVec3 {
        if round.cylinder {
            let flat = DVec2::new(p.x, p.y).normalize() * round.radius;
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
