//! Parameters that follow from others.

pub(crate) mod damping;
pub(crate) mod fixed;
pub(crate) mod reference;
pub(crate) mod set_const;
pub(crate) mod statistics;
