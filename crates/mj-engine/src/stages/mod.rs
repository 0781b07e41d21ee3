//! The stages of the pipeline one by one, for those who build their own.
//!
//! Each is a part of [`step`](crate::step), [`forward`](crate::forward) or [`inverse`](fn@crate::inverse), and reads what the
//! stages before it left in the data. In the order of `forward`: [`fwd_position`], [`sensor_pos`], [`fwd_velocity`],
//! [`sensor_vel`], [`fwd_actuation`], [`fwd_acceleration`], [`fwd_constraint`], [`sensor_acc`]; then [`integrate`].
//!
//! Every function fails with [`StepError`] if data and model don't fit together, and changes nothing then.
//!
//! # Example
//!
//! A step, and the same stage by stage.
//!
//! ```
//! use mj_engine::model::Stage;
//! use mj_engine::*;
//!
//! let m = load_str(
//!     r#"<mujoco><option><flag energy="enable" fwdinv="enable"/></option><worldbody><body><joint name="j" axis="0 1 0"/>
//!     <geom size=".1" pos="0 0 -1" mass="1"/></body></worldbody><actuator><motor name="a" joint="j"/></actuator>
//!     <sensor><jointpos joint="j"/><jointvel joint="j"/><actuatorfrc actuator="a"/></sensor></mujoco>"#,
//! )?;
//! let mut d = Data::new(&m)?;
//! (d.state.qpos[0], d.state.ctrl[0]) = (0.5, 2.0);
//! let (mut halves, mut whole) = (d.clone(), d.clone());
//! step(&m, &mut whole)?;
//!
//! step1(&m, &mut halves)?;
//! step2(&m, &mut halves)?;
//! assert_eq!(halves.state.qpos, whole.state.qpos);
//!
//! stages::check_pos(&m, &mut d)?;
//! stages::check_vel(&m, &mut d)?;
//! stages::fwd_position(&m, &mut d)?;
//! stages::sensor_pos(&m, &mut d)?;
//! stages::fwd_velocity(&m, &mut d)?;
//! stages::sensor_vel(&m, &mut d)?;
//! stages::fwd_actuation(&m, &mut d)?;
//! stages::fwd_acceleration(&m, &mut d)?;
//! stages::fwd_constraint(&m, &mut d)?;
//! stages::sensor_acc(&m, &mut d)?;
//! stages::check_acc(&m, &mut d)?;
//! stages::compare_fwd_inv(&m, &mut d)?;
//! assert!(d.solver_fwdinv[1] < 1e-9);
//! stages::integrate(&m, &mut d)?;
//! assert_eq!((&d.state.qpos, &d.sensordata), (&whole.state.qpos, &whole.sensordata));
//!
//! // Forward dynamics after a change of the control alone, and what it leaves out.
//! forward(&m, &mut d)?;
//! let before = d.qacc[0];
//! d.state.ctrl[0] += 1.0;
//! stages::forward_skip(&m, &mut d, Stage::Vel, true)?;
//! assert!((d.qacc[0] - before - 1.0 / 1.004).abs() < 1e-9);
//! complete(&m, &mut d);
//! stages::energy_pos(&m, &mut d)?;
//! stages::energy_vel(&m, &mut d)?;
//! assert!((d.energy[0] + 9.81 * mj_math::real::cos(d.state.qpos[0])).abs() < 1e-9);
//! assert!((d.energy[1] - 0.5 * 1.004 * d.state.qvel[0].powi(2)).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Parts
//!
//! The stages of position and velocity in their parts.
//!
//! ```
//! use mj_engine::*;
//!
//! let m = load_str(
//!     r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0" damping=".1"/><geom size=".1" pos="0 0 -1"/><camera/></body>
//!     </worldbody><tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>
//!     <actuator><motor tendon="t"/></actuator></mujoco>"#,
//! )?;
//! let mut d = Data::new(&m)?;
//! (d.state.qpos[0], d.state.qvel[0], d.state.ctrl[0]) = (0.5, 1.0, 2.0);
//! let mut whole = d.clone();
//! forward(&m, &mut whole)?;
//!
//! for part in [
//!     stages::kinematics,
//!     stages::com_pos,
//!     stages::camlight,
//!     stages::tendon,
//!     stages::transmission,
//!     stages::make_m,
//!     stages::factor_m,
//!     stages::collision,
//!     stages::make_constraint,
//!     stages::transmission_velocity,
//!     stages::com_vel,
//!     stages::subtree_vel,
//!     stages::passive,
//!     stages::bias,
//!     stages::reference_constraint,
//! ] {
//!     part(&m, &mut d)?;
//! }
//! for stage in [fwd_actuation, fwd_acceleration, fwd_constraint] {
//!     stage(&m, &mut d)?;
//! }
//! assert_eq!(d.qacc, whole.qacc);
//! let mut bias = [0.0];
//! stages::rne(&m, &mut d, false, &mut bias)?;
//! assert!((bias[0] - d.smooth.velocities.qfrc_bias[0]).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inverse dynamics
//!
//! ```
//! use mj_engine::model::Stage;
//! use mj_engine::*;
//!
//! let m = load_str(
//!     r#"<mujoco><worldbody><body><joint axis="0 1 0" frictionloss=".2"/><geom size=".1" pos="0 0 -1"/></body></worldbody>
//!     </mujoco>"#,
//! )?;
//! let mut d = Data::new(&m)?;
//! (d.state.qvel[0], d.state.qfrc_applied[0]) = (1.0, 3.0);
//! forward(&m, &mut d)?;
//! let found = d.solution.efc_force[0];
//! stages::inv_position(&m, &mut d)?;
//! stages::inv_velocity(&m, &mut d)?;
//! stages::inv_constraint(&m, &mut d)?;
//! assert!((d.solution.efc_force[0] - found).abs() < 1e-6);
//! stages::inverse_skip(&m, &mut d, Stage::Vel, true)?;
//! assert!((d.qfrc_inverse[0] - 3.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod parts;

