//! Potential and kinetic energy.

use crate::buffers::{JointInertia, Poses, Transmissions};
use crate::passive::plastic::{joint_rest, stretch, tendon_rest};
use crate::passive::poly;
use crate::workspace::Workspace;
use mj_math::{DVec3, dense, quat};
use mj_model::*;

/// Potential energy of gravity and of the springs of joints and tendons.
pub fn potential_energy(m: &Model, s: &State, poses: &Poses, trans: &Transmissions) -> f64 {
    let mut e = 0.0;
    if !m.opt.disabled(disable::GRAVITY) {
        for b in m.body.ids().skip(1) {
            e -= m.body.mass[b] * m.opt.gravity.dot(poses.xipos[b]);
        }
    }
    if m.opt.disabled(disable::SPRING) {
        return e;
    }
    for j in m.jnt.ids() {
        let (k, p) = (m.jnt.stiffness[j], m.jnt.stiffnesspoly[j]);
        if k == 0.0 && p == [0.0; 2] {
            continue;
        }
        let (mut q, mut rest) = (&s.qpos[m.jnt.qposadr[j] as usize..], joint_rest(m, s, j));
        match m.jnt.r#type[j] {
            JointType::Slide | JointType::Hinge => {
                e += poly::potential(k, p, q[0] - rest[0]);
                continue;
            }
            JointType::Free => {
                e += poly::potential(k, p, (DVec3::from_slice(q) - DVec3::from_slice(rest)).length());
                (q, rest) = (&q[3..], &rest[3..]);
            }
            JointType::Ball => {}
        }
        let rot = quat::normalize_if_needed(quat::read(q));
        e += poly::potential(k, p, quat::sub(rot, quat::read(rest)).length());
    }
    for t in m.tendon.ids() {
        let x = stretch(trans.ten_length[t], tendon_rest(m, s, t));
        e += poly::potential(m.tendon.stiffness[t], m.tendon.stiffnesspoly[t], x);
    }
    e
}

/// Kinetic energy ½ q̇ᵀ M q̇.
#[inline]
pub fn kinetic_energy(m: &Model, s: &State, inertia: &JointInertia, work: &mut Workspace) -> f64 {
    inertia.mul(m, &s.qvel, &mut work.dofs);
    0.5 * dense::dot(&work.dofs, &s.qvel)
}
