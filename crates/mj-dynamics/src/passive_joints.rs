//! Joints with springs, dampers of dofs, weightless bodies: what the model says of them is looked up once.

use crate::inertia::joint_targets;
use crate::passive::damping_of_actuators;
use crate::poly;
use mj_model::*;

/// What acts passively on a model's joints and bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PassiveJoints {
    /// Joints with springs.
    pub springs: Vec<JointId>,
    /// Bodies that carry a part of their weight.
    pub compensated: Vec<BodyId>,
    /// Whether any dof is damped.
    pub damped: bool,
    /// Damping of each dof, with what actuators add: the linear coefficient, and the others where any is not zero.
    linear: Vec<f64>,
    higher: Vec<[f64; 2]>,
}

impl PassiveJoints {
    pub fn new(m: &Model) -> Self {
        let stiff = |j: &JointId| m.jnt.stiffness[*j] != 0.0 || m.jnt.stiffnesspoly[*j] != [0.0; 2];
        let (linear, mut higher): (Vec<_>, Vec<_>) = m.dof.ids().map(|d| dof_damping(m, d)).unzip();
        if higher.iter().all(|p| *p == [0.0; 2]) {
            higher.clear();
        }
        Self {
            springs: m.jnt.ids().filter(stiff).collect(),
            compensated: m.body.ids().skip(1).filter(|&b| m.body.gravcomp[b] != 0.0).collect(),
            damped: m.dof.ids().any(|d| {
                m.dof.damping[d] > 0.0 || m.dof.dampingpoly[d] != [0.0; 2] || m.jnt.actuatorid[m.dof.jntid[d]].is_some()
            }),
            linear,
            higher,
        }
    }

    /// The derivative −∂f/∂v of a dof's damper at the velocity `v`.
    #[inline]
    pub fn slope(&self, d: usize, v: f64) -> f64 {
        self.higher.get(d).map_or(self.linear[d], |&p| poly::damping_slope(self.linear[d], p, v))
    }

    /// Writes the forces of the dampers of all dofs that are awake.
    pub fn dampers(&self, s: &State, qfrc: &mut [f64]) {
        for dofs in s.awake.dofs.iter().cloned() {
            let moving = s.qvel[dofs.clone()].iter().zip(&self.linear[dofs.clone()]);
            let moving = qfrc[dofs.clone()].iter_mut().zip(moving);
            if self.higher.is_empty() {
                moving.for_each(|(f, (v, b))| *f = -v * b);
            } else {
                moving.zip(&self.higher[dofs]).for_each(|((f, (&v, &b)), &p)| *f = -v * poly::damping(b, p, v));
            }
        }
    }

    /// Calls `f` with each dof that is awake, and the derivative −∂f/∂v of its damper.
    #[inline(always)]
    pub fn for_each_slope(&self, s: &State, mut f: impl FnMut(usize, f64)) {
        for dofs in s.awake.dofs.iter().cloned() {
            let linear = dofs.clone().zip(&self.linear[dofs.clone()]);
            if self.higher.is_empty() {
                linear.for_each(|(d, &b)| f(d, b));
            } else {
                let moving = s.qvel[dofs.clone()].iter().zip(&self.higher[dofs]);
                linear.zip(moving).for_each(|((d, &b), (&v, &p))| f(d, poly::damping_slope(b, p, v)));
            }
        }
    }
}

/// Damping of dof `d`, what actuators add included: linear and higher coefficients.
pub(crate) fn dof_damping(m: &Model, d: DofId) -> (f64, [f64; 2]) {
    let j = m.dof.jntid[d];
    let (b, p, by) = (m.dof.damping[d], m.dof.dampingpoly[d], m.jnt.actuatorid[j]);
    if by.is_none() {
        return (b, p);
    }
    let [more, more0, more1] = damping_of_actuators(m, by, joint_targets(j));
    (b + more, [p[0] + more0, p[1] + more1])
}
