//! Actuator dynamics and forces, and the acceleration without constraints.

use crate::buffers::{Actuation, JointInertia, Poses, Transmissions, Velocities};
use crate::chains::Chains;
use crate::inertia::solve_m;
use crate::jacobian::apply_ft;
use crate::muscle;
use crate::workspace::Workspace;
use mj_math::{DVec3, MAXVAL, MINVAL};
use mj_model::*;
use std::f64::consts::TAU;

impl Actuation {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let mut a = Self::default();
        a.resize(m);
        a
    }

    /// Makes the buffers fit a model. Allocates only if the sizes grow.
    pub fn resize(&mut self, m: &Model) {
        self.act_dot.resize(m.na, 0.0);
        self.actuator_force.resize(m.nout(), 0.0);
        self.qfrc_actuator.resize(m.nv(), 0.0);
        self.qfrc_smooth.resize(m.nv(), 0.0);
        self.qacc_smooth.resize(m.nv(), 0.0);
    }
}

/// Whether an actuator's group is switched off.
#[inline]
pub fn actuator_disabled(m: &Model, a: ActuatorId) -> bool {
    let group = m.actuator.group[a];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Rates of activation, actuator forces and their generalized force. Needs lengths, moments and
/// velocities of actuators and the passive forces.
///
/// Returns the first control that is not a number or too large; all controls are taken as zero then.
pub fn actuation(
    m: &Model,
    s: &State,
    trans: &Transmissions,
    vel: &Velocities,
    work: &mut Workspace,
    out: &mut Actuation,
) -> Option<ControlId> {
    out.actuator_force.as_mut_slice().fill(0.0);
    out.qfrc_actuator.fill(0.0);
    if m.actuator.is_empty() || m.opt.disabled(disable::ACTUATION) {
        return None;
    }
    let bad = read_controls(m, s, &mut work.ctrl);
    activation_rates(m, s, &work.ctrl, &mut out.act_dot);
    for a in m.actuator.ids() {
        if !actuator_disabled(m, a) {
            let o = OutputId::new(m.actuator.outadr[a] as usize);
            out.actuator_force[o] =
                force(m, s, a, &work.ctrl, &out.act_dot, trans.actuator_length[o], vel.actuator_velocity[o]);
        }
    }
    limit_tendon_forces(m, &mut work.tendons, &mut out.actuator_force);
    for a in m.actuator.ids() {
        if m.actuator.forcelimited[a] {
            let f = &mut out.actuator_force[OutputId::new(m.actuator.outadr[a] as usize)];
            *f = clip(*f, m.actuator.forcerange[a]);
        }
    }
    trans.actuator_moment.mul_transposed_add(out.actuator_force.as_slice(), &mut out.qfrc_actuator, &mut work.dofs);
    joint_limits(m, vel, &mut out.qfrc_actuator);
    bad
}

/// x brought into the range; NaN stays.
#[inline]
fn clip(x: f64, [lower, upper]: [f64; 2]) -> f64 {
    if x < lower {
        lower
    } else if x > upper {
        upper
    } else {
        x
    }
}

/// Controls within their ranges, or all zero if one is bad, which is returned.
fn read_controls(m: &Model, s: &State, ctrl: &mut [f64]) -> Option<ControlId> {
    for (i, u) in ctrl.iter_mut().enumerate() {
        *u = read_control(m, s, ControlId::new(i));
    }
    let bad = ctrl.iter().position(|u| u.is_nan() || u.abs() > MAXVAL)?;
    ctrl.fill(0.0);
    Some(ControlId::new(bad))
}

/// A control within its range, unless that is disabled.
#[inline]
pub(crate) fn read_control(m: &Model, s: &State, c: ControlId) -> f64 {
    let u = s.ctrl[c.index()];
    let clamp = m.control.ctrllimited[c] && !m.opt.disabled(disable::CLAMPCTRL);
    if clamp { clip(u, m.control.ctrlrange[c]) } else { u }
}

/// Rates of change of activations.
fn activation_rates(m: &Model, s: &State, ctrl: &[f64], act_dot: &mut [f64]) {
    for a in m.actuator.ids() {
        let Some(act) = last_activation(m, a) else { continue };
        let u = ctrl[m.actuator.ctrladr[a] as usize];
        let prm = &m.actuator.dynprm[a];
        act_dot[act] = match m.actuator.dyntype[a] {
            DynType::Integrator => u,
            DynType::Filter | DynType::FilterExact => (u - s.act[act]) / prm[0].max(MINVAL),
            DynType::Muscle => muscle::dynamics(u, s.act[act], prm),
            // No state, or the compiler refuses it so far.
            DynType::None | DynType::DcMotor | DynType::Pid | DynType::User => 0.0,
        };
    }
}

/// The activation that drives an actuator: its last.
#[inline]
fn last_activation(m: &Model, a: ActuatorId) -> Option<usize> {
    let first = usize::try_from(m.actuator.actadr[a]).ok()?;
    (first + m.actuator.actnum[a] as usize).checked_sub(1)
}

/// Activation number `i`, which belongs to actuator `a`, after a time step at the rate `act_dot`:
/// exact for `filterexact`, Euler's rule for the others, then within its range.
pub fn next_activation(m: &Model, a: ActuatorId, act: f64, act_dot: f64) -> f64 {
    let h = m.opt.timestep;
    let next = match m.actuator.dyntype[a] {
        DynType::FilterExact => {
            let tau = m.actuator.dynprm[a][0].max(MINVAL);
            act + act_dot * tau * (1.0 - (-h / tau).exp())
        }
        _ => act + act_dot * h,
    };
    if m.actuator.actlimited[a] { clip(next, m.actuator.actrange[a]) } else { next }
}

/// Force of actuator `a`: gain times control or activation, plus bias.
fn force(m: &Model, s: &State, a: ActuatorId, ctrl: &[f64], act_dot: &[f64], length: f64, velocity: f64) -> f64 {
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (gainprm, biasprm) = (&m.actuator.gainprm[a], &m.actuator.biasprm[a]);
    let affine = |p: &[f64; 10]| p[0] + p[1] * length + p[2] * velocity;
    let gain = match m.actuator.gaintype[a] {
        GainType::Fixed => gainprm[0],
        GainType::Affine => affine(gainprm),
        GainType::Muscle => muscle::gain(length, velocity, m.output.lengthrange[o], m.output.acc0[o], gainprm),
        // The default of user gains; the compiler refuses the others so far.
        GainType::User | GainType::DcMotor | GainType::So3 | GainType::Pid => 1.0,
    };
    let input = input(m, s, a, ctrl[m.actuator.ctrladr[a] as usize], act_dot);
    let period = setpoint_period(m, a);
    let input = if period > 0.0 { nearest(input, length, period) } else { input };
    let bias = match m.actuator.biastype[a] {
        BiasType::Affine => affine(biasprm),
        BiasType::Muscle => muscle::bias(length, m.output.lengthrange[o], m.output.acc0[o], biasprm),
        BiasType::None | BiasType::DcMotor | BiasType::So3 | BiasType::User => 0.0,
    };
    gain * input + bias
}

/// What the gain of actuator `a` multiplies: its control `ctrl`, or its activation, now or after the
/// step.
pub(crate) fn input(m: &Model, s: &State, a: ActuatorId, ctrl: f64, act_dot: &[f64]) -> f64 {
    match last_activation(m, a) {
        None => ctrl,
        Some(i) if m.actuator.actearly[a] => next_activation(m, a, s.act[i], act_dot[i]),
        Some(i) => s.act[i],
    }
}

/// The angle after which the setpoint of a position servo on a rotation repeats; 0 where it does not.
///
/// A servo is an actuator whose force is k·(setpoint − length) + …; its length is a rotation on a
/// ball joint, or between two sites if the gear has no translation.
pub fn setpoint_period(m: &Model, a: ActuatorId) -> f64 {
    let servo = m.actuator.gaintype[a] == GainType::Fixed
        && m.actuator.biastype[a] == BiasType::Affine
        && m.actuator.gainprm[a][0] == -m.actuator.biasprm[a][1]
        && matches!(m.actuator.dyntype[a], DynType::None | DynType::Integrator);
    if !servo {
        return 0.0;
    }
    let gear = &m.output.gear[OutputId::new(m.actuator.outadr[a] as usize)];
    let [id, other] = m.actuator.trnid[a];
    let axis = match m.actuator.trntype[a] {
        TrnType::Site if other >= 0 && gear[..3] == [0.0; 3] => &gear[3..],
        TrnType::Joint | TrnType::JointInParent if m.jnt.r#type[JointId::new(id as usize)] == JointType::Ball => {
            &gear[..3]
        }
        _ => return 0.0,
    };
    TAU * DVec3::from_slice(axis).length()
}

