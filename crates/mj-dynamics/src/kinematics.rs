//! Forward kinematics: positions and orientations of bodies, joints, geoms and sites.

use crate::buffers::Poses;
use mj_math::{DMat3, DQuat, DVec3, quat};
use mj_model::*;
use std::ops::Range;

impl Poses {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let mut p = Self::default();
        p.resize(m);
        p
    }

    /// Makes the buffers fit a model. Allocates only if the sizes grow.
    pub fn resize(&mut self, m: &Model) {
        let (nbody, njnt) = (m.body.len(), m.jnt.len());
        self.xpos.resize(nbody, DVec3::ZERO);
        self.xquat.resize(nbody, DQuat::IDENTITY);
        self.xmat.resize(nbody, DMat3::IDENTITY);
        self.xipos.resize(nbody, DVec3::ZERO);
        self.ximat.resize(nbody, DMat3::IDENTITY);
        self.xanchor.resize(njnt, DVec3::ZERO);
        self.xaxis.resize(njnt, DVec3::Z);
        self.geom_xpos.resize(m.geom.len(), DVec3::ZERO);
        self.geom_xmat.resize(m.geom.len(), DMat3::IDENTITY);
        self.site_xpos.resize(m.site.len(), DVec3::ZERO);
        self.site_xmat.resize(m.site.len(), DMat3::IDENTITY);
        self.cam_xpos.resize(m.cam.len(), DVec3::ZERO);
        self.cam_xmat.resize(m.cam.len(), DMat3::IDENTITY);
        self.light_xpos.resize(m.light.len(), DVec3::ZERO);
        self.light_xdir.resize(m.light.len(), DVec3::NEG_Z);
        self.subtree_com.resize(nbody, DVec3::ZERO);
        self.cdof.resize(m.nv(), Default::default());
        self.cinert.resize(nbody, Default::default());
    }
}

/// Poses of bodies, joints, geoms and sites at `s.qpos` and the mocap poses.
///
/// Quaternions in `qpos` need not be normalized: they are normalized here, and left as they are in
/// the state.
pub fn kinematics(m: &Model, s: &State, out: &mut Poses) {
    for range in &s.awake.bodies {
        bodies(m, s, range.clone(), out);
    }
    frames(m, &s.awake, out);
}

