//! Solvers by the names that the command line gives.

use crate::failure::Failure;
use mj_problem::OwnedSolver;

/// The name of velocity stepping, which is no solver of acceleration problems but a pipeline of its own.
pub const IMPULSE: &str = "impulse";

/// Returns a solver by name.
pub fn by_name(name: &str) -> Result<Box<dyn OwnedSolver>, Failure> {
    if name == IMPULSE {
        let what = "velocity stepping is a pipeline of its own (mj run); its solver is cone-gs";
        return Err(Failure::Usage(format!("--solver {IMPULSE}: {what}")));
    }
    mj_solvers::by_name(name).map_err(|e| Failure::Usage(format!("--solver {e}")))
}
