//! Elasto-plastic springs of joints and tendons: where they rest is a state, which follows the
//! displacement as soon as that exceeds the yield threshold (ideal plasticity).

use crate::buffers::Transmissions;
use mj_math::{DQuat, DVec3, quat};
use mj_model::*;

/// Address in the plastic state, if there is one.
#[inline]
fn address(m: &Model, adr: i32) -> Option<usize> {
    usize::try_from(adr).ok().filter(|_| m.nplastic > 0)
}

/// Position at which the spring of joint `j` rests: a slice that starts with the joint's coordinates.
#[inline]
pub fn joint_rest<'a>(m: &'a Model, s: &'a State, j: JointId) -> &'a [f64] {
    match address(m, m.jnt.plasticadr[j]) {
        Some(at) => &s.plastic[at..],
        None => &m.qpos_spring[m.jnt.qposadr[j] as usize..],
    }
}

/// Lengths between which the spring of tendon `t` is slack.
#[inline]
pub fn tendon_rest(m: &Model, s: &State, t: TendonId) -> [f64; 2] {
    match address(m, m.tendon.plasticadr[t]) {
        Some(at) => [s.plastic[at], s.plastic[at + 1]],
        None => m.tendon.lengthspring[t],
    }
}

/// Returns the distance of a length from the dead band of a spring; negative below it.
#[inline]
pub fn stretch(length: f64, [lower, upper]: [f64; 2]) -> f64 {
    if length > upper {
        length - upper
    } else if length < lower {
        length - lower
    } else {
        0.0
    }
}

/// Part of a displacement beyond the threshold.
#[inline]
fn excess(x: f64, threshold: f64) -> f64 {
    x - x.clamp(-threshold, threshold)
}

/// Lets springs yield at the end of a time step, once the position is the new one. `trans` and
/// `qvel` are those with which the step was made: tendons are as long as they say, to first order.
pub fn yield_springs(m: &Model, s: &mut State, trans: &Transmissions, qvel: &[f64]) {
    if m.nplastic == 0 || m.opt.disabled(disable::SPRING) {
        return;
    }
    for j in m.jnt.ids() {
        let Some(at) = address(m, m.jnt.plasticadr[j]) else { continue };
        let (q, threshold) = (m.jnt.qposadr[j] as usize, m.jnt.springyield[j].max(0.0));
        if m.jnt.r#type[j] != JointType::Ball {
            s.plastic[at] += excess(s.qpos[q] - s.plastic[at], threshold);
            continue;
        }
        let rest: DQuat = quat::normalize(quat::read(&s.plastic[at..]));
        let x: DVec3 = quat::sub(quat::normalize(quat::read(&s.qpos[q..])), rest);
        let angle = x.length();
        if angle > threshold {
            let turned = rest * quat::exp(x * (1.0 - threshold / angle));
            quat::write(quat::normalize(turned), &mut s.plastic[at..]);
        }
    }
    for t in m.tendon.ids() {
        let Some(at) = address(m, m.tendon.plasticadr[t]) else { continue };
        let mut length = trans.ten_length[t];
        trans.ten_J.for_each_in_row(t.index(), |d, j| length += m.opt.timestep * j * qvel[d]);
        let [lower, upper] = tendon_rest(m, s, t);
        let more = excess(stretch(length, [lower, upper]), m.tendon.springyield[t].max(0.0));
        // A rope that is slack down to no length at all only gets longer.
        let rope = lower == 0.0 && upper > 0.0 && more > 0.0;
        if !rope {
            s.plastic[at] += more;
        }
        s.plastic[at + 1] += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_testkit::pendulum;

    #[test]
    fn a_spring_keeps_what_exceeds_the_threshold() {
        let mut m = pendulum(1.0, 1.0);
        let j = JointId::new(0);
        (m.jnt.plasticadr.edit()[j], m.jnt.springyield[j], m.nplastic) = (0, 0.2, 1);
        let trans = Transmissions::default();
        let mut s = State::new(&m);
        for (q, rest) in [(0.1, 0.0), (0.5, 0.3), (0.4, 0.3), (-0.1, 0.1)] {
            s.qpos[0] = q;
            yield_springs(&m, &mut s, &trans, &[0.0]);
            assert!((s.plastic[0] - rest).abs() < 1e-12, "{q} {}", s.plastic[0]);
        }
        m.opt.disableflags = disable::SPRING;
        s.qpos[0] = 9.0;
        yield_springs(&m, &mut s, &trans, &[0.0]);
        assert!((s.plastic[0] - 0.1).abs() < 1e-12);
    }
}
