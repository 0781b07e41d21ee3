//! The commonest actuators: one control, one activation or none, and a force that is affine in length and velocity but
//! for the product of gain and input. What the model says of them is looked up once.

use crate::actuation::is_driven;
use crate::buffers::{Actuation, Transmissions, Velocities};
use crate::servo::{nearest, setpoint_period};
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
    Filter(u32, f64),
}

/// Such an actuator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AffineActuator {
    actuator: ActuatorId,
    /// Addresses.
    ctrl: u32,
    output: u32,
    input: Input,
    /// Constant, by length, by velocity.
    gain: [f64; 3],
    bias: [f64; 3],
    /// Angle after which a setpoint repeats, or 0.
    period: f64,
}

impl AffineActuator {
    /// The actuators of a list that are such ones, which leave it.
    pub fn take(m: &Model, list: &mut Vec<ActuatorId>) -> Vec<Self> {
        let mut taken = Vec::new();
        list.retain(|&a| match Self::new(m, a) {
            Some(found) => {
                taken.push(found);
                false
            }
            None => true,
        });
        taken
    }

    fn new(m: &Model, a: ActuatorId) -> Option<Self> {
        let t = &m.actuator;
        let (gainprm, biasprm) = (&t.gainprm[a], &t.biasprm[a]);
        let gain = match t.gaintype[a] {
            GainType::Fixed => [gainprm[0], 0.0, 0.0],
            GainType::Affine => [gainprm[0], gainprm[1], gainprm[2]],
            _ => return None,
        };
        let bias = match t.biastype[a] {
            BiasType::None => [0.0; 3],
            BiasType::Affine => [biasprm[0], biasprm[1], biasprm[2]],
            _ => return None,
        };
        let act = u32::try_from(t.actadr[a]).ok().filter(|_| t.actnum[a] > 0);
        let input = match (t.dyntype[a], act) {
            (DynType::None, None) => Input::Control,
            (DynType::Integrator, Some(i)) => Input::Integral(i),
            (DynType::Filter | DynType::FilterExact, Some(i)) => Input::Filter(i, t.dynprm[a][0].max(MINVAL)),
            _ => return None,
        };
        let single = t.ctrlnum[a] == 1 && t.outnum[a] == 1 && t.actnum[a] <= 1 && !t.actearly[a];
        single.then(|| Self {
            actuator: a,
            ctrl: t.ctrladr[a],
            output: t.outadr[a],
            input,
            gain,
            bias,
            period: setpoint_period(m, a),
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
            Input::Filter(i, time) => {
                let act = s.act[i as usize];
                out.act_dot[i as usize] = (u - act) / time;
                act
            }
        };
        if !all && !is_driven(m, s, a.actuator) {
            continue;
        }
        let o = a.output as usize;
        let (length, velocity) = (lengths[o], velocities[o]);
        let affine = |p: &[f64; 3]| p[0] + p[1] * length + p[2] * velocity;
        let input = if a.period > 0.0 { nearest(input, length, a.period) } else { input };
        force[o] = affine(&a.gain) * input + affine(&a.bias);
    }
}
