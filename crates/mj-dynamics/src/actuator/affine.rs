//! The commonest actuators: one control, one activation or none, and a force that is affine in length and velocity but
//! for the product of gain and input.

use crate::actuator::servo::{may_repeat, nearest, setpoint_period};
use crate::actuator::state::is_driven;
use crate::buffers::{Actuation, Transmissions, Velocities};
use mj_math::MINVAL;
use mj_model::*;

/// Where the input comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    /// The control.
    Control,
    /// The activation of this address, which integrates the control.
    Integral(u32),
    /// The activation of this address, which follows the control with a time constant.
    Filter(u32),
}

/// An actuator with an affine force, by its kind and its addresses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AffineActuator {
    actuator: ActuatorId,
    /// Addresses.
    ctrl: u32,
    output: u32,
    input: Input,
    /// Whether gain and bias depend on length and velocity.
    affine_gain: bool,
    affine_bias: bool,
    /// Whether it may act on an angle that repeats.
    turns: bool,
}

impl AffineActuator {
    /// Takes the actuators with an affine force out of a list.
    pub fn take(m: &Model, list: &mut Vec<ActuatorId>) -> Vec<Self> {
        let taken = list.iter().filter_map(|&a| Self::new(m, a)).collect();
        list.retain(|&a| Self::new(m, a).is_none());
        taken
    }

    fn new(m: &Model, a: ActuatorId) -> Option<Self> {
        let t = &m.actuator;
        let affine_gain = match t.gaintype[a] {
            GainType::Fixed => false,
            GainType::Affine => true,
            _ => return None,
        };
        let affine_bias = match t.biastype[a] {
            BiasType::None => false,
            BiasType::Affine => true,
            _ => return None,
        };
        let act = u32::try_from(t.actadr[a]).ok().filter(|_| t.actnum[a] > 0);
        let input = match (t.dyntype[a], act) {
            (DynType::None, None) => Input::Control,
            (DynType::Integrator, Some(i)) => Input::Integral(i),
            (DynType::Filter | DynType::FilterExact, Some(i)) => Input::Filter(i),
            _ => return None,
        };
        let single = t.ctrlnum[a] == 1 && t.outnum[a] == 1 && t.actnum[a] <= 1 && !t.actearly[a];
        single.then(|| Self {
            actuator: a,
            ctrl: t.ctrladr[a],
            output: t.outadr[a],
            input,
            affine_gain,
            affine_bias,
            turns: may_repeat(m, a),
        })
    }
}

/// Rates of activation of all, and forces of those that are awake and in a group that is on.
pub(crate) fn forces(
    actuators: &[AffineActuator],
    m: &Model,
    s: &State,
    trans: &Transmissions,
    vel: &Velocities,
    ctrl: &[f64],
    out: &mut Actuation,
) {
    let all = m.opt.disableactuator == 0 && s.awake.everything();
    let (lengths, velocities) = (trans.actuator_length.as_slice(), vel.actuator_velocity.as_slice());
    let force = out.actuator_force.as_mut_slice();
    for a in actuators {
        let u = ctrl[a.ctrl as usize];
        let input = match a.input {
            Input::Control => u,
            Input::Integral(i) => {
                out.act_dot[i as usize] = u;
                s.act[i as usize]
            }
            Input::Filter(i) => {
                let act = s.act[i as usize];
                out.act_dot[i as usize] = (u - act) / m.actuator.dynprm[a.actuator][0].max(MINVAL);
                act
            }
        };
        if !all && !is_driven(m, s, a.actuator) {
            continue;
        }
        let o = a.output as usize;
        let (length, velocity) = (lengths[o], velocities[o]);
        let (gainprm, biasprm) = (&m.actuator.gainprm[a.actuator], &m.actuator.biasprm[a.actuator]);
        let affine = |p: &[f64; 10]| p[0] + p[1] * length + p[2] * velocity;
        let gain = if a.affine_gain { affine(gainprm) } else { gainprm[0] };
        let bias = if a.affine_bias { affine(biasprm) } else { 0.0 };
        let period = if a.turns { setpoint_period(m, a.actuator) } else { 0.0 };
        let input = if period > 0.0 { nearest(input, length, period) } else { input };
        force[o] = gain * input + bias;
    }
}
