//! Smooth multi-joint dynamics: kinematics, inertia, bias, passive and actuator forces.
//!
//! Every stage is a plain function: what it reads and writes stands in its signature.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: M, qLD, ten_J

pub mod buffers;
pub mod chains;

pub use buffers::*;
pub use chains::Chains;
