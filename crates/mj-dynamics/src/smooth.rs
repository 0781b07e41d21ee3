//! All smooth stages in order, for those who want dynamics without an engine.

use crate::*;
use mj_model::{ControlId, Model, State};
use std::sync::Arc;

impl Smooth {
    /// Makes buffers for a model.
    pub fn new(m: &Model, plan: &Plan) -> Self {
        Self {
            poses: Poses::new(m),
            transmissions: Transmissions::new(m, plan),
            inertia: JointInertia::new(m),
            velocities: Velocities::new(m),
            actuation: Actuation::new(m),
        }
    }
}

/// Smooth dynamics of one model: its plan, results and scratch memory.
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// Plan of the model: indices and patterns that follow from its structure.
    pub plan: Arc<Plan>,
    /// Results.
    pub smooth: Smooth,
    /// Scratch memory.
    pub work: Workspace,
}

impl Dynamics {
    /// Makes buffers for a model.
    pub fn new(m: &Model) -> Self {
        let plan = Plan::of(m);
        Self { smooth: Smooth::new(m, &plan), work: Workspace::new(m, &plan), plan }
    }

    /// Computes everything about a state but constraints: see [`forward_smooth`].
    pub fn forward(&mut self, m: &Model, s: &State) -> Option<ControlId> {
        forward_smooth(m, &self.plan, s, &mut self.work, &mut self.smooth)
    }
}

/// Computes everything about a state but constraints: poses, inertia, velocities, forces and the acceleration
/// without constraints, in this order. Returns the control that was bad, if any.
pub fn forward_smooth(m: &Model, plan: &Plan, s: &State, work: &mut Workspace, d: &mut Smooth) -> Option<ControlId> {
    kinematics(m, s, &mut d.poses);
    com_pos(m, &s.awake, &mut d.poses);
    cameras_and_lights(m, &mut d.poses);
    tendons(m, &plan.tendons, s, &d.poses, work, &mut d.transmissions);
    crb(m, &s.awake, &d.poses, &mut d.inertia);
    add_tendon_armature(m, &s.awake, &d.transmissions, &mut d.inertia);
    d.inertia.factor(m, &s.awake);
    transmission(m, &plan.actuators, s, &plan.chains, &d.poses, &mut d.transmissions);

    transmission_velocities(m, &plan.actuators, s, &d.transmissions, work, &mut d.velocities);
    com_vel(m, s, &d.poses, &mut d.velocities);
    passive(m, s, &plan.chains, &d.poses, &d.transmissions, &mut d.velocities);
    bias(m, s, &d.poses, &d.transmissions, &mut d.velocities, work);

    let bad = actuation(m, &plan.actuators, s, &d.transmissions, &d.velocities, None, work, &mut d.actuation);
    acceleration(m, s, &plan.chains, &d.poses, &d.inertia, &d.velocities, &mut d.actuation);
    bad
}

/// Computes the bias force `qfrc_bias`, which the velocities need without acceleration: gravity and tendon
/// armature included.
#[inline]
pub fn bias(m: &Model, s: &State, poses: &Poses, trans: &Transmissions, vel: &mut Velocities, work: &mut Workspace) {
    // Taken out while the rest of the velocities is read.
    let mut qfrc = std::mem::take(&mut vel.qfrc_bias);
    rne(m, s, poses, vel, None, work, &mut qfrc);
    add_tendon_bias(m, s, poses, trans, vel, &mut qfrc);
    vel.qfrc_bias = qfrc;
}
