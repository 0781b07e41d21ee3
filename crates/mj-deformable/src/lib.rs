//! Flexes: vertices that move with bodies, joined by lines, triangles or tetrahedra.
//!
//! - [`vertices`] places vertices in the world: points of bodies, or interpolated between the nodes of a grid.
//! - [`edges`] measures the edges between them, with the derivative of their lengths by the motion of the joints.
//! - [`add_forces`] adds the forces of springs, dampers, elements and hinges.
//! - [`elastic_energy`] is the energy of elements and hinges.
//! - [`add_interpolated_forces`] adds the forces of elastic cells and shells between the nodes of a grid.
//! - [`Stiffness`]: the slope of the elastic forces, as the effective inertia of a time step has it.
//! - [`rod_frames`] places the frames of the edges of elastic rods; [`rod_stiffness`] tells what resists their motion.
//! - [`yield_elements`] lets elements and hinges yield at the end of a time step.
//!
//! It knows poses and velocities of bodies, and neither contacts, rows nor time stepping.
//!
//! # Example
//!
//! ```
//! use mj_deformable::rotation_of;
//! use mj_math::{DMat3, DQuat, DVec3};
//!
//! // The rotation of a cell that is turned and stretched.
//! let gradient = DMat3::from_rotation_z(0.6) * DMat3::from_diagonal(DVec3::new(1.2, 1.0, 0.9));
//! assert!((rotation_of(gradient).angle_between(DQuat::IDENTITY) - 0.6).abs() < 1e-6);
//! ```
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: J

mod bending;
mod buffers;
mod cells;
mod edges;
mod elastic;
mod energy;
mod forces;
mod interpolated;
mod lines;
mod neo_hookean;
mod plan;
mod plastic;
mod rod;
mod singular;
mod stiffness;
mod stretch;
mod vertices;

pub use buffers::Flexes;
pub use cells::basis::{MAX_NODES, shape_functions, shape_slopes};
pub use cells::grid::{Element, Grid, MAX_ELEMENT_NODES};
pub use cells::interpolation::{Interpolation, carriers_of_place};
pub use cells::polar::rotation_of;
pub use cells::shell_bending::BENDING_EDGE_SIZE;
pub use edges::{edge_energy, edge_velocities, edges};
pub use energy::elastic_energy;
pub use forces::add_forces;
pub use interpolated::{add_interpolated_forces, node_position};
pub use lines::{RodEdge, Sections};
pub use plan::{FlexPlan, is_stiff};
pub use plastic::{record_motions, yield_elements};
pub use rod::{RodLever, RodRow, RodStiffness, rod_edges, rod_frames, rod_lever, rod_stiffness};
pub use stiffness::{Stiffness, StiffnessOutput};
pub use vertices::vertices;
