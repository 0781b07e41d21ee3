//! Tendon lengths and Jacobians: weighted sums of joint coordinates, and paths through sites,
//! around geoms and over pulleys.

use crate::buffers::{Poses, Transmissions, Velocities};
use crate::chains::{self, Chains};
use crate::inertia::{tendon_armature, tendon_moves};
use crate::kinematics::site_point;
use crate::path::{direction, for_each_piece, for_each_segment};
use crate::rne::BodyWrench;
use crate::velocity::body_velocity;
use mj_math::block::Run;
use mj_math::{BlockRows, DVec3, MINVAL, Spatial, dense};
use mj_model::*;

/// Forces of spatial tendon `t` on the bodies along its path, where `force` acts to lengthen it.
/// Fixed tendons act on joints, and give none.
pub fn tendon_wrenches(m: &Model, poses: &Poses, t: TendonId, force: f64, mut f: impl FnMut(BodyWrench)) {
    if is_fixed(m, t) || force == 0.0 {
        return;
    }
    for_each_piece(m, poses, t, |a, b, divisor| {
        if a.0 != b.0 {
            let wrench = Spatial::new(DVec3::ZERO, direction(a.1, b.1).0 * (force / divisor));
            f(BodyWrench { body: a.0, wrench: -wrench, point: a.1 });
            f(BodyWrench { body: b.0, wrench, point: b.1 });
        }
    });
}

/// Lays out the rows of `ten_J` of a model: one block a tendon, over the dofs that can change its
/// length. Rows of fixed tendons are constant and are filled here.
pub(crate) fn layout(m: &Model, chains: &Chains, ten_J: &mut BlockRows) {
    ten_J.clear(m.nv());
    let mut moves = vec![false; m.nv()];
    let mut differ = Vec::new();
    for t in m.tendon.ids() {
        moves.fill(false);
        let path = || id_range(Some(m.tendon.adr[t]), m.tendon.num[t]);
        if is_fixed(m, t) {
            for w in path() {
                moves[joint_dof(m, w)] = true;
            }
        } else {
            // A dof that moves both ends of a straight piece alike cannot change its length.
            let mut pair = |a: BodyId, b: BodyId| {
                chains::merge(chains.of(a), chains.of(b), true, &mut differ);
                differ.iter().for_each(|r| moves[r.start as usize..(r.start + r.len) as usize].fill(true));
            };
            for_each_segment(m, t, |s| {
                let (a, b) = (m.site.bodyid[s.from], m.site.bodyid[s.to]);
                pair(a, b);
                if let Some((g, ..)) = s.around {
                    pair(a, m.geom.bodyid[g]);
                    pair(m.geom.bodyid[g], b);
                }
            });
        }
        let runs = runs_of(&moves);
        let row = ten_J.push(1, &runs);
        if is_fixed(m, t) {
            for w in path() {
                row[column(&runs, joint_dof(m, w))] += m.wrap.prm[w];
            }
        }
    }
}

/// Whether a tendon's length is a sum of joint coordinates.
#[inline]
pub(crate) fn is_fixed(m: &Model, t: TendonId) -> bool {
    m.tendon.num[t] > 0 && m.wrap.r#type[m.tendon.adr[t]] == WrapType::Joint
}

fn joint_dof(m: &Model, w: WrapId) -> usize {
    m.jnt.dofadr[JointId::new(m.wrap.objid[w] as usize)].index()
}

/// The marked dofs as runs.
pub(crate) fn runs_of(marked: &[bool]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (d, _) in marked.iter().enumerate().filter(|(_, x)| **x) {
        match runs.last_mut() {
            Some(r) if (r.start + r.len) as usize == d => r.len += 1,
            _ => runs.push(Run { start: d as u32, len: 1 }),
        }
    }
    runs
}

/// Place of dof `d` among the columns of `runs`, which must hold it.
fn column(runs: &[Run], d: usize) -> usize {
    let before: u32 = runs.iter().take_while(|r| ((r.start + r.len) as usize) <= d).map(|r| r.len).sum();
    let first = runs.iter().find(|r| (r.start + r.len) as usize > d).map_or(0, |r| r.start as usize);
    before as usize + d - first
}

/// Lengths of tendons, and Jacobians of the spatial ones (those of fixed tendons are constant and
/// were laid down by [`Transmissions::new`]).
pub fn tendons(m: &Model, s: &State, poses: &Poses, out: &mut Transmissions) {
    if m.tendon.is_empty() {
        return;
    }
    let asleep = |t: TendonId| !s.awake.everything() && s.awake.tendon(m, t) == SleepState::Asleep;
    out.routes.measure(poses, asleep, &mut out.route_work);
    for t in m.tendon.ids().filter(|&t| !asleep(t)) {
        out.ten_length[t] = if is_fixed(m, t) {
            let term = |w| {
                let j = JointId::new(m.wrap.objid[w] as usize);
                m.wrap.prm[w] * s.qpos[m.jnt.qposadr[j] as usize]
            };
            id_range(Some(m.tendon.adr[t]), m.tendon.num[t]).map(term).sum()
        } else {
            let block = out.ten_J.blocks()[t.index()];
            out.routes.read(&out.route_work, t, out.ten_J.values_mut(&block))
        };
    }
}

