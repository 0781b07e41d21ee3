//! Passive forces: springs, dampers, gravity compensation, fluid.

use crate::buffers::{Poses, Transmissions, Velocities};
use crate::passive::damping::{self, damping_of_actuators};
use crate::passive::fluid;
use crate::passive::plastic::{joint_rest, stretch, tendon_rest};
use crate::passive::poly;
use crate::rigid::chains::Chains;
use crate::rigid::inertia::{tendon_moves, tendon_target};
use crate::rigid::jacobian::apply_ft;
use mj_math::{DVec3, MINVAL, dense, inverse_dexp, quat};
use mj_model::*;

/// All passive forces, into the `qfrc_*` fields of `vel`. Needs the velocities of bodies and tendons.
///
/// Disabling both springs and dampers disables all of them.
pub fn passive(m: &Model, s: &State, chains: &Chains, poses: &Poses, trans: &Transmissions, vel: &mut Velocities) {
    for dofs in &s.awake.dofs {
        for qfrc in [&mut vel.qfrc_spring, &mut vel.qfrc_damper, &mut vel.qfrc_gravcomp, &mut vel.qfrc_fluid] {
            qfrc[dofs.clone()].fill(0.0);
        }
    }
    let (springs, dampers) = (!m.opt.disabled(disable::SPRING), !m.opt.disabled(disable::DAMPER));
    if !springs && !dampers {
        vel.qfrc_passive.fill(0.0);
        return;
    }
    if springs {
        joint_springs(m, s, &mut vel.qfrc_spring);
    }
    if dampers {
        damping::dampers(m, s, &mut vel.qfrc_damper);
    }
    tendon_forces(m, s, trans, vel, springs, dampers);
    for ((p, a), b) in vel.qfrc_passive.iter_mut().zip(&vel.qfrc_spring).zip(&vel.qfrc_damper) {
        *p = a + b;
    }
    if gravity_compensation(m, &s.awake, chains, poses, &mut vel.qfrc_gravcomp) {
        for d in m.dof.ids() {
            // The rest acts through actuators.
            if !m.jnt.actgravcomp[m.dof.jntid[d]] {
                vel.qfrc_passive[d.index()] += vel.qfrc_gravcomp[d.index()];
            }
        }
    }
    if m.opt.density > 0.0 || m.opt.viscosity > 0.0 {
        fluid::fluid(m, &s.awake, chains, poses, vel);
        for (p, f) in vel.qfrc_passive.iter_mut().zip(&vel.qfrc_fluid) {
            *p += f;
        }
    }
}

/// Springs of joints. Positions are measured from where the spring rests; a rotation by its rotation
/// vector.
fn joint_springs(m: &Model, s: &State, qfrc: &mut [f64]) {
    let (linear, higher) = (m.jnt.stiffness.as_slice(), m.jnt.stiffnesspoly.as_slice());
    for joints in &s.awake.joints {
        let coefficients = linear[joints.clone()].iter().zip(&higher[joints.clone()]);
        for (j, (k, p)) in joints.clone().zip(coefficients) {
            if *k != 0.0 || *p != [0.0; 2] {
                joint_spring(m, s, JointId::new(j), (*k, *p), qfrc);
            }
        }
    }
}

/// The spring of one joint, of this stiffness.
fn joint_spring(m: &Model, s: &State, j: JointId, (k, p): (f64, [f64; 2]), qfrc: &mut [f64]) {
    let (mut q, mut rest) = (&s.qpos[m.jnt.qposadr[j] as usize..], joint_rest(m, s, j));
    let mut d = m.jnt.dofadr[j].index();
    let mut pull = |d: usize, x: DVec3| {
        let f = x * -poly::stiffness(k, p, x.length());
        qfrc[d..d + 3].copy_from_slice(&f.to_array());
    };
    match m.jnt.r#type[j] {
        JointType::Slide | JointType::Hinge => {
            let x = q[0] - rest[0];
            qfrc[d] = -x * poly::stiffness(k, p, x);
            return;
        }
        JointType::Free => {
            pull(d, DVec3::from_slice(q) - DVec3::from_slice(rest));
            (q, rest) = (&q[3..], &rest[3..]);
            d += 3;
        }
        JointType::Ball => {}
    }
    let rot = quat::normalize_if_needed(quat::read(q));
    pull(d, quat::sub(rot, quat::read(rest)));
}

/// Writes the derivative ∂`qfrc_spring`/∂`jnt_stiffness` of the spring of joint `j`: its force at unit stiffness.
pub fn joint_spring_by_stiffness(m: &Model, s: &State, j: JointId, qfrc: &mut [f64]) {
    joint_spring(m, s, j, (1.0, [0.0; 2]), qfrc);
}

