//! Newton's method in lanes, for equality, friction-loss and one-sided rows: all but elliptic cones.
//!
//! The cost of each of these rows is s = D c (x − c/2), c the projection of x on an interval: one formula for all kinds, so that
//! lanes may hold rows of different kinds.

mod factor;
mod newton;
mod problem;
mod schedule;
mod slots;

pub use newton::{Newton, Settings};
pub use problem::{Compact, Pattern, Unsuited};
pub use schedule::{Mode, Outcome, Report, solve_all};

/// Columns of a row, a bit each.
pub type Bits = u128;

/// Greatest number of dofs that the solver in lanes takes.
pub const MAX_DOFS: usize = Bits::BITS as usize;
