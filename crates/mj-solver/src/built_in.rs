//! The built-in solvers in one type.

use crate::{Cg, Newton, NoSlip, Pgs};
use mj_problem::{ConstraintSolver, Problem, Solution};

/// Which built-in solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// [`Newton`].
    #[default]
    Newton,
    /// [`Cg`].
    Cg,
    /// [`Pgs`].
    Pgs,
}

/// All built-in solvers with their memory, the noslip pass included. Solvers that are never called
/// hold no memory.
#[derive(Clone, Debug, Default)]
pub struct BuiltIn {
    /// Solver that [`ConstraintSolver::solve`] calls.
    pub method: Method,
    /// Greatest number of noslip sweeps afterwards; 0: none.
    pub noslip_iterations: u32,
    /// Improvement below which the noslip sweeps stop, scaled by 1/trace(M).
    pub noslip_tolerance: f64,
    /// Among how many threads Newton and conjugate gradients share out islands: [`Newton::set_threads`].
    pub threads: usize,
    newton: Newton,
    cg: Cg,
    pgs: Pgs,
    noslip: NoSlip,
}

impl ConstraintSolver for BuiltIn {
    #[inline]
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.newton.set_threads(self.threads);
        self.cg.set_threads(self.threads);
        match self.method {
            Method::Newton => self.newton.solve(p, out),
            Method::Cg => self.cg.solve(p, out),
            Method::Pgs => self.pgs.solve(p, out),
        }
        self.noslip.refine(p, self.noslip_iterations, self.noslip_tolerance, out);
    }

    fn takes_stiffness(&self) -> bool {
        self.method != Method::Pgs && self.noslip_iterations == 0
    }
}
