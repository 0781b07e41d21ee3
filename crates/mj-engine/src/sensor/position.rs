//! Sensors that need positions only.

use super::object::{limit_row, object, reference};
use super::{camera, contact, distance, frame, rangefinder, zone};
use crate::data::Data;
use mj_math::quat;
use mj_model::*;

/// Reads a sensor into `out`.
pub fn read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    use SensorType::*;
    let id = object(m, s);
    match m.sensor.r#type[s] {
        Magnetometer => {
            (d.smooth.poses.site_xmat[SiteId::new(id)].transpose() * m.opt.magnetic).write_to_slice(out);
        }
        Rangefinder => rangefinder::read(m, d, s, out),
        CamProjection => {
            let pixel =
                camera::project(m, d, CameraId::new(reference(m, s)), d.smooth.poses.site_xpos[SiteId::new(id)]);
            out.copy_from_slice(&pixel);
        }
        JointPos => out[0] = d.state.qpos[m.jnt.qposadr[JointId::new(id)] as usize],
        TendonPos => out[0] = d.smooth.transmissions.ten_length[TendonId::new(id)],
        ActuatorPos => {
            let a = m.actuator.outadr[ActuatorId::new(id)] as usize;
            out.copy_from_slice(&d.smooth.transmissions.actuator_length.as_slice()[a..a + out.len()]);
        }
        BallQuat => {
            let a = m.jnt.qposadr[JointId::new(id)] as usize;
            quat::write(quat::normalize(quat::read(&d.state.qpos[a..])), out);
        }
        JointLimitPos => out[0] = limit_distance(m, d, s, ConstraintType::LimitJoint),
        TendonLimitPos => out[0] = limit_distance(m, d, s, ConstraintType::LimitTendon),
        FramePos | FrameXAxis | FrameYAxis | FrameZAxis => {
            let (pos, mat, _) = frame::of(m, d, m.sensor.objtype[s], id);
            let mut v = match m.sensor.r#type[s] {
                FrameXAxis => mat.x_axis,
                FrameYAxis => mat.y_axis,
                FrameZAxis => mat.z_axis,
                _ => pos,
            };
            if m.sensor.refid[s] >= 0 {
                let (ref_pos, ref_mat, _) = frame::of(m, d, m.sensor.reftype[s], reference(m, s));
                if m.sensor.r#type[s] == FramePos {
                    v -= ref_pos;
                }
                v = ref_mat.transpose() * v;
            }
            v.write_to_slice(out);
        }
        FrameQuat => {
            let mut q = frame::quat(m, d, m.sensor.objtype[s], id);
            if m.sensor.refid[s] >= 0 {
                q = frame::quat(m, d, m.sensor.reftype[s], reference(m, s)).conjugate() * q;
            }
            quat::write(q, out);
        }
        SubtreeCom => d.smooth.poses.subtree_com[BodyId::new(id)].write_to_slice(out),
        InsideSite if m.sensor.intprm[s][0] != 0 => out[0] = zone::protrusion(m, d, s),
        InsideSite => {
            let (mut pos, _, body) = frame::of(m, d, m.sensor.objtype[s], id);
            // A body without mass of its own counts as its subtree.
            let massless = m.body.mass[body] < mj_math::MINVAL && m.body.subtreemass[body] >= mj_math::MINVAL;
            if m.sensor.objtype[s] == ObjType::Body && body != BodyId::WORLD && massless {
                pos = d.smooth.poses.subtree_com[body];
            }
            out[0] = f64::from(u8::from(zone::inside_site(m, d, SiteId::new(reference(m, s)), pos)));
        }
        GeomDist | GeomNormal | GeomFromTo => distance::read(m, d, s, out),
        Contact => contact::read(m, d, s, out),
        EPotential => out[0] = d.energy[0],
        EKinetic => out[0] = d.energy[1],
        Clock => out[0] = d.state.time,
        // The compiler refuses the others.
        _ => out.fill(0.0),
    }
}

/// Distance to a limit less its margin; 0 where the limit is not in.
fn limit_distance(m: &Model, d: &Data, s: SensorId, kind: ConstraintType) -> f64 {
    limit_row(m, d, s, kind).map_or(0.0, |i| d.rows.pos[i] - d.rows.margin[i])
}
