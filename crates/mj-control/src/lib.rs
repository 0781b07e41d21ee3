//! Trajectory optimization and predictive control over the engine.
//!
//! - [`lqr`]: regulators of linear systems, [`Regulator`] of models.
//! - [`Cost`]: sums of weighted norms of residuals, and constraints.
//! - [`Ilqr`]: trajectories by iterative LQR, with limits of the controls and constraints.
//! - [`Sampler`]: predictive sampling, the cross-entropy method, path integrals.
//! - [`Agent`]: receding-horizon control with any of them.
//! - [`Task`]: tasks by name, with starts by seed and a condition of success.
//! - [`inverse_kinematics`]: positions at which frames are where they are wanted.
//! - [`rollout_gradient`]: gradients through a whole simulation.
//! - [`Expander`]: derivatives of the step and of its cost.
#![forbid(unsafe_code)]

mod adjoint;
mod agent;
mod cost;
mod error;
mod expand;
mod ilqr;
mod inverse_kinematics;
mod matrix;
mod norm;
mod residual;
mod riccati;
mod sampling;
mod simulate;
mod spline;
mod task;

pub use adjoint::{Gradient, rollout_gradient};
pub use agent::{Agent, Planner, Rate};
pub use cost::{Constraint, Cost, Term};
pub use error::ControlError;
pub use expand::{Expander, Expansion, Jacobians};
pub use ilqr::{Ilqr, IlqrOptions, Iteration, Summary};
pub use inverse_kinematics::{Frame, InverseKinematics, InverseKinematicsOptions, Target, inverse_kinematics};
pub use mj_math::random::Random;
pub use norm::Norm;
pub use residual::{Residual, ResidualFn};
pub use riccati::{Lqr, Regulator, lqr};
pub use sampling::{Method, Sampler, SamplerOptions};
pub use simulate::Rollout;
pub use spline::Interpolation;
pub use task::{Controller, Outcome, Problem, Task};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
