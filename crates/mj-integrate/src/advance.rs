//! What all integrators end with: activation, velocity, position and time go one step on.

use mj_dynamics::actuation::{actuator_disabled, nearest, setpoint_period};
use mj_dynamics::{Transmissions, integrate_pos, next_activation};
use mj_model::{DynType, Model, OutputId, State, disable};

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
    if !m.opt.disabled(disable::ACTUATION) {
        activations(m, s, trans, rates.act_dot);
    }
    for (v, a) in s.qvel.iter_mut().zip(rates.qacc) {
        *v += h * a;
    }
    integrate_pos(m, &mut s.qpos, rates.qvel.unwrap_or(&s.qvel), h);
    s.time += h;
}

fn activations(m: &Model, s: &mut State, trans: &Transmissions, act_dot: &[f64]) {
    for a in m.actuator.ids() {
        let Ok(first) = usize::try_from(m.actuator.actadr[a]) else { continue };
        let states = first..first + m.actuator.actnum[a] as usize;
        let disabled = actuator_disabled(m, a);
        for i in states.clone() {
            s.act[i] = next_activation(m, a, s.act[i], if disabled { 0.0 } else { act_dot[i] });
        }
        // An integrated setpoint of a rotation stays within half a turn of the rotation itself.
        let period = setpoint_period(m, a);
        if m.actuator.dyntype[a] == DynType::Integrator && period > 0.0 && !states.is_empty() {
            let length = trans.actuator_length[OutputId::new(m.actuator.outadr[a] as usize)];
            s.act[states.end - 1] = nearest(s.act[states.end - 1], length, period);
        }
    }
}
