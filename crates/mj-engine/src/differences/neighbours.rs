//! The pipeline's solver for states next to each other.

use crate::data::Data;
use crate::pipeline::{constraint_problem, factor, solve};
use mj_model::{IntegratorType, Model, enable};
use mj_solver::{Nearby, Same};

/// Solves the constraints of nudged states from the solution of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    nearby: Nearby,
    /// Whether the problem is one that has a single optimum, and solvers of the house may find it.
    usable: bool,
}

impl Neighbours {
    /// Solves at the state in the middle.
    pub fn find(&mut self, m: &Model, d: &mut Data) {
        let built_in = d.solver.is_none() && m.opt.noslip_iterations <= 0;
        self.usable = built_in && m.opt.integrator != IntegratorType::Discrete;
        if !self.usable {
            return solve(m, d);
        }
        self.nearby.find(&constraint_problem!(m, d), &mut d.solution);
        d.qacc.copy_from_slice(&d.solution.qacc);
    }

    /// Whether to compute the factor of the inertia before [`Self::solve`], and the unconstrained acceleration.
    pub fn needs_factor(&self, m: &Model) -> bool {
        !(self.usable && self.nearby.is_known()) || m.opt.enabled(enable::DIAGEXACT)
    }

    /// Solves at another state.
    pub fn solve(&mut self, m: &Model, d: &mut Data, same: Same) {
        if !self.usable {
            return solve(m, d);
        }
        if !self.nearby.solve(&constraint_problem!(m, d), same, &mut d.solution) {
            if !self.needs_factor(m) {
                factor(m, d);
            }
            self.nearby.solve_far(&constraint_problem!(m, d), &mut d.solution);
        }
        d.qacc.copy_from_slice(&d.solution.qacc);
    }
}
