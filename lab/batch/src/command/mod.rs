//! Subcommands.

pub mod coverage;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod gpu;
pub mod protocol;
pub mod smooth;
pub mod solver;
pub mod step;

use std::path::PathBuf;

/// Returns the model to use where none is given: the bundled humanoid.
pub fn bundled_humanoid() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml"))
}
