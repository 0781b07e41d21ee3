//! Terms that the integrator `discrete` adds to r: it balances forces over the step,
//!
//! ```text
//! r = M a + c − τ − Jᵀf + Σ h j [b (j·a) + k (j·v')],   v' = v + h a,
//! ```
//!
//! with j the rows of the springs, dampers and actuators that the effective inertia holds (for those of joints, single dofs),
//! k and b their stiffness and damping. Their weights w = hb + h²k stand in the regularization of the constraints' rows, too.

use super::Nominal;
use crate::checks::coverage::matrix_holds_couplings;
use crate::data::Data;
use mj_constraint::derivative::StepDiagonals;
use mj_dynamics::{
    ArmDerivative, FluidDerivative, FluidPart, actuator_slopes, has_implicit_damping, inertia_diagonal_derivative,
    input_slopes, tendon_slopes,
};
use mj_math::block::Run;
use mj_math::dense::dot;
use mj_model::*;
use mj_problem::ConstraintState;

/// Diagonals of the effective inertia, and how they change.
#[derive(Clone, Debug, Default)]
pub(super) struct StepTerms {
    mass: Vec<f64>,
    added: Vec<f64>,
    mass_by_position: Vec<f64>,
    /// ∂added, nv numbers for each input: position, velocity, activation, control.
    added_by: Vec<f64>,
    /// States of the rows with the couplings before them.
    pub states: Vec<ConstraintState>,
}

/// A length that the effective inertia couples dofs by.
struct Coupling<'a> {
    runs: &'a [Run],
    row: &'a [f64],
    stiffness: f64,
    damping: f64,
}

