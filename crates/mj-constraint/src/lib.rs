//! Soft constraints: rows, impedance, reference acceleration, and the convex cost with its gradient
//! and Hessian.
//!
//! [`make_rows`] turns a configuration into [`Rows`]; [`reference()`] adds what depends on velocity;
//! [`RowView::evaluate`] maps accelerations to forces, which is both what a solver iterates and the
//! whole of inverse dynamics.
#![forbid(unsafe_code)]

mod contact;
pub mod cost;
mod equality;
mod friction_loss;
pub mod impedance;
pub mod inverse;
mod limit;
pub mod make;
pub mod reference;
pub mod rows;

pub use contact::adhesion_force;
pub use inverse::inverse;
pub use make::{Configuration, Workspace, make_rows};
pub use mj_model::ConstraintState;
pub use reference::reference;
pub use rows::{ConeRows, RowView, Rows};
