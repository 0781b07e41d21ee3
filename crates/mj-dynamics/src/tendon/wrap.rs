//! Shortest paths around spheres and cylinders.
//!
//! Both are problems in a plane: for a sphere the plane through its centre and both ends, for a
//! cylinder the plane across its axis, in which the path is the plane path with a constant slope
//! along the axis. In polar angles about the circle's centre, an end at distance l sees the circle's
//! tangent points the angle α to either side of itself, with l cos α = r and l sin α = t, the length
//! of the tangent. A path that sweeps the angle Θ from end to end therefore lies on the circle over
//! |Θ| − α₀ − α₁; if that is negative, the straight line clears the circle. Up to half a turn,
//! cosines tell: the line clears it if e₀·e₁ > r² − t₀ t₁.
//!
//! F64x4 problems of a kind are solved at a time, in the lanes of vectors.

pub(crate) mod sliding;

use crate::buffers::Poses;
use mj_math::simd::{F64x4, Kernel, Mask, Points, Simd, scalar};
use mj_math::{DMat3, DVec3, MINVAL, real};
use mj_model::*;
use std::f64::consts::TAU;

/// A sphere, or a cylinder along its local z axis.
pub(crate) struct Round {
    pub(crate) pos: DVec3,
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
    pub(crate) fn of(m: &Model, poses: &Poses, g: GeomId, kind: WrapType) -> Self {
        Self::new(kind, poses.geom_xpos[g], poses.geom_xmat[g], m.geom.size[g].x)
    }

    /// The path from `x0` to `x1` around the geom; none if it is a straight line. It goes around the
    /// same way as the line from `x0` over `side` to `x1`, or the short way without a side; if the
    /// side lies inside the geom, so does the path: it touches the surface from within.
    pub(crate) fn wrap(&self, x0: DVec3, x1: DVec3, side: Option<DVec3>) -> Option<Arc> {
        scalar(One { round: self, ends: [x0, x1], side })
    }
}

/// One path, in all lanes.
struct One<'a> {
    round: &'a Round,
    ends: [DVec3; 2],
    side: Option<DVec3>,
}

impl Kernel for One<'_> {
    type Output = Option<Arc>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Option<Arc> {
        let rounds = Rounds {
            cylinders: self.round.cylinder,
            pos: Points::splat(s, self.round.pos),
            axis: Points::splat(s, self.round.mat.z_axis),
            radius: F64x4::splat(s, self.round.radius),
        };
        let given = if self.side.is_some() { 1.0 } else { 0.0 };
        let given = F64x4::splat(s, 0.0).lt(F64x4::splat(s, given));
        let side = Points::splat(s, self.side.unwrap_or(self.round.pos));
        let [x0, x1] = self.ends;
        let arcs = rounds.wrap(s, Points::splat(s, x0), Points::splat(s, x1), side, given);
        let wraps = arcs.wraps.any();
        wraps.then(|| Arc { from: arcs.from.get()[0], to: arcs.to.get()[0], length: arcs.length.get()[0] })
    }
}

/// F64x4 spheres, or four cylinders.
pub(crate) struct Rounds<S: Simd> {
    pub(crate) cylinders: bool,
    pub(crate) pos: Points<S>,
    /// Axes of cylinders, unit vectors.
    pub(crate) axis: Points<S>,
    pub(crate) radius: F64x4<S>,
}

/// Where paths meet their geoms and leave them, and the lengths between: of those that wrap around.
pub(crate) struct Arcs<S: Simd> {
    pub(crate) from: Points<S>,
    pub(crate) to: Points<S>,
    pub(crate) length: F64x4<S>,
    pub(crate) wraps: Mask<S>,
}

