//! Muscles: activation dynamics, and force as a function of length and velocity (the manual's
//! "Muscle actuators").

use mj_math::MINVAL;

/// Rate of activation at excitation `u` (Millard et al., "Flexing computational muscle", 2013):
/// activation is faster than deactivation, and both depend on the activation reached. `prm` holds
/// the two time constants and the width over which one goes smoothly over into the other.
#[inline]
pub(crate) fn dynamics(u: f64, act: f64, prm: &[f64]) -> f64 {
    let excess = u.clamp(0.0, 1.0) - act;
    excess / time_constant(excess, act, prm).0
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

/// From 0 at 0 to 1 at 1 with two vanishing derivatives at both.
fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

fn smooth_step_slope(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    30.0 * x * x * (1.0 - x) * (1.0 - x)
}

/// A muscle at a length: what its curves share.
#[derive(Clone, Copy)]
pub(crate) struct Muscle<'a> {
    prm: &'a [f64; 10],
    /// Length over which the muscle's unit of length goes.
    unit: f64,
    /// The length in that unit.
    length: f64,
    /// Peak active force: given, or scaled by the acceleration that unit force causes.
    peak: f64,
}

impl<'a> Muscle<'a> {
    #[inline]
    pub(crate) fn new(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &'a [f64; 10]) -> Self {
        let unit = (lengthrange[1] - lengthrange[0]) / (prm[1] - prm[0]).max(MINVAL);
        let length = prm[0] + (length - lengthrange[0]) / unit.max(MINVAL);
        let peak = if prm[2] < 0.0 { prm[3] / acc0.max(MINVAL) } else { prm[2] };
        Self { prm, unit, length, peak }
    }

    /// The same with other parameters, at the same length: of those that matter here, most muscles have but one set.
    #[inline]
    pub(crate) fn with(self, length: f64, lengthrange: [f64; 2], acc0: f64, prm: &'a [f64; 10]) -> Self {
        let same = self.prm[..4] == prm[..4];
        if same { Self { prm, ..self } } else { Self::new(length, lengthrange, acc0, prm) }
    }

    /// Velocity above which a shortening muscle gives no force.
    #[inline]
    fn fastest(&self) -> f64 {
        (self.unit * self.prm[6]).max(MINVAL)
    }

    /// Active force at unit activation: −peak · FL(length) · FV(velocity).
    #[inline]
    pub(crate) fn gain(&self, velocity: f64) -> f64 {
        let (fv, _) = velocity_curve(velocity / self.fastest(), self.prm[8]);
        -self.peak * length_curve(self.length, self.prm[4], self.prm[5]) * fv
    }

    /// Derivative of [`Self::gain`] by velocity.
    pub(crate) fn gain_slope(&self, velocity: f64) -> f64 {
        let fastest = self.fastest();
        let (_, slope) = velocity_curve(velocity / fastest, self.prm[8]);
        -self.peak * length_curve(self.length, self.prm[4], self.prm[5]) * slope / fastest
    }

    /// Derivatives of [`Self::gain_slope`] by length and by velocity.
    pub(crate) fn gain_curvature(&self, velocity: f64) -> [f64; 2] {
        let (prm, fastest) = (self.prm, self.fastest());
        let v = velocity / fastest;
        let ((_, slope), scale) = (velocity_curve(v, prm[8]), -self.peak / fastest);
        let bend = match v {
            v if v <= -1.0 || v > prm[8] - 1.0 => 0.0,
            v if v <= 0.0 => 2.0,
            _ => -2.0 / (prm[8] - 1.0).max(MINVAL),
        };
        let by_length = scale * length_slope(self.length, prm[4], prm[5]) * slope / self.unit.max(MINVAL);
        [by_length, scale * length_curve(self.length, prm[4], prm[5]) * bend / fastest]
    }

