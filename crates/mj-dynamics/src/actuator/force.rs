//! Actuator dynamics and forces, and the acceleration without constraints.

use crate::actuator::activation::{self, next_activation};
use crate::actuator::affine;
use crate::actuator::dcmotor;
use crate::actuator::muscle::{Muscle, fours};
use crate::actuator::plan::ActuatorPlan;
use crate::actuator::plugin;
use crate::actuator::servo::{self, nearest, setpoint_period};
use crate::actuator::state::{activation_range, clip, controls, is_driven, outputs};
use crate::actuator::user::{UserActuator, UserActuators};
use crate::buffers::{Actuation, JointInertia, Poses, Transmissions, Velocities};
use crate::rigid::chains::Chains;
use crate::rigid::jacobian::add_applied_wrenches;
use crate::workspace::Workspace;
use mj_math::{DVec3, MAXVAL};
use mj_model::history::Ring;
use mj_model::*;

impl Actuation {
    /// Makes buffers for a model.
    pub fn new(m: &Model) -> Self {
        Self {
            act_dot: vec![0.0; m.na],
            actuator_force: IdVec::filled(m.nout(), 0.0),
            qfrc_actuator: vec![0.0; m.nv()],
            qfrc_smooth: vec![0.0; m.nv()],
            qacc_smooth: vec![0.0; m.nv()],
        }
    }
}

/// Rates of activation, actuator forces and their generalized force. Needs lengths, moments and
/// velocities of actuators and the passive forces.
///
/// Actuators of the types `user` follow the laws of `user`; without one, their activations stay, their
/// gain is 1 and their bias 0.
///
/// Returns the first control that is not a number or too large; all controls are taken as zero then.
#[allow(clippy::too_many_arguments)] // one for each stage that it reads
pub fn actuation(
    m: &Model,
    plan: &ActuatorPlan,
    s: &State,
    trans: &Transmissions,
    vel: &Velocities,
    user: Option<&dyn UserActuators>,
    work: &mut Workspace,
    out: &mut Actuation,
) -> Option<ControlId> {
    out.actuator_force.as_mut_slice().fill(0.0);
    out.qfrc_actuator.fill(0.0);
    if m.actuator.is_empty() || m.opt.disabled(disable::ACTUATION) {
        return None;
    }
    let bad = read_controls(m, s, &mut work.ctrl);
    let ctrl = &mut work.ctrl;
    fours::forces(&plan.muscles, m, s, trans, vel, ctrl, out);
    affine::forces(&plan.affine, m, s, trans, vel, ctrl, out);
    dcmotor::torques(&plan.motors, m, s, trans, vel, ctrl, out);
    activation::rates(m, s, &plan.others, trans, vel, user, ctrl, &mut out.act_dot);
    for &a in plan.others.iter().filter(|&&a| is_driven(m, s, a)) {
        let forces = &mut out.actuator_force.as_mut_slice()[outputs(m, a)];
        force(m, s, a, ctrl, &out.act_dot, trans, vel, user, forces);
    }
    plugin::drive(m, plan, s, trans, vel, user, ctrl, out);
    limit_tendon_forces(m, &mut work.tendons, &mut out.actuator_force);
    limit_forces(m, out.actuator_force.as_mut_slice());
    dcmotor::add_mechanical_torques(&plan.motors, m, s, trans, out);
    joint_forces(m, plan, trans, out, &mut work.dofs);
    joint_limits(m, vel, &mut out.qfrc_actuator);
    bad
}

/// Adds what the actuators' forces are in joint space.
fn joint_forces(m: &Model, plan: &ActuatorPlan, trans: &Transmissions, out: &mut Actuation, work: &mut [f64]) {
    let (force, qfrc) = (out.actuator_force.as_slice(), &mut out.qfrc_actuator);
    for on in &plan.layout.on_dofs {
        qfrc[on.dof as usize] += on.arm(m) * force[on.output as usize];
    }
    if !plan.layout.blocks.is_empty() {
        trans.actuator_moment.mul_blocks_transposed_add(&plan.layout.blocks, force, qfrc, work);
    }
}

