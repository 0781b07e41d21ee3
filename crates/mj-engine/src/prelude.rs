//! All that an application needs: `use mj_engine::prelude::*;`.
//!
//! Types and functions of the engine, typed ids and enums of models, the parts of a [`Spec`] in the module `spec`, vectors
//! and matrices of `glam`, and [`solve_dense`] for small systems of equations.

pub use crate::Jacobian;
pub use crate::*;
pub use mj_model::enums::*;
pub use mj_model::ids::*;
