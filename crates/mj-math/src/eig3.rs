//! Principal axes of a symmetric 3×3 matrix.

use crate::{DMat3, DQuat, DVec3, quat, unit};

/// Entries off the diagonal that are smaller than this part of the largest moment count as zero.
const ZERO: f64 = 4e-15;

/// Sine and cosine of half a quarter turn, to fifteen digits: the reference's constant, whose last digits show where
/// axes are to agree with its own.
#[expect(clippy::approx_constant, reason = "fifteen digits are meant")]
const QUARTER: f64 = 0.707106781186548;

/// Moments that differ by less than this part of the largest are equal.
const EQUAL: f64 = 1e-12;

/// Eigenvalues in decreasing order and the rotation whose columns are the eigenvectors, by Jacobi
/// rotations, largest entry first (Golub and Van Loan, "Matrix Computations", 8.5).
///
/// A matrix that is diagonal already and in order, within rounding, gives exactly the identity, so that rounding
/// does not turn the axes of bodies that are symmetric.
pub fn symmetric(m: DMat3) -> (DVec3, DQuat) {
    let largest = largest_moment(m);
    let (moments, axes, _) = within(m, ZERO * largest, EQUAL * largest, &COMPILING);
    (moments, axes)
}

/// Computes principal moments and axes of a matrix of this relative precision.
pub fn symmetric_within(m: DMat3, precision: f64) -> (DVec3, DQuat) {
    let largest = largest_moment(m);
    let (moments, axes, _) = within(m, precision * largest, precision * largest, &COMPILING);
    (moments, axes)
}

/// Eigenvalues, rotation and number of iterations as the reference computes them in a step (`mju_eig3`). Sizes are
/// relative to the largest entry.
pub fn in_step(m: DMat3) -> (DVec3, DQuat, usize) {
    let largest = m.to_cols_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    within(m, ZERO * largest, EQUAL * largest, &STEPPING)
}

/// Most iterations.
const LIMIT: usize = 500;

/// How rotations are computed: the last digits differ between the reference's compiler and its step.
struct Arithmetic {
    mul: fn(DQuat, DQuat) -> DQuat,
    to_mat: fn(DQuat) -> DMat3,
}

const COMPILING: Arithmetic = Arithmetic {
    mul: |a, b| {
        let product = a * b;
        unit::quat(product).unwrap_or(product)
    },
    to_mat: quat::to_mat_compiling,
};

const STEPPING: Arithmetic =
    Arithmetic { mul: |a, b| quat::normalize_if_needed(quat::mul(a, b)), to_mat: quat::to_mat };

fn largest_moment(m: DMat3) -> f64 {
    DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z).abs().max_element()
}

/// Eigenvalues, rotation and number of iterations. Entries off the diagonal count as zero up to `zero`, and eigenvalues
/// as equal up to `equal`.
fn within(m: DMat3, zero: f64, equal: f64, arithmetic: &Arithmetic) -> (DVec3, DQuat, usize) {
    let mut axes = DQuat::IDENTITY;
    let mut d = m;
    let mut iterations = LIMIT;
    for iteration in 0..LIMIT {
        let (xy, xz, yz) = (d.y_axis.x.abs(), d.z_axis.x.abs(), d.z_axis.y.abs());
        // Turning about the third axis by a negative angle takes p to q or, about y, q to p.
        let (size, p, q, sense) = if xy > xz && xy > yz {
            (xy, 0, 1, -1.0)
        } else if xz > yz {
            (xz, 0, 2, 1.0)
        } else {
            (yz, 1, 2, -1.0)
        };
        if size.is_nan() || size <= zero {
            iterations = iteration;
            break;
        }
        // The smaller of the two angles that make entry (p, q) vanish: its tangent, and that of its half.
        let tau = (d.col(q)[q] - d.col(p)[p]) / (2.0 * d.col(q)[p]);
        let side = if tau >= 0.0 { 1.0 } else { -1.0 };
        let t = side / (tau.abs() + (1.0 + tau * tau).sqrt());
        axes = (arithmetic.mul)(axes, about(3 - p - q, sense * t / (1.0 + (1.0 + t * t).sqrt())));
        let r = (arithmetic.to_mat)(axes);
        d = r.transpose() * m * r;
    }

    // Order the moments, by quarter turns.
    let mut e = DVec3::new(d.x_axis.x, d.y_axis.y, d.z_axis.z);
    for j in [0, 1, 0] {
        if e[j] + equal < e[j + 1] {
            (e[j], e[j + 1]) = (e[j + 1], e[j]);
            let quarter = DVec3::AXES[(j + 2) % 3] * QUARTER;
            axes = (arithmetic.mul)(axes, DQuat::from_xyzw(quarter.x, quarter.y, quarter.z, QUARTER));
        }
    }
    (e, axes, iterations)
}

/// Turn about a coordinate axis, by the tangent of half its angle.
fn about(axis: usize, tan: f64) -> DQuat {
    let cos = 1.0 / (1.0 + tan * tan).sqrt();
    let v = DVec3::AXES[axis] * (tan * cos);
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moments_are_another_library_s(v in prop::collection::vec(-2.0..2.0f64, 6)) {
            let m = [[v[0], v[3], v[4]], [v[3], v[1], v[5]], [v[4], v[5], v[2]]];
            let wanted = faer::Mat::from_fn(3, 3, |i, j| m[i][j]).self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
            let (l, _) = symmetric(DMat3::from_cols_array_2d(&m));
            for (mine, theirs) in l.to_array().iter().zip(wanted.iter().rev()) {
                prop_assert!((mine - theirs).abs() < 1e-9);
            }
        }

        #[test]
        fn rebuilds_the_matrix(a in -2.0..2.0f64, b in -2.0..2.0f64, c in -2.0..2.0f64, d in -2.0..2.0f64, e in -2.0..2.0f64, f in -2.0..2.0f64) {
            let m = DMat3::from_cols(DVec3::new(a, d, e), DVec3::new(d, b, f), DVec3::new(e, f, c));
            let (l, q) = symmetric(m);
            let r = quat::to_mat_compiling(q);
            let back = r * DMat3::from_diagonal(l) * r.transpose();
            prop_assert!((back - m).to_cols_array().iter().all(|x| x.abs() < 1e-12));
            prop_assert!(l.x + 1e-9 >= l.y && l.y + 1e-9 >= l.z);
        }
    }

    /// Recorded from the reference (`mju_eig3`).
    #[test]
    fn the_digits_of_a_step_are_those_of_the_reference() {
        let m = DMat3::from_cols_array(&[0.5, 0.1, -0.2, 0.1, 0.7, 0.3, -0.2, 0.3, 0.9]);
        let (l, q, iterations) = in_step(m);
        assert_eq!(l.to_array(), [1.1349667854784415, 0.6777163041045845, 0.2873169104169738]);
        let wanted = [0.39999442309819844, 0.5012844572533404, -0.07952104214902506, 0.7631479268543526];
        assert_eq!((quat::to_wxyz(q), iterations), (wanted, 9));
    }

    #[test]
    fn ordered_diagonal_needs_no_turn() {
        let (l, q) = symmetric(DMat3::from_diagonal(DVec3::new(3.0, 2.0, 1.0)));
        assert_eq!((l, q), (DVec3::new(3.0, 2.0, 1.0), DQuat::IDENTITY));
    }
}
