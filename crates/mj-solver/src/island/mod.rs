//! Islands: connected parts of a problem.

pub(crate) mod find;
pub(crate) mod gather;
