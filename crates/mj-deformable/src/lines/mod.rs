//! Elastic lines: their structure, and the frames of their edges.

mod frames;
mod plan;
mod section;

pub(crate) use frames::Frames;
pub use frames::RodEdge;
pub(crate) use plan::{Chain, Hinge, Rod, Twist};
pub use section::Sections;
pub(crate) use section::half_sizes;
