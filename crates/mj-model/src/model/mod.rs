//! The tables of the compiled model, which the engine runs on. Their structure is read-only once compiled.

mod assets;
pub(crate) mod compiled;
mod deformable;
mod elements;
mod fields;
mod inertia;
mod kinematic;
mod parameter;
mod plan;
mod plugins;
pub(crate) mod rod;
pub(crate) mod structure;
mod visual;

pub use assets::*;
pub use compiled::{UserData, UserSizes};
pub use deformable::*;
pub use elements::*;
pub use inertia::{LogCholesky, RigidInertia};
pub use kinematic::*;
pub use parameter::{ModelParameter, ParameterNameError};
pub use plugins::*;
pub use visual::*;
