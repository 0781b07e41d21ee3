//! Soft constraints: rows, impedance, reference acceleration, and the convex cost with its gradient and Hessian.
#![forbid(unsafe_code)]

pub mod cost;
pub mod rows;

pub use mj_model::ConstraintState;
pub use rows::{ConeRows, RowView, Rows};
