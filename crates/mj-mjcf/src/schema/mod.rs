//! The language: its elements, their attributes, and which of them exclude each other.

pub(crate) mod conflict;
pub(crate) mod defaults;
pub mod language;
pub(crate) mod table;
