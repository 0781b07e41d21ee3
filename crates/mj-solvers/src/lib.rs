//! All constraint solvers by name.
//!
//! It knows solvers and their names, and neither models nor the engine.
//!
//! # Example
//!
//! ```
//! use mj_problem::{ConstraintSolver, Recorded, Solution};
//!
//! let mut solver = mj_solvers::by_name("newton")?;
//! let mut solution = Solution::default();
//! solver.solve(&Recorded::default().problem(), &mut solution);
//! # Ok::<(), mj_solvers::UnknownSolver>(())
//! ```
#![forbid(unsafe_code)]

use mj_impulse::ConeGaussSeidel;
use mj_problem::OwnedSolver;
use mj_solver::{Cg, Newton, Pgs};
use mj_solver_complementarity::Complementarity;
use mj_solver_diagonal::Diagonal;

/// A registered solver: its name, its method, and how to make one.
pub struct Entry {
    /// Name.
    pub name: &'static str,
    /// Method, in one line.
    pub about: &'static str,
    make: fn() -> Box<dyn OwnedSolver>,
}

/// All solvers. A new one needs a line here and no other change.
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

/// No solver has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: no such solver; the solvers are {}", ALL.iter().map(|e| e.name).collect::<Vec<_>>().join(", "))]
pub struct UnknownSolver {
    /// The name that was given.
    pub name: String,
}

/// Makes a solver by its name.
///
/// # Errors
/// If no solver has it.
pub fn by_name(name: &str) -> Result<Box<dyn OwnedSolver>, UnknownSolver> {
    let found = ALL.iter().find(|e| e.name == name);
    found.map(|e| (e.make)()).ok_or_else(|| UnknownSolver { name: name.into() })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use mj_problem::{ConstraintSolver, Recorded, Solution};

    #[test]
    fn every_name_makes_a_solver_and_differs_from_the_others() {
        let problem = Recorded::default();
        for (i, e) in ALL.iter().enumerate() {
            assert!(ALL[..i].iter().all(|other| other.name != e.name));
            let mut out = Solution::default();
            by_name(e.name).unwrap().solve(&problem.problem(), &mut out);
            assert_eq!(out.efc_force.len(), 0);
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_others() {
        let told = by_name("newtn").unwrap_err().to_string();
        assert!(told.starts_with("newtn: no such solver") && ALL.iter().all(|e| told.contains(e.name)), "{told}");
    }
}
