//! Velocities of bodies, dof motions and subtrees.

use crate::buffers::{Poses, Velocities};
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::{DVec3, MINVAL, Spatial};
use mj_model::*;

impl Velocities {
    /// Makes buffers for a model.
    pub fn new(m: &Model) -> Self {
        let (nbody, nv) = (m.body.len(), m.nv());
        Self {
            qfrc_bias: vec![0.0; nv],
            qfrc_spring: vec![0.0; nv],
            qfrc_damper: vec![0.0; nv],
            qfrc_gravcomp: vec![0.0; nv],
            qfrc_fluid: vec![0.0; nv],
            qfrc_adhesion: vec![0.0; nv],
            qfrc_passive: vec![0.0; nv],
            cvel: IdVec::filled(nbody, Spatial::ZERO),
            cdof_dot: IdVec::filled(nv, Spatial::ZERO),
            ten_velocity: IdVec::filled(m.tendon.len(), 0.0),
            actuator_velocity: IdVec::filled(m.nout(), 0.0),
            subtree_linvel: IdVec::filled(nbody, DVec3::ZERO),
            subtree_angmom: IdVec::filled(nbody, DVec3::ZERO),
        }
    }
}

/// Velocities of bodies (`cvel`) and rates of change of dof motions (`cdof_dot`), about the centre
/// of mass of the tree, root to leaves.
///
/// A dof's motion is carried along by the body that it is fixed in. The three rotations of a ball or
/// free joint are fixed in the child but written as if in the parent, whose velocity therefore
/// carries all three.
#[inline]
pub fn com_vel(m: &Model, s: &State, poses: &Poses, out: &mut Velocities) {
    dispatch(ComVel { m, s, poses, out });
}

/// [`com_vel`] as a kernel.
struct ComVel<'a> {
    m: &'a Model,
    s: &'a State,
    poses: &'a Poses,
    out: &'a mut Velocities,
}

impl Kernel for ComVel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        carried(self.m, self.s, self.poses, self.out);
    }
}

