//! Soft constraints: rows, impedance, reference acceleration, and the convex cost with its gradient and Hessian.
#![forbid(unsafe_code)]

pub mod rows;

pub use rows::{ConeRows, Rows};
