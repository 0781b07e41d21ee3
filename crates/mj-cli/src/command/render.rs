//! `mj render`: a picture, an animation or a page of a simulation; depth and ids.

use crate::failure::Failure;
pub use crate::view::Args;

/// Runs the command.
#[cfg(feature = "view")]
pub fn run(args: &Args) -> Result<(), Failure> {
    crate::view::draw(args)
}

/// Says how to get a build that draws.
#[cfg(not(feature = "view"))]
pub fn run(_: &Args) -> Result<(), Failure> {
    Err(Failure::Missing { what: "drawing", feature: "view" })
}
