//! The pipeline's solver for states next to each other.

use crate::data::Data;
use crate::pipeline::discrete;
use crate::pipeline::forward::{factor, solve};
use crate::pipeline::problem::constraint_problem;
use mj_model::{IntegratorType, Model, SolverType, enable};
use mj_solver::{Changed, PerturbedSolver};

/// Solves the constraints of nudged states from the solution of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    solver: PerturbedSolver,
    /// Whether the problem is one that has a single optimum, and a built-in solver may find it.
    usable: bool,
}

impl Neighbours {
    /// Solves at the state in the middle.
    pub fn find(&mut self, m: &Model, d: &mut Data) {
        // Over the step, the problem of a dual solver is another one, and its solution more its own.
        let dual = m.opt.integrator == IntegratorType::Discrete && m.opt.solver == SolverType::Pgs;
        self.usable = d.solver.is_none() && m.opt.noslip_iterations <= 0 && !dual;
        if !self.usable {
            return solve(m, d);
        }
        if m.opt.integrator == IntegratorType::Discrete {
            return discrete::solve_by(m, d, |p, out| self.solver.find(p, out));
        }
        self.solver.find(&constraint_problem(m, &d.state, &d.plan.tree, &d.smooth, &d.rows), &mut d.solution);
        d.qacc.copy_from_slice(&d.solution.qacc);
    }

    /// Whether to compute the factor of the inertia before [`Self::solve`], and the unconstrained acceleration.
    pub fn needs_factor(&self, m: &Model) -> bool {
        let discrete = m.opt.integrator == IntegratorType::Discrete;
        !(self.usable && self.solver.is_known()) || discrete || m.opt.enabled(enable::DIAGEXACT)
    }

    /// Solves at another state.
    pub fn solve(&mut self, m: &Model, d: &mut Data, changed: Changed) {
        if !self.usable {
            return solve(m, d);
        }
        if m.opt.integrator == IntegratorType::Discrete {
            // The inertia over the step holds stiffness and damping, which anything may change.
            return discrete::solve_by(m, d, |p, out| {
                if !self.solver.solve(p, Changed::All, out) {
                    self.solver.solve_far(p, out);
                }
            });
        }
        if !self.solver.solve(
            &constraint_problem(m, &d.state, &d.plan.tree, &d.smooth, &d.rows),
            changed,
            &mut d.solution,
        ) {
            if !self.needs_factor(m) {
                factor(m, d);
            }
            self.solver.solve_far(&constraint_problem(m, &d.state, &d.plan.tree, &d.smooth, &d.rows), &mut d.solution);
        }
        d.qacc.copy_from_slice(&d.solution.qacc);
    }
}
