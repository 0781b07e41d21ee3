//! Derivatives of the smooth forces: by velocity, which integrators that are implicit in velocity
//! need, by position, and by parameters.

mod actuators;
mod arms;
mod bias;
mod curvature;
mod diagonal;
mod dofs;
mod entries;
mod fluid_motion;
mod fluids;
mod gyroscope;
mod motion;
mod parameters;
mod position;
mod sloped;
mod velocity;

pub use actuators::{InputSlopes, actuator_curvature, actuator_slopes, input_slopes, is_joint_saturated};
pub use arms::ArmDerivative;
pub use curvature::BiasCurvature;
pub use diagonal::inertia_diagonal_derivative;
pub use dofs::is_free_without_children;
pub use fluid_motion::FluidDerivative;
pub use fluids::FluidPart;
pub use motion::ChainMotion;
pub use parameters::{CoefficientSlopes, InertialDerivative, coefficient_slopes};
pub use position::{Motion, PositionDerivative};
pub use velocity::{BiasOf, VelocityDerivative};