/// The one among u + k·period that is nearest to `length`.
#[inline]
pub fn nearest(u: f64, length: f64, period: f64) -> f64 {
    u - period * ((u - length) / period).round()
}

/// Scales the forces of actuators on a tendon so that their sum stays in the tendon's range.
fn limit_tendon_forces(m: &Model, total: &mut [f64], force: &mut IdVec<OutputId, f64>) {
    if !m.tendon.actfrclimited.iter().any(|&x| x) {
        return;
    }
    let on_tendon = |a: &ActuatorId| m.actuator.trntype[*a] == TrnType::Tendon;
    let output = |a: ActuatorId| OutputId::new(m.actuator.outadr[a] as usize);
    total.fill(0.0);
    for a in m.actuator.ids().filter(on_tendon) {
        total[m.actuator.trnid[a][0] as usize] += force[output(a)];
    }
    for a in m.actuator.ids().filter(on_tendon) {
        let t = TendonId::new(m.actuator.trnid[a][0] as usize);
        let sum = total[t.index()];
        if m.tendon.actfrclimited[t] && sum != 0.0 {
            let limited = clip(sum, m.tendon.actfrcrange[t]);
            if limited != sum {
                force[output(a)] *= limited / sum;
            }
        }
    }
}

/// Adds the gravity compensation that acts through actuators, then applies the joints' limits of the
/// total actuator force.
fn joint_limits(m: &Model, vel: &Velocities, qfrc: &mut [f64]) {
    for j in m.jnt.ids() {
        let d = m.jnt.dofadr[j].index();
        if m.jnt.actgravcomp[j] {
            let n = match m.jnt.r#type[j] {
                JointType::Free => 6,
                JointType::Ball => 3,
                JointType::Slide | JointType::Hinge => 1,
            };
            for (q, g) in qfrc[d..d + n].iter_mut().zip(&vel.qfrc_gravcomp[d..d + n]) {
                *q += g;
            }
        }
        if m.jnt.actfrclimited[j] {
            qfrc[d] = clip(qfrc[d], m.jnt.actfrcrange[j]);
        }
    }
}

