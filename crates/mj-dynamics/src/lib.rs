//! Smooth multi-joint dynamics: kinematics, inertia, bias, passive and actuator forces.
//!
//! Every stage is a plain function: what it reads and writes stands in its signature. In the order
//! of the pipeline:
//!
//! 1. positions: [`kinematics()`], [`com_pos`], [`cameras_and_lights`], [`tendons`], [`transmission()`];
//! 2. inertia: [`crb`], [`add_tendon_armature`], [`factor`];
//! 3. velocities: [`transmission_velocities`], [`com_vel`], [`passive()`], [`rne()`],
//!    [`add_tendon_bias`];
//! 4. forces: [`actuation()`], [`acceleration`];
//! 5. once constraints are solved: [`rne_post_constraint`].
//!
//! [`VelocityDerivative`] holds the derivatives of the forces by velocity, for implicit integrators.
//!
//! [`forward_smooth`] runs 1 to 4 in this order.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: M, qLD, ten_J

pub mod activation;
pub mod actuation;
pub mod actuator;
mod actuator_layout;
pub mod adhesion;
mod affine;
pub mod buffers;
pub mod camlight;
pub mod chains;
pub mod com;
pub mod constants;
pub mod coordinates;
pub mod damping;
mod dcmotor;
pub mod derivative;
pub mod energy;
mod fixed_tendon;
mod fluid;
pub mod inertia;
pub mod jacobian;
pub mod kinematics;
pub mod muscle;
pub mod object;
pub mod passive;
mod path;
pub mod plan;
pub mod plastic;
mod poly;
pub mod rne;
mod route;
pub mod servo;
pub mod smooth;
mod sparsity;
pub mod tendon;
#[cfg(test)]
mod testmodel;
pub mod transmission;
pub mod user;
pub mod velocity;
pub mod workspace;
mod wrap;

pub use activation::next_activation;
pub use actuation::{acceleration, actuation, smooth_force, unconstrained_acceleration};
pub use adhesion::{Touch, adhesion_moments, stick};
pub use buffers::*;
pub use camlight::{cameras_and_lights, fixed_camera, fixed_light};
pub use chains::Chains;
pub use com::com_pos;
pub use coordinates::{TangentStep, differentiate_pos, integrate_joints, integrate_pos, normalize_quaternions};
pub use damping::{damping_slope, factor_damped, factor_damped_padded, has_implicit_damping};
pub use derivative::{
    ArmDerivative, BiasCurvature, BiasOf, ChainMotion, FluidDerivative, FluidPart, InputSlopes, Motion,
    PositionDerivative, VelocityDerivative, actuator_curvature, actuator_slopes, floats_alone, in_fluid,
    inertia_diagonal_derivative, input_slopes, is_joint_saturated,
};
pub use energy::{kinetic_energy, potential_energy};
pub use inertia::{add_tendon_armature, crb, factor, mul_m, solve_m};
pub use jacobian::{BodyPoint, add_applied_wrenches, apply_ft, point_jacobian};
pub use kinematics::{body_kinematics, frames, kinematics};
pub use object::{object_acceleration, object_frame, object_velocity};
pub use passive::{joint_spring_derivative, joint_spring_slopes, passive, tendon_passive_force, tendon_slopes};
pub use path::{PathObject, PathPoint, tendon_path};
pub use plan::Plan;
pub use rne::{BodyWrench, rne, rne_post_constraint};
pub use smooth::{Dynamics, bias, forward_smooth};
pub use tendon::{add_tendon_bias, length_drift, tendon_wrenches, tendons};
pub use transmission::transmission;
pub use user::{UserActuator, UserActuators};
pub use velocity::{body_acceleration, body_velocity, com_vel, subtree_vel, transmission_velocities};
pub use workspace::Workspace;
