//! Descent on the primal cost with an exact line search: Newton's method and conjugate gradients.

mod descent;
mod island_solver;
mod joint_space;
mod line_search;
mod parallel;
pub(crate) mod preconditioner;
pub(crate) mod quadratic;
mod row_space;

use crate::island::find::Islands;
use island_solver::IslandSolver;
use joint_space::Direction;
use mj_problem::{ConstraintSolver, Problem, Solution};
use parallel::ParallelIslands;

/// The Newton solver: few iterations, each with an exact Hessian.
#[derive(Clone, Debug, Default)]
pub struct Newton(Primal);

impl Newton {
    /// Sets the number of groups of islands that are solved in parallel; 0 and 1: all islands are solved one after the
    /// other on the caller's thread. The result doesn't depend on it, bit for bit.
    ///
    /// Groups run on the threads of the current rayon pool, with the feature `parallel` alone.
    pub fn set_threads(&mut self, threads: usize) {
        self.0.threads = threads;
    }
}

impl ConstraintSolver for Newton {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.0.solve(p, Direction::Newton, out);
    }

    fn takes_stiffness(&self) -> bool {
        true
    }
}

/// The conjugate-gradient solver: many cheap iterations, no Hessian.
#[derive(Clone, Debug, Default)]
pub struct Cg(Primal);

impl Cg {
    /// Sets the number of groups of islands that are solved in parallel, as [`Newton::set_threads`] does.
    pub fn set_threads(&mut self, threads: usize) {
        self.0.threads = threads;
    }
}

impl ConstraintSolver for Cg {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.0.solve(p, Direction::ConjugateGradient, out);
    }

    fn takes_stiffness(&self) -> bool {
        true
    }
}

/// Memory of both solvers.
#[derive(Clone, Debug, Default)]
struct Primal {
    islands: Islands,
    solver: IslandSolver,
    threads: usize,
    parallel: ParallelIslands,
}

impl Primal {
    fn solve(&mut self, p: &Problem, direction: Direction, out: &mut Solution) {
        out.reset(p);
        if p.nefc() == 0 {
            return;
        }
        self.islands.find(p);
        if self.islands.is_whole() {
            self.solver.solve_whole(p, direction, out);
        } else if self.threads > 1 && self.islands.count() > 1 {
            self.parallel.solve(p, &self.islands, direction, self.threads, out);
        } else {
            for i in 0..self.islands.count() {
                self.solver.solve_island(p, &self.islands, i, direction, out);
            }
        }
    }
}
