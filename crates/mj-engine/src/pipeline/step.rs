//! Stepping: forward dynamics and integration.

use crate::data::Data;
use crate::data::timing::StageTimer;
use crate::entry;
use crate::errors::step::StepError;
use crate::pipeline::forward::{Known, actuation, call_control, evaluate, position, solve, velocity};
use crate::pipeline::inverse;
use crate::pipeline::{continuous, finite};
use crate::sensor;
use crate::sleep;
use mj_dynamics::Transmissions;
use mj_integrate::{EulerInputs, Reuse, System, discrete as step_by, euler, implicit, rk4};
use mj_model::*;

/// One time step: checks, forward dynamics, integration.
///
/// Non-finite or huge numbers are caught as the reference does: a warning is counted and the state
/// reset, unless `autoreset` is disabled. Allocates nothing once the buffers have grown to the
/// greatest number of contacts met.
///
/// After it, poses and all other results are those of the state from which the step left.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// If the data was made for a model of another structure, if a vector of the state was resized, before or by a hook, or
/// if it is called from inside a hook. Nothing was changed then, unless it was by the hook.
pub fn step(m: &Model, d: &mut Data) -> Result<(), StepError> {
    entry::admit(m, d, "step")?;
    finite::state(m, d);
    evaluate(m, d, Known::Nothing, true);
    advance(m, d);
    entry::take_error(d)
}

/// The first part of a time step: checks, and what depends on position and velocity. Between it and
/// [`step2`] a controller can set controls and applied forces that depend on the results.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// As [`step`].
pub fn step1(m: &Model, d: &mut Data) -> Result<(), StepError> {
    entry::admit(m, d, "step1")?;
    first_part(m, d);
    entry::take_error(d)
}

/// [`step1`] without checks on entry.
pub(crate) fn first_part(m: &Model, d: &mut Data) {
    finite::state(m, d);
    d.timing.lap(StageTimer::Other);
    position(m, d);
    sensor::position(m, d);
    velocity(m, d);
    sensor::velocity(m, d);
    call_control(m, d);
}

/// The second part of a time step: forces, acceleration, integration. Runge-Kutta's method needs the
/// whole of forward dynamics more than once: Euler's rule takes its place.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// As [`step`].
pub fn step2(m: &Model, d: &mut Data) -> Result<(), StepError> {
    entry::admit(m, d, "step2")?;
    second_part(m, d);
    entry::take_error(d)
}

/// [`step2`] without checks on entry.
pub(crate) fn second_part(m: &Model, d: &mut Data) {
    actuation(m, d);
    solve(m, d);
    sensor::acceleration(m, d);
    if finite::acceleration(m, d) && !m.opt.disabled(disable::AUTORESET) {
        evaluate(m, d, Known::Nothing, true);
    }
    finish(m, d, true);
}

/// Takes the state one time step on, once the acceleration is known.
fn advance(m: &Model, d: &mut Data) {
    if finite::acceleration(m, d) && !m.opt.disabled(disable::AUTORESET) {
        evaluate(m, d, Known::Nothing, true);
    }
    finish(m, d, false);
}

/// Records sensors' histories, compares with inverse dynamics where asked, and integrates.
pub(crate) fn finish(m: &Model, d: &mut Data, single: bool) {
    if continuous::applies(m) {
        continuous::resolve(m, d);
        d.timing.lap(StageTimer::Solver);
    }
    sensor::record(m, d);
    if m.opt.enabled(enable::FWDINV) {
        inverse::compare(m, d);
    }
    if sleep::fall_asleep(m, d) {
        // Their velocities are zero now: what depends on them is computed once more, and kept.
        evaluate(m, d, Known::Position, true);
        sleep::publish(m, d);
    }
    let rk4 = m.opt.integrator == IntegratorType::Rk4;
    if single && rk4 {
        integrate_by(m, d, IntegratorType::Euler, Reuse::Nothing)
    } else {
        integrate(m, d, Reuse::Nothing)
    }
}

