//! The stages of the pipeline one by one, for those who build their own.
//!
//! Each is a part of [`step`](crate::step), [`forward`](crate::forward) or [`inverse`](fn@crate::inverse), and reads what the
//! stages before it left in the data. In the order of `forward`: [`fwd_position`], [`sensor_pos`], [`fwd_velocity`],
//! [`sensor_vel`], [`fwd_actuation`], [`fwd_acceleration`], [`fwd_constraint`], [`sensor_acc`]; then [`integrate`].
//!
//! Every function fails with [`StepError`] if data and model don't fit together, and changes nothing then.

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
/// # Errors
/// If data and model don't fit together.
pub fn fwd_velocity(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    forward::velocity(m, d);
    Ok(())
}

/// Computes actuator forces (`mj_fwdActuation`). The control hook is not called.
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
/// # Errors
/// If data and model don't fit together.
pub fn integrate(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    step::integrate(m, d, Reuse::Nothing);
    Ok(())
}

/// Computes what inverse dynamics needs of position (`mj_invPosition`).
///
/// # Errors
/// If data and model don't fit together.
pub fn inv_position(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_position(m, d)
}

/// Computes what inverse dynamics needs of velocity (`mj_invVelocity`).
///
/// # Errors
/// If data and model don't fit together.
pub fn inv_velocity(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_velocity(m, d)
}

/// Computes constraint forces at the acceleration `d.qacc` in closed form (`mj_invConstraint`).
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
/// # Errors
/// If data and model don't fit together.
pub fn sensor_vel(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    sensor::velocity(m, d);
    Ok(())
}

/// Reads the sensors that depend on accelerations and forces (`mj_sensorAcc`).
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
/// # Errors
/// If data and model don't fit together.
pub fn energy_pos(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_data(m, d)?;
    d.energy[0] = crate::energy::potential_energy(m, d);
    Ok(())
}

/// Computes the kinetic energy into `d.energy[1]`, joules (`mj_energyVel`).
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
/// # Errors
/// If data and model don't fit together, or inside a hook.
pub fn forward_skip(m: &Model, d: &mut Data, skip: Stage, skip_sensor: bool) -> Result<(), StepError> {
    crate::entry::admit(m, d, "forward_skip")?;
    forward::evaluate(m, d, known(skip), !skip_sensor);
    crate::entry::take_error(d)
}

/// Computes inverse dynamics from the stage after `skip` on (`mj_inverseSkip`), as [`forward_skip`] does forward dynamics.
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
