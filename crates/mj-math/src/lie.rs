//! Rates of rotation vectors.

use crate::DVec3;

/// Rate of change of the rotation vector `u` when the orientation `exp(u)` turns at the angular
/// velocity `w` in its own axes: the inverse of the exponential map's right differential,
///
/// u̇ = w + ½ u×w + (1/θ² − cot(θ/2)/(2θ)) u×(u×w),  θ = |u|.
///
/// Source: Iserles, Munthe-Kaas, Nørsett, Zanna, "Lie-group methods", Acta Numerica 2000, (B.11),
/// for body-fixed velocities.
pub fn inverse_dexp(u: DVec3, w: DVec3) -> DVec3 {
    let uw = u.cross(w);
    let theta2 = u.length_squared();
    let c = if theta2 < 1e-4 {
        // Series of the coefficient: its closed form cancels at small angles.
        1.0 / 12.0 + theta2 / 720.0 + theta2 * theta2 / 30240.0
    } else {
        let theta = theta2.sqrt();
        1.0 / theta2 - 0.5 / (theta * crate::real::tan(0.5 * theta))
    };
    w + 0.5 * uw + c * u.cross(uw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quat;
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    proptest! {
        /// exp(u + h u̇) turns from exp(u) at the rate w.
        #[test]
        fn is_the_rate_of_the_rotation_vector(u in vec3(1.5), w in vec3(2.0)) {
            let h = 1e-6;
            let du = inverse_dexp(u, w);
            let plus = quat::exp(u + h * du);
            let minus = quat::exp(u - h * du);
            let rate = quat::log(minus.conjugate() * plus) / (2.0 * h);
            prop_assert!((rate - w).length() < 1e-7 * (1.0 + w.length()));
        }
    }

    #[test]
    fn series_meets_the_closed_form() {
        let (u, w) = (DVec3::new(0.01, 0.0, 0.0), DVec3::new(0.3, -1.0, 2.0));
        let a = inverse_dexp(u * 0.99999, w);
        let b = inverse_dexp(u * 1.00001, w);
        assert!((a - b).length() < 1e-6);
    }
}
