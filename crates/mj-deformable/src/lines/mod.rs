//! Elastic lines: their structure, and the frames of their edges.

mod frames;
mod plan;

pub(crate) use frames::Frames;
pub use frames::RodEdge;
pub(crate) use plan::{Chain, Hinge, Rod, Twist};
