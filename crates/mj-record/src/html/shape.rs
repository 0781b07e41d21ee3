//! Orthonormal frames and sizes of a scene's geoms, as the page draws them.

use mj_math::{DMat3, DQuat, DVec3};
use mj_scene::{SceneGeom, SceneShape};

/// Pose and sizes of a geom.
pub struct Placed {
    pub pos: DVec3,
    pub quat: DQuat,
    pub size: [f64; 3],
}

/// Returns pose and sizes. A triangle's sides, which its frame holds, become numbers: along x the first, in the plane the
/// second.
pub fn placed(geom: &SceneGeom) -> Placed {
    let pos = DVec3::from(geom.pos.map(f64::from));
    let size = geom.size.map(f64::from);
    // Rows follow each other, so the columns of this are rows.
    let rows = DMat3::from_cols_array(&geom.mat.map(f64::from));
    let frame = rows.transpose();
    if geom.r#type != SceneShape::Triangle {
        return Placed { pos, quat: DQuat::from_mat3(&frame), size };
    }
    let (x, second) = (frame.x_axis, frame.y_axis * size[1]);
    let z = frame.z_axis;
    let y = z.cross(x);
    let quat = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
    Placed { pos, quat, size: [size[0], second.dot(x), second.dot(y)] }
}

/// Returns an orientation whose z axis is a direction.
pub fn along(direction: [f32; 3]) -> DQuat {
    mj_math::quat::z_to(DVec3::from(direction.map(f64::from)))
}

/// Returns an orientation that looks along its negative z axis.
pub fn looking(forward: [f32; 3], up: [f32; 3]) -> DQuat {
    let z = -DVec3::from(forward.map(f64::from));
    let up = DVec3::from(up.map(f64::from));
    let x = up.cross(z).normalize_or(DVec3::X);
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
}
