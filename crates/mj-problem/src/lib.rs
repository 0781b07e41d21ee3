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
//!
//! # Example
//!
//! ```
//! use mj_math::{BlockRows, TreePattern, block::Run};
//! use mj_problem::*;
//!
//! // One mass on one spring that only pushes.
//! let pattern = TreePattern::new(&[None], &[false]);
//! let mut jac = BlockRows::default();
//! jac.clear(1);
//! jac.push(1, &[Run { start: 0, len: 1 }])[0] = 1.0;
//! let (jac, d, r) = (&jac, &[99.0], &[1.0 / 99.0]);
//! let rows = RowView { jac, ne: 0, nf: 0, d, r, aref: &[0.0], frictionloss: &[0.0], cones: &[] };
//! let (mut force, mut state) = ([0.0], [ConstraintState::Satisfied]);
//! assert!(rows.evaluate(&[-0.1], &mut force, &mut state) > 0.0);
//! assert!((force[0] - 9.9).abs() < 1e-12);
//! # let _ = pattern;
//! ```
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
