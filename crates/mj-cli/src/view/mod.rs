//! Scenes and pictures of simulations.

mod appearance;
mod args;
#[cfg(feature = "view")]
mod arrays;
#[cfg(feature = "view")]
pub mod beside;
#[cfg(feature = "view")]
mod film;
#[cfg(feature = "view")]
mod output;
#[cfg(feature = "view")]
mod pictures;
#[cfg(feature = "view")]
mod running;
mod shading;
mod viewer;

pub use appearance::Appearance;
pub use args::Args;
#[cfg(feature = "view")]
pub use pictures::draw;
#[cfg(feature = "view")]
pub use running::show;
pub use viewer::ViewArgs;
