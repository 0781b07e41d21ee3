//! Muscles: activation dynamics, and force as a function of length and velocity (the manual's
//! "Muscle actuators").

pub(crate) mod fours;

use mj_math::MINVAL;
use mj_math::simd::{F64x4, Simd};
use std::ops::{Add, Div, Mul, Sub};

/// Number type of the curves: a number, or four in the lanes of a vector.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The same number in every lane.
    fn all(self, x: f64) -> Self;

    /// `yes` where this is at most `limit`, `no` elsewhere and where it is not a number.
    fn at_most(self, limit: Self, yes: Self, no: Self) -> Self;

    /// Brought into 0 … 1.
    #[inline(always)]
    fn share(self) -> Self {
        let (zero, one) = (self.all(0.0), self.all(1.0));
        self.at_most(zero, zero, one.at_most(self, one, self))
    }
}

impl Number for f64 {
    #[inline(always)]
    fn all(self, x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn at_most(self, limit: f64, yes: f64, no: f64) -> f64 {
        if self <= limit { yes } else { no }
    }
}

impl<S: Simd> Number for F64x4<S> {
    #[inline(always)]
    fn all(self, x: f64) -> Self {
        self.like(x)
    }

    #[inline(always)]
    fn at_most(self, limit: Self, yes: Self, no: Self) -> Self {
        self.le(limit).select(yes, no)
    }
}

/// Time constants of the activation (Millard et al., "Flexing computational muscle", 2013).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dynamics<N> {
    rise: N,
    fall: N,
    /// One over the width over which one goes smoothly over into the other.
    per_width: N,
}

impl<N: Number> Dynamics<N> {
    /// From an actuator's parameters: the two time constants and the width.
    #[inline(always)]
    pub(crate) fn new([rise, fall, width]: [N; 3]) -> Self {
        // Without a width, the least excess decides.
        let n = |x| width.all(x);
        let per_width = n(MINVAL).at_most(width, n(1.0) / width, n(f64::MAX));
        Self { rise, fall, per_width }
    }

    /// Rate of activation at excitation `u`: activation is faster than deactivation, and both depend on the activation
    /// reached.
    #[inline(always)]
    pub(crate) fn rate(&self, u: N, act: N) -> N {
        let n = |x| u.all(x);
        let excess = u.share() - act;
        let slowness = n(0.5) + n(1.5) * act.share();
        let (rise, fall) = (self.rise * slowness, self.fall / slowness);
        let tau = fall + (rise - fall) * smooth_step(excess * self.per_width + n(0.5));
        excess / n(MINVAL).at_most(tau, tau, n(MINVAL))
    }
}

/// From 0 at 0 to 1 at 1 with two vanishing derivatives at both.
#[inline(always)]
fn smooth_step<N: Number>(x: N) -> N {
    let (x, n) = (x.share(), |y| x.all(y));
    x * x * x * (n(3.0) * x * (n(2.0) * x - n(5.0)) + n(10.0))
}

/// Returns a polynomial of `x` that rises from 0 at 0 to 1 at 1 with two vanishing derivatives at both; 0 below and 1
/// above.
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    smooth_step(x)
}

/// Returns the rate of a muscle's activation (per second) at the excitation `u` and the activation `act`.
///
/// `prm` holds the time constants of activation and deactivation (seconds), and the width of the range of u − act over
/// which one goes over into the other.
#[inline]
pub fn dynamics(u: f64, act: f64, prm: [f64; 3]) -> f64 {
    Dynamics::new(prm).rate(u, act)
}

/// Returns a muscle's force at unit activation (N; negative where it pulls).
///
/// `length` and `velocity` are those of its path (m, m/s), `lengthrange` is the range of its length, `acc0` is the
/// acceleration that unit force causes. `prm` holds range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax: the
/// manual's "Muscle actuators".
pub fn gain(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: [f64; 9]) -> f64 {
    let curves = Curves::new(lengthrange, acc0, prm);
    curves.gain(curves.normal(length), velocity)
}

