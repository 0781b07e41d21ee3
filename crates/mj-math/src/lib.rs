//! Vectors, quaternions, spatial algebra, tree-sparse and small dense kernels for multi-joint
//! dynamics. Numbers in, numbers out: nothing here knows a model.
//!
//! - [`glam`]'s f64 types are the vectors: [`DVec3`], [`DMat3`], [`DQuat`].
//! - [`quat`]: exponential map, integration, difference, conversion to the w-first order that
//!   people see.
//! - [`spatial`]: motion and force vectors (rotation first), rigid inertias.
//! - [`spatial_map`]: linear maps between them.
//! - `tree`: matrices with the sparsity of a kinematic tree, factored without fill-in, symmetric
//!   or not.
//! - [`dense`]: small dense kernels: dot, axpy, Cholesky, LU.
//! - [`box_qp`]: quadratic programs with bounds.
//! - [`block`]: matrices whose rows come in dense blocks over a few contiguous runs of columns,
//!   as constraint Jacobians do.
//! - [`random`]: random numbers by key.
//! - [`real`]: sines, exponentials and powers, the same on every machine where that is asked for.
//! - [`SparseSymmetric`]: symmetric matrices with few entries in any places.
//! - [`fixed`]: dense matrices whose rows have a length that the compiler knows.
//! - [`many`]: solutions for many right sides at once.
//! - [`simd`]: kernels compiled for the vector instructions of the processor, and vectors of four numbers.
//! - [`mod@unit`]: unit length without moving what has it.
//! - [`eig3`]: principal axes of a symmetric 3×3 matrix.
//!
//! # Example
//!
//! ```
//! use mj_math::{DQuat, DVec3, quat};
//!
//! let turned = quat::integrate(DQuat::IDENTITY, DVec3::Z * std::f64::consts::TAU, 0.25);
//! assert!((quat::rotate(turned, DVec3::X) - DVec3::Y).length() < 1e-12);
//! ```
#![forbid(unsafe_code)]

pub mod block;
mod box_qp;
pub mod closest;
pub mod dense;
pub mod eig3;
pub mod fixed;
mod lie;
pub mod many;
mod padded;
pub mod quat;
pub mod random;
pub mod real;
pub mod simd;
mod sparse;
pub mod spatial;
pub mod spatial_map;
mod tree;
pub mod unit;

pub use block::BlockRows;
pub use box_qp::{BoxQp, BoxQpError, box_qp};
pub use glam::{DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Vec3};
pub use lie::inverse_dexp;
pub use many::MultiRhs;
pub use padded::PaddedFactor;
pub use sparse::SparseSymmetric;
pub use spatial::{Inertia, Spatial};
pub use spatial_map::SpatialMap;
pub use tree::pattern::TreePattern;

/// Below this, a number is not divided by: the reference's `mjMINVAL`.
pub const MINVAL: f64 = 1e-15;

/// Above this in magnitude, a position, velocity or acceleration is bad: the reference's `mjMAXVAL`.
pub const MAXVAL: f64 = 1e10;
