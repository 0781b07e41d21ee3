//! Velocities of bodies and dofs, and the bias force.

use super::{Scratch, State};
use crate::lane::Lane;
use crate::lane::spatial::*;
use crate::plan::{Motion, Plan};

impl<L: Lane> Scratch<L> {
    /// Computes velocities of bodies, rates of the motions of dofs, and accelerations of bodies that need no force of joints.
    #[inline(always)]
    pub fn velocities(&mut self, plan: &Plan, isa: L::Isa, s: &State<L>) {
        let zero = L::splat(isa, 0.0);
        self.cvel[0] = [zero; 6];
        self.cacc[0] = join([zero; 3], splat3(isa, plan.upward));
        let mut joints = plan.joints.iter().peekable();
        for b in &plan.bodies {
            let mut v = self.cvel[b.parent];
            while let Some(j) = joints.next_if(|j| j.body == b.id) {
                let mut d = j.dof;
                if matches!(j.motion, Motion::Hinge | Motion::Slide) {
                    self.cdof_dot[d] = cross_motion(v, self.cdof[d]);
                    v = add_scaled(v, self.cdof[d], s.qvel[d]);
                    continue;
                }
                if j.motion == Motion::Free {
                    for k in 0..3 {
                        self.cdof_dot[d + k] = [zero; 6];
                        v[3 + k] = v[3 + k] + s.qvel[d + k];
                    }
                    d += 3;
                }
                for k in d..d + 3 {
                    self.cdof_dot[k] = cross_motion(v, self.cdof[k]);
                }
                for k in d..d + 3 {
                    v = add_scaled(v, self.cdof[k], s.qvel[k]);
                }
            }
            self.cvel[b.id] = v;
            let mut a = self.cacc[b.parent];
            for d in b.dofs.0..b.dofs.0 + b.dofs.1 {
                a = add_scaled(a, self.cdof_dot[d], s.qvel[d]);
            }
            self.cacc[b.id] = a;
        }
    }

    /// Computes the bias force: Coriolis, centrifugal and gravitational forces.
    #[inline(always)]
    pub(super) fn bias(&mut self, plan: &Plan) {
        for b in &plan.bodies {
            let (i, v) = (self.cinert[b.id], self.cvel[b.id]);
            self.cfrc[b.id] = add(momentum(i, self.cacc[b.id]), cross_force(v, momentum(i, v)));
        }
        for b in plan.bodies.iter().rev().filter(|b| b.parent > 0) {
            self.cfrc[b.parent] = add(self.cfrc[b.parent], self.cfrc[b.id]);
        }
        for (i, dof) in plan.dofs.iter().enumerate() {
            self.qfrc_bias[i] = dot(self.cdof[i], self.cfrc[dof.0]);
        }
    }
}
