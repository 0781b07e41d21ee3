//! General convex.
pub mod support;
/// workspace
#[derive(Default, Debug, Clone)]
pub struct CcdWorkspace {}
