//! Tendon lengths and Jacobians: weighted sums of joint coordinates, and paths through sites,
//! around geoms and over pulleys.

use crate::buffers::{Poses, Transmissions, Velocities};
use crate::rigid::inertia::{tendon_armature, tendon_moves};
use crate::rigid::rne::BodyWrench;
use crate::rigid::velocity::body_velocity;
use crate::tendon::path::{direction, for_each_piece, for_each_segment, is_fixed};
use crate::tendon::plan::TendonPlan;
use crate::workspace::Workspace;
use mj_math::{DVec3, MINVAL, Spatial, dense};
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

/// Computes lengths and Jacobians of tendons. Needs the poses of bodies, geoms and sites.
pub fn tendons(m: &Model, plan: &TendonPlan, s: &State, poses: &Poses, work: &mut Workspace, out: &mut Transmissions) {
    if m.tendon.is_empty() {
        return;
    }
    let asleep = |t: TendonId| !s.awake.everything() && s.awake.tendon(m, t) == SleepState::Asleep;
    plan.routes.measure(m, poses, asleep, &mut work.routes);
    for t in plan.routes.tendons().filter(|&t| !asleep(t)) {
        let block = out.ten_J.blocks()[t.index()];
        out.ten_length[t] = plan.routes.read(m, &work.routes, t, out.ten_J.values_mut(&block));
    }
    for f in plan.fixed.iter().filter(|f| !asleep(f.tendon)) {
        let block = out.ten_J.blocks()[f.tendon.index()];
        out.ten_length[f.tendon] = f.measure(m, &s.qpos, out.ten_J.values_mut(&block));
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
        let (pa, pb) = (poses.site_xpos[seg.from], poses.site_xpos[seg.to]);
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
    use crate::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// Moment arms are the gradient of the length: along straight lines, around geoms and over
        /// pulleys.
        #[test]
        fn jacobians_are_gradients((m, s) in any_model()) {
            let n = m.nv();
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let mut jacobian = vec![0.0; m.tendon.len() * n];
            d.smooth.transmissions.ten_J.to_dense(&mut jacobian);
            let here = d.smooth.transmissions.ten_length.clone();
            let (h, mut direction) = (1e-6, vec![0.0; n]);
            for i in 0..n {
                direction.fill(0.0);
                direction[i] = 1.0;
                let [plus, minus] = [h, -h].map(|h| {
                    let mut s = s.clone();
                    integrate_pos(&m, &mut s.qpos, &direction, h);
                    d.forward(&m, &s);
                    d.smooth.transmissions.ten_length.clone()
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
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            for t in m.tendon.ids() {
                let mut qfrc = vec![0.0; m.nv()];
                tendon_wrenches(&m, &d.smooth.poses, t, 2.0, |w| {
                    apply_ft(&m, &d.plan.chains, &d.smooth.poses, w.wrench.lin, w.wrench.rot, w.point, w.body, &mut qfrc);
                });
                d.smooth.transmissions.ten_J.for_each_in_row(t.index(), |dof, j| qfrc[dof] -= 2.0 * j);
                prop_assert!(qfrc.iter().all(|f| f.abs() < 1e-9), "{t:?} {qfrc:?}");
            }
        }
    }
}
