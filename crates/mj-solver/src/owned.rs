//! Solvers as values: what data can own and copies of data can copy.

use crate::problem::{ConstraintSolver, Problem, Solution};
use std::fmt::Debug;

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
}
