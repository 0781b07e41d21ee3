//! Smooth multi-joint dynamics: kinematics, inertia, bias, passive and actuator forces.
//!
//! Every stage is a plain function: what it reads and writes stands in its signature. In the order
//! of the pipeline:
//!
//! 1. positions: [`kinematics()`], [`com_pos`], [`cameras_and_lights`], [`tendons`], [`transmission()`];
//! 2. inertia: [`crb`], [`add_tendon_armature`], [`JointInertia::factor`];
//! 3. velocities: [`transmission_velocities`], [`com_vel`], [`passive()`], [`rne()`],
//!    [`add_tendon_bias`];
//! 4. forces: [`actuation()`], [`acceleration`];
//! 5. once constraints are solved: [`rne_post_constraint`].
//!
//! [`VelocityDerivative`] holds the derivatives of the forces by velocity, for implicit integrators.
//!
//! [`forward_smooth`] runs 1 to 4 in this order.
//!
//! It knows no contacts, no constraint rows and no files.
//!
//! # Example
//!
//! ```
//! use mj_dynamics::Dynamics;
//! use mj_math::DVec3;
//! use mj_model::build::{JointDef, ModelBuilder};
//! use mj_model::{BodyId, State, model::BodyRow};
//!
//! let mut builder = ModelBuilder::new();
//! let bob = BodyRow { ipos: DVec3::NEG_Z, mass: 2.0, ..BodyRow::default() };
//! builder.add_body(BodyId::WORLD, bob, &[JointDef::hinge(DVec3::Y)])?;
//! let model = builder.finish()?;
//! let (mut state, mut dynamics) = (State::new(&model), Dynamics::new(&model));
//! state.qpos[0] = 0.5;
//! dynamics.forward(&model, &state);
//! assert!((dynamics.smooth.velocities.qfrc_bias[0] - 2.0 * 9.81 * f64::sin(0.5)).abs() < 1e-12);
//! # Ok::<(), mj_model::build::BuildError>(())
//! ```
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's: M, qLD, ten_J

mod actuator;
mod buffers;
pub mod constants;
mod derivative;
mod passive;
mod plan;
mod rigid;
mod smooth;
mod tendon;
mod workspace;

pub use actuator::activation::next_activation;
pub use actuator::force::{acceleration, actuation, smooth_force, unconstrained_acceleration};
pub use actuator::plan::ActuatorPlan;
pub use actuator::state::{activation_range, actuator_disabled};
pub use actuator::transmission::{transmission, transmission_velocities};
pub use actuator::user::{UserActuator, UserActuators};
pub use actuator::{muscle, servo};
pub use buffers::{Actuation, BodyForces, JointInertia, Poses, Smooth, Transmissions, Velocities};
pub use derivative::{
    ArmDerivative, BiasCurvature, BiasOf, ChainMotion, CoefficientSlopes, FluidDerivative, FluidPart,
    InertialDerivative, InputSlopes, Motion, PositionDerivative, VelocityDerivative, actuator_curvature,
    actuator_slopes, coefficient_slopes, inertia_diagonal_derivative, input_slopes, is_free_without_children,
    is_joint_saturated,
};
pub use passive::adhesion::{Touch, adhesion_moments, apply_adhesion};
pub use passive::damping::{DampedFactor, damping_slope, factor_damped, has_implicit_damping};
pub use passive::energy::{kinetic_energy, potential_energy};
pub use passive::fluid::in_fluid;
pub use passive::plastic::yield_springs;
pub use passive::plugin::plugin_forces;
pub use passive::springs::{
    joint_spring_by_stiffness, joint_spring_derivative, joint_spring_slopes, passive, tendon_damping,
    tendon_passive_force, tendon_slopes,
};
pub use plan::Plan;
pub use rigid::camlight::{cameras_and_lights, fixed_camera, fixed_light};
pub use rigid::chains::{Chains, merge_chains};
pub use rigid::com::com_pos;
pub use rigid::coordinates::{TangentStep, differentiate_pos, integrate_joints, integrate_pos, normalize_quaternions};
pub use rigid::inertia::{actuator_armature, add_tendon_armature, crb, tendon_armature};
pub use rigid::jacobian::{
    Between, BodyPoint, Wrenches, add_applied_wrenches, apply_ft, chain_width, for_each_common, point_jacobian,
};
pub use rigid::kinematics::{body_kinematics, frames, kinematics};
pub use rigid::object::{object_acceleration, object_frame, object_velocity};
pub use rigid::rne::{BodyWrench, rne, rne_post_constraint};
pub use rigid::velocity::{body_acceleration, body_velocity, com_vel, subtree_vel};
pub use smooth::{Dynamics, bias, forward_smooth};
pub use tendon::path::{PathObject, PathPoint, tendon_path};
pub use tendon::plan::TendonPlan;
pub use tendon::tendons::{add_tendon_bias, length_drift, tendon_wrenches, tendons};
pub use workspace::Workspace;