pub use parts::*;

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::step::StepError;
use crate::pipeline::discrete;
use crate::pipeline::forward::{self, Known};
use crate::pipeline::inverse::{self, InverseError};
use crate::pipeline::step;
use crate::sensor;
use mj_dynamics as dynamics;
use mj_integrate::Reuse;
use mj_model::{IntegratorType, Model, Stage};

/// Computes everything that depends on position: poses, tendons, inertia, contacts, constraint rows (`mj_fwdPosition`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn fwd_position(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    forward::position(m, d);
    Ok(())
}

/// Computes everything that depends on velocity: velocities, passive and bias forces, and the reference of the
/// constraint rows (`mj_fwdVelocity`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn fwd_velocity(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    forward::velocity(m, d);
    Ok(())
}

/// Computes actuator forces (`mj_fwdActuation`). The control hook is not called.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn fwd_actuation(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    forward::actuator_forces(m, d);
    Ok(())
}

/// Adds up all forces but those of constraints, and computes the acceleration that they cause (`mj_fwdAcceleration`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn fwd_acceleration(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    dynamics::smooth_force(
        m,
        &d.state,
        &d.plan.dynamics.chains,
        &d.smooth.poses,
        &d.smooth.velocities,
        &mut d.smooth.actuation,
    );
    dynamics::unconstrained_acceleration(m, &d.state, &d.smooth.inertia, &mut d.smooth.actuation);
    Ok(())
}

/// Finds constraint forces and the acceleration (`mj_fwdConstraint`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn fwd_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    forward::solve(m, d);
    Ok(())
}

/// Takes the state one time step on from the acceleration, by the model's integrator (`mj_Euler`, `mj_RungeKutta`,
/// `mj_implicit`). Runge-Kutta's method evaluates the stages three more times, hooks included.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn integrate(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    step::integrate(m, d, Reuse::Nothing);
    Ok(())
}

/// Computes what inverse dynamics needs of position (`mj_invPosition`).
///
/// Example: [stages of inverse dynamics](crate::stages#inverse-dynamics).
///
/// # Errors
/// If data and model don't fit together.
pub fn inv_position(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_position(m, d)
}

/// Computes what inverse dynamics needs of velocity (`mj_invVelocity`).
///
/// Example: [stages of inverse dynamics](crate::stages#inverse-dynamics).
///
/// # Errors
/// If data and model don't fit together.
pub fn inv_velocity(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_velocity(m, d)
}

/// Computes constraint forces at the acceleration `d.qacc` in closed form (`mj_invConstraint`).
///
/// Example: [stages of inverse dynamics](crate::stages#inverse-dynamics).
///
/// # Errors
/// If data and model don't fit together.
pub fn inv_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    if m.opt.integrator == IntegratorType::Discrete {
        discrete::prepare_inverse(m, d);
    }
    inverse::constraint_forces(d);
    Ok(())
}

/// Reads the sensors that depend on position only (`mj_sensorPos`), and computes the potential energy where the model
/// asks for it.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn sensor_pos(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    sensor::position(m, d);
    Ok(())
}

/// Reads the sensors that depend on velocity (`mj_sensorVel`), and computes the kinetic energy where the model asks for
/// it.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn sensor_vel(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    sensor::velocity(m, d);
    Ok(())
}

/// Reads the sensors that depend on accelerations and forces (`mj_sensorAcc`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn sensor_acc(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    sensor::acceleration(m, d);
    Ok(())
}

/// Computes the potential energy of gravity and springs into `d.energy[0]`, joules (`mj_energyPos`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn energy_pos(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    d.energy[0] = crate::energy::potential_energy(m, d);
    Ok(())
}

/// Computes the kinetic energy into `d.energy[1]`, joules (`mj_energyVel`).
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together.
pub fn energy_vel(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    d.energy[1] = dynamics::kinetic_energy(m, &d.state, &d.smooth.inertia, &mut d.ws.smooth);
    Ok(())
}

/// Computes forward dynamics from the stage after `skip` on (`mj_forwardSkip`): all of it with [`Stage::None`], without
/// what depends on position only with [`Stage::Pos`], and without what depends on velocity too with [`Stage::Vel`].
/// With `skip_sensor`, sensors aren't read.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If data and model don't fit together, or inside a hook.
pub fn forward_skip(m: &Model, d: &mut Data, skip: Stage, skip_sensor: bool) -> Result<(), StepError> {
    crate::entry::admit(m, d, "forward_skip")?;
    forward::evaluate(m, d, known(skip), !skip_sensor);
    crate::entry::take_error(d)
}

/// Computes inverse dynamics from the stage after `skip` on (`mj_inverseSkip`), as [`forward_skip`] does forward dynamics.
///
/// Example: [stages of inverse dynamics](crate::stages#inverse-dynamics).
///
/// # Errors
/// As [`inverse`](fn@crate::inverse).
pub fn inverse_skip(m: &Model, d: &mut Data, skip: Stage, skip_sensor: bool) -> Result<(), InverseError> {
    check_data(m, d)?;
    inverse::check(m)?;
    inverse::evaluate(m, d, known(skip), !skip_sensor);
    Ok(())
}

fn known(skip: Stage) -> Known {
    match skip {
        Stage::None => Known::Nothing,
        Stage::Pos => Known::Position,
        Stage::Vel | Stage::Acc => Known::Velocity,
    }
}
