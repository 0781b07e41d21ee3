//! The end of every integrator's step: activation, velocity, position and time go one step on.

use mj_dynamics::actuator_disabled;
use mj_dynamics::servo::{nearest, setpoint_period, shortest_expmap};
use mj_dynamics::yield_springs;
use mj_dynamics::{Transmissions, integrate_joints};
use mj_dynamics::{activation_range, next_activation};
use mj_model::history::Ring;
use mj_model::{ActuatorId, DynType, GainType, Model, OutputId, State, disable};

/// Rates with which a state goes on.
#[derive(Clone, Copy, Debug)]
pub struct Rates<'a> {
    /// Rate of change of activation, na.
    pub act_dot: &'a [f64],
    /// Acceleration, nv.
    pub qacc: &'a [f64],
    /// Velocity with which the position goes on, nv; none: the new velocity.
    pub qvel: Option<&'a [f64]>,
}

/// Advances the state by one time step: activation by its own rule, velocity by the acceleration,
/// position by the velocity, and time.
///
/// Manual: Computation, "Numerical integration".
pub fn advance(m: &Model, s: &mut State, trans: &Transmissions, rates: Rates<'_>) {
    let h = m.opt.timestep;
    record_controls(m, s);
    if !m.opt.disabled(disable::ACTUATION) {
        activations(m, s, trans, rates.act_dot);
    }
    for dofs in &s.awake.dofs {
        for (v, a) in s.qvel[dofs.clone()].iter_mut().zip(&rates.qacc[dofs.clone()]) {
            *v += h * a;
        }
    }
    for joints in &s.awake.joints {
        integrate_joints(m, joints.clone(), &mut s.qpos, rates.qvel.unwrap_or(&s.qvel), h);
    }
    if m.nplastic > 0 {
        let qvel = std::mem::take(&mut s.qvel);
        yield_springs(m, s, trans, rates.qvel.unwrap_or(&qvel));
        s.qvel = qvel;
    }
    s.time += h;
    s.advance_plugins(m);
}

/// Enters the controls of actuators with a history into it.
fn record_controls(m: &Model, s: &mut State) {
    if m.nhistory == 0 {
        return;
    }
    for a in m.actuator.ids() {
        if let Some(ring) = Ring::of_actuator(m, a) {
            let first = m.actuator.ctrladr[a] as usize;
            ring.slot(&mut s.history, s.time).copy_from_slice(&s.ctrl[first..first + ring.dim]);
        }
    }
}

/// Velocity of an actuator's first output.
fn velocity(m: &Model, s: &State, trans: &Transmissions, a: ActuatorId) -> f64 {
    trans.actuator_moment.row_dot(m.actuator.outadr[a] as usize, &s.qvel)
}

fn activations(m: &Model, s: &mut State, trans: &Transmissions, act_dot: &[f64]) {
    for a in m.actuator.ids() {
        let Some(states) = activation_range(m, a) else { continue };
        let disabled = m.opt.disableactuator != 0 && actuator_disabled(m, a);
        for i in states.clone() {
            let rate = if disabled { 0.0 } else { act_dot[i] };
            s.act[i] = next_activation(m, a, i - states.start, s.act[i], rate, || velocity(m, s, trans, a));
        }
        if m.actuator.dyntype[a] != DynType::Integrator {
            continue;
        }
        // An integrated setpoint of a rotation stays within half a turn of the rotation itself.
        let period = setpoint_period(m, a);
        if m.actuator.gaintype[a] == GainType::So3 {
            shortest_expmap(&mut s.act[states]);
        } else if period > 0.0 {
            let length = trans.actuator_length[OutputId::new(m.actuator.outadr[a] as usize)];
            s.act[states.end - 1] = nearest(s.act[states.end - 1], length, period);
        }
    }
}
