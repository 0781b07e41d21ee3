//! The convex constraint problem: what a solver is given, what it returns, and the cost of the constraint rows.
//!
//! - [`Problem`] holds the inertia matrix, the acceleration without constraints, the constraint rows ([`RowView`]) with
//!   their friction cones ([`ConeRows`]), and [`Settings`].
//! - [`ConstraintSolver`] turns a problem into a [`Solution`]; [`OwnedSolver`] is a solver that can be stored and copied.
//! - [`Unit`] and [`Bound`] are rows whose forces are bounded together, and their bound ([`RowView::units`]).
//! - [`cost`] defines the convex cost of the rows, with forces, curvature and slopes along a line.
//! - [`Quality`] measures how well a solution meets the optimality conditions.
//! - [`Recorded`] owns a problem's arrays, and converts them to and from named arrays for files.
//!
//! A solver needs this crate and `mj-math`; neither knows geometry, dynamics or models.
#![forbid(unsafe_code)]

pub mod cost;
mod problem;
mod quality;
mod recorded;
mod rows;
mod solution;
mod solver;
mod state;
mod units;

pub use problem::{Problem, Settings};
pub use quality::Quality;
pub use recorded::Recorded;
pub use rows::{ConeRows, RowView};
pub use solution::{Island, Solution, Stat};
pub use solver::{ConstraintSolver, OwnedSolver};
pub use state::ConstraintState;
pub use units::{Bound, Unit};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
