//! Passive forces: springs, dampers, fluids, adhesion, plastic joints.

pub(crate) mod adhesion;
pub(crate) mod damping;
pub(crate) mod energy;
pub(crate) mod fluid;
pub(crate) mod plastic;
pub(crate) mod plugin;
pub(crate) mod poly;
pub(crate) mod springs;
