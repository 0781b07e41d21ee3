//! `mj identify`: parameters of a model from a log.

#[cfg(not(feature = "control"))]
use crate::failure::Failure;

pub use crate::control::IdentifyArgs as Args;
#[cfg(feature = "control")]
pub use crate::control::identify as run;

/// Says how to get a build that identifies.
#[cfg(not(feature = "control"))]
pub fn run(_: &Args) -> Result<(), Failure> {
    Err(Failure::Missing { what: "identification", feature: "control" })
}
