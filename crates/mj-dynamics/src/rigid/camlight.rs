//! Cameras and lights, which may follow or look at bodies.

use crate::buffers::Poses;
use mj_math::{DMat3, DVec3, MINVAL, quat};
use mj_model::*;

/// Unit vector, or x where the length is below [`MINVAL`].
fn unit(v: DVec3) -> DVec3 {
    let n = v.length();
    if n < MINVAL { DVec3::X } else { v * (1.0 / n) }
}

/// Poses of all cameras and lights. Needs the poses of bodies and the subtrees' centres of mass.
///
/// `track` keeps the orientation of `qpos0` and the offset from the body's frame, `trackcom` that
/// from the centre of mass of the body's subtree; `targetbody` and `targetbodycom` look at the
/// target's frame or subtree centre of mass.
pub fn cameras_and_lights(m: &Model, out: &mut Poses) {
    m.cam.ids().for_each(|c| camera(m, c, out));
    m.light.ids().for_each(|l| light(m, l, out));
}

/// Computes the position and orientation that a camera has in its body, whatever its mode.
pub fn fixed_camera(m: &Model, p: &Poses, c: CameraId) -> (DVec3, DMat3) {
    let b = m.cam.bodyid[c];
    (p.xmat[b] * m.cam.pos[c] + p.xpos[b], quat::to_mat(quat::mul(p.xquat[b], m.cam.quat[c])))
}

/// Computes the position and unit direction that a light has in its body, whatever its mode.
pub fn fixed_light(m: &Model, p: &Poses, l: LightId) -> (DVec3, DVec3) {
    let (pos, dir) = carried_light(m, p, l);
    (pos, unit(dir))
}

fn carried_light(m: &Model, p: &Poses, l: LightId) -> (DVec3, DVec3) {
    let b = m.light.bodyid[l];
    (p.xmat[b] * m.light.pos[l] + p.xpos[b], quat::rotate(p.xquat[b], m.light.dir[l]))
}

/// Pose of a camera; see [`cameras_and_lights`].
pub(crate) fn camera(m: &Model, c: CameraId, out: &mut Poses) {
    let b = m.cam.bodyid[c];
    let (mut pos, mut mat) = fixed_camera(m, out, c);
    match m.cam.mode[c] {
        CamLight::Fixed => {}
        CamLight::Track => (pos, mat) = (out.xpos[b] + m.cam.pos0[c], m.cam.mat0[c]),
        CamLight::TrackCom => (pos, mat) = (out.subtree_com[b] + m.cam.poscom0[c], m.cam.mat0[c]),
        CamLight::TargetBody | CamLight::TargetBodyCom => {
            if let Some(target) = m.cam.targetbodyid[c] {
                mat = look(pos - goal(out, m.cam.mode[c], target));
            }
        }
    }
    (out.cam_xpos[c], out.cam_xmat[c]) = (pos, mat);
}

fn light(m: &Model, l: LightId, out: &mut Poses) {
    let b = m.light.bodyid[l];
    let (mut pos, mut dir) = carried_light(m, out, l);
    match m.light.mode[l] {
        CamLight::Fixed => {}
        CamLight::Track => (pos, dir) = (out.xpos[b] + m.light.pos0[l], m.light.dir0[l]),
        CamLight::TrackCom => (pos, dir) = (out.subtree_com[b] + m.light.poscom0[l], m.light.dir0[l]),
        CamLight::TargetBody | CamLight::TargetBodyCom => {
            if let Some(target) = m.light.targetbodyid[l] {
                dir = goal(out, m.light.mode[l], target) - pos;
            }
        }
    }
    (out.light_xpos[l], out.light_xdir[l]) = (pos, unit(dir));
}

/// Where a targeting camera or light looks.
fn goal(p: &Poses, mode: CamLight, target: BodyId) -> DVec3 {
    if mode == CamLight::TargetBody { p.xpos[target] } else { p.subtree_com[target] }
}

/// Frame of a camera that looks along −`back` with the world's z up.
fn look(back: DVec3) -> DMat3 {
    let z = unit(back);
    let x = unit(DVec3::Z.cross(z));
    DMat3::from_cols(x, unit(z.cross(x)), z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_looks_back_at_the_origin_with_z_up() {
        let mat = look(DVec3::new(2.0, 0.0, 0.0));
        assert_eq!(mat, DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
        // Straight above: no up direction, still a frame.
        let mat = look(DVec3::new(0.0, 0.0, 1.0));
        assert!((mat.determinant() - 1.0).abs() < 1e-15);
    }
}
