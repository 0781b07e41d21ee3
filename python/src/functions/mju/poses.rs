//! Poses: a position and a unit quaternion.

use crate::args::typed::OutFixed;
use mj_math::{DMat3, DQuat, DVec3, quat};
use pyo3::PyResult;

super::functions! {
    /// Multiplies two poses: the pose `pos2`, `quat2`, given in the frame of `pos1`, `quat1`.
    fn mju_mulPose(
        posres: OutFixed<3>, quatres: OutFixed<4>, pos1: DVec3, quat1: DQuat, pos2: DVec3, quat2: DQuat,
    ) -> PyResult<()> {
        posres.set(quat::rotate(quat1, pos2) + pos1)?;
        quatres.set(quat::normalize_if_needed(quat::mul(quat1, quat2)))
    }

    /// Computes the inverse of a pose.
    fn mju_negPose(posres: OutFixed<3>, quatres: OutFixed<4>, pos: DVec3, quat: DQuat) -> PyResult<()> {
        posres.set(-quat::rotate(quat.conjugate(), pos))?;
        quatres.set(quat.conjugate())
    }

    /// Transforms a point from the frame of a pose: res = pos + rotated vec.
    fn mju_trnVecPose(res: OutFixed<3>, pos: DVec3, quat: DQuat, vec: DVec3) -> PyResult<()> {
        res.set(quat::rotate(quat, vec) + pos)
    }

    /// Transforms a spatial vector, rotation first, to another point and frame.
    ///
    /// A motion (`flg_force` 0) holds angular and linear velocity, a force (`flg_force` not 0) holds moment and force.
    /// It is given at `oldpos` and wanted at `newpos`; the columns of `rotnew2old` (nine numbers) are the new frame's
    /// axes.
    fn mju_transformSpatial(
        res: OutFixed<6>, vec: [f64; 6], flg_force: i32, newpos: DVec3, oldpos: DVec3, rotnew2old: DMat3,
    ) -> PyResult<()> {
        let [mut rotation, mut translation] = [DVec3::from_slice(&vec[..3]), DVec3::from_slice(&vec[3..])];
        let offset = newpos - oldpos;
        if flg_force == 0 {
            translation -= offset.cross(rotation);
        } else {
            rotation -= offset.cross(translation);
        }
        let turned = rotnew2old.transpose();
        let ([a, b, c], [d, e, f]) = ((turned * rotation).to_array(), (turned * translation).to_array());
        res.write([a, b, c, d, e, f])
    }
}
