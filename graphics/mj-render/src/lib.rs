//! Offscreen renderer of abstract scenes: pictures, depth in metres and object ids, on a GPU or on a software driver.
//!
//! ```no_run
//! use mj_engine::Simulation;
//! use mj_render::{RenderOptions, RenderSimulation, Renderer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut simulation = Simulation::from_xml("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")?;
//! simulation.forward()?;
//! let mut renderer = Renderer::new(simulation.model(), &RenderOptions::default())?;
//! let picture = renderer.render_simulation(&simulation, 640, 480)?;
//! assert_eq!(picture.rgb.len(), 640 * 480 * 3);
//! # Ok(())
//! # }
//! ```
//!
//! It knows scenes, and neither physics nor windows.
#![forbid(unsafe_code)]

mod error;
mod frame;
mod geometry;
mod gpu;
mod labels;
mod options;
mod physical;
mod picture;
mod renderer;
mod scene;
mod simulation;

pub use error::RenderError;
pub use gpu::{AdapterDescription, probe};
pub use options::{Outputs, RenderOptions, Shading, ToneMap};
pub use picture::{DepthIds, Frame, Image};
pub use renderer::Renderer;
pub use simulation::RenderSimulation;