impl StepTerms {
    /// The diagonals, where the integrator is `discrete`.
    pub fn diagonals(&self, m: &Model) -> Option<StepDiagonals<'_>> {
        (m.opt.integrator == IntegratorType::Discrete).then(|| StepDiagonals {
            mass: &self.mass,
            added: &self.added,
            mass_by_position: &self.mass_by_position,
            added_by_position: &self.added_by[..self.mass.len() * self.mass.len()],
        })
    }

    /// Borrows the derivative of the added diagonal by velocity, activation and control, nv numbers each.
    pub fn added_by_rest(&self) -> &[f64] {
        &self.added_by[self.mass.len() * self.mass.len()..]
    }

    /// Adds all of it to the columns of r, nv numbers for each input. Fails with a word where moment arms have no
    /// derivative: then the columns of positions are not whole.
    pub fn add(
        &mut self,
        m: &Model,
        d: &Data,
        n: &Nominal,
        arms: &mut ArmDerivative,
        force: &mut [f64],
    ) -> Result<(), &'static str> {
        let (nv, h) = (m.nv(), m.opt.timestep);
        let inertia = d.ws.discrete.inertia();
        self.mass.clear();
        self.mass.extend((0..nv).map(|i| d.smooth.inertia.M[m.m_pattern.diag(i)]));
        self.added.clone_from(&inertia.added);
        inertia_diagonal_derivative(m, &d.smooth.poses, &d.smooth.inertia, &mut self.mass_by_position);
        self.added_by.clear();
        self.added_by.resize(force.len(), 0.0);
        self.states.clear();
        self.states.resize(inertia.weight.len(), ConstraintState::Quadratic);
        self.states.extend_from_slice(&d.solution.efc_state);

        for (i, k) in inertia.stiffness().iter().enumerate() {
            force[(nv + i) * nv + i] += h * k.max(0.0);
        }
        if !matrix_holds_couplings(m) {
            return Ok(());
        }
        let r = &d.smooth;
        let mut outcome = Ok(());
        for t in m.tendon.ids() {
            let (runs, row) = r.transmissions.ten_J.row(t.index());
            let c = Coupling::new(runs, row, tendon_slopes(m, &d.state, &r.transmissions, &r.velocities, t));
            if m.tendon.r#type[t] != TendonType::Spatial {
                self.couple(m, n, &c, None, force);
            } else if c.weight(h) != 0.0 && arms.of_tendon(m, &d.plan.dynamics.chains, &r.poses, &r.transmissions, t) {
                self.couple(m, n, &c, Some(arms), force);
            } else if c.weight(h) != 0.0 {
                outcome = Err("a tendon's path with a corner");
            }
        }
        for a in m.actuator.ids() {
            let slopes = actuator_slopes(m, &d.state, r, a).map(|x| -x);
            let first = m.actuator.outadr[a] as usize;
            for o in first..first + m.actuator.outnum[a] as usize {
                let (runs, row) = r.transmissions.actuator_moment.row(o);
                let c = Coupling::new(runs, row, slopes);
                if c.weight(h) == 0.0 {
                    continue;
                }
                let known = arms.of_actuator(m, &d.plan.dynamics.chains, &r.poses, &r.transmissions, a);
                self.couple(m, n, &c, known.then_some(&*arms), force);
                if !known {
                    outcome = Err("moment arms that have no derivative");
                }
                let Some(by) = input_slopes(m, &d.state, r, a) else { continue };
                let state = usize::try_from(m.actuator.actadr[a]).ok().filter(|_| m.actuator.actnum[a] > 0);
                let input = 2 * nv + state.unwrap_or(m.na + m.actuator.ctrladr[a] as usize);
                let stiffness = if c.stiffness > 0.0 { -by.stretch } else { 0.0 };
                let damping = if c.damping > 0.0 { -by.slope } else { 0.0 };
                let push = h * (damping * c.along(&n.qacc) + stiffness * c.along(&n.qvel));
                for (dof, arm) in c.entries() {
                    force[input * nv + dof] += push * arm;
                    self.added_by[input * nv + dof] += (h * damping + h * h * stiffness) * arm * arm;
                }
            }
        }
        outcome
    }

    /// Adds how the drag in the diagonal changes.
    pub fn add_drag(&mut self, m: &Model, d: &Data, fluid: &mut FluidDerivative) {
        let (nv, h) = (m.nv(), m.opt.timestep);
        fluid.of_diagonal(
            m,
            &d.plan.dynamics.chains,
            &d.state,
            &d.smooth,
            FluidPart::Drag,
            |moved, dof, [by_q, by_v]| {
                self.added_by[moved * nv + dof] -= h * by_q;
                self.added_by[(nv + moved) * nv + dof] -= h * by_v;
            },
        );
    }

    /// Adds one coupling by position, as far as `arms` say how its row changes, and by velocity.
    fn couple(&mut self, m: &Model, n: &Nominal, c: &Coupling<'_>, arms: Option<&ArmDerivative>, force: &mut [f64]) {
        let (nv, h) = (m.nv(), m.opt.timestep);
        let pull = c.damping * c.along(&n.qacc) + c.stiffness * c.along(&n.qvel);
        for (j, (dof, arm)) in c.entries().enumerate() {
            for (k, other) in c.entries() {
                force[(nv + dof) * nv + k] += h * c.stiffness * arm * other;
            }
            let Some(arms) = arms else { continue };
            let width = c.row.len();
            let changes = &arms.values[j * width..(j + 1) * width];
            let change = |x: &[f64]| arms.change_along(j, c.runs, x);
            let grown = c.damping * change(&n.qacc) + c.stiffness * change(&n.qvel);
            for ((k, other), change) in c.entries().zip(changes) {
                force[dof * nv + k] += h * (grown * other + pull * change);
                self.added_by[dof * nv + k] += 2.0 * c.weight(h) * other * change;
            }
        }
    }
}

impl<'a> Coupling<'a> {
    /// Slopes that push away from rest count for nothing.
    fn new(runs: &'a [Run], row: &'a [f64], [stiffness, damping]: [f64; 2]) -> Self {
        Self { runs, row, stiffness: stiffness.max(0.0), damping: damping.max(0.0) }
    }

    fn weight(&self, h: f64) -> f64 {
        h * self.damping + h * h * self.stiffness
    }

    fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize).zip(self.row.iter().copied())
    }

    /// The row's product with a vector over the dofs.
    fn along(&self, x: &[f64]) -> f64 {
        let mut at = 0;
        self.runs
            .iter()
            .map(|r| {
                let (start, len) = (r.start as usize, r.len as usize);
                at += len;
                dot(&self.row[at - len..at], &x[start..start + len])
            })
            .sum()
    }
}

/// Whether the acceleration is that over the step: M̂ = M.
pub(super) fn has_one_acceleration(m: &Model) -> bool {
    match m.opt.integrator {
        IntegratorType::Euler => !has_implicit_damping(m),
        kind => kind == IntegratorType::Discrete,
    }
}
