//! Trajectory optimization and predictive control over the engine.
//!
//! - [`lqr`]: regulators of linear systems, [`Regulator`] of models.
//! - [`Cost`]: sums of weighted norms of residuals, and constraints.
//! - [`Ilqr`]: trajectories by iterative LQR, with limits of the controls and constraints.
//! - [`Expander`]: derivatives of the step and of its cost.
#![forbid(unsafe_code)]

mod cost;
mod error;
mod expand;
mod ilqr;
mod matrix;
mod norm;
mod residual;
mod riccati;
mod simulate;

pub use cost::{Constraint, Cost, Term};
pub use error::ControlError;
pub use expand::{Expander, Expansion};
pub use ilqr::{Ilqr, IlqrOptions, Iteration, Summary};
pub use norm::Norm;
pub use residual::{Residual, ResidualFn};
pub use riccati::{Lqr, Regulator, lqr};
pub use simulate::Rollout;
