//! Parameters of a model from logged trajectories.
//!
//! - [`Log`]: controls, positions, velocities and sensors over time, from CSV or arrays.
//! - [`Identification`]: which parameters are unknown, their bounds and priors; [`Identification::fit`] finds them.
//! - [`Fit`]: estimates, standard deviations, correlations, and the combinations that the log can't tell apart.
//! - [`task`]: tasks by name, with logs by seed and a condition of success.
//! - [`report`]: all of it as a page.
//!
//! The log is cut into windows, each with an initial state of its own (multiple shooting). Residuals are measured against
//! simulated numbers over the noise of their channel; their Jacobian follows from the closed-form derivatives of the step,
//! and Gauss-Newton steps within the bounds minimize the sum of squares.
//!
//! It knows no XML, no files, and not how a step is computed.
//!
//! # Example
//!
//! ```
//! use mj_engine::load_str;
//! use mj_identify::{LogBuilder, Unknown};
//!
//! let m = load_str("<mujoco><worldbody><body><joint name='hinge'/><geom size='.1' pos='1 0 0'/></body></worldbody></mujoco>")?;
//! let log = LogBuilder { qpos: Some(vec![0.1, 0.2, 0.3]), ..LogBuilder::default() }.build(&m)?;
//! let damping = Unknown::parse(&m, "dof_damping[hinge]")?;
//! # let _ = (log, damping);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod descent;
mod error;
mod fit;
mod inertia;
mod log;
mod normal;
mod report;
mod settle;
mod solve;
mod statistics;
pub mod task;
mod window;

pub use error::IdentifyError;
pub use fit::{Fit, Identification, Iteration, Options, Unknown};
pub use log::{Log, LogBuilder};
pub use report::report;
pub use statistics::{Combination, Estimate};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
