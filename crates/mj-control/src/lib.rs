//! Trajectory optimization and predictive control over the engine.
//!
//! - [`lqr`]: regulators of linear systems, [`Regulator`] of models.
//! - [`Cost`]: sums of weighted norms of residuals, and constraints.
//! - [`Ilqr`]: trajectories by iterative LQR, with limits of the controls and constraints.
//! - [`Direct`]: trajectories by positions, through inverse dynamics.
//! - [`Sampler`]: predictive sampling, the cross-entropy method, path integrals.
//! - [`Agent`]: receding-horizon control with any of them; [`AsyncAgent`] plans on a thread of its own.
//! - [`Task`]: tasks by name, with starts by seed and a condition of success.
//! - [`inverse_kinematics`]: positions at which frames are where they are wanted.
//! - [`rollout_gradient`]: gradients through a whole simulation.
//! - [`Expander`]: derivatives of the step and of its cost.
//!
//! It knows no text, no windows, and not how a step is computed.
//!
//! # Example
//!
//! ```
//! use mj_control::{Cost, Ilqr, IlqrOptions, Norm, Residual};
//! use mj_engine::{State, load_str};
//!
//! let m = load_str(
//!     "<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>
//!      <actuator><motor joint='x'/></actuator></mujoco>",
//! )?;
//! let cost = Cost::new()
//!     .with("control", Residual::control(&m), Norm::Quadratic, 0.01, 0.0)
//!     .with("goal", Residual::position(&m, &[1.0])?, Norm::Quadratic, 1.0, 100.0);
//! let mut ilqr = Ilqr::new(&m, &cost, IlqrOptions { steps: 100, ..IlqrOptions::default() })?;
//! ilqr.start(&m, &cost, &State::new(&m), &vec![0.0; 100])?;
//! assert!(ilqr.solve(&m, &cost, |_, _| true)?.converged);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod adjoint;
mod agent;
mod async_agent;
mod cost;
mod direct;
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
pub use async_agent::AsyncAgent;
pub use cost::{Constraint, Cost, Term};
pub use direct::{Direct, DirectOptions, DirectSummary, Effort, Path};
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
