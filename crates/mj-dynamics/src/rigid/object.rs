//! Frames of named objects, and their velocities and accelerations.

use crate::buffers::{BodyForces, Poses, Velocities};
use crate::rigid::velocity::{body_acceleration, body_velocity};
use mj_math::{DMat3, DVec3, Spatial};
use mj_model::*;

/// Body, position and orientation of an object: a body (its inertial frame), an xbody (its own
/// frame), a geom, a site or a camera. None for other kinds and for ids out of range.
#[inline]
pub fn object_frame<'a>(
    m: &Model,
    poses: &'a Poses,
    kind: ObjType,
    id: usize,
) -> Option<(BodyId, &'a DVec3, &'a DMat3)> {
    Some(match kind {
        ObjType::Body => {
            let b = BodyId::new(id);
            (b, poses.xipos.get(b)?, &poses.ximat[b])
        }
        ObjType::XBody => {
            let b = BodyId::new(id);
            (b, poses.xpos.get(b)?, &poses.xmat[b])
        }
        ObjType::Geom => {
            let g = GeomId::new(id);
            (*m.geom.bodyid.get(g)?, &poses.geom_xpos[g], &poses.geom_xmat[g])
        }
        ObjType::Site => {
            let s = SiteId::new(id);
            (*m.site.bodyid.get(s)?, &poses.site_xpos[s], &poses.site_xmat[s])
        }
        ObjType::Camera => {
            let c = CameraId::new(id);
            (*m.cam.bodyid.get(c)?, &poses.cam_xpos[c], &poses.cam_xmat[c])
        }
        _ => return None,
    })
}

/// Angular and linear velocity of an object's frame, in world orientation or its own. None where
/// [`object_frame`] is.
pub fn object_velocity(
    m: &Model,
    poses: &Poses,
    vel: &Velocities,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    let (b, pos, mat) = object_frame(m, poses, kind, id)?;
    Some(oriented(body_velocity(m, poses, vel, b, *pos), mat, local))
}

/// Angular and linear acceleration of an object's frame, in world orientation or its own; at rest
/// under gravity it points upwards. None where [`object_frame`] is.
pub fn object_acceleration(
    m: &Model,
    poses: &Poses,
    vel: &Velocities,
    forces: &BodyForces,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    let (b, pos, mat) = object_frame(m, poses, kind, id)?;
    Some(oriented(body_acceleration(m, poses, vel, &forces.cacc, b, *pos), mat, local))
}

fn oriented(v: Spatial, mat: &DMat3, local: bool) -> Spatial {
    if local { Spatial::new(mat.transpose() * v.rot, mat.transpose() * v.lin) } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;
    use mj_testkit::pendulum;

    /// The bob of a swinging pendulum moves along its own x axis and is pulled in along z.
    #[test]
    fn a_bob_in_its_own_frame() {
        let m = pendulum(2.0, 1.0);
        let mut s = State::new(&m);
        (s.qpos[0], s.qvel[0]) = (0.7, 3.0);
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let v = object_velocity(&m, &d.smooth.poses, &d.smooth.velocities, ObjType::Body, 1, true).unwrap();
        assert!((v.rot - DVec3::Y * 3.0).length() < 1e-12 && (v.lin - DVec3::NEG_X * 6.0).length() < 1e-12);
        let mut f = BodyForces::new(&m);
        rne_post_constraint(&m, &s, &d.smooth.poses, &d.smooth.velocities, &d.smooth.actuation.qacc_smooth, [], &mut f);
        // What a rod holds it with: its weight along the rod and the centripetal force.
        let a = object_acceleration(&m, &d.smooth.poses, &d.smooth.velocities, &f, ObjType::Body, 1, true).unwrap();
        assert!((a.lin - DVec3::Z * (9.81 * 0.7f64.cos() + 2.0 * 9.0)).length() < 1e-9);
        assert!(object_frame(&m, &d.smooth.poses, ObjType::Joint, 0).is_none());
        assert!(object_frame(&m, &d.smooth.poses, ObjType::Geom, 5).is_none());
    }
}
