//! Trait that a solver implements.

use crate::problem::Problem;
use crate::solution::Solution;
use std::fmt::Debug;

/// A solver of constraint problems. It owns its workspace, which keeps its memory from call to
/// call; whoever steps owns the solver.
pub trait ConstraintSolver {
    /// Solves a problem.
    fn solve(&mut self, problem: &Problem, out: &mut Solution);

    /// Returns whether it solves problems with [`Problem::stiffness`]: without, the engine refuses to call it with them.
    fn takes_stiffness(&self) -> bool {
        false
    }
}

/// A solver behind a pointer. Every [`ConstraintSolver`] that can be cloned and sent is one.
pub trait OwnedSolver: ConstraintSolver + Debug + Send + Sync {
    /// A copy of it.
    fn boxed_clone(&self) -> Box<dyn OwnedSolver>;
}

impl<T: ConstraintSolver + Debug + Clone + Send + Sync + 'static> OwnedSolver for T {
    fn boxed_clone(&self) -> Box<dyn OwnedSolver> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn OwnedSolver> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

impl ConstraintSolver for Box<dyn OwnedSolver> {
    fn solve(&mut self, problem: &Problem, out: &mut Solution) {
        (**self).solve(problem, out);
    }

    fn takes_stiffness(&self) -> bool {
        (**self).takes_stiffness()
    }
}
