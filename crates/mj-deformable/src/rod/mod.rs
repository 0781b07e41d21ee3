//! Elastic rods: bending and torsion of flexes of dimension 1 (Bergou et al., "Discrete elastic rods", 2008).

mod forces;
mod frames;
mod hinge;
mod lever;
mod pair;
mod stiffness;

pub(crate) use forces::rod_forces;
pub(crate) use frames::{record_frames, write_frames};
pub use frames::{rod_edges, rod_frames};
pub use lever::{RodLever, rod_lever};
pub use stiffness::{RodRow, RodStiffness, rod_stiffness};