/// Sum of all forces but constraints, `qfrc_smooth` = passive − bias + applied + actuator +
/// Jᵀ·`xfrc_applied`, and the acceleration `qacc_smooth` = M⁻¹·`qfrc_smooth`.
pub fn acceleration(
    m: &Model,
    s: &State,
    chains: &Chains,
    poses: &Poses,
    inertia: &JointInertia,
    vel: &Velocities,
    out: &mut Actuation,
) {
    for d in 0..m.nv() {
        out.qfrc_smooth[d] = vel.qfrc_passive[d] - vel.qfrc_bias[d] + s.qfrc_applied[d] + out.qfrc_actuator[d];
    }
    for (b, x) in s.xfrc_applied.iter_ids().skip(1) {
        if *x != [0.0; 6] {
            let (force, torque) = (DVec3::from_slice(x), DVec3::from_slice(&x[3..]));
            apply_ft(m, chains, poses, force, torque, poses.xipos[b], b, &mut out.qfrc_smooth);
        }
    }
    out.qacc_smooth.copy_from_slice(&out.qfrc_smooth);
    solve_m(m, inertia, &mut out.qacc_smooth);
}

#[cfg(test)]
mod tests {
    use crate::testmodel::pendulum;
    use crate::*;
    use mj_model::model::*;
    use mj_model::*;