impl<S: Simd> Rounds<S> {
    /// The paths from `x0` to `x1`, over `side` where one is given: see [`Round::wrap`].
    #[inline(always)]
    pub(crate) fn wrap(&self, s: S, x0: Points<S>, x1: Points<S>, side: Points<S>, given: Mask<S>) -> Arcs<S> {
        let (p0, p1, side) = (x0 - self.pos, x1 - self.pos, side - self.pos);
        let zero = F64x4::splat(s, 0.0);
        // The ends in the plane of the problem, and its normal.
        let (mut rise0, mut rise1) = (zero, zero);
        let planes = if self.cylinders {
            (rise0, rise1) = (p0.dot(self.axis), p1.dot(self.axis));
            Planes { ends: [p0 - self.axis * rise0, p1 - self.axis * rise1], normal: self.axis }
        } else {
            Planes { ends: [p0, p1], normal: normals(s, p0, p1) }
        };
        let r = self.radius;
        let within = given & side.length_squared().lt(r * r);
        let mut touch = if within.any() { planes.inside(s, r) } else { planes.around(s, side, given, r) };
        if within.any() && (!within).any() {
            let outside = planes.around(s, side, given, r);
            touch = Touch::select(within, touch, outside);
        }
        let Touch { points: [mut q0, mut q1], straight: [l0, l1], mut length, wraps } = touch;
        if self.cylinders {
            // The rise along the axis goes with the length of the plane path.
            let slope = (rise1 - rise0) / (l0 + length + l1);
            q0 = q0 + self.axis * (rise0 + slope * l0);
            q1 = q1 + self.axis * (rise0 + slope * (l0 + length));
            length = length * (F64x4::splat(s, 1.0) + slope * slope).sqrt();
        }
        Arcs { from: q0 + self.pos, to: q1 + self.pos, length, wraps }
    }
}

/// Unit normals of the planes through the origin and both points; of any such plane, if they lie on one line with it.
#[inline(always)]
fn normals<S: Simd>(s: S, p0: Points<S>, p1: Points<S>) -> Points<S> {
    let normal = p0.cross(p1);
    let length = normal.length();
    let flat = length.lt(F64x4::splat(s, MINVAL));
    let unit = normal * (F64x4::splat(s, 1.0) / length);
    if flat.any() {
        let (points, units, flat) = (p0.get(), unit.get(), flat.get());
        return Points::new(s, std::array::from_fn(|l| if flat[l] { some_normal(points[l]) } else { units[l] }));
    }
    unit
}

/// Unit normal of the plane through the origin and both points; of any such plane, if they lie on one line with it.
fn normal(p0: DVec3, p1: DVec3) -> DVec3 {
    let normal = p0.cross(p1);
    let length = normal.length();
    if length >= MINVAL { normal * (1.0 / length) } else { some_normal(p0) }
}

/// A unit vector at right angles to `p`.
fn some_normal(p: DVec3) -> DVec3 {
    let a = p.abs();
    let mut other = DVec3::ONE;
    let largest = if a.y > a.x && a.y > a.z {
        1
    } else if a.z > a.x && a.z > a.y {
        2
    } else {
        0
    };
    other[largest] = 0.0;
    p.cross(other).normalize_or_zero()
}

/// Where paths meet and leave the circle, the lengths of the straight pieces to there and from there, and the
/// length between.
struct Touch<S: Simd> {
    points: [Points<S>; 2],
    straight: [F64x4<S>; 2],
    length: F64x4<S>,
    wraps: Mask<S>,
}

impl<S: Simd> Touch<S> {
    #[inline(always)]
    fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        let ([a0, a1], [b0, b1]) = (yes.points, no.points);
        let ([s0, s1], [t0, t1]) = (yes.straight, no.straight);
        Self {
            points: [Points::select(mask, a0, b0), Points::select(mask, a1, b1)],
            straight: [mask.select(s0, t0), mask.select(s1, t1)],
            length: mask.select(yes.length, no.length),
            wraps: (mask & yes.wraps) | (!mask & no.wraps),
        }
    }
}

/// The problem around a circle about the origin: both ends, and the unit normal of the plane that holds them.
struct Planes<S: Simd> {
    ends: [Points<S>; 2],
    normal: Points<S>,
}

