//! Recursive Newton-Euler: the force that a motion needs.

use crate::buffers::{BodyForces, Poses, Velocities};
use crate::workspace::Workspace;
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// Acceleration of the world's frame, as if it carried the bodies against gravity.
#[inline]
fn world_acceleration(m: &Model) -> Spatial {
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
    let n = m.body.len();
    let parent = &m.body.parentid.as_slice()[..n];
    let (dofnum, dofadr) = (&m.body.dofnum.as_slice()[..n], &m.body.dofadr.as_slice()[..n]);
    let (cdof, cdof_dot) = (poses.cdof.as_slice(), vel.cdof_dot.as_slice());
    let (cinert, cvel) = (&poses.cinert.as_slice()[..n], &vel.cvel.as_slice()[..n]);
    let (cacc, cfrc) = (&mut work.acc[..n], &mut work.frc[..n]);

    cacc[0] = world_acceleration(m);
    cfrc[0] = Spatial::ZERO;
    for b in 1..n {
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
    for b in (1..n).rev() {
        let p = parent[b].index();
        if p > 0 {
            let f = cfrc[b];
            cfrc[p] += f;
        }
    }
    for ((q, c), b) in qfrc.iter_mut().zip(cdof).zip(m.dof.bodyid.as_slice()) {
        *q = c.dot(cfrc[b.index()]);
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
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let mut f = Self::default();
        f.resize(m);
        f
    }

    /// Makes the buffers fit a model. Allocates only if the sizes grow.
    pub fn resize(&mut self, m: &Model) {
        self.cacc.resize(m.body.len(), Spatial::ZERO);
        self.cfrc_int.resize(m.body.len(), Spatial::ZERO);
        self.cfrc_ext.resize(m.body.len(), Spatial::ZERO);
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
    for b in m.body.ids().skip(1) {
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

    out.cacc[BodyId::WORLD] = world_acceleration(m);
    out.cfrc_int[BodyId::WORLD] = Spatial::ZERO;
    for b in m.body.ids().skip(1) {
        let mut a = out.cacc[m.body.parentid[b]];
        for d in id_range(m.body.dofadr[b], m.body.dofnum[b]) {
            a += vel.cdof_dot[d] * s.qvel[d.index()] + poses.cdof[d] * qacc[d.index()];
        }
        out.cacc[b] = a;
        let (inertia, v) = (&poses.cinert[b], vel.cvel[b]);
        out.cfrc_int[b] = inertia.mul(a) + v.cross_force(inertia.mul(v)) - out.cfrc_ext[b];
    }
    for b in m.body.ids().skip(1).rev() {
        let f = out.cfrc_int[b];
        out.cfrc_int[m.body.parentid[b]] += f;
    }
}
