//! Servos: setpoints packed in controls, setpoints on a circle, limits of rate and integral, and
//! servos of whole orientations.

use mj_math::{DQuat, DVec3, MINVAL, quat};
use mj_model::control::input::{FF, POS, VEL, VOLTAGE};
use mj_model::*;
use std::f64::consts::{PI, TAU};

/// Controls of a servo by what they mean; what it lacks is 0.
pub(crate) struct Setpoints {
    pub position: f64,
    pub velocity: f64,
    pub feedforward: f64,
    pub voltage: f64,
}

impl Setpoints {
    #[inline]
    pub fn unpack(ctrl: &[f64], inputs: i32) -> Self {
        let mut ctrl = ctrl.iter();
        let mut next = |bit| if inputs & bit != 0 { ctrl.next().copied().unwrap_or(0.0) } else { 0.0 };
        Self { position: next(POS), velocity: next(VEL), feedforward: next(FF), voltage: next(VOLTAGE) }
    }
}

/// The value within `most` of `previous` that is nearest to `u`.
#[inline]
pub(crate) fn limit_rate(u: f64, previous: f64, most: f64) -> f64 {
    // Not `clamp`, which panics where the bounds are not numbers.
    u.max(previous - most).min(previous + most)
}

/// Rate of an integral of the error, which stops growing at ±`most` (0: nowhere).
#[inline]
pub(crate) fn integral_rate(error: f64, integral: f64, most: f64) -> f64 {
    if most > 0.0 && integral >= most {
        error.min(0.0)
    } else if most > 0.0 && integral <= -most {
        error.max(0.0)
    } else {
        error
    }
}

/// Returns whether an actuator is of a kind that a servo on a rotation is of: its parameters decide.
pub(crate) fn may_repeat(m: &Model, a: ActuatorId) -> bool {
    let servo = m.actuator.gaintype[a] == GainType::Fixed
        && m.actuator.biastype[a] == BiasType::Affine
        && matches!(m.actuator.dyntype[a], DynType::None | DynType::Integrator);
    let [id, other] = m.actuator.trnid[a];
    let turns = match m.actuator.trntype[a] {
        TrnType::Site => other >= 0,
        TrnType::Joint | TrnType::JointInParent => m.jnt.r#type[JointId::new(id as usize)] == JointType::Ball,
        _ => false,
    };
    turns && (servo || m.actuator.gaintype[a] == GainType::Pid)
}

/// Returns the angle after which the setpoint of a servo on a rotation repeats; 0 where it does not.
///
/// A servo is a PID servo, or an actuator whose force is k·(setpoint − length) + …; its length is a
/// rotation on a ball joint, or between two sites if the gear has no translation.
#[inline]
pub fn setpoint_period(m: &Model, a: ActuatorId) -> f64 {
    let pid = m.actuator.gaintype[a] == GainType::Pid;
    if !may_repeat(m, a) || !(pid || m.actuator.gainprm[a][0] == -m.actuator.biasprm[a][1]) {
        return 0.0;
    }
    let gear = &m.output.gear[OutputId::new(m.actuator.outadr[a] as usize)];
    let axis = match m.actuator.trntype[a] {
        TrnType::Site if gear[..3] == [0.0; 3] => &gear[3..],
        TrnType::Joint | TrnType::JointInParent => &gear[..3],
        _ => return 0.0,
    };
    TAU * DVec3::from_slice(axis).length()
}

/// The one among u + k·period that is nearest to `length`.
#[inline]
pub fn nearest(u: f64, length: f64, period: f64) -> f64 {
    u - period * ((u - length) / period).round()
}

