//! Activation dynamics: rates, and activations a time step on.

use crate::actuator::dcmotor::Motor;
use crate::actuator::state::{activation_range, clip, controls};
use crate::actuator::user::{UserActuator, UserActuators};
use crate::buffers::{Transmissions, Velocities};
use crate::{actuator::muscle, actuator::servo};
use mj_math::{MINVAL, real};
use mj_model::*;

/// Rates of change of these actuators' activations; controls whose rate an actuator limits are changed.
#[allow(clippy::too_many_arguments)] // one for each stage that it reads
pub(crate) fn rates(
    m: &Model,
    s: &State,
    actuators: &[ActuatorId],
    trans: &Transmissions,
    vel: &Velocities,
    user: Option<&dyn UserActuators>,
    ctrl: &mut [f64],
    act_dot: &mut [f64],
) {
    for &a in actuators {
        let Some(states) = activation_range(m, a) else { continue };
        let prm = &m.actuator.dynprm[a];
        let u = controls(m, a);
        let o = OutputId::new(m.actuator.outadr[a] as usize);
        let (length, velocity) = (trans.actuator_length[o], vel.actuator_velocity[o]);
        let (act, rate) = (&s.act[states.clone()], &mut act_dot[states]);
        let last = act.len() - 1;
        match m.actuator.dyntype[a] {
            DynType::Integrator => {
                // One a control.
                rate.iter_mut().rev().zip(ctrl[u].iter().rev()).for_each(|(r, u)| *r = *u);
            }
            DynType::Filter | DynType::FilterExact => rate[last] = (ctrl[u.start] - act[last]) / prm[0].max(MINVAL),
            DynType::Muscle => rate[last] = muscle::dynamics(ctrl[u.start], act[last], [prm[0], prm[1], prm[2]]),
            DynType::Pid => servo::pid_rates(m, a, &mut ctrl[u], act, length, rate),
            // Motors are not among these.
            DynType::None | DynType::DcMotor => rate.fill(0.0),
            DynType::User => {
                rate.fill(0.0);
                if let Some(law) = user {
                    let ctrl = &ctrl[u];
                    law.rates(UserActuator { model: m, state: s, actuator: a, ctrl, act, length, velocity }, rate);
                }
            }
        }
    }
}

/// Activation number `i` of actuator `a` after a time step at the rate `act_dot`: exact for filters
/// that are, Euler's rule for the others, then within its range. `velocity` tells the actuator's.
#[inline]
pub fn next_activation(
    m: &Model,
    a: ActuatorId,
    i: usize,
    act: f64,
    act_dot: f64,
    velocity: impl FnOnce() -> f64,
) -> f64 {
    let h = m.opt.timestep;
    let next = match m.actuator.dyntype[a] {
        DynType::FilterExact => {
            let tau = m.actuator.dynprm[a][0].max(MINVAL);
            act + act_dot * tau * (1.0 - real::exp(-h / tau))
        }
        // Its states are of different kinds, so that no range fits them all.
        DynType::DcMotor => return Motor::new(m, a).next_activation(i, act, act_dot, h, velocity()),
        _ => act + act_dot * h,
    };
    if m.actuator.actlimited[a] { clip(next, m.actuator.actrange[a]) } else { next }
}
