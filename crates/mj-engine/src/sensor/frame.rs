//! Frames of the objects that sensors refer to.

use crate::data::Data;
use mj_dynamics::{body_acceleration, body_velocity, object_frame};
use mj_math::{DMat3, DQuat, DVec3, Spatial};
use mj_model::*;

/// Position, orientation and body of an object with a frame. The compiler admits no others.
pub fn of(m: &Model, d: &Data, kind: ObjType, id: usize) -> (DVec3, DMat3, BodyId) {
    match object_frame(m, &d.smooth.poses, kind, id) {
        Some((body, pos, mat)) => (*pos, *mat, body),
        None => (DVec3::ZERO, DMat3::IDENTITY, BodyId::WORLD),
    }
}

/// Orientation of an object as a quaternion: its body's times its own.
pub fn quat(m: &Model, d: &Data, kind: ObjType, id: usize) -> DQuat {
    let x = &d.smooth.poses.xquat;
    match kind {
        ObjType::Body => x[BodyId::new(id)] * m.body.iquat[BodyId::new(id)],
        ObjType::Geom => x[m.geom.bodyid[GeomId::new(id)]] * m.geom.quat[GeomId::new(id)],
        ObjType::Site => x[m.site.bodyid[SiteId::new(id)]] * m.site.quat[SiteId::new(id)],
        ObjType::Camera => x[m.cam.bodyid[CameraId::new(id)]] * m.cam.quat[CameraId::new(id)],
        _ => x[BodyId::new(id)],
    }
}

/// Velocity of a point fixed in a body: angular and linear, world frame.
pub fn velocity(m: &Model, d: &Data, body: BodyId, point: DVec3) -> Spatial {
    body_velocity(m, &d.smooth.poses, &d.smooth.velocities, body, point)
}

/// Acceleration of a point fixed in a body: angular and linear, world frame, gravity included as an
/// accelerometer feels it.
pub fn acceleration(m: &Model, d: &Data, body: BodyId, point: DVec3) -> Spatial {
    body_acceleration(m, &d.smooth.poses, &d.smooth.velocities, &d.body_forces.cacc, body, point)
}
