//! Singular values of a deformation gradient.

use mj_math::{DMat3, DVec3, MINVAL, eig3, quat};

/// Factors of F = U Σ Vᵀ.
pub(crate) struct SingularValues {
    /// Rotation.
    pub u: DMat3,
    /// In decreasing size. The last one is negative where F inverts.
    pub sigma: DVec3,
    /// Rotation.
    pub v: DMat3,
}

/// Computes the singular values of a matrix, so that both factors are rotations.
pub(crate) fn singular_values(f: DMat3) -> SingularValues {
    let (_, v, _) = eig3::in_step(f.transpose() * f);
    let v = quat::to_mat(v);
    let image = f * v;
    let first = image.x_axis.try_normalize().unwrap_or(DVec3::X);
    let second = image.y_axis - first * first.dot(image.y_axis);
    let second = if second.length() > MINVAL * (1.0 + image.x_axis.length()) {
        second.normalize()
    } else {
        first.any_orthonormal_vector()
    };
    let u = DMat3::from_cols(first, second, first.cross(second));
    let sigma = DVec3::new(first.dot(image.x_axis), second.dot(image.y_axis), u.z_axis.dot(image.z_axis));
    SingularValues { u, sigma, v }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(f: DMat3) {
        let SingularValues { u, sigma, v } = singular_values(f);
        let size = 1.0 + sigma.length();
        let close = |a: DMat3, b: DMat3, by: f64| (a - b).to_cols_array().iter().all(|x| x.abs() < by);
        assert!(close(u * DMat3::from_diagonal(sigma) * v.transpose(), f, 1e-7 * size), "{f}");
        for r in [u, v] {
            assert!(close(r.transpose() * r, DMat3::IDENTITY, 1e-12) && r.determinant() > 0.0, "{f}");
        }
        assert!(sigma.x >= sigma.y && sigma.y >= sigma.z.abs() - 1e-7 * size, "{sigma}");
    }

    proptest! {
        #[test]
        fn factors_give_the_matrix(f in prop::array::uniform9(-2.0..2.0f64)) {
            check(DMat3::from_cols_array(&f));
        }
    }

    #[test]
    fn flat_matrices_have_rotations_too() {
        check(DMat3::ZERO);
        check(DMat3::IDENTITY);
        check(-DMat3::IDENTITY);
        check(DMat3::from_diagonal(DVec3::new(0.0, 2.0, 0.0)));
        check(DMat3::from_diagonal(DVec3::new(1.0, 0.0, -3.0)));
    }
}
