//! The solver as one fused kernel, a world a warp.

#[cfg(feature = "wgpu")]
pub mod cube;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(feature = "cuda")]
mod launch;
mod layout;

pub use layout::{Answer, Packed, shared_numbers};
