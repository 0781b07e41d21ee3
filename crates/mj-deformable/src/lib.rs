//! Flexes: vertices that move with bodies, joined by lines, triangles or tetrahedra.
//!
//! - [`vertices`] places vertices in the world: points of bodies, or interpolated between the nodes of a grid.
//! - [`edges`] measures the edges between them, with the derivative of their lengths by the motion of the joints.
//! - [`add_forces`] adds the forces of springs, dampers and elements.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: J

mod buffers;
mod edges;
mod forces;
mod interpolation;
mod plan;
mod vertices;

pub use buffers::Flexes;
pub use edges::{edge_energy, edge_velocities, edges};
pub use forces::add_forces;
pub use interpolation::{Cell, Interpolation, carriers_of_place};
pub use plan::FlexPlan;
pub use vertices::vertices;