    /// Derivative of [`Self::gain`] by length.
    pub(crate) fn gain_stretch(&self, velocity: f64) -> f64 {
        let (fv, _) = velocity_curve(velocity / self.fastest(), self.prm[8]);
        -self.peak * length_slope(self.length, self.prm[4], self.prm[5]) * fv / self.unit.max(MINVAL)
    }

    /// Passive force: grows beyond the optimal length, quadratically up to half way to lmax, linearly
    /// from there.
    #[inline]
    pub(crate) fn bias(&self) -> f64 {
        let (l, b) = (self.length, 0.5 * (1.0 + self.prm[5]));
        let curve = if l <= 1.0 {
            0.0
        } else if l <= b {
            0.5 * ((l - 1.0) / (b - 1.0).max(MINVAL)).powi(2)
        } else {
            0.5 + (l - b) / (b - 1.0).max(MINVAL)
        };
        -self.peak * self.prm[7] * curve
    }

    /// Derivative of [`Self::bias`] by length.
    pub(crate) fn bias_stretch(&self) -> f64 {
        let width = (0.5 * (self.prm[5] - 1.0)).max(MINVAL);
        let slope = ((self.length - 1.0) / width).clamp(0.0, 1.0) / width;
        -self.peak * self.prm[7] * slope / self.unit.max(MINVAL)
    }
}

/// Two parabolas, from 0 at −1 over 1 at 0 up to `fvmax`, and their slope.
#[inline]
fn velocity_curve(v: f64, fvmax: f64) -> (f64, f64) {
    let y = fvmax - 1.0;
    if v <= -1.0 {
        (0.0, 0.0)
    } else if v <= 0.0 {
        ((v + 1.0) * (v + 1.0), 2.0 * (v + 1.0))
    } else if v <= y {
        let scale = y.max(MINVAL);
        (fvmax - (y - v) * (y - v) / scale, 2.0 * (y - v) / scale)
    } else {
        (fvmax, 0.0)
    }
}

/// A bump of two pairs of parabolas: 0 at both ends, 1 at 1.
#[inline]
fn length_curve(l: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin..=lmax).contains(&l) {
        return 0.0;
    }
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let half_square = |x: f64, width: f64| 0.5 * (x / width.max(MINVAL)).powi(2);
    if l <= a {
        half_square(l - lmin, a - lmin)
    } else if l <= 1.0 {
        1.0 - half_square(1.0 - l, 1.0 - a)
    } else if l <= b {
        1.0 - half_square(l - 1.0, b - 1.0)
    } else {
        half_square(lmax - l, lmax - b)
    }
}

/// Slope of [`length_curve`].
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
        Muscle::new(length, lengthrange, acc0, prm).gain(velocity)
    }

    fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
        Muscle::new(length, lengthrange, acc0, prm).bias()
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
        let (up, down) = (dynamics(1.0, 0.5, &prm), dynamics(0.0, 0.5, &prm));
        assert!(up > 0.0 && down < 0.0 && up > -down);
        // A smooth switch is half way between the two at no excess.
        assert_eq!(dynamics(0.5, 0.5, &[0.01, 0.04, 0.1]), 0.0);
    }

    #[test]
    fn slopes_of_the_activation_match_differences() {
        let h = 1e-7;
        for prm in [[0.01, 0.04, 0.0], [0.01, 0.04, 0.3], [0.02, 0.03, 2.0]] {
            for (u, act) in [(0.9, 0.2), (0.1, 0.6), (0.45, 0.5), (1.4, 0.7), (-0.2, 0.3), (0.5, 1.2), (0.3, -0.1)] {
                let [by_act, by_u] = dynamics_slopes(u, act, &prm);
                let act_slope = (dynamics(u, act + h, &prm) - dynamics(u, act - h, &prm)) / (2.0 * h);
                let u_slope = (dynamics(u + h, act, &prm) - dynamics(u - h, act, &prm)) / (2.0 * h);
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
            assert!((dynamics(u, act, &[0.01, 0.04, width]) - rate).abs() < 1e-11, "{u} {act}");
        }
    }
}