/// Derivative −∂`qfrc_spring`/∂q of the springs of a joint by a displacement of each of its dofs (of a
/// ball or a free joint: along the displacement that there is), into `slope` (nv).
pub fn joint_spring_slopes(m: &Model, s: &State, j: JointId, slope: &mut [f64]) {
    let (k, p) = (m.jnt.stiffness[j], m.jnt.stiffnesspoly[j]);
    let (q, rest) = (&s.qpos[m.jnt.qposadr[j] as usize..], joint_rest(m, s, j));
    let d = m.jnt.dofadr[j].index();
    let turned =
        |q: &[f64], rest: &[f64]| quat::sub(quat::normalize_if_needed(quat::read(q)), quat::read(rest)).length();
    match m.jnt.r#type[j] {
        JointType::Slide | JointType::Hinge => slope[d] = poly::stiffness_slope(k, p, q[0] - rest[0]),
        JointType::Ball => slope[d..d + 3].fill(poly::stiffness_slope(k, p, turned(q, rest))),
        JointType::Free => {
            let moved = (DVec3::from_slice(q) - DVec3::from_slice(rest)).length();
            slope[d..d + 3].fill(poly::stiffness_slope(k, p, moved));
            slope[d + 3..d + 6].fill(poly::stiffness_slope(k, p, turned(&q[3..], &rest[3..])));
        }
    }
}

/// Derivative −∂`qfrc_spring`/∂q of the spring of joint `j`, by small motions of its dofs: calls `f` with the dof that moves,
/// the dof whose force changes, and by how much.
///
/// A rotation's spring pulls along the rotation vector x from rest with φ(|x|); x changes by the inverse of the
/// exponential map's differential.
pub fn joint_spring_derivative(m: &Model, s: &State, j: JointId, mut f: impl FnMut(usize, usize, f64)) {
    let (k, p) = (m.jnt.stiffness[j], m.jnt.stiffnesspoly[j]);
    let (mut q, mut rest) = (&s.qpos[m.jnt.qposadr[j] as usize..], joint_rest(m, s, j));
    let mut d = m.jnt.dofadr[j].index();
    let mut radial = |d: usize, x: DVec3, changes: [DVec3; 3]| {
        let n = x.length();
        let (pull, slope) = (poly::stiffness(k, p, n), poly::stiffness_slope(k, p, n));
        let along = if n < MINVAL { DVec3::ZERO } else { x / n };
        for (i, dx) in changes.into_iter().enumerate() {
            let df = dx * pull + along * ((slope - pull) * along.dot(dx));
            df.to_array().into_iter().enumerate().for_each(|(j, df)| f(d + i, d + j, df));
        }
    };
    match m.jnt.r#type[j] {
        JointType::Slide | JointType::Hinge => return f(d, d, poly::stiffness_slope(k, p, q[0] - rest[0])),
        JointType::Free => {
            radial(d, DVec3::from_slice(q) - DVec3::from_slice(rest), DVec3::AXES);
            (q, rest) = (&q[3..], &rest[3..]);
            d += 3;
        }
        JointType::Ball => {}
    }
    let x = quat::sub(quat::normalize_if_needed(quat::read(q)), quat::read(rest));
    radial(d, x, DVec3::AXES.map(|axis| inverse_dexp(x, axis)));
}

/// Derivatives of a tendon's force by its length and by the velocity of its length, negated:
/// stiffness and damping, as far as they are not disabled. A spring in its dead band has none.
pub fn tendon_slopes(m: &Model, s: &State, trans: &Transmissions, vel: &Velocities, t: TendonId) -> [f64; 2] {
    let x = stretch(trans.ten_length[t], tendon_rest(m, s, t));
    let slack = x == 0.0 || m.opt.disabled(disable::SPRING);
    let stiffness =
        if slack { 0.0 } else { poly::stiffness_slope(m.tendon.stiffness[t], m.tendon.stiffnesspoly[t], x) };
    let (b, p) = tendon_damping(m, t);
    let damping = if m.opt.disabled(disable::DAMPER) { 0.0 } else { poly::damping_slope(b, p, vel.ten_velocity[t]) };
    [stiffness, damping]
}

/// Damping of tendon `t`, what actuators add included: linear and higher coefficients.
#[inline(always)]
pub fn tendon_damping(m: &Model, t: TendonId) -> (f64, [f64; 2]) {
    let (b, p, by) = (m.tendon.damping[t], m.tendon.dampingpoly[t], m.tendon.actuatorid[t]);
    if by.is_none() {
        return (b, p);
    }
    let [more, more0, more1] = damping_of_actuators(m, by, tendon_target(t));
    (b + more, [p[0] + more0, p[1] + more1])
}

/// Force of a tendon's spring, which has a dead band.
fn tendon_spring(m: &Model, s: &State, trans: &Transmissions, t: TendonId) -> f64 {
    let x = stretch(trans.ten_length[t], tendon_rest(m, s, t));
    -x * poly::stiffness(m.tendon.stiffness[t], m.tendon.stiffnesspoly[t], x)
}