#[inline(always)]
fn carried(m: &Model, s: &State, poses: &Poses, out: &mut Velocities) {
    let n = m.body.len();
    let parent = &m.body.parentid.as_slice()[..n];
    let (jntnum, jntadr) = (&m.body.jntnum.as_slice()[..n], &m.body.jntadr.as_slice()[..n]);
    let (njnt, nv) = (m.jnt.len(), m.nv());
    let (types, dofadr) = (&m.jnt.r#type.as_slice()[..njnt], &m.jnt.dofadr.as_slice()[..njnt]);
    let cvel = &mut out.cvel.as_mut_slice()[..n];
    let cdof_dot = &mut out.cdof_dot.as_mut_slice()[..nv];
    let (cdof, qvel) = (&poses.cdof.as_slice()[..nv], &s.qvel[..nv]);

    cvel[0] = Spatial::ZERO;
    for b in s.awake.bodies.iter().flat_map(|r| r.start.max(1)..r.end) {
        let mut v = cvel[parent[b].index()];
        let first = jntadr[b].map_or(0, JointId::index);
        for j in first..first + jntnum[b] as usize {
            let mut d = dofadr[j].index();
            if let JointType::Slide | JointType::Hinge = types[j] {
                cdof_dot[d] = v.cross_motion(cdof[d]);
                v += cdof[d] * qvel[d];
                continue;
            }
            if types[j] == JointType::Free {
                cdof_dot[d..d + 3].fill(Spatial::ZERO);
                // The translations are the world's axes.
                v.lin += DVec3::from_slice(&qvel[d..]);
                d += 3;
            }
            for k in d..d + 3 {
                cdof_dot[k] = v.cross_motion(cdof[k]);
            }
            for k in d..d + 3 {
                v += cdof[k] * qvel[k];
            }
        }
        cvel[b] = v;
    }
}

/// Velocity of each subtree's centre of mass and its angular momentum about it.
pub fn subtree_vel(m: &Model, poses: &Poses, out: &mut Velocities) {
    // Momentum of each body, then of each subtree: linear first, since angular momentum about the
    // subtree's centre of mass is measured relative to it.
    for b in m.body.ids() {
        let v = body_velocity(m, poses, out, b, poses.xipos[b]);
        let axes = poses.ximat[b];
        out.subtree_linvel[b] = v.lin * m.body.mass[b];
        out.subtree_angmom[b] = axes * (m.body.inertia[b] * (axes.transpose() * v.rot));
    }
    for b in m.body.ids().rev() {
        let momentum = out.subtree_linvel[b];
        if b != BodyId::WORLD {
            out.subtree_linvel[m.body.parentid[b]] += momentum;
        }
        out.subtree_linvel[b] = momentum * (1.0 / m.body.subtreemass[b].max(MINVAL));
    }
    for b in m.body.ids().rev() {
        if b == BodyId::WORLD {
            break;
        }
        let p = m.body.parentid[b];
        let v = body_velocity(m, poses, out, b, poses.xipos[b]).lin;
        let own = (poses.xipos[b] - poses.subtree_com[b]).cross((v - out.subtree_linvel[b]) * m.body.mass[b]);
        let momentum = out.subtree_angmom[b] + own;
        out.subtree_angmom[b] = momentum;
        let orbital = (poses.subtree_com[b] - poses.subtree_com[p])
            .cross((out.subtree_linvel[b] - out.subtree_linvel[p]) * m.body.subtreemass[b]);
        out.subtree_angmom[p] += momentum + orbital;
    }
}

/// Angular velocity of body `b` and velocity of its point now at `point`, world frame.
#[inline]
pub fn body_velocity(m: &Model, poses: &Poses, vel: &Velocities, b: BodyId, point: DVec3) -> Spatial {
    vel.cvel[b].motion_at(point - poses.subtree_com[m.body.rootid[b]])
}

/// Angular acceleration of body `b` and acceleration of its point now at `point`, world frame.
/// Where gravity is on, the acceleration is what an accelerometer reads: a body at rest accelerates
/// upwards.
#[inline]
pub fn body_acceleration(
    m: &Model,
    poses: &Poses,
    vel: &Velocities,
    cacc: &IdVec<BodyId, Spatial>,
    b: BodyId,
    point: DVec3,
) -> Spatial {
    let r = point - poses.subtree_com[m.body.rootid[b]];
    let v = vel.cvel[b].motion_at(r);
    let mut a = cacc[b].motion_at(r);
    // The point moves: the spatial acceleration lacks ω × v.
    a.lin += v.rot.cross(v.lin);
    a
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_math::DVec3;
    use mj_model::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Momenta of the world's subtree are the sums over the bodies.
        #[test]
        fn subtree_momenta_add_up((m, s) in any_model()) {
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            subtree_vel(&m, &d.smooth.poses, &mut d.smooth.velocities);
            let com = d.smooth.poses.subtree_com[BodyId::WORLD];
            let (mut p, mut l) = (DVec3::ZERO, DVec3::ZERO);
            for b in m.body.ids().skip(1) {
                let v = body_velocity(&m, &d.smooth.poses, &d.smooth.velocities, b, d.smooth.poses.xipos[b]);
                let axes = d.smooth.poses.ximat[b];
                p += v.lin * m.body.mass[b];
                l += axes * (m.body.inertia[b] * (axes.transpose() * v.rot))
                    + (d.smooth.poses.xipos[b] - com).cross(v.lin * m.body.mass[b]);
            }
            let total = m.body.subtreemass[BodyId::WORLD];
            prop_assert!((d.smooth.velocities.subtree_linvel[BodyId::WORLD] * total - p).length() < 1e-9);
            prop_assert!((d.smooth.velocities.subtree_angmom[BodyId::WORLD] - l).length() < 1e-9);
        }

        /// Accelerations of points are the rates of change of their velocities, and gravity.
        #[test]
        fn acceleration_is_the_rate_of_velocity((m, s) in any_model()) {
            prop_assume!(m.nv() > 0);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let mut f = BodyForces::new(&m);
            let qacc = d.smooth.actuation.qacc_smooth.clone();
            rne_post_constraint(&m, &s, &d.smooth.poses, &d.smooth.velocities, &qacc, [], &mut f);
            let b = BodyId::new(m.body.len() - 1);
            let a = body_acceleration(&m, &d.smooth.poses, &d.smooth.velocities, &f.cacc, b, d.smooth.poses.xpos[b]);
            let h = 1e-6;
            let [v1, v0] = [h, -h].map(|h| {
                let mut t = s.clone();
                integrate_pos(&m, &mut t.qpos, &s.qvel, h);
                t.qvel.iter_mut().zip(&qacc).for_each(|(v, a)| *v += h * a);
                d.forward(&m, &t);
                body_velocity(&m, &d.smooth.poses, &d.smooth.velocities, b, d.smooth.poses.xpos[b])
            });
            let rate = (v1 - v0) * (0.5 / h);
            prop_assert!((rate.rot - a.rot).length() < 1e-4 * (1.0 + a.rot.length()));
            prop_assert!((rate.lin - m.opt.gravity - a.lin).length() < 1e-4 * (1.0 + a.lin.length()));
        }
    }
}
