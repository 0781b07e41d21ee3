//! Matrices with the sparsity of a kinematic tree.

pub(crate) mod lu;
pub(crate) mod pattern;
pub(crate) mod runs;
