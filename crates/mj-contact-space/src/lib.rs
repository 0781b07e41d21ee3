//! The dynamics in the coordinates of the rows that push or rub.
//!
//! The solvers of Todorov, Erez & Tassa ("MuJoCo: A physics engine for model-based control", 2012) and
//! Todorov ("Convex and analytically-invertible dynamics with contacts and constraints", 2014) see
//! neither joints nor equality constraints. They see
//!
//! ```text
//! A f + b = w,     f feasible,
//! ```
//!
//! with f the forces of friction losses, limits and contacts, w what those forces make of the rows'
//! relative acceleration (or velocity, where the problem is one of velocities), both measured from
//! the reference, and A the inverse inertia that is left once the equality constraints are accounted
//! for. [`ContactSpace`] builds that from a [`Problem`](mj_problem::Problem) and takes a force back to joint space;
//! [`project`] is the closed-form projection on a friction cone that these methods share.
//!
//! It knows problems, and neither models nor the engine.
//!
//! # Example
//!
//! ```
//! use mj_contact_space::project::{cone, coupled_weights};
//!
//! // The nearest force that friction 0.5 allows.
//! let (mu, mut weights, mut force) = ([0.5, 0.5], [0.0; 2], [1.0, 1.0, 0.0]);
//! let mu_hat2 = coupled_weights(&mu, 1.0, 1.0, &mut weights);
//! cone(&mut force, &mu, mu_hat2);
//! assert!((force[1] - 0.5 * force[0]).abs() < 1e-15);
//! ```
#![forbid(unsafe_code)]

mod elimination;
pub mod project;
mod semidefinite;
mod space;

pub use elimination::Equality;
pub use space::ContactSpace;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