impl<S: Simd> Planes<S> {
    /// Tangent points and length of the arc between them, on the outside.
    #[inline(always)]
    fn around(&self, s: S, side: Points<S>, given: Mask<S>, r: F64x4<S>) -> Touch<S> {
        let [e0, e1] = self.ends;
        let (zero, one, least) = (F64x4::splat(s, 0.0), F64x4::splat(s, 1.0), F64x4::splat(s, MINVAL));
        let (l0, l1) = (e0.length_squared(), e1.length_squared());
        let r2 = r * r;
        let blocked = l0.lt(r2) | l1.lt(r2) | r.lt(least) | (e1 - e0).length_squared().lt(least);
        let (t0, t1) = ((l0 - r2).sqrt(), (l1 - r2).sqrt());
        // The product with a vector turned has the sine of the angle from the vector, the plain one its cosine. Where the
        // side sticks out of the plane doesn't count.
        let (n0, n1) = (self.normal.cross(e0), self.normal.cross(e1));
        let (cos, sin) = (e0.dot(e1), n0.dot(e1));
        // Over the side, the sweep may exceed half a turn: then the short way turns the other way. Without a side, as if
        // the answers for both ends differed.
        let after = zero.le(n0.dot(side)) | !given;
        let before = n1.dot(side).le(zero) & given;
        let forward = (after & before) | ((after | before) & zero.le(sin));
        let far = (after & before & sin.lt(zero)) | (!(after | before) & zero.lt(sin));
        let wraps = !blocked & (far | !(r2 - t0 * t1).lt(cos));
        let sign = forward.select(one, -one);
        let (k0, k1, straight) = (r / l0, r / l1, [t0, t1]);
        let (t0, t1) = (sign * t0, sign * t1);
        let points = [e0 * (r * k0) + n0 * (t0 * k0), e1 * (r * k1) - n1 * (t1 * k1)];
        // The sweep from end to end, less the angles between the ends and their tangent points, whose tangents are t/r.
        let (cos, sin) = (cos * r + sin * t0, sin * r - cos * t0);
        let (y, x) = ((sin * r - cos * t1).get(), (cos * r + sin * t1).get());
        let (sign, some) = (sign.get(), wraps.get());
        let mut arc = [0.0; 4];
        for l in 0..4 {
            if some[l] {
                let angle = sign[l] * real::atan2(y[l], x[l]);
                // Rounding may have put the ends of an arc of no length in the wrong order.
                arc[l] = if angle < -1e-8 { angle + TAU } else { angle.max(0.0) };
            }
        }
        Touch { points, straight, length: r * F64x4::new(s, &arc), wraps }
    }

    /// The point where the path touches the circle from within.
    ///
    /// The path is reflected there: with β the angle of incidence, the triangles to both ends give
    /// β − asin(sin β r/l₀) + β − asin(sin β r/l₁) = G, the angle between the ends.
    #[inline(always)]
    fn inside(&self, s: S, r: F64x4<S>) -> Touch<S> {
        let [e0, e1] = self.ends;
        let (zero, one, least) = (F64x4::splat(s, 0.0), F64x4::splat(s, 1.0), F64x4::splat(s, MINVAL));
        let (l0, l1) = (e0.length(), e1.length());
        let dif = e1 - e0;
        let dd = dif.length_squared();
        // The straight line passes through the circle already.
        let a = -dif.dot(e0) / dd;
        let nearest = e0 + dif * a;
        let passes = least.lt(dd) & zero.lt(a) & a.lt(one) & nearest.length_squared().le(r * r);
        let wraps = !(l0.le(r) | l1.le(r) | r.lt(least) | passes);
        let n0 = self.normal.cross(e0);
        let scale = one / (l0 * l1);
        let (cos, sin) = (e0.dot(e1) * scale, n0.dot(e1) * scale);
        let left = sin.lt(zero);
        let (sin, cos) = incidence(s, r / l0, r / l1, [left.select(-sin, sin), cos], wraps);
        let q = (e0 * cos + n0 * left.select(-sin, sin)) * (r / l0);
        Touch { points: [q; 2], straight: [(e0 - q).length(), (e1 - q).length()], length: zero, wraps }
    }
}

