//! Recursive Newton-Euler: the force that a motion needs.

use crate::buffers::{BodyForces, Poses, Velocities};
use crate::rigid::jacobian::nothing_applied;
use crate::workspace::Workspace;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// Acceleration of the world's frame, as if it carried the bodies against gravity.
#[inline]
pub(crate) fn world_acceleration(m: &Model) -> Spatial {
    let lin = if m.opt.disabled(disable::GRAVITY) { DVec3::ZERO } else { -m.opt.gravity };
    Spatial::new(DVec3::ZERO, lin)
}

/// Generalized force that the velocities of `vel` (from [`com_vel`](crate::com_vel)) and the
/// acceleration `qacc` (none: zero) need, gravity included, into `qfrc`: bias if no acceleration is
/// given, M·qacc + bias otherwise, without armature (Featherstone, "Rigid Body Dynamics Algorithms",
/// 5.3).
pub fn rne(
    m: &Model,
    s: &State,
    poses: &Poses,
    vel: &Velocities,
    qacc: Option<&[f64]>,
    work: &mut Workspace,
    qfrc: &mut [f64],
) {
    dispatch(Rne { m, s, poses, vel, qacc, work, qfrc });
}

/// [`rne`] as a kernel.
struct Rne<'a> {
    m: &'a Model,
    s: &'a State,
    poses: &'a Poses,
    vel: &'a Velocities,
    qacc: Option<&'a [f64]>,
    work: &'a mut Workspace,
    qfrc: &'a mut [f64],
}

impl Kernel for Rne<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { m, s, poses, vel, qacc, work, qfrc } = self;
        let n = m.body.len();
        let parent = &m.body.parentid.as_slice()[..n];
        let (dofnum, dofadr) = (&m.body.dofnum.as_slice()[..n], &m.body.dofadr.as_slice()[..n]);
        let (cdof, cdof_dot) = (poses.cdof.as_slice(), vel.cdof_dot.as_slice());
        let (cinert, cvel) = (&poses.cinert.as_slice()[..n], &vel.cvel.as_slice()[..n]);
        let (cacc, cfrc) = (&mut work.acc[..n], &mut work.frc[..n]);

        cacc[0] = world_acceleration(m);
        cfrc[0] = Spatial::ZERO;
        for b in s.awake.bodies.iter().flat_map(|r| r.start.max(1)..r.end) {
            let first = dofadr[b].map_or(0, DofId::index);
            let dofs = first..first + dofnum[b] as usize;
            let mut a = cacc[parent[b].index()];
            for (c, v) in cdof_dot[dofs.clone()].iter().zip(&s.qvel[dofs.clone()]) {
                a += *c * *v;
            }
            if let Some(qacc) = qacc {
                for (c, x) in cdof[dofs.clone()].iter().zip(&qacc[dofs]) {
                    a += *c * *x;
                }
            }
            cacc[b] = a;
            cfrc[b] = cinert[b].mul(a) + cvel[b].cross_force(cinert[b].mul(cvel[b]));
        }
        for range in s.awake.bodies.iter().rev() {
            for b in (range.start.max(1)..range.end).rev() {
                let p = parent[b].index();
                if p > 0 {
                    let f = cfrc[b];
                    cfrc[p] += f;
                }
            }
        }
        for dofs in &s.awake.dofs {
            let body = &m.dof.bodyid.as_slice()[dofs.clone()];
            for ((q, c), b) in qfrc[dofs.clone()].iter_mut().zip(&cdof[dofs.clone()]).zip(body) {
                *q = c.dot(cfrc[b.index()]);
            }
        }
    }
}

/// A force and torque on a body from outside the tree: a contact, an equality constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyWrench {
    /// Body; the world may be given and is skipped.
    pub body: BodyId,
    /// Torque and force, world frame.
    pub wrench: Spatial,
    /// Where the force acts.
    pub point: DVec3,
}