/// Returns a muscle's passive force (N; negative where it pulls); the arguments are those of [`gain`].
pub fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: [f64; 9]) -> f64 {
    let curves = Curves::new(lengthrange, acc0, prm);
    curves.bias(curves.normal(length))
}

/// Derivatives of [`dynamics`] by activation and by excitation.
pub(crate) fn dynamics_slopes(u: f64, act: f64, prm: &[f64]) -> [f64; 2] {
    let excess = u.clamp(0.0, 1.0) - act;
    let (tau, by_excess, by_act) = time_constant(excess, act, prm);
    let slope = (1.0 - excess * by_excess / tau) / tau;
    let heard = if (0.0..=1.0).contains(&u) { 1.0 } else { 0.0 };
    [-slope - excess * by_act / (tau * tau), heard * slope]
}

/// Time constant where the excitation exceeds the activation by `excess`, and its derivatives by the excess and by
/// the activation.
#[inline]
fn time_constant(excess: f64, act: f64, prm: &[f64]) -> (f64, f64, f64) {
    let slowness = 0.5 + 1.5 * act.clamp(0.0, 1.0);
    let change = if (0.0..=1.0).contains(&act) { 1.5 } else { 0.0 };
    let (rise, fall) = (prm[0] * slowness, prm[1] / slowness);
    let (rise_slope, fall_slope) = (prm[0] * change, -fall / slowness * change);
    let width = prm[2];
    let (tau, by_excess, by_act) = if width >= MINVAL {
        let x = excess / width + 0.5;
        let share = smooth_step(x);
        let by_excess = (rise - fall) * (smooth_step_slope(x) / width);
        (fall + (rise - fall) * share, by_excess, fall_slope + (rise_slope - fall_slope) * share)
    } else if excess > 0.0 {
        (rise, 0.0, rise_slope)
    } else {
        (fall, 0.0, fall_slope)
    };
    if tau.is_nan() || tau < MINVAL {
        return (MINVAL, 0.0, 0.0);
    }
    (tau, by_excess, by_act)
}

fn smooth_step_slope(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    30.0 * x * x * (1.0 - x) * (1.0 - x)
}

/// A muscle's curves, and its units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curves<N> {
    /// Length at the lower end of the range, and what it is in the muscle's unit of length.
    first: N,
    at_first: N,
    /// One over the unit.
    per_unit: N,
    /// Peak active force: given, or scaled by the acceleration that unit force causes.
    peak: N,
    /// One over the velocity above which a shortening muscle gives no force.
    per_speed: N,
    /// Range of active lengths, and one over the widths of the four parabolas in it.
    lmin: N,
    lmax: N,
    per_width: [N; 4],
    /// Passive force at half way to `lmax`, over the peak force.
    fpmax: N,
    /// Active force of a muscle that lengthens fast, and one over the velocity at which it is reached.
    fvmax: N,
    per_excess: N,
}

impl<N: Number> Curves<N> {
    /// From the range of lengths, the acceleration that unit force causes and the actuator's parameters.
    #[inline(always)]
    pub(crate) fn new(lengthrange: [N; 2], acc0: N, prm: [N; 9]) -> Self {
        let n = |x| acc0.all(x);
        let positive = |x: N| x.at_most(n(MINVAL), n(MINVAL), x);
        let over = |x: N| n(1.0) / positive(x);
        let [range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax] = prm;
        let unit = (lengthrange[1] - lengthrange[0]) / positive(range1 - range0);
        let (a, b) = (n(0.5) * (lmin + n(1.0)), n(0.5) * (n(1.0) + lmax));
        Self {
            first: lengthrange[0],
            at_first: range0,
            per_unit: over(unit),
            peak: n(0.0).at_most(force, force, scale * over(acc0)),
            per_speed: over(unit * vmax),
            lmin,
            lmax,
            per_width: [over(a - lmin), over(n(1.0) - a), over(b - n(1.0)), over(lmax - b)],
            fpmax,
            fvmax,
            per_excess: over(fvmax - n(1.0)),
        }
    }

    /// A length in the muscle's unit.
    #[inline(always)]
    pub(crate) fn normal(&self, length: N) -> N {
        self.at_first + (length - self.first) * self.per_unit
    }