/// Rates of a PID servo's states (limited setpoint, integral); the first control becomes the one of
/// limited rate.
pub(crate) fn pid_rates(m: &Model, a: ActuatorId, ctrl: &mut [f64], act: &[f64], length: f64, rate: &mut [f64]) {
    let (h, period) = (m.opt.timestep, setpoint_period(m, a));
    let [imax, slewmax, ..] = m.actuator.dynprm[a];
    let Some(u) = ctrl.first_mut() else { return };
    // Which states there are was decided when the model was compiled: a parameter edited from zero adds none.
    let mut at = 0;
    if slewmax > 0.0 && at < act.len() {
        let wanted = if period > 0.0 { nearest(*u, act[at], period) } else { *u };
        *u = limit_rate(wanted, act[at], slewmax * h);
        rate[at] = (*u - act[at]) / h;
        at += 1;
    }
    if m.actuator.gainprm[a][0] > 0.0 && at < act.len() {
        let mut error = *u - length;
        if period > 0.0 {
            error -= period * (error / period).round();
        }
        rate[at] = integral_rate(error, act[at], imax);
    }
}

/// Part of a PID servo's force that comes from its inputs and states; what length and velocity add
/// is its affine bias.
pub(crate) fn pid_input_force(m: &Model, a: ActuatorId, ctrl: &[f64], integral: Option<f64>, length: f64) -> f64 {
    let prm = &m.actuator.biasprm[a];
    let mut u = Setpoints::unpack(ctrl, m.actuator.ctrlspec[a]);
    let period = setpoint_period(m, a);
    if period > 0.0 {
        u.position = nearest(u.position, length, period);
    }
    let force = -prm[1] * u.position - prm[2] * u.velocity + u.feedforward;
    let ki = m.actuator.gainprm[a][0];
    force + integral.filter(|_| ki > 0.0).map_or(0.0, |z| ki * z)
}

/// Computes the torque of an orientation servo in the child's frame, of which `rotation` is q:
/// kp log(q⁻¹ target) + constant − kv ω. `act` are the activations that count: of now, or after the step.
pub(crate) fn orientation_torque(
    m: &Model,
    a: ActuatorId,
    ctrl: &[f64],
    act: impl Fn(usize) -> f64,
    rotation: DQuat,
    velocity: &[f64],
) -> DVec3 {
    let target = if ctrl.len() == 4 {
        quat::normalize(quat::read(ctrl))
    } else if m.actuator.dyntype[a] == DynType::None {
        from_expmap(DVec3::from_slice(ctrl))
    } else {
        from_expmap(DVec3::new(act(0), act(1), act(2)))
    };
    let error = quat::sub(target, rotation);
    let kp = m.actuator.gainprm[a][0];
    let [constant, _, damping, ..] = m.actuator.biasprm[a];
    error * kp + DVec3::splat(constant) + DVec3::from_slice(velocity) * damping
}

fn from_expmap(v: DVec3) -> DQuat {
    let angle = v.length();
    if angle < MINVAL { DQuat::IDENTITY } else { DQuat::from_axis_angle(v / angle, angle) }
}

/// The exponential map of the same orientation whose angle is at most half a turn.
pub fn shortest_expmap(v: &mut [f64]) {
    let angle = DVec3::from_slice(v).length();
    if angle > PI {
        let scale = (angle - TAU * (angle / TAU).round()) / angle;
        v.iter_mut().for_each(|x| *x *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_come_in_order() {
        let u = Setpoints::unpack(&[1.0, 2.0], POS | FF);
        assert_eq!((u.position, u.velocity, u.feedforward, u.voltage), (1.0, 0.0, 2.0, 0.0));
    }

    #[test]
    fn an_integral_stays_within_its_limits_but_can_leave_them() {
        assert_eq!(integral_rate(2.0, 0.5, 0.5), 0.0);
        assert_eq!(integral_rate(-2.0, 0.5, 0.5), -2.0);
        assert_eq!(integral_rate(2.0, 9.0, 0.0), 2.0);
        assert_eq!(limit_rate(5.0, 1.0, 0.25), 1.25);
    }

    #[test]
    fn a_long_turn_is_a_short_one_back() {
        let mut v = [0.0, 1.5 * PI, 0.0];
        shortest_expmap(&mut v);
        assert!((v[1] + 0.5 * PI).abs() < 1e-12);
        let a = from_expmap(DVec3::Y * 1.5 * PI);
        assert!(a.dot(from_expmap(DVec3::from_array(v))).abs() > 1.0 - 1e-12);
    }
}
