//! Derivatives of actuator forces by length and velocity.

use crate::actuator::activation::next_activation;
use crate::actuator::dcmotor::Motor;
use crate::actuator::force::{control, input};
use crate::actuator::muscle::{self, Muscle};
use crate::actuator::state::{activation_range, actuator_disabled, controls};
use crate::buffers::Smooth;
use mj_math::{DVec3, MAXVAL, MINVAL, real};
use mj_model::*;

/// Derivatives of an actuator's force by its length and by the velocity of its length; zero where it
/// is switched off or at a limit.
pub fn actuator_slopes(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> [f64; 2] {
    if m.opt.disabled(disable::ACTUATION) || actuator_disabled(m, a) {
        return [0.0; 2];
    }
    let slopes = unlimited_slopes(m, s, r, a);
    if slopes == [0.0; 2] {
        return slopes;
    }
    slopes_at_limit(m, s, r, a).unwrap_or(slopes)
}

/// The derivatives where the force is at a limit: none, but for what the limit of a motor's torque doesn't touch.
pub(super) fn slopes_at_limit(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> Option<[f64; 2]> {
    if is_target_saturated(m, r, a) {
        return Some([0.0; 2]);
    }
    is_itself_saturated(m, s, r, a).then(|| match m.actuator.biastype[a] {
        BiasType::DcMotor => {
            let (motor, o) = (Motor::new(m, a), OutputId::new(m.actuator.outadr[a] as usize));
            [motor.mechanical_stretch(r.transmissions.actuator_length[o]), motor.mechanical_slope()]
        }
        _ => [0.0; 2],
    })
}

/// The derivatives within the limits of the force.
fn unlimited_slopes(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> [f64; 2] {
    if m.actuator.biastype[a] == BiasType::DcMotor {
        return motor_slopes(m, s, r, a);
    }
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (length, velocity) = (r.transmissions.actuator_length[o], r.velocities.actuator_velocity[o]);
    let muscle = |prm| Muscle::new(length, m.output.lengthrange[o], m.output.acc0[o], prm);
    let (gainprm, biasprm) = (&m.actuator.gainprm[a], &m.actuator.biasprm[a]);
    let bias = match m.actuator.biastype[a] {
        BiasType::Affine => biasprm[1],
        BiasType::So3 => -gainprm[0],
        BiasType::Muscle => muscle(biasprm).bias_stretch(),
        _ => 0.0,
    };
    let gain = match m.actuator.gaintype[a] {
        GainType::Affine => gainprm[1],
        GainType::Muscle => muscle(gainprm).gain_stretch(velocity),
        _ => 0.0,
    };
    let stretch = if gain == 0.0 { bias } else { bias + gain * gain_input(m, s, r, a, velocity) };
    [stretch, velocity_slope(m, s, r, a)]
}

/// Derivative of an actuator's force by the velocity of its length, within the limits of the force.
pub(super) fn velocity_slope(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> f64 {
    if m.actuator.biastype[a] == BiasType::DcMotor {
        return motor_slopes(m, s, r, a)[1];
    }
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let velocity = r.velocities.actuator_velocity[o];
    let gainprm = &m.actuator.gainprm[a];
    let gain = match m.actuator.gaintype[a] {
        GainType::Affine => gainprm[2],
        GainType::Muscle => {
            let length = r.transmissions.actuator_length[o];
            Muscle::new(length, m.output.lengthrange[o], m.output.acc0[o], gainprm).gain_slope(velocity)
        }
        _ => 0.0,
    };
    let bias = bias_slope(m, a);
    if gain == 0.0 { bias } else { bias + gain * gain_input(m, s, r, a, velocity) }
}

/// An actuator's own activations.
fn activations<'a>(m: &Model, s: &'a State, a: ActuatorId) -> &'a [f64] {
    activation_range(m, a).map_or(&[], |range| &s.act[range])
}

/// The derivatives of a DC motor.
fn motor_slopes(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> [f64; 2] {
    let motor = Motor::new(m, a);
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (range, mut ctrl) = (controls(m, a), [0.0; 4]);
    for (k, u) in ctrl.iter_mut().take(range.len()).enumerate() {
        *u = control(m, s, a, k);
    }
    let (ctrl, act) = (&ctrl[..range.len().min(4)], activations(m, s, a));
    let (length, velocity) = (r.transmissions.actuator_length[o], r.velocities.actuator_velocity[o]);
    let follows = motor.follows(m.opt.timestep, ctrl, act, rates(m, r, a), length, velocity);
    [motor.stretch(follows, length), motor.slope(follows)]
}

/// The rates of an actuator's activations.
fn rates<'a>(m: &Model, r: &'a Smooth, a: ActuatorId) -> &'a [f64] {
    activation_range(m, a).map_or(&[], |range| &r.actuation.act_dot[range])
}

/// The part of [`velocity_slope`] that is the bias force's, of others than DC motors.
fn bias_slope(m: &Model, a: ActuatorId) -> f64 {
    match m.actuator.biastype[a] {
        BiasType::Affine | BiasType::So3 => m.actuator.biasprm[a][2],
        _ => 0.0,
    }
}

/// [`velocity_slope`] of an actuator whose gain doesn't depend on the velocity, where it is always the same.
pub(super) fn constant_slope(m: &Model, a: ActuatorId) -> Option<f64> {
    if m.actuator.biastype[a] != BiasType::DcMotor {
        return Some(bias_slope(m, a));
    }
    let motor = Motor::new(m, a);
    motor.always_follows(m.opt.timestep).map(|follows| motor.slope(follows))
}

/// Derivatives of an actuator's slope by velocity (see [`actuator_slopes`]) by its length and by its velocity, of gains that
/// are fixed, affine or a muscle's and biases that are none, affine or a muscle's.
pub fn actuator_curvature(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> [f64; 2] {
    if m.actuator.gaintype[a] != GainType::Muscle
        || m.opt.disabled(disable::ACTUATION)
        || actuator_disabled(m, a)
        || is_saturated(m, s, r, a)
    {
        return [0.0; 2];
    }
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (length, velocity) = (r.transmissions.actuator_length[o], r.velocities.actuator_velocity[o]);
    let prm = &m.actuator.gainprm[a];
    let curvature = Muscle::new(length, m.output.lengthrange[o], m.output.acc0[o], prm).gain_curvature(velocity);
    let input = gain_input(m, s, r, a, velocity);
    curvature.map(|x| x * input)
}

/// What the gain multiplies. Bad controls count as zero, as in the forces.
pub(super) fn gain_input(m: &Model, s: &State, r: &Smooth, a: ActuatorId, velocity: f64) -> f64 {
    let ctrl = control(m, s, a, 0);
    input(m, s, a, if ctrl.abs() <= MAXVAL { ctrl } else { 0.0 }, &r.actuation.act_dot, velocity)
}

/// Derivatives of an actuator's force, and of its slopes, by the actuator's input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputSlopes {
    /// Derivative of the force by the control, or by the last activation where there is one.
    pub force: f64,
    /// Derivative of the force's derivative by velocity.
    pub slope: f64,
    /// Derivative of the force's derivative by length.
    pub stretch: f64,
    /// Derivatives of the last activation after the step, by itself and by the control.
    pub activation: [f64; 2],
}

/// Derivatives by the input of an actuator of one control whose laws are simple: a fixed, an affine or a
/// muscle's gain, no activation or one that is integrated, filtered or a muscle's. `None` for others.
pub fn input_slopes(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> Option<InputSlopes> {
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (length, velocity) = (r.transmissions.actuator_length[o], r.velocities.actuator_velocity[o]);
    let prm = &m.actuator.gainprm[a];
    let gain = match m.actuator.gaintype[a] {
        GainType::Fixed => prm[0],
        GainType::Affine => prm[0] + prm[1] * length + prm[2] * velocity,
        GainType::Muscle => Muscle::new(length, m.output.lengthrange[o], m.output.acc0[o], prm).gain(velocity),
        _ => return None,
    };
    let one_state = m.actuator.actnum[a] <= 1 && !m.actuator.actearly[a];
    if m.actuator.ctrlnum[a] != 1 || !one_state {
        return None;
    }
    let off = m.opt.disabled(disable::ACTUATION) || actuator_disabled(m, a);
    let [by_length, by_velocity] = match m.actuator.gaintype[a] {
        GainType::Affine => [prm[1], prm[2]],
        GainType::Muscle => {
            let muscle = Muscle::new(length, m.output.lengthrange[o], m.output.acc0[o], prm);
            [muscle.gain_stretch(velocity), muscle.gain_slope(velocity)]
        }
        _ => [0.0; 2],
    };
    let works = !(off || is_saturated(m, s, r, a));
    let [force, slope, stretch] = if works { [gain, by_velocity, by_length] } else { [0.0; 3] };
    let c = ControlId::new(m.actuator.ctrladr[a] as usize);
    let u = s.ctrl[c.index()];
    let passed = if u == control(m, s, a, 0) { 1.0 } else { 0.0 };
    let Some(state) = activation_range(m, a) else {
        let [force, slope, stretch] = [force, slope, stretch].map(|x| x * passed);
        return Some(InputSlopes { force, slope, stretch, activation: [0.0; 2] });
    };
    let h = m.opt.timestep;
    // ȧct = x (u − act), or u: by the activation and by the control.
    let [by_act, by_ctrl] = match m.actuator.dyntype[a] {
        DynType::Integrator => [0.0, h],
        DynType::Filter => [-1.0, 1.0].map(|x| x * h / m.actuator.dynprm[a][0].max(MINVAL)),
        DynType::Muscle => {
            muscle::dynamics_slopes(s.ctrl[c.index()], s.act[state.start], &m.actuator.dynprm[a]).map(|x| x * h)
        }
        DynType::FilterExact => [-1.0, 1.0].map(|x| x * (1.0 - real::exp(-h / m.actuator.dynprm[a][0].max(MINVAL)))),
        _ => return None,
    };
    let (i, range) = (state.start, m.actuator.actrange[a]);
    let next = next_activation(m, a, 0, s.act[i], if off { 0.0 } else { r.actuation.act_dot[i] }, || velocity);
    let held = m.actuator.actlimited[a] && (next <= range[0] || next >= range[1]);
    let activation = match (held, off) {
        (true, _) => [0.0; 2],
        (false, true) => [1.0, 0.0],
        (false, false) => [1.0 + by_act, by_ctrl * passed],
    };
    Some(InputSlopes { force, slope, stretch, activation })
}

/// Whether the force is at a limit: the actuator's, or that of the joint or tendon it acts on.
pub(super) fn is_saturated(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> bool {
    is_itself_saturated(m, s, r, a) || is_target_saturated(m, r, a)
}

/// Whether what actuators do to a joint, of all forces `qfrc_actuator`, is at its limit.
pub fn is_joint_saturated(m: &Model, qfrc_actuator: &[f64], j: JointId) -> bool {
    m.jnt.actfrclimited[j] && outside(qfrc_actuator[m.jnt.dofadr[j].index()], m.jnt.actfrcrange[j])
}

fn outside(x: f64, [lower, upper]: [f64; 2]) -> bool {
    x <= lower || x >= upper
}

/// Whether the force is at a limit of the actuator.
fn is_itself_saturated(m: &Model, s: &State, r: &Smooth, a: ActuatorId) -> bool {
    if !m.actuator.forcelimited[a] {
        return false;
    }
    let first = m.actuator.outadr[a] as usize;
    let (range, o) = (m.actuator.forcerange[a], OutputId::new(first));
    match m.actuator.gaintype[a] {
        // The limit is one of the norm.
        GainType::So3 => {
            DVec3::from_slice(&r.actuation.actuator_force.as_slice()[first..first + 3]).length() >= range[1]
        }
        GainType::DcMotor => {
            let (act, rate) = (activations(m, s, a), rates(m, r, a));
            let own = Motor::new(m, a).mechanical_torque(act, rate, r.transmissions.actuator_length[o]);
            // What the limit left, but for rounding.
            outside(r.actuation.actuator_force[o] - own, range.map(|x| x * (1.0 - 1e-12)))
        }
        _ => outside(r.actuation.actuator_force[o], range),
    }
}

/// Whether the force is at the limit of the joint or tendon that the actuator acts on.
fn is_target_saturated(m: &Model, r: &Smooth, a: ActuatorId) -> bool {
    let Ok(id) = usize::try_from(m.actuator.trnid[a][0]) else { return false };
    match m.actuator.trntype[a] {
        TrnType::Joint | TrnType::JointInParent => is_joint_saturated(m, &r.actuation.qfrc_actuator, JointId::new(id)),
        TrnType::Tendon => {
            let t = TendonId::new(id);
            if !m.tendon.actfrclimited[t] {
                return false;
            }
            let on_this =
                |b: &ActuatorId| m.actuator.trntype[*b] == TrnType::Tendon && m.actuator.trnid[*b][0] == id as i32;
            let total: f64 = m
                .actuator
                .ids()
                .filter(on_this)
                .map(|b| r.actuation.actuator_force[OutputId::new(m.actuator.outadr[b] as usize)])
                .sum();
            // Forces scaled down to the limit add up to it but for rounding.
            outside(total, m.tendon.actfrcrange[t].map(|x| x * (1.0 - 1e-12)))
        }
        _ => false,
    }
}
