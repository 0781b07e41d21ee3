//! `mj view`: a running simulation in a window or in a browser.

use crate::failure::Failure;
pub use crate::view::ViewArgs as Args;

/// Runs the command.
#[cfg(feature = "view")]
pub fn run(args: &Args) -> Result<(), Failure> {
    crate::view::show(args)
}

/// Says how to get a build that shows.
#[cfg(not(feature = "view"))]
pub fn run(_: &Args) -> Result<(), Failure> {
    Err(Failure::Missing { what: "the viewer", feature: "view" })
}
