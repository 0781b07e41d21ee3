//! Solvers of the convex constraint problem; the seam where another solver plugs in.
//!
//! A [`Problem`] is all that a solver sees: inertia, Jacobian, regularization, reference
//! acceleration, friction cones. A [`ConstraintSolver`] turns it into a [`Solution`]: acceleration,
//! forces, statistics. [`Newton`], [`Cg`] and [`Pgs`] are built in, as is the [`NoSlip`] pass;
//! [`BuiltIn`] holds them all. A solver of your own needs nothing but this crate.
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
mod owned;
mod panels;
mod part;
mod pgs;
mod primal;
mod problem;
mod quality;
mod recorded;
mod root;
mod rowspace;
mod shares;
mod units;

pub use built_in::{BuiltIn, Method};
pub use curvature::CostHessian;
pub use islands::Islands;
pub use mj_constraint::{ConeRows, ConstraintState, RowView};
pub use nearby::{Nearby, Same};
pub use noslip::NoSlip;
pub use owned::OwnedSolver;
pub use pgs::Pgs;
pub use primal::{Cg, Newton};
pub use problem::{ConstraintSolver, Island, Problem, Settings, Solution, Stat};
pub use quality::Quality;
pub use recorded::Recorded;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
