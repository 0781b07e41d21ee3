//! Inverse dynamics.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::query::{QueryError, check_length};
use crate::errors::step::StepError;
use crate::pipeline::discrete;
use crate::pipeline::forward::{self, Known};
use crate::sensor;
use mj_constraint::forces_at;
use mj_dynamics as dynamics;
use mj_integrate::{mul_euler, mul_implicit};
use mj_math::dense;
use mj_model::{IntegratorType, Model, enable};
use mj_problem::ConstraintState;

/// Inverse dynamics has no answer for a model's options.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InverseError {
    /// The flag `invdiscrete` asks for the force over a whole step of Runge-Kutta's method.
    #[error(
        "inverse dynamics with the flag invdiscrete is not defined for integrator RK4; \
         disable the flag, or choose Euler, implicit or implicitfast"
    )]
    DiscreteRk4,
    /// Repeated evaluations would wake trees.
    #[error("Jacobians of inverse dynamics are not supported while trees may sleep; disable the flag `sleep`")]
    Sleep,
    /// Data and model don't fit together.
    #[error(transparent)]
    Data(#[from] StepError),
    /// The step to differentiate by.
    #[error("the step of finite differences must be positive and finite, not {0}")]
    Step(f64),
    /// A parameter, by its place in the list, is none of the model.
    #[error("parameter number {0} is none of this model: find it in the model that it is for")]
    Parameter(usize),
}

/// Inverse dynamics: the force that gives the acceleration `d.qacc` at the present state, in
/// `d.qfrc_inverse`; constraint forces in `d.solution`. It equals the applied plus actuator force
/// that forward dynamics would need.
///
/// With the flag `invdiscrete`, `d.qacc` is understood as the difference of the velocities after and
/// before a step, by the time step: acceleration as the integrator takes it.
///
/// Manual: Computation, "Inverse dynamics".
///
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><body><joint type="slide" axis="0 0 1"/><geom size=".1" mass="2"/></body></worldbody>
///     </mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// d.state.qfrc_applied[0] = 5.0;
/// forward(&m, &mut d)?;
/// assert!((d.qacc[0] - (5.0 / 2.0 - 9.81)).abs() < 1e-12);
/// // The acceleration needs the force that was applied.
/// inverse(&m, &mut d)?;
/// assert!((d.qfrc_inverse[0] - 5.0).abs() < 1e-12);
/// // The force grows with the acceleration by the mass.
/// let mut jacobians = InverseJacobians::default();
/// inverse_fd(&m, &mut d, 1e-6, false, &mut jacobians)?;
/// assert!((jacobians.f_a[0] - 2.0).abs() < 1e-6 && jacobians.f_v[0].abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the flag `invdiscrete` is enabled with Runge-Kutta's method, or data and model don't fit together.
pub fn inverse(m: &Model, d: &mut Data) -> Result<(), InverseError> {
    check_data(m, d)?;
    check(m)?;
    evaluate(m, d, Known::Nothing, true);
    Ok(())
}

/// Whether inverse dynamics is defined for the model's options.
pub(crate) fn check(m: &Model) -> Result<(), InverseError> {
    let discrete_rk4 = m.opt.enabled(enable::INVDISCRETE) && m.opt.integrator == IntegratorType::Rk4;
    if discrete_rk4 { Err(InverseError::DiscreteRk4) } else { Ok(()) }
}

/// The stages of inverse dynamics from the first that is not known, with or without sensors.
pub(crate) fn evaluate(m: &Model, d: &mut Data, known: Known, sensors: bool) {
    if known < Known::Position {
        forward::position(m, d);
        if sensors {
            sensor::position(m, d);
        }
    }
    if known < Known::Velocity {
        forward::velocity(m, d);
        if sensors {
            sensor::velocity(m, d);
        }
    }
    forces(m, d, sensors);
}

