//! Scenes and pictures of simulations.

mod appearance;
mod args;
#[cfg(feature = "view")]
mod arrays;
#[cfg(feature = "view")]
mod film;
#[cfg(feature = "view")]
mod output;
#[cfg(feature = "view")]
mod pictures;
mod viewer;
#[cfg(feature = "view")]
mod web;

pub use appearance::Appearance;
pub use args::Args;
#[cfg(feature = "view")]
pub use pictures::draw;
pub use viewer::ViewArgs;
#[cfg(feature = "view")]
pub use web::show;
