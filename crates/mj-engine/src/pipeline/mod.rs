//! A step: the stages in order, integration, sleep.

pub(crate) mod continuous;
pub(crate) mod discrete;
pub(crate) mod finite;
pub(crate) mod forward;
pub(crate) mod integrator;
pub(crate) mod inverse;
pub(crate) mod problem;
pub(crate) mod solve;
pub(crate) mod step;
