//! Elementary functions whose last digits a platform may choose.
//!
//! Sums, products, quotients and square roots are the same everywhere (IEEE 754); sines, exponentials and
//! powers come from the platform's library, which differs from one machine to the next. Everything that a model's
//! compilation or a step needs of them goes through here. With the feature `deterministic` they are those of
//! the crate `libm`, which computes them from sums and products: the same bits on every machine.

#[cfg(not(feature = "deterministic"))]
mod of_platform {
    macro_rules! functions {
        ($($(#[$doc:meta])* $name:ident($x:ident $(, $y:ident)?) = $platform:ident;)*) => {
            $($(#[$doc])* #[inline] pub fn $name($x: f64 $(, $y: f64)?) -> f64 { $x.$platform($($y)?) })*
        };
    }
    functions! {
        /// Sine of an angle in radians.
        sin(x) = sin;
        /// Cosine of an angle in radians.
        cos(x) = cos;
        /// Tangent of an angle in radians.
        tan(x) = tan;
        /// Angle in −π/2 … π/2 with the sine x.
        asin(x) = asin;
        /// Angle in 0 … π with the cosine x.
        acos(x) = acos;
        /// Angle of the point (x, y).
        atan2(y, x) = atan2;
        /// eˣ.
        exp(x) = exp;
        /// Natural logarithm.
        log(x) = ln;
        /// xʸ.
        pow(x, y) = powf;
        /// √(x² + y²).
        hypot(x, y) = hypot;
    }
}

#[cfg(feature = "deterministic")]
mod of_libm {
    pub use libm::{acos, asin, atan2, cos, exp, hypot, log, pow, sin, tan};
}

#[cfg(feature = "deterministic")]
pub use of_libm::*;
#[cfg(not(feature = "deterministic"))]
pub use of_platform::*;

/// Computes the slope of max(a, b) by a; half of it where they are equal.
///
/// ```
/// use mj_math::real::slope_of_greater;
///
/// assert_eq!([0.5, 1.0, 2.0].map(|a| slope_of_greater(a, 1.0)), [0.0, 0.5, 1.0]);
/// ```
#[inline]
pub fn slope_of_greater(a: f64, b: f64) -> f64 {
    if a == b { 0.5 } else { f64::from(a > b) }
}

/// Sine and cosine of an angle in radians.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    #[cfg(feature = "deterministic")]
    return libm::sincos(x);
    #[cfg(not(feature = "deterministic"))]
    x.sin_cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever computes them, they agree to a few of their last digits.
    #[test]
    fn agree_with_the_platform() {
        for i in -40..=40 {
            let x = 0.17 * f64::from(i);
            let close = |a: f64, b: f64| assert!((a - b).abs() <= 4.0 * f64::EPSILON * (1.0 + b.abs()), "{x}: {a} {b}");
            close(sin(x), x.sin());
            close(cos(x), x.cos());
            close(sin_cos(x).0, x.sin());
            close(sin_cos(x).1, x.cos());
            close(exp(x) / x.exp(), 1.0);
            close(atan2(x, 0.7), x.atan2(0.7));
            close(hypot(x, 0.3), x.hypot(0.3));
            close(pow(x.abs() + 0.1, 1.7), (x.abs() + 0.1).powf(1.7));
            close(asin(x / 7.0), (x / 7.0).asin());
            close(acos(x / 7.0), (x / 7.0).acos());
            close(tan(0.2 * x), (0.2 * x).tan());
        }
    }
}
