//! Sensors that need accelerations and forces.

use super::object::{limit_row, object};
use super::{contact, frame, zone};
use crate::data::Data;
use mj_model::*;

/// Reads a sensor into `out`.
pub fn read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    use SensorType::*;
    let id = object(m, s);
    match m.sensor.r#type[s] {
        Touch => out[0] = zone::touch(m, d, SiteId::new(id)),
        Accelerometer => {
            let site = SiteId::new(id);
            let a = frame::acceleration(m, d, m.site.bodyid[site], d.smooth.poses.site_xpos[site]);
            (d.smooth.poses.site_xmat[site].transpose() * a.lin).write_to_slice(out);
        }
        kind @ (Force | Torque) => {
            let site = SiteId::new(id);
            let body = m.site.bodyid[site];
            let offset = d.smooth.poses.site_xpos[site] - d.smooth.poses.subtree_com[m.body.rootid[body]];
            let f = d.body_forces.cfrc_int[body].force_at(offset);
            let part = if kind == Torque { f.rot } else { f.lin };
            (d.smooth.poses.site_xmat[site].transpose() * part).write_to_slice(out);
        }
        ActuatorFrc => {
            let a = m.actuator.outadr[ActuatorId::new(id)] as usize;
            out.copy_from_slice(&d.smooth.actuation.actuator_force.as_slice()[a..a + out.len()]);
        }
        JointActFrc => out[0] = d.smooth.actuation.qfrc_actuator[m.jnt.dofadr[JointId::new(id)].index()],
        TendonActFrc => {
            out[0] = m
                .actuator
                .ids()
                .filter(|&a| m.actuator.trntype[a] == TrnType::Tendon && m.actuator.trnid[a][0] == m.sensor.objid[s])
                .map(|a| d.smooth.actuation.actuator_force.as_slice()[m.actuator.outadr[a] as usize])
                .sum();
        }
        JointLimitFrc => out[0] = limit_force(m, d, s, ConstraintType::LimitJoint),
        TendonLimitFrc => out[0] = limit_force(m, d, s, ConstraintType::LimitTendon),
        kind @ (FrameLinAcc | FrameAngAcc) => {
            let (pos, _, body) = frame::of(m, d, m.sensor.objtype[s], id);
            let a = frame::acceleration(m, d, body, pos);
            if kind == FrameAngAcc { a.rot } else { a.lin }.write_to_slice(out);
        }
        Contact => contact::read(m, d, s, out),
        // The compiler refuses the others.
        _ => out.fill(0.0),
    }
}

/// Force of a limit; 0 where the limit is not in.
fn limit_force(m: &Model, d: &Data, s: SensorId, kind: ConstraintType) -> f64 {
    limit_row(m, d, s, kind).map_or(0.0, |i| d.solution.efc_force[i])
}
