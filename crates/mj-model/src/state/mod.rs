//! The state of a simulation, its parts, and what is awake of it.

pub(crate) mod awake;
pub(crate) mod remap;
#[cfg(feature = "serde")]
pub(crate) mod serde;
pub(crate) mod signature;
pub(crate) mod vector;
