//! Soft constraints: rows, impedance, reference acceleration, and the convex cost with its gradient
//! and Hessian.
//!
//! - [`make_rows`] turns a state's equalities, friction losses, limits and contacts into [`Rows`].
//! - [`reference`] adds what depends on velocity.
#![forbid(unsafe_code)]

mod builder;
mod contact;
mod equality;
mod friction;
mod limit;
mod make;
pub mod rows;
mod softness;

pub use builder::RowWorkspace;
pub use contact::{contact_force, contact_wrench};
pub use equality::{Anchors, anchors};
pub use make::{make_rows, reference};
pub use rows::{ConeRows, Rows};
pub use softness::{RowKind, Softness};
