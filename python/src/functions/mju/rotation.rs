//! Rotations nearest to matrices.

use crate::args::typed::OutFixed;
use mj_math::{DMat3, DQuat, DVec3, eig3, quat};
use pyo3::PyResult;

super::functions! {
    /// Finds the rotation that is nearest to a matrix, starting from `quat`, which it replaces, and returns the number
    /// of iterations.
    ///
    /// The rotation R has the largest sum of the products of its entries with those of `mat` (nine numbers). Source:
    /// Mueller, Bender, Chentanez, Macklin, "A robust method to extract the rotational part of deformations", 2016.
    fn mju_mat2Rot(quat: OutFixed<4>, mat: DMat3) -> PyResult<i32> {
        let (rotation, iterations) = nearest_rotation(quat.quat(), mat);
        quat.set(rotation)?;
        Ok(iterations)
    }
}

/// Most iterations.
const LIMIT: i32 = 500;

/// An iteration that turns by less than this (radians) is the last.
const PRECISION: f64 = 1e-9;

fn nearest_rotation(start: DQuat, mat: DMat3) -> (DQuat, i32) {
    let mut q = quat::normalize(start);
    for iteration in 0..LIMIT {
        let r = quat::to_mat(q);
        let columns = |k: usize| (r.col(k), mat.col(k));
        let (torque, fit) =
            (0..3).map(columns).fold((DVec3::ZERO, 0.0), |(torque, fit), (r, a)| (torque + r.cross(a), fit + r.dot(a)));
        let turn = torque / (fit.abs() + PRECISION);
        let angle = turn.length();
        if angle.is_nan() {
            return (DQuat::NAN, LIMIT);
        }
        if angle < PRECISION {
            // The fit is stationary. Where it is not largest, half a turn makes it larger.
            match half_turn(r.transpose() * mat) {
                Some(axis) => q = quat::normalize(quat::mul(q, DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0))),
                None => return (q, iteration),
            }
        } else {
            q = quat::normalize(quat::mul(quat::from_axis_angle(turn / angle, angle), q));
        }
    }
    (q, LIMIT)
}

/// Axis of the half turn that increases the trace of a symmetric matrix most; none if none does.
///
/// Half a turn about an eigenvector changes the sign of the two other eigenvalues.
fn half_turn(symmetric: DMat3) -> Option<DVec3> {
    let (values, axes, _) = eig3::in_step(symmetric);
    (values.y + values.z < -PRECISION * values.abs().max_element()).then(|| quat::to_mat(axes).x_axis)
}
