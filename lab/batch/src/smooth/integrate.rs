//! Next state.

use super::{Scratch, State};
use crate::lane::Lane;
use crate::lane::spatial::integrate;
use crate::plan::{Motion, Plan};

impl<L: Lane> Scratch<L> {
    /// Advances velocities by the acceleration and positions by the new velocities.
    #[inline(always)]
    pub fn integrate(&mut self, plan: &Plan, isa: L::Isa, s: &mut State<L>) {
        let h = L::splat(isa, plan.timestep);
        for (v, a) in s.qvel.iter_mut().zip(&self.qacc) {
            *v = v.plus(h, *a);
        }
        for j in &plan.joints {
            let (mut q, mut d) = (j.q, j.dof);
            match j.motion {
                Motion::Hinge | Motion::Slide => s.qpos[q] = s.qpos[q].plus(h, s.qvel[d]),
                Motion::Free | Motion::Ball => {
                    if j.motion == Motion::Free {
                        for k in 0..3 {
                            s.qpos[q + k] = s.qpos[q + k].plus(h, s.qvel[d + k]);
                        }
                        (q, d) = (q + 3, d + 3);
                    }
                    let old = [s.qpos[q], s.qpos[q + 1], s.qpos[q + 2], s.qpos[q + 3]];
                    let new = integrate(old, [s.qvel[d], s.qvel[d + 1], s.qvel[d + 2]], h);
                    s.qpos[q..q + 4].copy_from_slice(&new);
                }
            }
        }
    }
}
