//! The DC motors of a model, by their addresses.

use super::{Motor, States};
use crate::actuator::state::{activation_range, actuator_disabled, controls, is_driven};
use crate::buffers::{Actuation, Transmissions, Velocities};
use mj_model::*;
use std::ops::Range;

/// A motor with its states and addresses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacedMotor {
    actuator: ActuatorId,
    states: States,
    ctrl: Range<usize>,
    act: Range<usize>,
    output: usize,
    /// Whether the current after the step counts.
    early: bool,
}

impl PlacedMotor {
    /// Takes the motors out of a list.
    pub fn take(m: &Model, list: &mut Vec<ActuatorId>) -> Vec<Self> {
        list.extract_if(.., |a| m.actuator.gaintype[*a] == GainType::DcMotor).map(|a| Self::new(m, a)).collect()
    }

    fn new(m: &Model, a: ActuatorId) -> Self {
        Self {
            actuator: a,
            states: Motor::new(m, a).states,
            ctrl: controls(m, a),
            act: activation_range(m, a).unwrap_or(0..0),
            output: m.actuator.outadr[a] as usize,
            early: m.actuator.actearly[a],
        }
    }

    #[inline(always)]
    fn motor<'a>(&self, m: &'a Model) -> Motor<'a> {
        Motor::with_states(m, self.actuator, self.states)
    }
}

/// Rates of activation of all, and electrical torques of those that are awake and in a group that is on. Controls whose
/// rate a motor limits are changed.
pub(crate) fn torques(
    motors: &[PlacedMotor],
    m: &Model,
    s: &State,
    trans: &Transmissions,
    vel: &Velocities,
    ctrl: &mut [f64],
    out: &mut Actuation,
) {
    let h = m.opt.timestep;
    let (lengths, velocities) = (trans.actuator_length.as_slice(), vel.actuator_velocity.as_slice());
    for p in motors {
        let motor = p.motor(m);
        let (length, velocity) = (lengths[p.output], velocities[p.output]);
        let (u, act, rate) = (&mut ctrl[p.ctrl.clone()], &s.act[p.act.clone()], &mut out.act_dot[p.act.clone()]);
        if !act.is_empty() {
            motor.rates(h, u, act, length, velocity, rate);
        }
        if is_driven(m, s, p.actuator) {
            let current = match act.len().checked_sub(1) {
                Some(i) if p.early => motor.next_activation(i, act[i], rate[i], h, velocity),
                Some(i) => act[i],
                None => 0.0,
            };
            out.actuator_force.as_mut_slice()[p.output] = motor.torque(u, act, current, length, velocity);
        }
    }
}

/// Adds the mechanical torques, which no limit of a motor's force touches.
pub(crate) fn add_mechanical_torques(
    motors: &[PlacedMotor],
    m: &Model,
    s: &State,
    trans: &Transmissions,
    out: &mut Actuation,
) {
    for p in motors.iter().filter(|p| !actuator_disabled(m, p.actuator)) {
        let (act, rate) = (&s.act[p.act.clone()], &out.act_dot[p.act.clone()]);
        let torque = p.motor(m).mechanical_torque(act, rate, trans.actuator_length.as_slice()[p.output]);
        out.actuator_force.as_mut_slice()[p.output] += torque;
    }
}