    /// Active force at unit activation: −peak · FL(length) · FV(velocity), the length in the muscle's unit.
    #[inline(always)]
    pub(crate) fn gain(&self, l: N, velocity: N) -> N {
        l.all(0.0) - self.peak * self.length_curve(l) * self.velocity_curve(velocity * self.per_speed)
    }

    /// Passive force: grows beyond the optimal length, quadratically up to half way to lmax, linearly
    /// from there. The length is in the muscle's unit.
    #[inline(always)]
    pub(crate) fn bias(&self, l: N) -> N {
        let (zero, one, half) = (l.all(0.0), l.all(1.0), l.all(0.5));
        let b = half * (one + self.lmax);
        let x = (l - one) * self.per_width[2];
        let curve = l.at_most(one, zero, l.at_most(b, half * x * x, half + (l - b) * self.per_width[2]));
        zero - self.peak * self.fpmax * curve
    }

    /// A bump of two pairs of parabolas: 0 at both ends, 1 at 1.
    #[inline(always)]
    fn length_curve(&self, l: N) -> N {
        let (zero, one, half) = (l.all(0.0), l.all(1.0), l.all(0.5));
        let (a, b) = (half * (self.lmin + one), half * (one + self.lmax));
        let [w0, w1, w2, w3] = self.per_width;
        let above = l.at_most(b, (l - one) * w2, (self.lmax - l) * w3);
        let x = l.at_most(a, (l - self.lmin) * w0, l.at_most(one, (one - l) * w1, above));
        let low = half * x * x;
        let curve = l.at_most(a, low, l.at_most(b, one - low, low));
        self.lmin.at_most(l, l.at_most(self.lmax, curve, zero), zero)
    }

    /// Two parabolas, from 0 at −1 over 1 at 0 up to `fvmax`.
    #[inline(always)]
    fn velocity_curve(&self, v: N) -> N {
        let (zero, one) = (v.all(0.0), v.all(1.0));
        let y = self.fvmax - one;
        let faster = v.at_most(y, self.fvmax - (y - v) * (y - v) * self.per_excess, self.fvmax);
        v.at_most(zero - one, zero, v.at_most(zero, (v + one) * (v + one), faster))
    }
}

/// A muscle at a length: its curves and their slopes.
#[derive(Clone, Copy)]
pub(crate) struct Muscle<'a> {
    prm: &'a [f64; 10],
    curves: Curves<f64>,
    /// The length in the muscle's unit.
    length: f64,
}

impl<'a> Muscle<'a> {
    #[inline]
    pub(crate) fn new(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &'a [f64; 10]) -> Self {
        let curves = Curves::new(lengthrange, acc0, std::array::from_fn(|k| prm[k]));
        Self { prm, curves, length: curves.normal(length) }
    }

    /// See [`Curves::gain`].
    pub(crate) fn gain(&self, velocity: f64) -> f64 {
        self.curves.gain(self.length, velocity)
    }

    /// See [`Curves::bias`].
    pub(crate) fn bias(&self) -> f64 {
        self.curves.bias(self.length)
    }

    /// Derivative of [`Self::gain`] by velocity.
    pub(crate) fn gain_slope(&self, velocity: f64) -> f64 {
        let per_speed = self.curves.per_speed;
        let slope = velocity_slope(velocity * per_speed, self.prm[8]);
        -self.curves.peak * self.curves.length_curve(self.length) * slope * per_speed
    }

    /// Derivatives of [`Self::gain_slope`] by length and by velocity.
    pub(crate) fn gain_curvature(&self, velocity: f64) -> [f64; 2] {
        let (prm, per_speed) = (self.prm, self.curves.per_speed);
        let v = velocity * per_speed;
        let (slope, scale) = (velocity_slope(v, prm[8]), -self.curves.peak * per_speed);
        let bend = match v {
            v if v <= -1.0 || v > prm[8] - 1.0 => 0.0,
            v if v <= 0.0 => 2.0,
            _ => -2.0 / (prm[8] - 1.0).max(MINVAL),
        };
        let by_length = scale * length_slope(self.length, prm[4], prm[5]) * slope * self.curves.per_unit;
        [by_length, scale * self.curves.length_curve(self.length) * bend * per_speed]
    }

