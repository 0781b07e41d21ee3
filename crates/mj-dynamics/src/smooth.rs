//! All smooth stages in order, for those who want dynamics without an engine.

use crate::*;
use mj_model::{ControlId, Model, State};

/// Buffers of all smooth stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Smooth {
    /// Chains of dofs that move each body.
    pub chains: Chains,
    /// Poses.
    pub poses: Poses,
    /// Tendons and moment arms.
    pub trans: Transmissions,
    /// Joint-space inertia.
    pub inertia: JointInertia,
    /// Velocities and passive forces.
    pub vel: Velocities,
    /// Actuation.
    pub act: Actuation,
    /// Scratch.
    pub work: Workspace,
}

impl Smooth {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let chains = Chains::new(m);
        Self {
            poses: Poses::new(m),
            trans: Transmissions::new(m, &chains),
            inertia: JointInertia::new(m),
            vel: Velocities::new(m),
            act: Actuation::new(m),
            work: Workspace::new(m),
            chains,
        }
    }
}

/// Everything about a state but constraints: poses, inertia, velocities, forces and the acceleration
/// without constraints, in this order. Returns the control that was bad, if any.
pub fn forward_smooth(m: &Model, s: &State, d: &mut Smooth) -> Option<ControlId> {
    kinematics(m, s, &mut d.poses);
    com_pos(m, &s.awake, &mut d.poses);
    cameras_and_lights(m, &mut d.poses);
    tendons(m, s, &d.poses, &mut d.trans);
    crb(m, &s.awake, &d.poses, &mut d.inertia);
    add_tendon_armature(m, &s.awake, &d.trans, &mut d.inertia);
    factor(m, &s.awake, &mut d.inertia);
    transmission(m, s, &d.chains, &d.poses, &mut d.trans);

    transmission_velocities(m, s, &d.trans, &mut d.work, &mut d.vel);
    com_vel(m, s, &d.poses, &mut d.vel);
    passive(m, s, &d.chains, &d.poses, &d.trans, &mut d.vel);
    bias(m, s, &d.poses, &d.trans, &mut d.vel, &mut d.work);

    let bad = actuation(m, s, &d.trans, &d.vel, None, &mut d.work, &mut d.act);
    acceleration(m, s, &d.chains, &d.poses, &d.inertia, &d.vel, &mut d.act);
    bad
}

/// The bias force `qfrc_bias`: what the velocities need without acceleration, gravity and tendon
/// armature included.
pub fn bias(m: &Model, s: &State, poses: &Poses, trans: &Transmissions, vel: &mut Velocities, work: &mut Workspace) {
    // Taken out while the rest of the velocities is read.
    let mut qfrc = std::mem::take(&mut vel.qfrc_bias);
    rne(m, s, poses, vel, None, work, &mut qfrc);
    add_tendon_bias(m, s, poses, trans, vel, &mut qfrc);
    vel.qfrc_bias = qfrc;
}
