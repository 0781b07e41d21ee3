//! Jacobians of a step: in closed form and by differences.

mod derivative;
mod differences;
mod inverse;
mod parameters;
mod sensors;
