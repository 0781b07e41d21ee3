//! Sensors that need velocities.

use super::object::{limit_row, object};
use super::{contact, frame, tactile};
use crate::data::Data;
use mj_model::*;

/// Reads a sensor into `out`.
pub fn read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    use SensorType::*;
    let id = object(m, s);
    match m.sensor.r#type[s] {
        kind @ (Velocimeter | Gyro) => {
            let site = SiteId::new(id);
            let v = frame::velocity(m, d, m.site.bodyid[site], d.smooth.poses.site_xpos[site]);
            let part = if kind == Gyro { v.rot } else { v.lin };
            (d.smooth.poses.site_xmat[site].transpose() * part).write_to_slice(out);
        }
        JointVel => out[0] = d.state.qvel[m.jnt.dofadr[JointId::new(id)].index()],
        TendonVel => out[0] = d.smooth.velocities.ten_velocity[TendonId::new(id)],
        ActuatorVel => {
            let a = m.actuator.outadr[ActuatorId::new(id)] as usize;
            out.copy_from_slice(&d.smooth.velocities.actuator_velocity.as_slice()[a..a + out.len()]);
        }
        BallAngVel => {
            let a = m.jnt.dofadr[JointId::new(id)].index();
            out.copy_from_slice(&d.state.qvel[a..a + 3]);
        }
        JointLimitVel => out[0] = limit_velocity(m, d, s, ConstraintType::LimitJoint),
        TendonLimitVel => out[0] = limit_velocity(m, d, s, ConstraintType::LimitTendon),
        kind @ (FrameLinVel | FrameAngVel) => {
            let (pos, _, body) = frame::of(m, d, m.sensor.objtype[s], id);
            let mut v = frame::velocity(m, d, body, pos);
            if let Ok(r) = usize::try_from(m.sensor.refid[s]) {
                // Seen from a frame that moves and turns itself.
                let (ref_pos, ref_mat, ref_body) = frame::of(m, d, m.sensor.reftype[s], r);
                let u = frame::velocity(m, d, ref_body, ref_pos);
                let to_ref = ref_mat.transpose();
                v.lin = to_ref * (v.lin - u.lin - u.rot.cross(pos - ref_pos));
                v.rot = to_ref * (v.rot - u.rot);
            }
            if kind == FrameAngVel { v.rot } else { v.lin }.write_to_slice(out);
        }
        SubtreeLinVel => d.smooth.velocities.subtree_linvel[BodyId::new(id)].write_to_slice(out),
        SubtreeAngMom => d.smooth.velocities.subtree_angmom[BodyId::new(id)].write_to_slice(out),
        EKinetic => out[0] = d.energy[1],
        Contact => contact::read(m, d, s, out),
        Tactile => tactile::read(m, d, s, out),
        // The compiler refuses the others.
        _ => out.fill(0.0),
    }
}

/// Velocity towards a limit; 0 where the limit is not in.
fn limit_velocity(m: &Model, d: &Data, s: SensorId, kind: ConstraintType) -> f64 {
    limit_row(m, d, s, kind).map_or(0.0, |i| d.rows.vel[i])
}