/// Computes how far inverse dynamics at forward dynamics' acceleration disagrees with forward dynamics, into
/// `d.solver_fwdinv`; everything else is left as forward dynamics left it.
pub(crate) fn compare(m: &Model, d: &mut Data) {
    d.solver_fwdinv = [0.0; 2];
    if d.rows.nefc() == 0 || check(m).is_err() {
        return;
    }
    d.ws.saved_force.clone_from(&d.solution.efc_force);
    d.ws.saved_qfrc.clone_from(&d.solution.qfrc_constraint);
    forces(m, d, false);

    let difference = &mut d.ws.jar;
    difference.clear();
    difference.extend(d.ws.saved_qfrc.iter().zip(&d.solution.qfrc_constraint).map(|(a, b)| a - b));
    d.solver_fwdinv[0] = dense::norm(difference);
    // What forward dynamics was given: applied and actuator forces.
    difference.clear();
    difference.extend(d.state.qfrc_applied.iter().zip(&d.smooth.actuation.qfrc_actuator).map(|(a, b)| a + b));
    dynamics::add_applied_wrenches(m, &d.state, &d.plan.dynamics.chains, &d.smooth.poses, difference);
    for (a, b) in difference.iter_mut().zip(&d.qfrc_inverse) {
        *a -= b;
    }
    d.solver_fwdinv[1] = dense::norm(difference);

    std::mem::swap(&mut d.solution.efc_force, &mut d.ws.saved_force);
    std::mem::swap(&mut d.solution.qfrc_constraint, &mut d.ws.saved_qfrc);
}

/// The part of inverse dynamics that depends on acceleration.
fn forces(m: &Model, d: &mut Data, sensors: bool) {
    // With the integrator `discrete`, the acceleration is that of a step anyway.
    let by_step = m.opt.integrator == IntegratorType::Discrete;
    let discrete = m.opt.enabled(enable::INVDISCRETE) && !by_step;
    if by_step {
        discrete::prepare_inverse(m, d);
    } else if discrete {
        d.ws.saved.clone_from(&d.qacc);
        continuous_acceleration(m, d);
    }
    constraint_forces(d);
    // τ = M a + c − passive − constraint
    if by_step {
        discrete::force(m, d);
    } else {
        d.smooth.inertia.mul(m, &d.qacc, &mut d.qfrc_inverse);
    }
    let v = &d.smooth.velocities;
    for i in 0..m.nv() {
        d.qfrc_inverse[i] += v.qfrc_bias[i] - v.qfrc_passive[i] - d.solution.qfrc_constraint[i];
    }
    if sensors {
        sensor::acceleration(m, d);
    }
    if discrete {
        d.qacc.copy_from_slice(&d.ws.saved);
    }
}

/// Makes of the acceleration of a whole step, which the integrator found with its own matrix in the
/// place of M, the one at the step's beginning.
fn continuous_acceleration(m: &Model, d: &mut Data) {
    d.ws.work.resize(m.nv(), 0.0);
    match m.opt.integrator {
        IntegratorType::Implicit | IntegratorType::ImplicitFast => {
            let chains = &d.plan.dynamics.chains;
            mul_implicit(m, chains, &d.state, &d.smooth, &d.qacc, &mut d.ws.work, &mut d.ws.implicit);
        }
        _ => mul_euler(m, &d.state, &d.smooth.inertia, &d.qacc, &mut d.ws.work),
    }
    d.smooth.inertia.solve(m, &mut d.ws.work);
    d.qacc.copy_from_slice(&d.ws.work);
}

/// Forces of all constraint rows at the acceleration `d.qacc`: the gradient of their cost, in closed
/// form.
pub(crate) fn constraint_forces(d: &mut Data) {
    let s = &mut d.solution;
    let (force, state, qfrc) = (&mut s.efc_force, &mut s.efc_state, &mut s.qfrc_constraint);
    forces_at(&d.rows, &d.qacc, &mut d.ws.rows, force, state, qfrc);
}

/// Computes forces and zones of the constraint rows from J q̈ − a_ref (`jar`, nefc), the force in joint space, and returns
/// the cost of the constraints (`mj_constraintUpdate`).
///
/// Example: [`contact_force`](crate::contact_force).
///
/// # Errors
/// If data and model don't fit together, or `jar` has another length.
pub fn constraint_update(m: &Model, d: &mut Data, jar: &[f64]) -> Result<f64, QueryError> {
    check_data(m, d)?;
    check_length("jar", jar.len(), d.rows.nefc())?;
    let s = &mut d.solution;
    s.efc_force.resize(jar.len(), 0.0);
    s.efc_state.resize(jar.len(), ConstraintState::Satisfied);
    let rows = d.rows.view();
    rows.evaluate(jar, &mut s.efc_force, &mut s.efc_state);
    s.qfrc_constraint.fill(0.0);
    d.ws.work.resize(m.nv(), 0.0);
    d.rows.jac.mul_transposed_add(&s.efc_force, &mut s.qfrc_constraint, &mut d.ws.work);
    Ok(rows.cost(jar))
}
