//! Forces and poses of perturbed bodies.

use super::perturb::Perturb;
use crate::codes::pert;
use crate::settings::VisualSettings;
use mj_engine::{Data, Model, object_velocity};
use mj_math::{DQuat, DVec3, MINVAL, quat};
use mj_model::{BodyId, JointId, JointType, ObjType};

/// Writes the pose of the perturbed body (`mjv_applyPerturbPose`): of a mocap body always; while the simulation is paused also
/// that of a free body, or of the free body that carries the selected one.
pub fn apply_perturb_pose(m: &Model, d: &mut Data, perturb: &Perturb, paused: bool) {
    let Some(body) = perturb.body(m).filter(|_| perturb.active | perturb.active2 != 0) else { return };
    // From the frame of the inertia to the body's.
    let turn = perturb.refquat * m.body.iquat[body].conjugate();
    let pos = perturb.refpos - quat::rotate(turn, m.body.ipos[body]);
    if let Some(mocap) = m.body.mocapid[body] {
        d.state.mocap_pos[mocap] = pos;
        d.state.mocap_quat[mocap] = turn;
    } else if paused && let Some(joint) = free_joint(m, body) {
        write_pose(m, d, joint, pos, turn);
    } else if paused && let Some(joint) = free_joint(m, m.body.rootid[body]) {
        let adr = m.jnt.qposadr[joint] as usize;
        let (root, root_turn) = (DVec3::from_slice(&d.state.qpos[adr..]), quat::read(&d.state.qpos[adr + 3..adr + 7]));
        // The root keeps its pose relative to the selected body.
        let change = turn * d.smooth.poses.xquat[body].conjugate();
        let moved = pos + quat::rotate(change, root - d.smooth.poses.xpos[body]);
        write_pose(m, d, joint, moved, change * root_turn);
    }
}

/// Returns a body's joint if it is free.
fn free_joint(m: &Model, body: BodyId) -> Option<JointId> {
    let joint = m.body.jntadr[body].filter(|_| m.body.jntnum[body] == 1)?;
    (m.jnt.r#type[joint] == JointType::Free).then_some(joint)
}

fn write_pose(m: &Model, d: &mut Data, joint: JointId, pos: DVec3, turn: DQuat) {
    let adr = m.jnt.qposadr[joint] as usize;
    if let Some(q) = d.state.qpos.get_mut(adr..adr + 7) {
        q[..3].copy_from_slice(&pos.to_array());
        quat::write(turn, &mut q[3..]);
    }
}

/// Writes the force and torque of a spring, critically damped, between the perturbed body and the reference
/// (`mjv_applyPerturbForce`) to `xfrc_applied`, N and N m.
pub fn apply_perturb_force(m: &Model, d: &mut Data, perturb: &Perturb) {
    let active = perturb.active | perturb.active2;
    let Some(body) = perturb.body(m).filter(|_| active != 0) else { return };
    let Ok(velocity) = object_velocity(m, d, ObjType::Body, body.index(), false) else { return };
    let map = VisualSettings::new(&m.vis).map;
    let (stiffness, turning) = (f64::from(map.stiffness), f64::from(map.stiffnessrot));
    let invweight = m.body.invweight0[body][1];
    let inertia = if invweight == 0.0 { 1.0 } else { 1.0 / invweight.max(MINVAL) };
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    if active & pert::TRANSLATE != 0 {
        let point = perturb.point(d, body);
        let arm = point - d.smooth.poses.xipos[body];
        let away = point - perturb.refselpos;
        let speed = velocity.lin + velocity.rot.cross(arm);
        force = -(away * stiffness + speed * stiffness.sqrt()) * perturb.localmass;
        let axis = away.normalize_or_zero();
        torque = arm.cross(force) - axis * (turning.sqrt() * inertia * axis.dot(velocity.rot));
    }
    if active & pert::ROTATE != 0 {
        let own = d.smooth.poses.xquat[body] * m.body.iquat[body];
        let between = quat::velocity(perturb.refquat * own.conjugate(), 1.0);
        torque += (between * turning - velocity.rot * turning.sqrt()) * inertia;
    }
    let out = &mut d.state.xfrc_applied[body];
    if active & pert::TRANSLATE != 0 {
        out[..3].copy_from_slice(&force.to_array());
    }
    if active & (pert::TRANSLATE | pert::ROTATE) != 0 {
        out[3..].copy_from_slice(&torque.to_array());
    }
}