/// Controls, delayed and within their ranges, or all zero if one is bad, which is returned.
fn read_controls(m: &Model, s: &State, ctrl: &mut [f64]) -> Option<ControlId> {
    ctrl.copy_from_slice(&s.ctrl);
    if m.nhistory > 0 {
        for a in m.actuator.ids() {
            let first = m.actuator.ctrladr[a] as usize;
            delayed_controls(m, s, a, 0, &mut ctrl[first..first + m.actuator.ctrlnum[a] as usize]);
        }
    }
    for (i, u) in ctrl.iter_mut().enumerate() {
        *u = within_range(m, ControlId::new(i), *u);
    }
    let bad = ctrl.iter().position(|u| u.is_nan() || u.abs() > MAXVAL)?;
    ctrl.fill(0.0);
    Some(ControlId::new(bad))
}

/// Writes the controls `first`, `first` + 1, … of an actuator as they were its delay ago; nothing without a delay.
fn delayed_controls(m: &Model, s: &State, a: ActuatorId, first: usize, u: &mut [f64]) {
    let delay = m.actuator.delay[a];
    if let Some(ring) = Ring::of_actuator(m, a).filter(|_| delay != 0.0) {
        ring.read_from(first, &s.history, s.time - delay, m.actuator.history[a][1], u);
    }
}

/// A control within its range, unless that is disabled.
#[inline]
pub(crate) fn within_range(m: &Model, c: ControlId, u: f64) -> f64 {
    let clamp = m.control.ctrllimited[c] && !m.opt.disabled(disable::CLAMPCTRL);
    if clamp { clip(u, m.control.ctrlrange[c]) } else { u }
}

/// Control number `k` of an actuator, delayed and within its range.
pub(crate) fn control(m: &Model, s: &State, a: ActuatorId, k: usize) -> f64 {
    let c = ControlId::new(m.actuator.ctrladr[a] as usize + k);
    let mut u = [s.ctrl[c.index()]];
    delayed_controls(m, s, a, k, &mut u);
    within_range(m, c, u[0])
}

/// Returns the input that the gain of an actuator multiplies: its first control `ctrl` or, if it has activations, the
/// last of them, now or after the step.
pub(crate) fn input(m: &Model, s: &State, a: ActuatorId, ctrl: f64, act_dot: &[f64], velocity: f64) -> f64 {
    last_activation(m, s, a, act_dot, velocity).unwrap_or(ctrl)
}

/// Last activation of an actuator, now or after the step; `act_dot` are the rates of all.
#[inline]
fn last_activation(m: &Model, s: &State, a: ActuatorId, act_dot: &[f64], velocity: f64) -> Option<f64> {
    let states = activation_range(m, a)?;
    let i = states.end - 1;
    Some(match m.actuator.actearly[a] {
        true => next_activation(m, a, i - states.start, s.act[i], act_dot[i], || velocity),
        false => s.act[i],
    })
}

/// Forces of actuator `a`, one an output, into `out`.
#[allow(clippy::too_many_arguments)] // one for each stage that it reads
fn force(
    m: &Model,
    s: &State,
    a: ActuatorId,
    ctrl: &[f64],
    act_dot: &[f64],
    trans: &Transmissions,
    vel: &Velocities,
    user: Option<&dyn UserActuators>,
    out: &mut [f64],
) {
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let u = &ctrl[controls(m, a)];
    let states = activation_range(m, a).unwrap_or(0..0);
    let act = &s.act[states.clone()];
    if m.actuator.gaintype[a] == GainType::So3 {
        let velocity = &vel.actuator_velocity.as_slice()[outputs(m, a)];
        let rate = &act_dot[states];
        let next = |k: usize| match m.actuator.actearly[a] {
            true => next_activation(m, a, k, act[k], rate[k], || velocity[k]),
            false => act[k],
        };
        let torque = servo::orientation_torque(m, a, u, next, trans.rotations[o.index()], velocity);
        return torque.write_to_slice(out);
    }
    let (length, velocity) = (trans.actuator_length[o], vel.actuator_velocity[o]);
    let (gainprm, biasprm) = (&m.actuator.gainprm[a], &m.actuator.biasprm[a]);
    let affine = |p: &[f64; 10]| p[0] + p[1] * length + p[2] * velocity;
    let of_user = || UserActuator { model: m, state: s, actuator: a, ctrl: u, act, length, velocity };
    let last = last_activation(m, s, a, act_dot, velocity);
    let driven = |gain: f64| {
        let input = last.or(u.first().copied()).unwrap_or(0.0);
        let period = setpoint_period(m, a);
        gain * if period > 0.0 { nearest(input, length, period) } else { input }
    };
    let muscle = |prm| Muscle::new(length, m.output.lengthrange[o], m.output.acc0[o], prm);
    let (gaintype, biastype) = (m.actuator.gaintype[a], m.actuator.biastype[a]);
    let active = match gaintype {
        GainType::Fixed => driven(gainprm[0]),
        GainType::Affine => driven(affine(gainprm)),
        GainType::Muscle => driven(muscle(gainprm).gain(velocity)),
        GainType::Pid => servo::pid_input_force(m, a, u, last, length),
        GainType::User => driven(user.map_or(1.0, |law| law.gain(of_user()))),
        // Handled above, and not among these.
        GainType::So3 | GainType::DcMotor => driven(1.0),
    };
    let bias = match biastype {
        BiasType::Affine => affine(biasprm),
        BiasType::Muscle => muscle(biasprm).bias(),
        BiasType::User => user.map_or(0.0, |law| law.bias(of_user())),
        BiasType::None | BiasType::DcMotor | BiasType::So3 => 0.0,
    };
    out[0] = active + bias;
}