/// Adds to `qfrc` the bias force of tendon armature: armature · Jᵀ (J̇ q̇).
pub fn add_tendon_bias(m: &Model, s: &State, poses: &Poses, trans: &Transmissions, vel: &Velocities, qfrc: &mut [f64]) {
    for t in m.tendon.ids() {
        let armature = tendon_armature(m, t);
        if armature == 0.0 || is_fixed(m, t) || !tendon_moves(m, &s.awake, t) {
            continue;
        }
        let dot = length_drift(m, s, poses, vel, t);
        let (runs, vals) = trans.ten_J.row(t.index());
        let mut at = 0;
        for r in runs {
            let (start, len) = (r.start as usize, r.len as usize);
            dense::axpy(&mut qfrc[start..start + len], armature * dot, &vals[at..at + len]);
            at += len;
        }
    }
}

/// J̇ q̇: acceleration of the length of tendon `t` while no dof accelerates.
///
/// Fixed tendons have none; along a straight piece from p₀ to p₁ it is u·(a₁ − a₀) +
/// |v₁ − v₀ − u (u·(v₁ − v₀))|² / |p₁ − p₀|, with u the unit vector along it and a the accelerations
/// of its ends without q̈.
pub fn length_drift(m: &Model, s: &State, poses: &Poses, vel: &Velocities, t: TendonId) -> f64 {
    let mut dot = 0.0;
    for_each_segment(m, t, |seg| {
        let (a, b) = (m.site.bodyid[seg.from], m.site.bodyid[seg.to]);
        let (pa, pb) = (site_point(m, poses, seg.from), site_point(m, poses, seg.to));
        let dif = pb - pa;
        let n = dif.length();
        if a == b || n < MINVAL {
            return;
        }
        let u = dif / n;
        let v = body_velocity(m, poses, vel, b, pb).lin - body_velocity(m, poses, vel, a, pa).lin;
        let across = v - u * u.dot(v);
        let acc = drift(m, s, poses, vel, b, pb) - drift(m, s, poses, vel, a, pa);
        dot += (u.dot(acc) + across.length_squared() / n) / seg.divisor;
    });
    dot
}

/// Acceleration of body `b`'s point at `point` while no dof accelerates, without gravity.
fn drift(m: &Model, s: &State, poses: &Poses, vel: &Velocities, b: BodyId, point: DVec3) -> DVec3 {
    let mut acc = Spatial::ZERO;
    let mut body = b;
    while body != BodyId::WORLD {
        for d in id_range(m.body.dofadr[body], m.body.dofnum[body]) {
            acc += vel.cdof_dot[d] * s.qvel[d.index()];
        }
        body = m.body.parentid[body];
    }
    let arm = point - poses.subtree_com[m.body.rootid[b]];
    let v = vel.cvel[b].motion_at(arm);
    acc.motion_at(arm).lin + v.rot.cross(v.lin)
}

#[cfg(test)]
mod tests {
    use crate::testmodel::any_model;
    use crate::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// Moment arms are the gradient of the length: along straight lines, around geoms and over
        /// pulleys.
        #[test]
        fn jacobians_are_gradients((m, s) in any_model()) {
            let n = m.nv();
            let mut d = Smooth::new(&m);
            forward_smooth(&m, &s, &mut d);
            let mut jacobian = vec![0.0; m.tendon.len() * n];
            d.trans.ten_J.to_dense(&mut jacobian);
            let here = d.trans.ten_length.clone();
            let (h, mut direction) = (1e-6, vec![0.0; n]);
            for i in 0..n {
                direction.fill(0.0);
                direction[i] = 1.0;
                let [plus, minus] = [h, -h].map(|h| {
                    let mut s = s.clone();
                    integrate_pos(&m, &mut s.qpos, &direction, h);
                    forward_smooth(&m, &s, &mut d);
                    d.trans.ten_length.clone()
                });
                for t in m.tendon.ids() {
                    let [after, before] = [(plus[t] - here[t]) / h, (here[t] - minus[t]) / h];
                    let slope = 0.5 * (after + before);
                    // Where a path leaves a geom, its slope goes like a root; where it goes over to the other side, it jumps.
                    let bound = 1e-6 * (1.0 + slope.abs()) + (after - before).abs();
                    let got = jacobian[t.index() * n + i];
                    prop_assert!((got - slope).abs() < bound, "{t:?} {i}: {got} {slope}");
                }
            }
        }

        /// A path drawn as wrenches does the work that its Jacobian says.
        #[test]
        fn wrenches_do_the_work_of_the_jacobian((m, s) in any_model()) {
            let mut d = Smooth::new(&m);
            forward_smooth(&m, &s, &mut d);
            for t in m.tendon.ids() {
                let mut qfrc = vec![0.0; m.nv()];
                tendon_wrenches(&m, &d.poses, t, 2.0, |w| {
                    apply_ft(&m, &d.chains, &d.poses, w.wrench.lin, w.wrench.rot, w.point, w.body, &mut qfrc);
                });
                d.trans.ten_J.for_each_in_row(t.index(), |dof, j| qfrc[dof] -= 2.0 * j);
                prop_assert!(qfrc.iter().all(|f| f.abs() < 1e-9), "{t:?} {qfrc:?}");
            }
        }
    }
}
