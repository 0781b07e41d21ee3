//! Checks and explanations: of states, options, edits, convergence.

pub(crate) mod coverage;
pub(crate) mod diagnosis;
pub(crate) mod entry;
pub(crate) mod errors;
pub(crate) mod explain;
pub(crate) mod finite;
pub(crate) mod strict;
pub(crate) mod support;