/// Brings the forces of actuators into their ranges: of an orientation servo, its norm.
fn limit_forces(m: &Model, force: &mut [f64]) {
    for a in m.actuator.ids().filter(|&a| m.actuator.forcelimited[a]) {
        let range = m.actuator.forcerange[a];
        let forces = &mut force[outputs(m, a)];
        if m.actuator.gaintype[a] == GainType::So3 {
            let torque = DVec3::from_slice(forces);
            let norm = torque.length();
            if norm > range[1] {
                (torque * (range[1] / norm)).write_to_slice(forces);
            }
        } else {
            forces.iter_mut().for_each(|f| *f = clip(*f, range));
        }
    }
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
    let limited = m.jnt.actfrclimited.iter().zip(m.jnt.actgravcomp.iter());
    for (j, _) in m.jnt.ids().zip(limited).filter(|(_, (limited, compensated))| **limited || **compensated) {
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
    smooth_force(m, s, chains, poses, vel, out);
    unconstrained_acceleration(m, s, inertia, out);
}

/// The first half of [`acceleration`]: the force.
#[inline]
pub fn smooth_force(m: &Model, s: &State, chains: &Chains, poses: &Poses, vel: &Velocities, out: &mut Actuation) {
    for d in s.awake.dofs.iter().cloned() {
        let smooth = vel.qfrc_passive[d.clone()].iter().zip(&vel.qfrc_bias[d.clone()]);
        let driven = s.qfrc_applied[d.clone()].iter().zip(&out.qfrc_actuator[d.clone()]);
        for ((f, (passive, bias)), (applied, actuator)) in out.qfrc_smooth[d].iter_mut().zip(smooth).zip(driven) {
            *f = passive - bias + applied + actuator;
        }
    }
    add_applied_wrenches(m, s, chains, poses, &mut out.qfrc_smooth);
}

/// The second half of [`acceleration`]: what the force gives.
#[inline]
pub fn unconstrained_acceleration(m: &Model, s: &State, inertia: &JointInertia, out: &mut Actuation) {
    for dofs in &s.awake.dofs {
        out.qacc_smooth[dofs.clone()].copy_from_slice(&out.qfrc_smooth[dofs.clone()]);
    }
    inertia.solve_awake(m, &s.awake, &mut out.qacc_smooth);
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_model::model::*;
    use mj_model::*;
    use mj_testkit::pendulum;

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
        let mut d = Dynamics::new(m);
        let bad = d.forward(m, s);
        (d.smooth.actuation.actuator_force[OutputId::new(0)], d.smooth.actuation.qfrc_actuator[0], bad)
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
        (m.actuator.actadr.edit()[a], m.actuator.actnum.edit()[a], m.na) = (0, 1, 1);
        m.actuator.dynprm[a][0] = 0.1;
        let rate = |act: f64| (1.0 - act) / 0.1;
        m.opt.timestep = 0.05;
        m.actuator.dyntype.edit()[a] = DynType::FilterExact;
        let exact = next_activation(&m, a, 0, 0.2, rate(0.2), || 0.0);
        m.opt.timestep = 0.05 / 1e5;
        m.actuator.dyntype.edit()[a] = DynType::Filter;
        let mut act = 0.2;
        for _ in 0..100_000 {
            act = next_activation(&m, a, 0, act, rate(act), || 0.0);
        }
        assert!((exact - act).abs() < 1e-5);
    }
}