    /// Derivative of [`Self::gain`] by length.
    pub(crate) fn gain_stretch(&self, velocity: f64) -> f64 {
        let fv = self.curves.velocity_curve(velocity * self.curves.per_speed);
        -self.curves.peak * length_slope(self.length, self.prm[4], self.prm[5]) * fv * self.curves.per_unit
    }

    /// Derivative of [`Self::bias`] by length.
    pub(crate) fn bias_stretch(&self) -> f64 {
        let width = (0.5 * (self.prm[5] - 1.0)).max(MINVAL);
        let slope = ((self.length - 1.0) / width).clamp(0.0, 1.0) / width;
        -self.curves.peak * self.prm[7] * slope * self.curves.per_unit
    }
}

/// Slope of [`Curves::velocity_curve`].
fn velocity_slope(v: f64, fvmax: f64) -> f64 {
    let y = fvmax - 1.0;
    if v <= -1.0 || v > y.max(0.0) {
        0.0
    } else if v <= 0.0 {
        2.0 * (v + 1.0)
    } else {
        2.0 * (y - v) / y.max(MINVAL)
    }
}

/// Slope of [`Curves::length_curve`].
fn length_slope(l: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin..=lmax).contains(&l) {
        return 0.0;
    }
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let slope = |x: f64, width: f64| x / width.max(MINVAL).powi(2);
    if l <= a {
        slope(l - lmin, a - lmin)
    } else if l <= 1.0 {
        slope(1.0 - l, 1.0 - a)
    } else if l <= b {
        -slope(l - 1.0, b - 1.0)
    } else {
        -slope(lmax - l, lmax - b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
        super::gain(length, velocity, lengthrange, acc0, *prm.first_chunk().unwrap())
    }

    fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
        super::bias(length, lengthrange, acc0, *prm.first_chunk().unwrap())
    }

    /// The manual's default parameters.
    const PRM: [f64; 10] = [0.75, 1.05, 1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];

    #[test]
    fn full_force_at_the_optimal_length_at_rest() {
        // Length range 0.75..1.05 makes the unit of length 1.
        let range = [0.75, 1.05];
        assert!((gain(1.0, 0.0, range, 1.0, &PRM) + 1.0).abs() < 1e-12);
        assert_eq!(gain(1.0, -1.5 - 1e-9, range, 1.0, &PRM), 0.0);
        assert!((gain(1.0, 10.0, range, 1.0, &PRM) + 1.2).abs() < 1e-12);
        assert_eq!(gain(0.4, 0.0, range, 1.0, &PRM), 0.0);
        assert_eq!(bias(0.9, range, 1.0, &PRM), 0.0);
        assert!((bias(1.3, range, 1.0, &PRM) + 0.5 * 1.3).abs() < 1e-12);
    }

    #[test]
    fn activation_goes_up_faster_than_down() {
        let prm = [0.01, 0.04, 0.0];
        let (up, down) = (dynamics(1.0, 0.5, prm), dynamics(0.0, 0.5, prm));
        assert!(up > 0.0 && down < 0.0 && up > -down);
        // A smooth switch is half way between the two at no excess.
        assert_eq!(dynamics(0.5, 0.5, [0.01, 0.04, 0.1]), 0.0);
    }

    #[test]
    fn slopes_of_the_activation_match_differences() {
        let h = 1e-7;
        for prm in [[0.01, 0.04, 0.0], [0.01, 0.04, 0.3], [0.02, 0.03, 2.0]] {
            for (u, act) in [(0.9, 0.2), (0.1, 0.6), (0.45, 0.5), (1.4, 0.7), (-0.2, 0.3), (0.5, 1.2), (0.3, -0.1)] {
                let [by_act, by_u] = dynamics_slopes(u, act, &prm);
                let act_slope = (dynamics(u, act + h, prm) - dynamics(u, act - h, prm)) / (2.0 * h);
                let u_slope = (dynamics(u + h, act, prm) - dynamics(u - h, act, prm)) / (2.0 * h);
                assert!((by_act - act_slope).abs() < 1e-5 * (1.0 + act_slope.abs()), "{prm:?} {u} {act}");
                assert!((by_u - u_slope).abs() < 1e-5 * (1.0 + u_slope.abs()), "{prm:?} {u} {act}");
            }
        }
    }

    #[test]
    fn the_slope_s_own_derivatives_match_differences() {
        let (range, h) = ([0.6, 1.2], 1e-6);
        for l in [0.65, 0.8, 0.95, 1.1] {
            for v in [-2.0, -0.7, -0.1, 0.05, 0.2, 0.5] {
                let slope = |l: f64, v: f64| Muscle::new(l, range, 1.3, &PRM).gain_slope(v);
                let [by_length, by_velocity] = Muscle::new(l, range, 1.3, &PRM).gain_curvature(v);
                let want = (slope(l + h, v) - slope(l - h, v)) / (2.0 * h);
                assert!((by_length - want).abs() < 1e-5 * (1.0 + want.abs()), "{l} {v}: {by_length} {want}");
                let want = (slope(l, v + h) - slope(l, v - h)) / (2.0 * h);
                assert!((by_velocity - want).abs() < 1e-5 * (1.0 + want.abs()), "{l} {v}: {by_velocity} {want}");
            }
        }
    }

    #[test]
    fn the_slope_matches_differences() {
        let (range, h) = ([0.6, 1.2], 1e-6);
        for v in [-2.0, -0.7, -0.1, 0.05, 0.2, 0.5] {
            for l in [0.7, 0.9, 1.1] {
                let difference = (gain(l, v + h, range, 2.0, &PRM) - gain(l, v - h, range, 2.0, &PRM)) / (2.0 * h);
                let slope = Muscle::new(l, range, 2.0, &PRM).gain_slope(v);
                assert!((slope - difference).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {difference}");
                let by_length = |f: &dyn Fn(f64) -> f64| (f(l + h) - f(l - h)) / (2.0 * h);
                for (slope, difference) in [
                    (Muscle::new(l, range, 2.0, &PRM).gain_stretch(v), by_length(&|l| gain(l, v, range, 2.0, &PRM))),
                    (Muscle::new(l, range, 2.0, &PRM).bias_stretch(), by_length(&|l| bias(l, range, 2.0, &PRM))),
                ] {
                    assert!((slope - difference).abs() < 1e-5 * (1.0 + slope.abs()), "{slope} {difference}");
                }
            }
        }
    }

    /// The reference's `mju_muscleGain`, `mju_muscleBias` and `mju_muscleDynamics`.
    #[test]
    fn curves_are_the_references() {
        let mut prm = PRM;
        prm[2] = -1.0;
        for (l, v, active, passive) in [
            (0.3, 0.1, -72.88888888888889, 0.0),
            (0.41, -0.2, -59.319751111111096, 0.0),
            (0.25, 0.05, -57.72444444444446, 0.0),
            (0.47, -0.5, -35.47654320987653, -0.2311111111111115),
            (0.44, 0.3, -95.9232, 0.0),
            (0.62, 0.0, -67.15555555555554, -16.697777777777805),
        ] {
            assert!((gain(l, v, [0.2, 0.5], 2.5, &prm) - active).abs() < 1e-11, "{l} {v}");
            assert!((bias(l, [0.2, 0.5], 2.5, &prm) - passive).abs() < 1e-11, "{l} {v}");
        }
        for (u, act, width, rate) in [
            (0.9, 0.3, 0.0, 63.15789473684212),
            (0.1, 0.7, 0.0, -23.249999999999996),
            (0.55, 0.5, 0.3, 3.0133928571428616),
            (0.4, 0.5, 0.3, -3.194085027726432),
            (1.5, -0.1, 0.05, 219.99999999999983),
        ] {
            assert!((dynamics(u, act, [0.01, 0.04, width]) - rate).abs() < 1e-11, "{u} {act}");
        }
    }
}