impl BodyForces {
    /// Makes buffers for a model.
    pub fn new(m: &Model) -> Self {
        Self {
            cacc: IdVec::filled(m.body.len(), Spatial::ZERO),
            cfrc_int: IdVec::filled(m.body.len(), Spatial::ZERO),
            cfrc_ext: IdVec::filled(m.body.len(), Spatial::ZERO),
        }
    }
}

/// Accelerations of bodies, external forces on them and forces of interaction with their parents,
/// all about the centre of mass of the tree, given the final acceleration.
///
/// External are `s.xfrc_applied` and what `wrenches` yields.
pub fn rne_post_constraint(
    m: &Model,
    s: &State,
    poses: &Poses,
    vel: &Velocities,
    qacc: &[f64],
    wrenches: impl IntoIterator<Item = BodyWrench>,
    out: &mut BodyForces,
) {
    let about_com =
        |b: BodyId, wrench: Spatial, point: DVec3| wrench.force_at(poses.subtree_com[m.body.rootid[b]] - point);
    out.cfrc_ext.as_mut_slice().fill(Spatial::ZERO);
    let pushed = if nothing_applied(s) { 0 } else { m.body.len() };
    for b in m.body.ids().take(pushed).skip(1) {
        let x = s.xfrc_applied[b];
        if x != [0.0; 6] {
            let wrench = Spatial::new(DVec3::from_slice(&x[3..]), DVec3::from_slice(&x[..3]));
            out.cfrc_ext[b] = about_com(b, wrench, poses.xipos[b]);
        }
    }
    for w in wrenches {
        if w.body != BodyId::WORLD {
            out.cfrc_ext[w.body] += about_com(w.body, w.wrench, w.point);
        }
    }

    dispatch(Interaction { m, s, poses, vel, qacc, out });
}

/// The second half of [`rne_post_constraint`], as a kernel: accelerations, and forces between bodies.
struct Interaction<'a> {
    m: &'a Model,
    s: &'a State,
    poses: &'a Poses,
    vel: &'a Velocities,
    qacc: &'a [f64],
    out: &'a mut BodyForces,
}

