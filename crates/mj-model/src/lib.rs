//! The two forms of a multi-joint system and what both share.
//!
//! - [`Spec`] is what a person edits: a tree of bodies with their elements, defaults
//!   and assets, each knowing where in the source text it came from.
//! - [`Model`] is what the engine runs: one table per element kind, structure of
//!   arrays, typed ids, MuJoCo's field names.
//! - [`build`] makes a model of bodies, joints and sites without a spec.
//! - [`State`] is what changes from step to step.
//! - [`binary`] writes a model as bytes, and reads and checks it.
//! - [`diag`] holds diagnostics that point into the source text.
//!
//! No XML, no files, no algorithms.
#![forbid(unsafe_code)]

#[macro_use]
pub mod binary;
mod cell;
#[macro_use]
mod table;
pub mod build;
pub mod diag;
pub mod enums;
pub mod ids;
pub mod model;
pub mod names;
pub mod options;
mod parameters;
pub mod sensing;
mod shared;
pub mod spec;
mod state;
mod structure;
pub mod suggest;

pub use binary::{BinaryError, Invalid};
pub use diag::{Diagnostic, Diagnostics, Loc, Severity, Sources};
pub use enums::*;
pub use ids::*;
pub use model::Model;
pub use names::Names;
pub use options::{Options, Statistics};
pub use parameters::ParameterError;
pub use shared::{Fixed, Shared};
pub use spec::Spec;
pub use state::awake::Awake;
pub use state::signature::{Signature, SignatureError, extract_state, state_size};
pub use state::vector::State;
pub use state::{control, history};
pub use structure::Structure;
pub use table::{Buffer, Cell, Class, Column, Field, FieldError, FieldInfo, Number, Parameter, column_of, field_name};
