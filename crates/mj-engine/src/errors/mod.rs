//! Errors of the functions of this crate, and how elements are found.

pub(crate) mod element;
pub(crate) mod query;
pub(crate) mod step;
pub(crate) mod support;
