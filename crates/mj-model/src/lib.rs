//! The two forms of a multi-joint system and what both share.
//!
//! - [`Spec`] is what a person edits: a tree of bodies with their elements, defaults
//!   and assets, each knowing where in the source text it came from.
//! - [`Model`] is what the engine runs: one table per element kind, structure of
//!   arrays, typed ids, MuJoCo's field names.
//! - [`build`] makes a model of bodies, joints and sites without a spec.
//! - [`State`] is what changes from step to step.
//! - [`binary`] writes a model as bytes, and reads and checks it.
//! - [`Diagnostic`] points into the source text.
//!
//! The crate holds data, edits and checks it, and writes and reads it as bytes. It knows no XML, opens no files and computes
//! no physics.
//!
//! # Example
//!
//! ```
//! use mj_math::DVec3;
//! use mj_model::build::{JointDef, ModelBuilder};
//! use mj_model::{BodyId, model::BodyRow};
//!
//! let mut builder = ModelBuilder::new();
//! let bob = BodyRow { ipos: DVec3::NEG_Z, mass: 1.0, ..BodyRow::default() };
//! builder.add_body(BodyId::WORLD, bob, &[JointDef::hinge(DVec3::Y)])?;
//! assert_eq!(builder.finish()?.nq(), 1);
//! # Ok::<(), mj_model::build::BuildError>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod storage;
pub mod binary;
pub mod build;
pub mod control;
mod diag;
mod enums;
pub mod history;
mod ids;
pub mod model;
mod names;
mod options;
mod parameters;
pub mod plugin;
pub mod sensing;
pub mod spec;
mod state;
pub mod suggest;
mod visual;

pub use diag::{Diagnostic, Diagnostics, Loc, Severity, SourceFile, Sources};
pub use enums::*;
pub use ids::*;
pub use model::compiled::Model;
pub use model::rod::ROD_RECORD_SIZE;
pub use model::structure::Structure;
pub use names::Names;
pub use options::{OptionError, Options, Statistics};
pub use parameters::ParameterError;
pub use spec::document::Spec;
pub use state::awake::Awake;
pub use state::signature::{Signature, SignatureError, extract_state, state_size};
pub use state::vector::State;
pub use storage::{
    BinaryError, Buffer, Cell, Class, Column, Field, FieldError, FieldInfo, Fixed, Invalid, Number, Parameter, Shared,
    column_of, field_name,
};
pub use visual::{TextureFile, TextureFiles, Visual, VisualAttribute};
