//! The simulation pipeline: [`Simulation`] for applications, [`Model`] and [`Data`] with functions of both for those who
//! build on it.
//!
//! ```no_run
//! use mj_engine::prelude::*;
//!
//! let mut sim = Simulation::load("humanoid.xml")?;
//! for _ in 0..1000 {
//!     sim.step()?;
//! }
//! println!("t = {} s, height {:.3} m", sim.time(), sim.body("torso")?.xpos().z);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Simulation`] steps, finds elements by name, and answers questions about the state; [`prelude`] brings all names.
//! - [`step`], [`forward`], [`inverse`] and the [`stages`] are the pipeline as functions; it reads like the list in the
//!   manual's Computation chapter, "Simulation pipeline", and holds no mathematics of its own.
//! - [`rollout_plan`] simulates many states in parallel.
//! - [`step_derivative`] and [`transition_fd`] give the Jacobians of a step.
//! - [`Hooks`] are laws of the user's, [`ConstraintSolver`] a solver of the user's.
//!
//! Models, data and simulations are `Send` and `Sync`: hooks, solvers, colliders and filters of contacts must be.
//!
//! It holds no mathematics and no XML: stages belong to the crates below, and text to [`mj_mjcf`].
#![forbid(unsafe_code)]

mod checks;
mod data;
mod derivative;
mod differences;
mod dump;
mod energy;
mod entry;
mod errors;
mod formats;
mod load;
mod pipeline;
pub mod prelude;
mod query;
mod reset;
mod rollout;
mod sensor;
mod simulation;
mod sleep;
pub mod stages;
mod wrench;

pub use checks::coverage::Differences;
pub use checks::diagnosis::{Convergence, Shortfall, describe_row, describe_warning};
pub use checks::explain::explain;
pub use checks::strict::{Divergence, StrictError, step_strict};
pub use data::timing::{StageTimer, Timing};
pub use data::{Data, Hooks, MIN_AWAKE, Sleep, WarningStat};
pub use derivative::{
    InverseDerivative, StepDerivative, inverse_derivative, parameter_derivative, sensor_derivative, step_derivative,
    step_differences,
};
pub use differences::{InverseJacobians, Transition, TransitionError, inverse_fd, state_transition_fd, transition_fd};
pub use dump::visit_data;
pub use entry::{allow_hooks, check_data, check_state};
pub use errors::element::{Element, ElementError, ElementKey, find};
pub use errors::query::QueryError;
pub use errors::step::{DataError, StepError};
pub use errors::support::{UnsupportedOption, unsupported_options};
pub use formats::{EncodeError, encode};
pub use load::{
    LoadError, Loaded, compile, compile_timed, compile_with_plugins, load, load_str, load_with, load_with_plugins,
    read_spec,
};
pub use mj_collide::{
    CcdWorkspace, Colliders, Contact, ContactFilter, FlexHit, FlexParts, Placed, PreContact, PreContacts, Query,
    RayFilter, RayHit, ShapeKind, Witness,
};
pub use mj_compile::{SetConstError, Timings, set_const};
pub use mj_constraint::CustomRows;
pub use mj_dynamics::{UserActuator, differentiate_pos, integrate_pos, normalize_quaternions};
pub use mj_math::{DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Spatial};
pub use mj_mjcf::{FileResolver, FileSystem, Memory, Report, write as write_mjcf};
pub use mj_model as model;
pub use mj_model::{Model, Signature, Spec, State, spec, state_size};
pub use mj_plugins::builtin as builtin_plugins;
pub use mj_problem::{ConstraintSolver, OwnedSolver, Problem, Solution};
pub use pipeline::forward::{complete, problem};
pub use pipeline::integrator::{InertiaFactor, PathMatrix, integrator_factor, velocity_derivative, velocity_factor};
pub use pipeline::inverse::{InverseError, constraint_update, inverse};
pub use pipeline::solve::solve_dense;
pub use pipeline::step::{forward, step, step1, step2};
pub use query::contacts::{add_contact, make_contact};
pub use query::inertia::{full_m, mul_m, solve_m};
pub use query::islands::{ConstraintRow, IslandMap, RowSource, constraint_row, islands};
pub use query::jacobians::{
    Jacobian, angmom_mat, jac_body, jac_body_com, jac_dot, jac_geom, jac_point, jac_point_axis, jac_site,
    jac_subtree_com,
};
pub use query::lengthrange::{LengthRangeError, set_length_range, set_length_ranges};
pub use query::objects::{
    apply_ft, contact_force, contact_wrench, object_acceleration, object_velocity, rne_post_constraint,
};
pub use query::rays::{geom_distance, inside_site, multi_ray, ray, ray_flex, ray_geom};
pub use query::sorted_islands::SortedIslands;
pub use query::views::*;
pub use reset::{get_state, reset_to_key, restore_state, set_state};
pub use rollout::{
    RolloutArrays, RolloutEnd, RolloutError, RolloutPlan, Trajectory, rollout, rollout_into, rollout_plan,
};
pub use sensor::{RayFields, camera_ray, ray_fields};
pub use simulation::Simulation;
pub use sleep::set_asleep;
pub use stages::*;

/// Everything crosses threads, checked when the crate is compiled.
const _: () = {
    const fn crosses<T: Send + Sync>() {}
    crosses::<Simulation>();
    crosses::<Model>();
    crosses::<Data>();
    crosses::<State>();
    crosses::<Spec>();
    crosses::<StepDerivative>();
    crosses::<Transition>();
    crosses::<RolloutPlan<'_>>();
    crosses::<Colliders>();
    crosses::<ContactFilter>();
};
