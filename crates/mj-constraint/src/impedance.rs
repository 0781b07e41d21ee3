//! From `solref` and `solimp` to stiffness, damping, impedance and regularization (manual,
//! "Modeling: Solver parameters").

use mj_math::MINVAL;

/// Bounds of the impedance.
const IMPEDANCE: (f64, f64) = (0.0001, 0.9999);
/// What replaces a `solref` whose two numbers have different signs.
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// A checked `solref`: what the row's spring and damper are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference([f64; 2]);

impl Reference {
    /// Checks a `solref`: signs that don't go together give the default; a positive time constant is
    /// lifted to `least` (two time steps, unless refsafe is off).
    pub fn new(solref: [f64; 2], least: Option<f64>) -> Self {
        let s = if (solref[0] > 0.0) != (solref[1] > 0.0) { DEFAULT_SOLREF } else { solref };
        Self(lift(s, least))
    }

    /// The reference of an elliptic contact's friction rows; none: as along the normal.
    pub fn friction(solref: [f64; 2], least: Option<f64>) -> Option<Self> {
        let mixed = (solref[0] > 0.0) != (solref[1] > 0.0);
        (!mixed && solref != [0.0; 2]).then(|| Self(lift(solref, least)))
    }

    /// Stiffness and damping for the greatest impedance `dmax`.
    ///
    /// Positive (time constant t, damping ratio ζ): K = 1/(dmax t ζ)², B = 2/(dmax t). Negative
    /// (stiffness, damping): K = −s₀/dmax², B = −s₁/dmax.
    pub fn gains(self, dmax: f64) -> (f64, f64) {
        let [a, b] = self.0;
        let k = if a > 0.0 { 1.0 / (dmax * dmax * a * a * b * b).max(MINVAL) } else { -a / (dmax * dmax).max(MINVAL) };
        let damping = if b > 0.0 { 2.0 / (dmax * a).max(MINVAL) } else { -b / dmax.max(MINVAL) };
        (k, damping)
    }
}

fn lift(s: [f64; 2], least: Option<f64>) -> [f64; 2] {
    match least {
        Some(t) if s[0] > 0.0 => [s[0].max(t), s[1]],
        _ => s,
    }
}

/// A checked `solimp`: the impedance as a function of violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impedance {
    /// Impedance at zero violation, between 0 and 1.
    pub dmin: f64,
    /// Impedance at and beyond the width.
    pub dmax: f64,
    /// Violation at which it saturates.
    pub width: f64,
    /// Inflection point, between 0 and 1.
    pub midpoint: f64,
    /// Exponent, at least 1.
    pub power: f64,
}

impl Impedance {
    /// Brings the five numbers of `solimp` into their ranges.
    pub fn new(s: [f64; 5]) -> Self {
        let unit = |x: f64| x.max(IMPEDANCE.0).min(IMPEDANCE.1);
        Self { dmin: unit(s[0]), dmax: unit(s[1]), width: s[2].max(0.0), midpoint: unit(s[3]), power: s[4].max(1.0) }
    }

    /// Impedance at violation `x` (signed, margin subtracted) and its derivative.
    ///
    /// d(x) = dmin + y(|x|/width)·(dmax − dmin), where y is a sigmoid of two power curves that meet
    /// at the midpoint: y = x^p/m^(p−1) below it and 1 − (1−x)^p/(1−m)^(p−1) above.
    pub fn at(&self, x: f64) -> (f64, f64) {
        let range = self.dmax - self.dmin;
        if range == 0.0 || self.width <= MINVAL {
            return (0.5 * (self.dmin + self.dmax), 0.0);
        }
        let (x, sign) = ((x / self.width).abs(), if x < 0.0 { -1.0 } else { 1.0 });
        if x >= 1.0 {
            return (self.dmax, 0.0);
        }
        if x <= 0.0 || x.is_nan() {
            return (self.dmin, 0.0);
        }
        let (m, p) = (self.midpoint, self.power);
        let (y, slope) = if p == 1.0 {
            (x, 1.0)
        } else if x <= m {
            let a = 1.0 / pow(m, p - 1.0);
            (a * pow(x, p), p * a * pow(x, p - 1.0))
        } else {
            let b = 1.0 / pow(1.0 - m, p - 1.0);
            (1.0 - b * pow(1.0 - x, p), p * b * pow(1.0 - x, p - 1.0))
        };
        (self.dmin + y * range, slope * sign * range / self.width)
    }
}

/// a^b, quick for the usual exponents.
#[inline]
fn pow(a: f64, b: f64) -> f64 {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        a.powf(b)
    }
}

/// Regularization for impedance `imp` of a row with the diagonal `a` of J M⁻¹ Jᵀ: (1 − d)/d · a.
#[inline]
pub fn regularization(imp: f64, a: f64) -> f64 {
    ((1.0 - imp) * a / imp).max(MINVAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_forms_of_solref() {
        let (k, b) = Reference::new([0.02, 1.0], None).gains(0.95);
        assert!((k - 1.0 / (0.95f64 * 0.02).powi(2)).abs() < 1e-9);
        assert!((b - 2.0 / (0.95 * 0.02)).abs() < 1e-9);
        assert_eq!(Reference::new([-100.0, -10.0], Some(1.0)).gains(0.5), (400.0, 20.0));
        // Mixed signs: the default. Too quick: two steps.
        assert_eq!(Reference::new([-1.0, 1.0], None), Reference::new([0.02, 1.0], None));
        assert_eq!(Reference::new([0.001, 1.0], Some(0.004)), Reference::new([0.004, 1.0], None));
        assert_eq!(Reference::friction([0.0, 0.0], None), None);
    }

    #[test]
    fn ends_of_the_curve() {
        let imp = Impedance::new([0.9, 0.95, 0.001, 0.5, 2.0]);
        assert_eq!(imp.at(0.0), (0.9, 0.0));
        assert_eq!(imp.at(-1.0), (0.95, 0.0));
        assert!((imp.at(0.0005).0 - 0.925).abs() < 1e-12);
        assert_eq!(Impedance::new([0.9, 0.9, 0.1, 0.5, 2.0]).at(3.0), (0.9, 0.0));
    }

    proptest! {
        #[test]
        fn slope_is_the_derivative(m in 0.1..0.9f64, p in 1.0..5.0f64, x in -0.99..0.99f64) {
            let imp = Impedance::new([0.2, 0.8, 0.5, m, p]);
            let x = x * 0.5;
            prop_assume!(x.abs() > 1e-3 && (x.abs() / 0.5 - m).abs() > 1e-3);
            let h = 1e-7;
            let want = (imp.at(x + h).0 - imp.at(x - h).0) / (2.0 * h);
            prop_assert!((imp.at(x).1 - want).abs() < 1e-5 * (1.0 + want.abs()));
        }
    }
}
