//! How forces depend on parameters of the model.

mod gains;
mod inertial;

pub use gains::{CoefficientSlopes, coefficient_slopes};
pub use inertial::InertialDerivative;
