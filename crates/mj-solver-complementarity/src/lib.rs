//! Exact Coulomb friction with complementarity (Todorov, Erez & Tassa 2012, section II.C).
//!
//! The convex solvers relax the laws of contact to get a convex problem. This one keeps them: no
//! force without contact, no acceleration into contact, slip against friction at its bound. The problem
//! is then hard in the worst case, so the solver reports a [`Certificate`]: the residual of the
//! equations, which is zero exactly where the laws hold exactly, and whether the problem provably has no solution.
//!
//! Laws hold for the rows' acceleration less its reference, J q̈ − aref: the pipeline's stabilization
//! stays what it is, regularization R goes. Equality constraints are eliminated, hard.
//!
//! It knows problems, and neither models nor the engine.
//!
//! # Example
//!
//! ```
//! use mj_problem::{ConstraintSolver, Recorded, Solution};
//! use mj_solver_complementarity::Complementarity;
//!
//! let mut solution = Solution::default();
//! Complementarity::default().solve(&Recorded::default().problem(), &mut solution);
//! assert!(solution.efc_force.is_empty());
//! ```
#![forbid(unsafe_code)]

mod contradiction;
mod hybrid;
mod newton;
mod relaxation;
mod shifted;
mod solver;

pub use solver::{Certificate, Complementarity, contradictory, law_residual};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
