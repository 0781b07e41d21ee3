//! Forces without constraints.

use super::{Scratch, State};
use crate::lane::Lane;
use crate::plan::Plan;

impl<L: Lane> Scratch<L> {
    /// Computes bias, springs, dampers and actuators, and their sum.
    #[inline(always)]
    pub fn forces(&mut self, plan: &Plan, isa: L::Isa, s: &State<L>) {
        self.bias(plan);
        let zero = L::splat(isa, 0.0);
        for (i, dof) in plan.dofs.iter().enumerate() {
            self.qfrc_passive[i] = -(s.qvel[i] * L::splat(isa, dof.2));
        }
        for j in plan.joints.iter().filter(|j| j.stiffness != 0.0) {
            let stretch = s.qpos[j.q] - L::splat(isa, j.rest);
            self.qfrc_passive[j.dof] = self.qfrc_passive[j.dof].minus(stretch, L::splat(isa, j.stiffness));
        }
        for t in &plan.tendons {
            let (mut length, mut velocity) = (zero, zero);
            for &(q, d, c) in &t.joints {
                let c = L::splat(isa, c);
                length = length.plus(c, s.qpos[q]);
                velocity = velocity.plus(c, s.qvel[d]);
            }
            let (low, high) = (L::splat(isa, t.rest[0]), L::splat(isa, t.rest[1]));
            let stretch = length.min(low) - low + (length.max(high) - high);
            let force = -(stretch * L::splat(isa, t.stiffness)).plus(velocity, L::splat(isa, t.damping));
            for &(_, d, c) in &t.joints {
                self.qfrc_passive[d] = self.qfrc_passive[d].plus(L::splat(isa, c), force);
            }
        }
        self.qfrc_actuator.fill(zero);
        for a in &plan.actuators {
            let gear = L::splat(isa, a.gear);
            let (length, velocity) = (s.qpos[a.q] * gear, s.qvel[a.dof] * gear);
            let (low, high) = (L::splat(isa, a.ctrlrange[0]), L::splat(isa, a.ctrlrange[1]));
            let u = s.ctrl[a.ctrl].max(low).min(high);
            let (low, high) = (L::splat(isa, a.forcerange[0]), L::splat(isa, a.forcerange[1]));
            let force =
                affine(isa, a.bias, length, velocity).plus(affine(isa, a.gain, length, velocity), u).max(low).min(high);
            self.qfrc_actuator[a.dof] = self.qfrc_actuator[a.dof].plus(gear, force);
        }
        for i in 0..plan.nv {
            self.qfrc_smooth[i] = self.qfrc_passive[i] - self.qfrc_bias[i] + self.qfrc_actuator[i];
        }
    }
}

/// Returns c₀ + c₁·length + c₂·velocity.
#[inline(always)]
fn affine<L: Lane>(isa: L::Isa, c: [f64; 3], length: L, velocity: L) -> L {
    L::splat(isa, c[0]).plus(L::splat(isa, c[1]), length).plus(L::splat(isa, c[2]), velocity)
}
