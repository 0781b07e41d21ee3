//! Coefficients of the ellipsoid fluid model: drag and lift as given, added mass and inertia of the
//! equivalent ellipsoid (the manual's "Fluid forces"; Lamb, "Hydrodynamics", §§ 114–115).

use mj_math::DVec3;
use mj_model::GeomType;
use std::f64::consts::PI;

/// The twelve numbers of `geom_fluid`: interaction flag, five given coefficients, and room for what is [`added`].
pub(crate) fn interaction([blunt, slender, angular, kutta, magnus]: [f64; 5]) -> [f64; 12] {
    [1.0, blunt, slender, angular, kutta, magnus, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
}

/// Virtual mass (3) and virtual inertia (3) of a geom per unit density.
pub(crate) fn added(shape: GeomType, size: DVec3) -> [f64; 6] {
    let d = match shape {
        GeomType::Sphere => DVec3::splat(size.x),
        GeomType::Capsule => DVec3::new(size.x, size.x, size.x + size.y),
        GeomType::Cylinder => DVec3::new(size.x, size.x, size.y),
        _ => size,
    };
    let k = DVec3::new(kappa(d.x, d.y, d.z), kappa(d.y, d.z, d.x), kappa(d.z, d.x, d.y));
    let volume = 4.0 / 3.0 * PI * d.x * d.y * d.z;

    let mut out = [0.0; 6];
    for i in 0..3 {
        out[i] = volume * k[i] / (2.0 - k[i]).max(crate::frames::EPS);
        // About axis i, the fluid is moved by the difference of the other two.
        let (j, l) = ((i + 1) % 3, (i + 2) % 3);
        let (dj, dl) = (d[j] * d[j], d[l] * d[l]);
        let below = (2.0 * (dj - dl) + (dj + dl) * (k[j] - k[l])).abs().max(crate::frames::EPS);
        out[3 + i] = volume / 5.0 * (dj - dl) * (dj - dl) * (k[l] - k[j]).abs() / below;
    }
    out
}

/// Lamb's integral abc ∫₀^∞ dλ / √((a²+λ)³ (b²+λ) (c²+λ)), by 15-point Gauss–Kronrod quadrature
/// after the change of variables λ = s x³/(1−x)² with s = (a³bc)^⅖.
///
/// Points and weights have eight decimals, as in the reference: of a body as thin as a leaf, whose
/// integral is nearly 2, the virtual mass is that of what the rounding leaves of the difference.
fn kappa(a: f64, b: f64, c: f64) -> f64 {
    /// Points up to the middle of [0, 1], and their weights; the others mirror them.
    const X: [f64; 8] = [0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752, 0.5];
    const W: [f64; 8] =
        [0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107];
    let scale = mj_math::real::pow(a * a * a * b * c, 0.4);
    let f = |x: f64, y: f64| {
        let lambda = scale * x * x * x / (y * y);
        let slope = scale * x * x * (2.0 + y) / (y * y * y);
        let (pa, pb, pc) = (1.0 + lambda / (a * a), 1.0 + lambda / (b * b), 1.0 + lambda / (c * c));
        slope / (pa * (pa * pb * pc).sqrt())
    };
    let lower = X.iter().zip(W).map(|(&x, w)| w * f(x, 1.0 - x));
    let upper = X.iter().zip(W).rev().skip(1).map(|(&x, w)| w * f(1.0 - x, x));
    let sum: f64 = lower.chain(upper).sum();
    sum / (a * a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_carries_half_its_volume() {
        // κ = 2/3 exactly, so the virtual mass is V·(2/3)/(4/3) = V/2; a turning sphere moves nothing.
        assert!((kappa(0.7, 0.7, 0.7) - 2.0 / 3.0).abs() < 1e-6);
        let f = added(GeomType::Sphere, DVec3::new(0.2, 0.0, 0.0));
        let v = 4.0 / 3.0 * PI * 0.2f64.powi(3);
        for i in 0..3 {
            assert!((f[i] - v / 2.0).abs() < 1e-6 * v);
            assert!(f[3 + i].abs() < 1e-12);
        }
    }

    #[test]
    fn the_three_integrals_sum_to_two() {
        let (a, b, c) = (0.3, 0.5, 0.9);
        assert!((kappa(a, b, c) + kappa(b, c, a) + kappa(c, a, b) - 2.0).abs() < 1e-4);
    }
}
