//! Rotation of a deformation: the orthogonal factor of the polar decomposition.

use mj_math::{DMat3, DQuat, DVec3, MINVAL, quat};

/// Turns at most.
const MOST: usize = 500;
/// Angle of a turn that is none any more.
const SMALL: f64 = 1e-9;

/// Returns the rotation nearest to a matrix, reached from the identity by turns that reduce the distance of the columns
/// (Müller, Bender, Chentanez, Macklin: A robust method to extract the rotational part of deformations, 2016). It is
/// defined for inverted and flat matrices too.
pub fn rotation_of(a: DMat3) -> DQuat {
    let mut q = DQuat::IDENTITY;
    for _ in 0..MOST {
        let r = quat::to_mat(q);
        let mut turn = DVec3::ZERO;
        let mut overlap = 0.0;
        for k in 0..3 {
            turn += r.col(k).cross(a.col(k));
            overlap += r.col(k).dot(a.col(k));
        }
        turn /= overlap.abs() + MINVAL;
        let angle = turn.length();
        if angle.is_nan() || angle < SMALL {
            break;
        }
        q = quat::normalize(quat::from_axis_angle(turn / angle, angle) * q);
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_turned_stretch_gives_back_its_turn(
            axis in prop::array::uniform3(-1.0..1.0f64), angle in -2.5..2.5f64,
            stretch in prop::array::uniform3(0.5..2.0f64), shear in prop::array::uniform3(-0.2..0.2f64),
        ) {
            let axis = DVec3::from_array(axis);
            prop_assume!(axis.length() > 0.1);
            let q = quat::from_axis_angle(axis.normalize(), angle);
            let [a, b, c] = shear;
            let s = DMat3::from_cols_array(&[stretch[0], a, b, a, stretch[1], c, b, c, stretch[2]]);
            let found = rotation_of(quat::to_mat(q) * s);
            prop_assert!(found.dot(q).abs() > 1.0 - 1e-12);
        }
    }

    #[test]
    fn a_matrix_that_is_not_finite_ends() {
        assert!(rotation_of(DMat3::from_diagonal(DVec3::splat(f64::NAN))).is_finite());
        assert!(rotation_of(DMat3::ZERO).is_finite());
    }
}