/// Sine and cosine of the angle β − asin(a sin β) between the first end and the point of reflection, with β the root of
/// 2β − asin(a sin β) − asin(b sin β) = G, for a and b below 1 and an angle G between the ends of which sine and cosine are
/// given.
///
/// The left side is convex and grows with β from 0, and exceeds G at a right angle since the line misses the
/// circle: Newton's method, halving the bracket where it would leave it. Angles are not needed: with t = tan β/2 all sines
/// and cosines are algebraic, and twice the tangent of half the excess, which they give, has its root and its slope there.
#[inline(always)]
fn incidence<S: Simd>(s: S, a: F64x4<S>, b: F64x4<S>, gap: [F64x4<S>; 2], wanted: Mask<S>) -> (F64x4<S>, F64x4<S>) {
    let [sin_gap, cos_gap] = gap;
    let (one, two, half) = (F64x4::splat(s, 1.0), F64x4::splat(s, 2.0), F64x4::splat(s, 0.5));
    let (most, enough) = (F64x4::splat(s, 0.93), F64x4::splat(s, 1e-11));
    let zero = F64x4::splat(s, 0.0);
    let (mut low, mut high) = (zero, one);
    // Where the asin are their arguments and the tangents their angles.
    let tan_half = sin_gap / (one + cos_gap);
    let guess = two * tan_half / ((one + (one + tan_half * tan_half).sqrt()) * (two - a - b));
    let mut t = guess.lt(most).select(guess, most);
    for _ in 0..50 {
        let t2 = t * t;
        let k = one / (one + t2);
        let (sin, cos) = (two * t * k, (one - t2) * k);
        let (sa, sb) = (a * sin, b * sin);
        let (ca, cb) = ((one - sa * sa).sqrt(), (one - sb * sb).sqrt());
        // 2β, then less the two angles and G.
        let (x, y) = (cos * cos - sin * sin, two * sin * cos);
        let (x, y) = (x * ca + y * sa, y * ca - x * sa);
        let (x, y) = (x * cb + y * sb, y * cb - x * sb);
        let (x, y) = (x * cos_gap + y * sin_gap, y * cos_gap - x * sin_gap);
        let excess = two * y / (one + x);
        let below = excess.lt(zero);
        low = below.select(t, low);
        high = below.select(high, t);
        let slope = two - a * cos / ca - b * cos / cb;
        let newton = t - excess * (one + t2) * half / slope;
        let next = (low.le(newton) & newton.le(high)).select(newton, (low + high) * half);
        let step = next - t;
        t = next;
        // The next step would be of the order of this one's square.
        if !(wanted & enough.lt(step.max(-step))).any() {
            break;
        }
    }
    let t2 = t * t;
    let k = one / (one + t2);
    let (sin, cos) = (two * t * k, (one - t2) * k);
    let sa = a * sin;
    let ca = (one - sa * sa).sqrt();
    (sin * ca - cos * sa, cos * ca + sin * sa)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::DVec2;
    use mj_math::simd::dispatch;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// [`incidence`] as an angle.
    struct Incidence {
        a: f64,
        b: f64,
        gap: f64,
    }

    impl Kernel for Incidence {
        type Output = f64;

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> f64 {
            let all = |x| F64x4::splat(s, x);
            let gap = [all(real::sin(self.gap)), all(real::cos(self.gap))];
            let (sin, cos) = incidence(s, all(self.a), all(self.b), gap, all(0.0).lt(all(1.0)));
            real::atan2(sin.get()[0], cos.get()[0])
        }
    }

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
            let turn = dispatch(Incidence { a: 1.0 / l0, b: 1.0 / l1, gap });
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
