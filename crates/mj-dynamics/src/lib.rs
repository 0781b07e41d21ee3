//! Smooth multi-joint dynamics: kinematics, inertia, bias, passive and actuator forces.
//!
//! Every stage is a plain function: what it reads and writes stands in its signature.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: M, qLD, ten_J

pub mod buffers;
pub mod camlight;
pub mod chains;
pub mod com;
pub mod coordinates;
pub mod inertia;
pub mod jacobian;
pub mod kinematics;

pub use buffers::*;
pub use camlight::cameras_and_lights;
pub use chains::Chains;
pub use com::com_pos;
pub use coordinates::{differentiate_pos, integrate_pos, normalize_quaternions};
pub use inertia::{add_tendon_armature, crb, factor, mul_m, solve_m};
pub use jacobian::{BodyPoint, apply_ft, point_jacobian};
pub use kinematics::kinematics;
