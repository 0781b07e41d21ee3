//! Control, planning and identification, with the feature `control`; their arguments, always.

mod args;
#[cfg(feature = "control")]
mod logs;
#[cfg(feature = "control")]
mod page;
#[cfg(feature = "control")]
mod tasks;

pub use args::{ControlArgs, IdentifyArgs, PlanArgs};
#[cfg(feature = "control")]
pub use logs::identify;
#[cfg(feature = "control")]
pub use tasks::{control, plan};
