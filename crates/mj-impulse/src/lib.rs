//! Velocity stepping: the pipeline of 2013 ("MuJoCo 0.5.0" overview) and 2014 (Todorov, "Convex and
//! analytically-invertible dynamics with contacts and constraints").
//!
//! Where the present pipeline finds forces that give an acceleration, this one finds the impulses of a
//! time step that give the velocity at its end:
//!
//! ```text
//! M (v' − v) = h (p + u − c) + Jᵀ f + J_Eᵀ f_E.
//! ```
//!
//! Equality constraints are expressed by the other impulses and drop out ([`Equality`]); friction losses,
//! limits and contacts minimize ½ fᵀ(A + R) f + fᵀ(v⁻ − v*) over their friction cones
//! ([`gauss_seidel`]), where v* is the velocity that stabilization recommends ([`mod@reference`]). Given v' instead, the
//! impulses follow one unit at a time in closed form: [`Pipeline::inverse`] needs neither M nor A.
//!
//! The stages come from the crates below the engine; the engine is not needed.
//!
//! # Example
//!
//! ```
//! use mj_impulse::{Options, Pipeline};
//! use mj_model::build::{JointDef, ModelBuilder};
//! use mj_model::{BodyId, State, model::BodyRow};
//!
//! let mut builder = ModelBuilder::new();
//! let ball = BodyRow { mass: 1.0, inertia: [0.1; 3].into(), ..BodyRow::default() };
//! builder.add_body(BodyId::WORLD, ball, &[JointDef::free()])?;
//! let model = builder.finish()?;
//! let (mut state, mut pipeline) = (State::new(&model), Pipeline::new(&model, Options::default())?);
//! pipeline.step(&model, &mut state);
//! assert!(state.qvel[2] < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod gauss_seidel;
mod inverse;
mod options;
mod penetration;
mod pipeline;
pub mod reference;
mod step;
mod supported;

pub use gauss_seidel::ConeGaussSeidel;
pub use inverse::InverseError;
pub use mj_constraint::{CustomEquality, CustomRows};
pub use mj_contact_space::Equality;
pub use options::{Integrator, Options, PostHoc, Stabilization};
pub use pipeline::Pipeline;
pub use supported::Unsupported;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
