//! The simulation pipeline: [`Data`], [`step`], [`forward`], [`inverse`], sensors, loading.
//!
//! ```no_run
//! let model = mj_engine::load("humanoid.xml")?;
//! let mut data = mj_engine::Data::new(&model)?;
//! for _ in 0..1000 {
//!     mj_engine::step(&model, &mut data);
//! }
//! println!("t = {} s, height {:.3} m", data.state.time, data.state.qpos[2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The pipeline reads like the list in the manual's Computation chapter, "Simulation pipeline",
//! and holds no mathematics of its own: every stage is a function of the crate that owns it.
#![forbid(unsafe_code)]

mod check;
mod data;
mod derivative;
mod diagnosis;
mod differences;
mod discrete;
mod dump;
mod hooks;
mod inverse;
mod lengthrange;
mod load;
mod pipeline;
mod plan;
mod rollout;
mod sensor;
mod sleep;
mod strict;
mod support;
mod timing;
mod wrench;

pub use data::{Data, WarningStat};
pub use derivative::{Differences, StepDerivative, step_derivative, step_differences};
pub use diagnosis::{Convergence, Shortfall, describe_row, describe_warning};
pub use differences::{InverseJacobians, Transition, TransitionError, inverse_fd, state_transition_fd, transition_fd};
pub use dump::visit_data;
pub use hooks::Hooks;
pub use inverse::{InverseError, inverse};
pub use lengthrange::set_length_ranges;
pub use load::{LoadError, Loaded, load, load_str, load_with};
pub use mj_compile::{SetConstError, set_const};
pub use mj_dynamics::UserActuator;
pub use mj_model as model;
pub use mj_model::{Model, Spec, State};
pub use pipeline::{complete, forward, problem, step, step1, step2};
pub use rollout::{RolloutArrays, RolloutEnd, RolloutError, RolloutPlan, Trajectory, rollout, rollout_into};
pub use sleep::{MIN_AWAKE, Sleep};
pub use strict::{Divergence, step_strict};
pub use support::{UnsupportedOption, unsupported_options};
pub use timing::{StageTimer, Timing};