    /// A pendulum with a position servo of gain 10, damping 1, gear 2.
    fn servo() -> Model {
        let mut m = pendulum(1.0, 1.0);
        let (mut gainprm, mut biasprm) = ([0.0; 10], [0.0; 10]);
        gainprm[0] = 10.0;
        biasprm[1..3].copy_from_slice(&[-10.0, -1.0]);
        m.actuator.push(ActuatorRow {
            biastype: BiasType::Affine,
            gainprm,
            biasprm,
            ctrlnum: 1,
            outnum: 1,
            actadr: -1,
            trnid: [0, -1],
            ..Default::default()
        });
        m.control.push(ControlRow { ctrllimited: true, ctrlrange: [-1.0, 1.0] });
        m.output.push(OutputRow { gear: [2.0, 0.0, 0.0, 0.0, 0.0, 0.0], ..Default::default() });
        m
    }

    fn force(m: &Model, s: &State) -> (f64, f64, Option<ControlId>) {
        let mut d = Smooth::new(m);
        let bad = forward_smooth(m, s, &mut d);
        (d.act.actuator_force[OutputId::new(0)], d.act.qfrc_actuator[0], bad)
    }

    #[test]
    fn a_servo_pulls_towards_its_setpoint() {
        let mut m = servo();
        let mut s = State::new(&m);
        (s.qpos[0], s.qvel[0], s.ctrl[0]) = (0.3, 0.5, 4.0);
        // The control is clamped to 1; length and velocity are geared.
        let want = 10.0 * (1.0 - 0.6) - 1.0;
        let (f, q, bad) = force(&m, &s);
        assert!((f - want).abs() < 1e-12 && (q - 2.0 * want).abs() < 1e-12 && bad.is_none());

        // Limits, from the actuator outwards.
        let a = ActuatorId::new(0);
        (m.actuator.forcelimited[a], m.actuator.forcerange[a]) = (true, [-2.0, 2.0]);
        assert_eq!(force(&m, &s).1, 4.0);
        let j = JointId::new(0);
        (m.jnt.actfrclimited[j], m.jnt.actfrcrange[j]) = (true, [-3.0, 3.0]);
        assert_eq!(force(&m, &s), (2.0, 3.0, None));
        m.opt.disableactuator = 1;
        assert_eq!(force(&m, &s).1, 0.0);
    }

    #[test]
    fn a_bad_control_is_reported_and_zeroed() {
        let m = servo();
        let mut s = State::new(&m);
        s.ctrl[0] = f64::NAN;
        assert_eq!(force(&m, &s), (0.0, 0.0, Some(ControlId::new(0))));
    }

    /// An exact filter reaches what Euler's rule reaches with many small steps.
    #[test]
    fn an_exact_filter_is_the_limit_of_small_steps() {
        let mut m = servo();
        let a = ActuatorId::new(0);
        (m.actuator.actadr[a], m.actuator.actnum[a], m.na) = (0, 1, 1);
        m.actuator.dynprm[a][0] = 0.1;
        let rate = |act: f64| (1.0 - act) / 0.1;
        m.opt.timestep = 0.05;
        m.actuator.dyntype[a] = DynType::FilterExact;
        let exact = next_activation(&m, a, 0.2, rate(0.2));
        m.opt.timestep = 0.05 / 1e5;
        m.actuator.dyntype[a] = DynType::Filter;
        let mut act = 0.2;
        for _ in 0..100_000 {
            act = next_activation(&m, a, act, rate(act));
        }
        assert!((exact - act).abs() < 1e-5);
    }
}
