//! The control force behind an observed step (2014, section III).

use crate::options::Stabilization;
use crate::penetration::normal;
use crate::pipeline::{Pipeline, damps_implicitly};
use mj_dynamics::{self as dynamics, Dynamics};
use mj_math::dense::axpy;
use mj_model::{Model, State};

/// The inverse is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InverseError {
    /// Hard equalities hold whatever the force, which then can't be told.
    #[error(
        "hard equality constraints hide the force that acts against them; make them soft, or use the post-hoc mode"
    )]
    Hard,
}

impl Pipeline {
    /// The force (actuators' and applied) that takes the state to the velocity `next` (nv) at the end of the
    /// step, into `qfrc_inverse`; the impulses that acted, into `solution.efc_force`.
    ///
    /// RNE(q, v, v̇) + D v̇ = p + u + (Jᵀ f + J_Eᵀ f_E)/h with v̇ = (v' − v)/h; the impulses follow from v' row
    /// by row (equations 12, 13, 15). No inertia matrix is formed, but in post-hoc mode, for coupled stabilization and for a
    /// penetration cost.
    ///
    /// # Errors
    /// If equality constraints are hard.
    pub fn inverse(&mut self, m: &Model, s: &State, next: &[f64]) -> Result<(), InverseError> {
        let h = m.opt.timestep;
        self.geometry(m, s);
        self.forces(m, s);
        let penetration = self.options.penetration;
        if self.options.stabilization == Stabilization::Coupled || penetration > 0.0 {
            self.inertia(m, s);
        }
        self.stabilize(m, s);
        if let Some(weights) = self.options.post_hoc {
            self.controls_behind(m, s, next, weights);
            return Ok(());
        }
        if self.hard_equalities() {
            return Err(InverseError::Hard);
        }
        let mut vel = std::mem::take(&mut self.vel);
        self.rows.jac.mul(next, &mut vel, &mut self.work);
        if penetration > 0.0 {
            self.add_penetration_slope(m, &mut vel);
        }
        self.impulses_at(&vel);
        self.vel = vel;
        self.solution.qfrc_constraint.clear();
        self.solution.qfrc_constraint.resize(m.nv(), 0.0);
        self.rows.jac.mul_transposed_add(&self.solution.efc_force, &mut self.solution.qfrc_constraint, &mut self.work);

        self.acc.clear();
        self.acc.extend(next.iter().zip(&s.qvel).map(|(a, b)| (a - b) / h));
        let Dynamics { smooth: d, work, .. } = &mut self.dynamics;
        dynamics::rne(m, s, &d.poses, &d.velocities, Some(&self.acc), work, &mut self.qfrc_inverse);
        let implicit = damps_implicitly(&self.options);
        for dof in m.dof.ids() {
            let i = dof.index();
            let mut inertia = m.dof.armature[dof] + dynamics::actuator_armature(m, dof);
            if implicit {
                inertia += h * dynamics::damping_slope(m, dof, s.qvel[i]);
            }
            self.qfrc_inverse[i] +=
                inertia * self.acc[i] - d.velocities.qfrc_passive[i] - self.solution.qfrc_constraint[i] / h;
        }
        Ok(())
    }
}

impl Pipeline {
    /// Adds Aᵀ∇q to the velocities of the rows that are no equalities (2012, section II.G), so that the impulses follow as
    /// they do without the cost. Overwrites the contact-space problem.
    pub(crate) fn add_penetration_slope(&mut self, m: &Model, vel: &mut [f64]) {
        self.build_space(m);
        let (space, ne) = (&self.space, self.rows.ne);
        let mut slope = vec![0.0; space.len()];
        for i in space.units.iter().filter_map(normal) {
            let below = (vel[ne + i] - self.target[ne + i]).min(0.0);
            axpy(&mut slope, self.options.penetration * below, space.row(i));
        }
        vel[ne..].iter_mut().zip(&slope).for_each(|(v, s)| *v += s);
    }
}