impl Kernel for Interaction<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { m, s, poses, vel, qacc, out } = self;
        let n = m.body.len();
        let parent = &m.body.parentid.as_slice()[..n];
        let (dofnum, dofadr) = (&m.body.dofnum.as_slice()[..n], &m.body.dofadr.as_slice()[..n]);
        let (cdof, cdof_dot) = (poses.cdof.as_slice(), vel.cdof_dot.as_slice());
        let (cinert, cvel) = (&poses.cinert.as_slice()[..n], &vel.cvel.as_slice()[..n]);
        let (cacc, external) = (&mut out.cacc.as_mut_slice()[..n], &out.cfrc_ext.as_slice()[..n]);
        let cfrc = &mut out.cfrc_int.as_mut_slice()[..n];

        cacc[0] = world_acceleration(m);
        cfrc[0] = Spatial::ZERO;
        for b in 1..n {
            let first = dofadr[b].map_or(0, DofId::index);
            let dofs = first..first + dofnum[b] as usize;
            let mut a = cacc[parent[b].index()];
            let rates = cdof_dot[dofs.clone()].iter().zip(&s.qvel[dofs.clone()]);
            let motions = cdof[dofs.clone()].iter().zip(&qacc[dofs]);
            for ((rate, v), (motion, x)) in rates.zip(motions) {
                a += *rate * *v + *motion * *x;
            }
            cacc[b] = a;
            cfrc[b] = cinert[b].mul(a) + cvel[b].cross_force(cinert[b].mul(cvel[b])) - external[b];
        }
        for b in (1..n).rev() {
            let f = cfrc[b];
            cfrc[parent[b].index()] += f;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_math::{DQuat, DVec3};
    use mj_model::*;
    use mj_testkit::{Builder, any_model};
    use proptest::prelude::*;

    /// The textbook's double pendulum, point masses on massless rods.
    #[test]
    fn double_pendulum() {
        let (l1, l2, m1, m2, g) = (0.8, 1.3, 1.5, 0.7, 9.81);
        let mut b = Builder::new();
        let hinge = (JointType::Hinge, DVec3::ZERO, DVec3::NEG_Y);
        let bob = |l: f64, m: f64| (DVec3::NEG_Z * l, DQuat::IDENTITY, m, DVec3::ZERO);
        b.body(0, DVec3::ZERO, DQuat::IDENTITY, &[hinge], bob(l1, m1));
        b.body(1, DVec3::NEG_Z * l1, DQuat::IDENTITY, &[hinge], bob(l2, m2));
        let mut m = b.finish();
        m.opt.gravity = DVec3::new(0.0, 0.0, -g);
        let mut s = State::new(&m);
        let (q1, q2, v1, v2): (f64, f64, f64, f64) = (0.4, -1.1, 0.9, 1.7);
        (s.qpos, s.qvel) = (vec![q1, q2], vec![v1, v2]);
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let c = l1 * l2 * m2;
        let want = [(m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2.0 * c * q2.cos(), m2 * l2 * l2 + c * q2.cos(), m2 * l2 * l2];
        for (a, b) in d.smooth.inertia.M.iter().zip([want[0], want[1], want[2]]) {
            assert!((a - b).abs() < 1e-12);
        }
        let gravity2 = m2 * g * l2 * (q1 + q2).sin();
        let bias = [
            -c * q2.sin() * (2.0 * v1 * v2 + v2 * v2) + (m1 + m2) * g * l1 * q1.sin() + gravity2,
            c * q2.sin() * v1 * v1 + gravity2,
        ];
        for (a, b) in d.smooth.velocities.qfrc_bias.iter().zip(bias) {
            assert!((a - b).abs() < 1e-12);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Without forces but gravity the energy is constant along the motion: its rate, by
        /// differences over a small step at the computed acceleration, is that of the step's error.
        #[test]
        fn power_balance((mut m, s) in any_model()) {
            prop_assume!(m.nv() > 0);
            // Armature of a tendon is exact where the tree's pattern has room for all of it.
            if m.m_pattern.rownnz.iter().enumerate().all(|(i, &n)| n as usize == i + 1) {
                m.tendon.armature[TendonId::new(0)] = 0.4;
            }
            let mut d = Dynamics::new(&m);
            let mut energy = |h: f64| {
                d.forward(&m, &s);
                let mut t = s.clone();
                let a = d.smooth.actuation.qacc_smooth.clone();
                let mean: Vec<f64> = s.qvel.iter().zip(&a).map(|(v, a)| v + 0.5 * h * a).collect();
                integrate_pos(&m, &mut t.qpos, &mean, h);
                t.qvel.iter_mut().zip(&a).for_each(|(v, a)| *v += h * a);
                d.forward(&m, &t);
                potential_energy(&m, &t, &d.smooth.poses, &d.smooth.transmissions) + kinetic_energy(&m, &t, &d.smooth.inertia, &mut d.work)
            };
            let h = 1e-6;
            let rate = (energy(h) - energy(-h)) / (2.0 * h);
            prop_assert!(rate.abs() < 1e-4 * (1.0 + energy(0.0).abs()), "{rate}");
        }

        /// Forces of interaction hold the tree up: on the root they add up to what the world gives.
        #[test]
        fn interaction_forces_project_to_joint_forces((m, s) in any_model()) {
            prop_assume!(m.nv() > 0);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let mut f = BodyForces::new(&m);
            rne_post_constraint(&m, &s, &d.smooth.poses, &d.smooth.velocities, &d.smooth.actuation.qacc_smooth, [], &mut f);
            // No motor, no damper: the force along each dof vanishes.
            for (c, b) in d.smooth.poses.cdof.iter().zip(m.dof.bodyid.iter()) {
                prop_assert!(c.dot(f.cfrc_int[*b]).abs() < 1e-7);
            }
        }
    }
}
