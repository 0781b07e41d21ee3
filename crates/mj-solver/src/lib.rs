//! Solvers of the convex constraint problem.
//!
//! [`Newton`], [`Cg`] and [`Pgs`] implement [`mj_problem::ConstraintSolver`]; [`NoSlip`] removes slip from their
//! solution. [`BuiltIn`] holds all of them.
#![forbid(unsafe_code)]

mod built_in;
mod compact;
mod curvature;
mod delassus;
mod dense;
mod dual;
mod face;
mod form;
mod friction;
mod groups;
mod half;
mod hessian;
mod islands;
mod kernel;
mod line_search;
mod nearby;
mod noslip;
mod ordering;
mod panels;
mod part;
mod pgs;
mod primal;
mod root;
mod rowspace;
mod units;

pub use built_in::{BuiltIn, Method};
pub use curvature::CostHessian;
pub use islands::Islands;
pub use nearby::{Nearby, Same};
pub use noslip::NoSlip;
pub use pgs::Pgs;
pub use primal::{Cg, Newton};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
