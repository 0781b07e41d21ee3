//! Solvers by name.

use crate::failure::Failure;
use mj_impulse::ConeGaussSeidel;
use mj_problem::OwnedSolver;
use mj_solver::{Cg, Newton, Pgs};
use mj_solver_complementarity::Complementarity;
use mj_solver_diagonal::Diagonal;

/// A registered solver: its name, what it is, and how to make one.
pub struct Entry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    make: fn() -> Box<dyn OwnedSolver>,
}

/// All of them. A new solver needs a line here and no other change.
pub const ALL: &[Entry] = &[
    Entry { name: "newton", about: "convex, primal: Newton's method", make: || Box::new(Newton::default()) },
    Entry { name: "cg", about: "convex, primal: conjugate gradients", make: || Box::new(Cg::default()) },
    Entry { name: "pgs", about: "convex, dual: projected Gauss-Seidel", make: || Box::new(Pgs::default()) },
    Entry {
        name: "cone-gs",
        about: "convex, dual: cone-projected Gauss-Seidel of velocity stepping",
        make: || Box::new(ConeGaussSeidel::default()),
    },
    Entry {
        name: "complementarity",
        about: "exact Coulomb friction, with a certificate",
        make: || Box::new(Complementarity::default()),
    },
    Entry { name: "diagonal", about: "one contact at a time", make: || Box::new(Diagonal::default()) },
    Entry {
        name: "diagonal-sharing",
        about: "one contact at a time, sharing each body's load",
        make: || Box::new(Diagonal::sharing()),
    },
];

/// The name of velocity stepping, which is no solver of acceleration problems but a pipeline of its own.
pub const IMPULSE: &str = "impulse";

/// A solver by name.
pub fn by_name(name: &str) -> Result<Box<dyn OwnedSolver>, Failure> {
    if name == IMPULSE {
        let what = "velocity stepping is a pipeline of its own (mj run); its solver is cone-gs";
        return Err(Failure::Usage(format!("--solver {IMPULSE}: {what}")));
    }
    ALL.iter().find(|e| e.name == name).map(|e| (e.make)()).ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|e| e.name).collect();
        Failure::Usage(format!("--solver {name}: no such solver; the solvers are {}", known.join(", ")))
    })
}