/// Force of a tendon's damper.
fn tendon_damper(m: &Model, vel: &Velocities, t: TendonId) -> f64 {
    let (b, p) = tendon_damping(m, t);
    let v = vel.ten_velocity[t];
    -v * poly::damping(b, p, v)
}

/// Force of a tendon's spring and damper, as far as neither is disabled.
pub fn tendon_passive_force(m: &Model, s: &State, trans: &Transmissions, vel: &Velocities, t: TendonId) -> f64 {
    let spring = if m.opt.disabled(disable::SPRING) { 0.0 } else { tendon_spring(m, s, trans, t) };
    spring + if m.opt.disabled(disable::DAMPER) { 0.0 } else { tendon_damper(m, vel, t) }
}

/// Whether a tendon has a spring or a damper.
#[inline]
fn has_passive_force(m: &Model, t: TendonId) -> bool {
    let none = [0.0; 2];
    (m.tendon.stiffness[t], m.tendon.stiffnesspoly[t]) != (0.0, none)
        || (m.tendon.damping[t], m.tendon.dampingpoly[t]) != (0.0, none)
        || !m.tendon.actuatorid[t].is_none()
}

/// Springs and dampers of tendons.
fn tendon_forces(m: &Model, s: &State, trans: &Transmissions, vel: &mut Velocities, springs: bool, dampers: bool) {
    for t in m.tendon.ids() {
        if !has_passive_force(m, t) || !tendon_moves(m, &s.awake, t) {
            continue;
        }
        let spring = if springs { tendon_spring(m, s, trans, t) } else { 0.0 };
        let damper = if dampers { tendon_damper(m, vel, t) } else { 0.0 };
        if spring == 0.0 && damper == 0.0 {
            continue;
        }
        let (runs, vals) = trans.ten_J.row(t.index());
        let mut at = 0;
        for r in runs {
            let (dofs, len) = (r.start as usize..(r.start + r.len) as usize, r.len as usize);
            dense::axpy(&mut vel.qfrc_spring[dofs.clone()], spring, &vals[at..at + len]);
            dense::axpy(&mut vel.qfrc_damper[dofs], damper, &vals[at..at + len]);
            at += len;
        }
    }
}

/// Forces at centres of mass of bodies that carry a part of their weight. Returns whether there are any.
fn gravity_compensation(m: &Model, awake: &Awake, chains: &Chains, poses: &Poses, qfrc: &mut [f64]) -> bool {
    if m.opt.disabled(disable::GRAVITY) || m.opt.gravity == DVec3::ZERO {
        return false;
    }
    if m.body.gravcomp.iter().all(|&g| g == 0.0) {
        return false;
    }
    let mut any = false;
    let compensated = m.body.gravcomp.iter_ids().skip(1).filter(|(_, g)| **g != 0.0).map(|(b, _)| b);
    for b in compensated.filter(|&b| awake.moves(b)) {
        any = true;
        let force = m.opt.gravity * -(m.body.mass[b] * m.body.gravcomp[b]);
        apply_ft(m, chains, poses, force, DVec3::ZERO, poses.xipos[b], b, qfrc);
    }
    any
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_model::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Springs pull down the slope of their potential; dampers take out power.
        #[test]
        fn springs_follow_the_potential((mut m, s) in any_model(), k in 0.1..3.0f64, p in 0.0..1.0f64) {
            prop_assume!(m.nv() > 0);
            m.opt.disableflags = disable::GRAVITY;
            for j in m.jnt.ids() {
                (m.jnt.stiffness[j], m.jnt.stiffnesspoly[j]) = (k, [0.5 * p, p]);
            }
            let t = TendonId::new(0);
            m.tendon.stiffness[t] = k;
            m.tendon.lengthspring[t] = [0.5, 1.0];
            for d in m.dof.ids() {
                (m.dof.damping[d], m.dof.dampingpoly[d]) = (k, [p, 0.0]);
            }
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let (spring, damper) = (d.smooth.velocities.qfrc_spring.clone(), d.smooth.velocities.qfrc_damper.clone());
            prop_assert!(damper.iter().zip(&s.qvel).map(|(f, v)| f * v).sum::<f64>() <= 0.0);
            let h = 1e-6;
            let mut energy = |v: &[f64], h: f64| {
                let mut s = s.clone();
                integrate_pos(&m, &mut s.qpos, v, h);
                d.forward(&m, &s);
                potential_energy(&m, &s, &d.smooth.poses, &d.smooth.transmissions)
            };
            for i in 0..m.nv() {
                let mut v = vec![0.0; m.nv()];
                v[i] = 1.0;
                let slope = (energy(&v, h) - energy(&v, -h)) / (2.0 * h);
                prop_assert!((spring[i] + slope).abs() < 1e-5 * (1.0 + slope.abs()), "{i} {} {slope}", spring[i]);
            }
        }
    }
}
