//! Checks and explanations: of states, options, edits, convergence.

pub(crate) mod coverage;
pub(crate) mod diagnosis;
pub(crate) mod explain;
pub(crate) mod strict;
