//! Panels about the picture.

mod overlay;
mod plots;
mod shown;
mod simulation;
mod status;
mod values;

pub(crate) use overlay::{help, message, notice};
pub(crate) use plots::plots;
pub(crate) use simulation::simulation;
pub(crate) use values::values;
