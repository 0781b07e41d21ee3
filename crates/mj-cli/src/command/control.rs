//! `mj plan` and `mj control`: tasks of control by name.

#[cfg(not(feature = "control"))]
use crate::failure::Failure;

pub use crate::control::{ControlArgs, PlanArgs};
#[cfg(feature = "control")]
pub use crate::control::{control, plan};

/// Says how to get a build that plans.
#[cfg(not(feature = "control"))]
pub fn plan(_: &PlanArgs) -> Result<(), Failure> {
    Err(Failure::Missing { what: "control", feature: "control" })
}

/// Says how to get a build that controls.
#[cfg(not(feature = "control"))]
pub fn control(_: &ControlArgs) -> Result<(), Failure> {
    Err(Failure::Missing { what: "control", feature: "control" })
}
