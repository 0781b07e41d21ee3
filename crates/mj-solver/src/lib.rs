//! Solvers of the convex constraint problem.
//!
//! [`Newton`], [`Cg`] and [`Pgs`] implement [`mj_problem::ConstraintSolver`]; [`NoSlip`] removes slip from their
//! solution. [`BuiltIn`] holds all of them.
//!
//! It knows problems, and neither models nor shapes.
//!
//! # Example
//!
//! ```
//! use mj_problem::{ConstraintSolver, Recorded, Solution};
//! use mj_solver::Newton;
//!
//! // A problem that was recorded, as `mj problem` does; here one without rows.
//! let mut solution = Solution::default();
//! Newton::default().solve(&Recorded::default().problem(), &mut solution);
//! assert!(solution.efc_force.is_empty());
//! ```
#![forbid(unsafe_code)]

mod built_in;
mod dual;
mod hessian;
mod island;
mod perturbed;
mod policy;
mod primal;
mod vector;

pub use built_in::{BuiltIn, Method};
pub use dual::noslip::NoSlip;
pub use dual::pgs::Pgs;
pub use hessian::cost_hessian::CostHessian;
pub use island::find::Islands;
pub use perturbed::{Changed, PerturbedSolver};
pub use primal::quadratic::QuadraticCg;
pub use primal::{Cg, Newton};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