/// Takes the state one time step on, from the results of forward dynamics and what still holds of the integrator's last
/// matrix.
pub(crate) fn integrate(m: &Model, d: &mut Data, reuse: Reuse) {
    integrate_by(m, d, m.opt.integrator, reuse);
}

fn integrate_by(m: &Model, d: &mut Data, integrator: IntegratorType, reuse: Reuse) {
    mj_deformable::record_motions(m, &d.plan.flexes, &d.plan.dynamics.chains, &d.smooth.poses, &mut d.flexes);
    let lifted = match integrator {
        IntegratorType::Rk4 => {
            let mut ws = std::mem::take(&mut d.ws.rk4);
            rk4(m, &mut Stages { m, d }, &mut ws);
            d.ws.rk4 = ws;
            None
        }
        IntegratorType::Implicit | IntegratorType::ImplicitFast => implicit(
            m,
            &d.plan.dynamics.chains,
            &mut d.state,
            &d.smooth,
            &d.solution.qfrc_constraint,
            reuse,
            &mut d.ws.implicit,
        ),
        IntegratorType::Discrete => {
            step_by(m, &mut d.state, &d.smooth, &d.qacc);
            None
        }
        _ => {
            let inputs = EulerInputs {
                inertia: &d.smooth.inertia,
                transmissions: &d.smooth.transmissions,
                qfrc_smooth: &d.smooth.actuation.qfrc_smooth,
                qfrc_constraint: &d.solution.qfrc_constraint,
                qacc: &d.qacc,
                act_dot: &d.smooth.actuation.act_dot,
                factored: reuse == Reuse::Factor,
            };
            euler(m, &mut d.state, inputs, &mut d.ws.euler)
        }
    };
    yield_flexes(m, d, integrator);
    if let Some(dof) = lifted {
        d.warn(Warning::Inertia, dof.index());
    }
    // The last acceleration, of the last stage with Runge-Kutta, starts the next step's solver; not that with other contacts.
    if !continuous::applies(m) {
        d.state.qacc_warmstart.copy_from_slice(&d.qacc);
    }
    d.timing.lap(StageTimer::Integrate);
}

/// Lets flexes yield once the position is the new one.
fn yield_flexes(m: &Model, d: &mut Data, integrator: IntegratorType) {
    if m.nplastic == 0 || m.flex.is_empty() {
        return;
    }
    let qvel = std::mem::take(&mut d.state.qvel);
    let rate = if integrator == IntegratorType::Rk4 { d.ws.rk4.rate() } else { &qvel };
    mj_deformable::yield_elements(m, &d.plan.flexes, &d.plan.dynamics.chains, rate, &mut d.flexes, &mut d.state);
    d.state.qvel = qvel;
}

/// Forward dynamics: everything up to the acceleration, and the sensors, at the present state.
///
/// Example: [stages](crate::stages#example).
///
/// # Errors
/// As [`step`].
pub fn forward(m: &Model, d: &mut Data) -> Result<(), StepError> {
    entry::admit(m, d, "forward")?;
    evaluate(m, d, Known::Nothing, true);
    entry::take_error(d)
}

/// The stages of forward dynamics as Runge-Kutta evaluates them.
struct Stages<'a> {
    m: &'a Model,
    d: &'a mut Data,
}

impl System for Stages<'_> {
    fn state(&mut self) -> &mut State {
        &mut self.d.state
    }
    fn rates(&self) -> (&[f64], &[f64]) {
        (&self.d.qacc, &self.d.smooth.actuation.act_dot)
    }
    fn parts(&mut self) -> (&mut State, &Transmissions) {
        (&mut self.d.state, &self.d.smooth.transmissions)
    }
    fn forward(&mut self) {
        self.d.timing.lap(StageTimer::Integrate);
        evaluate(self.m, self.d, Known::Nothing, false);
    }
}
