//! Quaternions, four numbers, w first.

use crate::args::typed::OutFixed;
use crate::error::fatal_anywhere as fatal;
use mj_math::{DMat3, DQuat, DVec3, DVec4, quat};
use pyo3::PyResult;

super::functions! {
    /// Scales four numbers to unit length in place and returns their length before. A quaternion shorter than 1e-15
    /// becomes (1, 0, 0, 0); one whose length is 1 within 1e-15 is left as it is.
    fn mju_normalize4(vec: OutFixed<4>) -> PyResult<f64> {
        let q = vec.quat();
        vec.set(quat::normalize_if_needed(q))?;
        Ok(quat::length(q))
    }

    /// Rotates a vector by a unit quaternion.
    fn mju_rotVecQuat(res: OutFixed<3>, vec: DVec3, quat: DQuat) -> PyResult<()> {
        res.set(quat::rotate(quat, vec))
    }

    /// Computes the conjugate of a quaternion, which is the inverse rotation.
    fn mju_negQuat(res: OutFixed<4>, quat: DQuat) -> PyResult<()> {
        res.set(quat.conjugate())
    }

    /// Multiplies two quaternions: the rotation by `quat2`, then by `quat1`.
    fn mju_mulQuat(res: OutFixed<4>, quat1: DQuat, quat2: DQuat) -> PyResult<()> {
        res.set(quat::mul(quat1, quat2))
    }

    /// Multiplies a quaternion by the quaternion (0, axis).
    fn mju_mulQuatAxis(res: OutFixed<4>, quat: DQuat, axis: DVec3) -> PyResult<()> {
        let DQuat { x, y, z, w } = quat;
        let product =
            axis.x * DVec4::new(w, z, -y, -x) + axis.y * DVec4::new(-z, w, x, -y) + axis.z * DVec4::new(y, -x, w, -z);
        res.set(DQuat::from_vec4(product))
    }

    /// Computes the quaternion of a rotation by `angle` (radians) about a unit vector.
    fn mju_axisAngle2Quat(res: OutFixed<4>, axis: DVec3, angle: f64) -> PyResult<()> {
        res.set(quat::from_axis_angle(axis, angle))
    }

    /// Computes the angular velocity that leads to an orientation within the time `dt` (seconds), by at most half a
    /// turn.
    fn mju_quat2Vel(res: OutFixed<3>, quat: DQuat, dt: f64) -> PyResult<()> {
        res.set(quat::velocity(quat, dt))
    }

    /// Computes the rotation vector (radians) that leads from orientation `qb` to `qa`, in the axes of `qb`.
    fn mju_subQuat(res: OutFixed<3>, qa: DQuat, qb: DQuat) -> PyResult<()> {
        res.set(quat::sub(qa, qb))
    }

    /// Computes the rotation matrix of a quaternion, nine numbers.
    fn mju_quat2Mat(res: OutFixed<9>, quat: DQuat) -> PyResult<()> {
        res.set(quat::to_mat(quat))
    }

    /// Computes the quaternion of a rotation matrix, given as nine numbers.
    fn mju_mat2Quat(quat: OutFixed<4>, mat: DMat3) -> PyResult<()> {
        quat.set(quat::from_mat(mat))
    }

    /// Computes the rate of a quaternion that turns at an angular velocity (radians per second, in the fixed frame's
    /// axes).
    fn mju_derivQuat(res: OutFixed<4>, quat: DQuat, vel: DVec3) -> PyResult<()> {
        let DQuat { x, y, z, w } = quat;
        let product =
            vel.x * DVec4::new(w, -z, y, -x) + vel.y * DVec4::new(z, w, -x, -y) + vel.z * DVec4::new(-y, x, w, -z);
        res.set(DQuat::from_vec4(0.5 * product))
    }

    /// Turns a quaternion in place, at an angular velocity (radians per second, in its own axes) for the time `scale`
    /// (seconds).
    fn mju_quatIntegrate(quat: OutFixed<4>, vel: DVec3, scale: f64) -> PyResult<()> {
        quat.set(quat::integrate(quat.quat(), vel, scale))
    }

    /// Computes the quaternion of the shortest rotation from the z axis to the direction of a vector.
    fn mju_quatZ2Vec(quat: OutFixed<4>, vec: DVec3) -> PyResult<()> {
        quat.set(quat::z_to(vec))
    }

    /// Computes the quaternion of three turns (radians) about the axes that the letters of `seq` name: x, y or z of the
    /// turned frame, X, Y or Z of the fixed frame.
    fn mju_euler2Quat(quat: OutFixed<4>, euler: [f64; 3], seq: String) -> PyResult<()> {
        quat.set(from_euler(euler, &seq)?)
    }
}

/// Quaternion of three turns about named axes.
fn from_euler(angles: [f64; 3], seq: &str) -> PyResult<DQuat> {
    let letters: Vec<char> = seq.chars().collect();
    let letters: [char; 3] =
        letters.try_into().map_err(|_| fatal("mju_euler2Quat: seq must contain exactly 3 characters"))?;
    let mut q = DQuat::IDENTITY;
    for (i, (angle, letter)) in angles.into_iter().zip(letters).enumerate() {
        let axis = match letter.to_ascii_lowercase() {
            'x' => DVec3::X,
            'y' => DVec3::Y,
            'z' => DVec3::Z,
            _ => {
                let text = format!("mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z");
                return Err(fatal(text));
            }
        };
        let turn = quat::from_axis_angle(axis, angle);
        q = if letter.is_ascii_lowercase() { quat::mul(q, turn) } else { quat::mul(turn, q) };
    }
    Ok(q)
}
