//! Springs and dampers whose stiffness or damping is a polynomial of the displacement or the speed.

/// Force per displacement −f/x of a spring: k + p₀ x + p₁ x².
#[inline]
pub(crate) fn stiffness(k: f64, poly: [f64; 2], x: f64) -> f64 {
    k + x * (poly[0] + x * poly[1])
}

/// Derivative of the spring's −f by x.
#[inline]
pub(crate) fn stiffness_slope(k: f64, poly: [f64; 2], x: f64) -> f64 {
    stiffness(k, [2.0 * poly[0], 3.0 * poly[1]], x)
}

/// Force per speed −f/v of a damper: b + p₀ |v| + p₁ v², which makes the force odd in v.
#[inline]
pub(crate) fn damping(b: f64, poly: [f64; 2], v: f64) -> f64 {
    stiffness(b, poly, v.abs())
}

/// Derivative of the damper's −f by v.
#[inline]
pub(crate) fn damping_slope(b: f64, poly: [f64; 2], v: f64) -> f64 {
    stiffness(b, [2.0 * poly[0], 3.0 * poly[1]], v.abs())
}

/// Energy of the spring: ∫₀ˣ stiffness(t) t dt.
#[inline]
pub(crate) fn potential(k: f64, poly: [f64; 2], x: f64) -> f64 {
    x * x * (0.5 * k + x * (poly[0] / 3.0 + x * (poly[1] / 4.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_match_differences() {
        let (k, p, h) = (2.0, [0.3, 0.7], 1e-5);
        for x in [-1.3, -0.2, 0.4, 2.0] {
            let slope = ((x + h) * damping(k, p, x + h) - (x - h) * damping(k, p, x - h)) / (2.0 * h);
            assert!((damping_slope(k, p, x) - slope).abs() < 1e-8);
            let slope = ((x + h) * stiffness(k, p, x + h) - (x - h) * stiffness(k, p, x - h)) / (2.0 * h);
            assert!((stiffness_slope(k, p, x) - slope).abs() < 1e-8);
            let force = (potential(k, p, x + h) - potential(k, p, x - h)) / (2.0 * h);
            assert!((x * stiffness(k, p, x) - force).abs() < 1e-8);
        }
    }
}
