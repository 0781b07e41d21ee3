//! Signed distance fields: functions, and octrees of samples.

mod faces;
mod field;
mod octree;
mod ray;
mod starts;

pub use faces::FaceTree;
pub use field::SignedField;
pub use octree::{Octree, OctreeNode};
pub(crate) use ray::march;
pub(crate) use starts::{Starts, halton};
