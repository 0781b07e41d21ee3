//! Newton's method in lanes.

/// Greatest number of dofs that the solver in lanes takes.
pub const MAX_DOFS: usize = 64;