/// Bodies and joints, root to leaves: the parent's pose, the fixed offset, then the body's joints in
/// order, each moving what follows it.
fn bodies(m: &Model, s: &State, range: Range<usize>, out: &mut Poses) {
    let n = m.body.len();
    let parent = &m.body.parentid.as_slice()[..n];
    let (jntnum, jntadr) = (&m.body.jntnum.as_slice()[..n], &m.body.jntadr.as_slice()[..n]);
    let (body_pos, body_quat) = (&m.body.pos.as_slice()[..n], &m.body.quat.as_slice()[..n]);
    let (xpos, xquat, xmat) =
        (&mut out.xpos.as_mut_slice()[..n], &mut out.xquat.as_mut_slice()[..n], &mut out.xmat.as_mut_slice()[..n]);
    let (xanchor, xaxis) = (out.xanchor.as_mut_slice(), out.xaxis.as_mut_slice());
    let (types, qposadr) = (m.jnt.r#type.as_slice(), m.jnt.qposadr.as_slice());
    let (jnt_pos, jnt_axis) = (m.jnt.pos.as_slice(), m.jnt.axis.as_slice());

    (xpos[0], xquat[0], xmat[0]) = (DVec3::ZERO, DQuat::IDENTITY, DMat3::IDENTITY);
    for b in range.start.max(1)..range.end {
        let first = jntadr[b].map_or(0, JointId::index);
        let joints = first..first + jntnum[b] as usize;

        // A free joint stands alone and says all.
        if joints.len() == 1 && types[first] == JointType::Free {
            let q = &s.qpos[qposadr[first] as usize..];
            let pos = DVec3::new(q[0], q[1], q[2]);
            let rot = quat::normalize_if_needed(quat::read(&q[3..]));
            (xpos[b], xquat[b], xmat[b]) = (pos, rot, quat::to_mat(rot));
            (xanchor[first], xaxis[first]) = (pos, jnt_axis[first]);
            continue;
        }

        let (mut pos, mut rot) = match m.body.mocapid.as_slice()[b] {
            Some(i) => (s.mocap_pos[i], quat::normalize_if_needed(s.mocap_quat[i])),
            None => (body_pos[b], body_quat[b]),
        };
        let p = parent[b].index();
        if p != 0 {
            pos = xmat[p] * pos + xpos[p];
            rot = xquat[p] * rot;
        }
        for j in joints {
            let q = &s.qpos[qposadr[j] as usize..];
            let axis = quat::rotate(rot, jnt_axis[j]);
            xaxis[j] = axis;
            let centred = jnt_pos[j] == DVec3::ZERO;
            let anchor = if centred { pos } else { pos + quat::rotate(rot, jnt_pos[j]) };
            xanchor[j] = anchor;
            let turn = match types[j] {
                JointType::Slide => {
                    pos += axis * (q[0] - m.qpos0[qposadr[j] as usize]);
                    continue;
                }
                JointType::Hinge => quat::from_axis_angle(jnt_axis[j], q[0] - m.qpos0[qposadr[j] as usize]),
                // A free joint among others: the compiler refuses it.
                JointType::Ball | JointType::Free => quat::normalize_if_needed(quat::read(q)),
            };
            rot *= turn;
            if !centred {
                // The turn is about the anchor, not about the body's origin.
                pos = anchor - quat::rotate(rot, jnt_pos[j]);
            }
        }
        let rot = renormalize(rot);
        (xpos[b], xquat[b], xmat[b]) = (pos, rot, quat::to_mat(rot));
    }
}

/// Takes the rounding off a product of unit quaternions: one step of Newton's method for 1/√|q|²,
/// which is exact to the last digit near 1 and needs no root, no division and no branch that could
/// go either way.
#[inline]
fn renormalize(q: DQuat) -> DQuat {
    let n2 = q.length_squared();
    if (n2 - 1.0).abs() < 1e-8 { q * (1.5 - 0.5 * n2) } else { quat::normalize(q) }
}

/// Frames fixed in bodies: inertial frames, geoms, sites.
fn frames(m: &Model, awake: &Awake, out: &mut Poses) {
    let (xpos, xquat, xmat) = (out.xpos.as_slice(), out.xquat.as_slice(), out.xmat.as_slice());
    let (xipos, ximat) = (out.xipos.as_mut_slice(), out.ximat.as_mut_slice());
    (xipos[0], ximat[0]) = (DVec3::ZERO, DMat3::IDENTITY);
    let local = (m.body.sameframe.as_slice(), m.body.ipos.as_slice(), m.body.iquat.as_slice());
    for range in &awake.bodies {
        for b in range.start.max(1)..range.end {
            // An inertial frame is not said to be the same as itself.
            let body = Frame { xpos: &xpos[b], xquat: &xquat[b], xmat: &xmat[b], xipos: &xpos[b], ximat: &xmat[b] };
            body.place(local.0[b], local.1[b], local.2[b], &mut xipos[b], &mut ximat[b]);
        }
    }

    let (xipos, ximat) = (out.xipos.as_slice(), out.ximat.as_slice());
    let frame =
        |b: usize| Frame { xpos: &xpos[b], xquat: &xquat[b], xmat: &xmat[b], xipos: &xipos[b], ximat: &ximat[b] };
    let local = (m.geom.sameframe.as_slice(), m.geom.pos.as_slice(), m.geom.quat.as_slice());
    let world = (out.geom_xpos.as_mut_slice(), out.geom_xmat.as_mut_slice());
    for range in &awake.geoms {
        for (g, b) in range.clone().zip(&m.geom.bodyid.as_slice()[range.clone()]) {
            frame(b.index()).place(local.0[g], local.1[g], local.2[g], &mut world.0[g], &mut world.1[g]);
        }
    }
    let local = (m.site.sameframe.as_slice(), m.site.pos.as_slice(), m.site.quat.as_slice());
    let world = (out.site_xpos.as_mut_slice(), out.site_xmat.as_mut_slice());
    for range in &awake.sites {
        for (i, b) in range.clone().zip(&m.site.bodyid.as_slice()[range.clone()]) {
            frame(b.index()).place(local.0[i], local.1[i], local.2[i], &mut world.0[i], &mut world.1[i]);
        }
    }
}

/// A body's pose, from which the poses of what it carries follow.
struct Frame<'a> {
    xpos: &'a DVec3,
    xquat: &'a DQuat,
    xmat: &'a DMat3,
    xipos: &'a DVec3,
    ximat: &'a DMat3,
}

impl Frame<'_> {
    /// World pose of a local frame that may be known to share the body's or its inertia's.
    #[inline]
    fn place(&self, same: SameFrame, pos: DVec3, rot: DQuat, xpos: &mut DVec3, xmat: &mut DMat3) {
        *xpos = match same {
            SameFrame::Body => *self.xpos,
            SameFrame::Inertia => *self.xipos,
            _ => *self.xmat * pos + *self.xpos,
        };
        match same {
            SameFrame::Body | SameFrame::BodyRot => *xmat = *self.xmat,
            SameFrame::Inertia | SameFrame::InertiaRot => *xmat = *self.ximat,
            SameFrame::None => *xmat = quat::to_mat(*self.xquat * rot),
        }
    }
}
