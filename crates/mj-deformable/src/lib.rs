//! Flexes: vertices that move with bodies, joined by lines, triangles or tetrahedra.
//!
//! - [`vertices`] places vertices in the world: points of bodies, or interpolated between the nodes of a grid.
//! - [`edges`] measures the edges between them, with the derivative of their lengths by the motion of the joints.
//! - [`add_forces`] adds the forces of springs, dampers, elements and hinges.
//! - [`yield_elements`] lets elements and hinges yield at the end of a time step.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: J

mod bending;
mod buffers;
mod edges;
mod elastic;
mod forces;
mod interpolation;
mod plan;
mod plastic;
mod stretch;
mod vertices;

pub use buffers::Flexes;
pub use edges::{edge_energy, edge_velocities, edges};
pub use forces::add_forces;
pub use interpolation::{Cell, Interpolation, carriers_of_place};
pub use plan::FlexPlan;
pub use plastic::{record_motions, yield_elements};
pub use vertices::vertices;
