//! Forward kinematics: positions and orientations of bodies, joints, geoms and sites.

use crate::buffers::Poses;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::{DMat3, DQuat, DVec3, Inertia, Spatial, quat};
use mj_model::*;
use std::ops::Range;

impl Poses {
    /// Makes buffers for a model.
    pub fn new(m: &Model) -> Self {
        let (nbody, njnt) = (m.body.len(), m.jnt.len());
        Self {
            xpos: IdVec::filled(nbody, DVec3::ZERO),
            xquat: IdVec::filled(nbody, DQuat::IDENTITY),
            xmat: IdVec::filled(nbody, DMat3::IDENTITY),
            xipos: IdVec::filled(nbody, DVec3::ZERO),
            ximat: IdVec::filled(nbody, DMat3::IDENTITY),
            xanchor: IdVec::filled(njnt, DVec3::ZERO),
            xaxis: IdVec::filled(njnt, DVec3::Z),
            geom_xpos: IdVec::filled(m.geom.len(), DVec3::ZERO),
            geom_xmat: IdVec::filled(m.geom.len(), DMat3::IDENTITY),
            site_xpos: IdVec::filled(m.site.len(), DVec3::ZERO),
            site_xmat: IdVec::filled(m.site.len(), DMat3::IDENTITY),
            cam_xpos: IdVec::filled(m.cam.len(), DVec3::ZERO),
            cam_xmat: IdVec::filled(m.cam.len(), DMat3::IDENTITY),
            light_xpos: IdVec::filled(m.light.len(), DVec3::ZERO),
            light_xdir: IdVec::filled(m.light.len(), DVec3::NEG_Z),
            subtree_com: IdVec::filled(nbody, DVec3::ZERO),
            cdof: IdVec::filled(m.nv(), Spatial::ZERO),
            cinert: IdVec::filled(nbody, Inertia::ZERO),
        }
    }
}

/// Poses of bodies, joints, geoms and sites at `s.qpos` and the mocap poses.
///
/// Quaternions in `qpos` need not be normalized: they are normalized here, and left as they are in
/// the state.
#[inline]
pub fn kinematics(m: &Model, s: &State, out: &mut Poses) {
    body_kinematics(m, s, out);
    frames(m, &s.awake, out);
}

/// Poses of awake bodies, their inertial frames and joints alone: what dynamics reads.
pub fn body_kinematics(m: &Model, s: &State, out: &mut Poses) {
    dispatch(Bodies { m, s, out });
}

/// The bodies of all awake ranges, as a kernel.
struct Bodies<'a> {
    m: &'a Model,
    s: &'a State,
    out: &'a mut Poses,
}

impl Kernel for Bodies<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        for range in &self.s.awake.bodies {
            bodies(self.m, self.s, range.clone(), self.out);
        }
    }
}

/// Bodies and joints, root to leaves: the parent's pose, the fixed offset, then the body's joints in
/// order, each moving what follows it.
#[inline(always)]
fn bodies(m: &Model, s: &State, range: Range<usize>, out: &mut Poses) {
    let n = m.body.len();
    let parent = &m.body.parentid.as_slice()[..n];
    let (jntnum, jntadr) = (&m.body.jntnum.as_slice()[..n], &m.body.jntadr.as_slice()[..n]);
    let (body_pos, body_quat) = (&m.body.pos.as_slice()[..n], &m.body.quat.as_slice()[..n]);
    let (same, mocapid) = (&m.body.sameframe.as_slice()[..n], &m.body.mocapid.as_slice()[..n]);
    let (ipos, iquat) = (&m.body.ipos.as_slice()[..n], &m.body.iquat.as_slice()[..n]);
    let (xpos, xquat, xmat) =
        (&mut out.xpos.as_mut_slice()[..n], &mut out.xquat.as_mut_slice()[..n], &mut out.xmat.as_mut_slice()[..n]);
    let (xipos, ximat) = (&mut out.xipos.as_mut_slice()[..n], &mut out.ximat.as_mut_slice()[..n]);
    let mut joints = Joints::new(m, s, out.xanchor.as_mut_slice(), out.xaxis.as_mut_slice());

    (xpos[0], xquat[0], xmat[0]) = (DVec3::ZERO, DQuat::IDENTITY, DMat3::IDENTITY);
    (xipos[0], ximat[0]) = (DVec3::ZERO, DMat3::IDENTITY);
    for b in range.start.max(1)..range.end {
        let first = jntadr[b].map_or(0, JointId::index);
        let Frame { pos, rot, mat } = if jntnum[b] == 1 && joints.types[first] == JointType::Free {
            joints.free(first)
        } else {
            let (mut pos, mut rot) = match mocapid[b] {
                Some(i) => (s.mocap_pos[i], quat::normalize_if_needed(s.mocap_quat[i])),
                None => (body_pos[b], body_quat[b]),
            };
            let p = parent[b].index();
            if p != 0 {
                pos = xmat[p] * pos + xpos[p];
                rot = quat::mul(xquat[p], rot);
            }
            let end = first + jntnum[b] as usize;
            let hinge = end > first && joints.types[end - 1] == JointType::Hinge;
            for j in first..end - usize::from(hinge) {
                (pos, rot) = joints.carry(j, pos, rot);
            }
            if hinge { joints.hinge(end - 1, pos, rot) } else { Frame::new(pos, quat::normalize_if_needed(rot)) }
        };
        (xpos[b], xquat[b], xmat[b]) = (pos, rot, mat);
        // An inertial frame is not said to be the same as itself.
        xipos[b] = if same[b] == SameFrame::Body { pos } else { mat * ipos[b] + pos };
        ximat[b] = if same[b] == SameFrame::None { quat::to_mat(quat::mul(rot, iquat[b])) } else { mat };
    }
}

/// A pose, its rotation in both forms.
struct Frame {
    pos: DVec3,
    rot: DQuat,
    mat: DMat3,
}

impl Frame {
    /// With a rotation of unit length.
    #[inline(always)]
    fn new(pos: DVec3, rot: DQuat) -> Self {
        Self { pos, rot, mat: quat::to_mat(rot) }
    }
}

/// The joints of a model at a state; their own poses are written as they carry bodies along.
struct Joints<'a> {
    types: &'a [JointType],
    qposadr: &'a [u32],
    pos: &'a [DVec3],
    axis: &'a [DVec3],
    qpos: &'a [f64],
    qpos0: &'a [f64],
    xanchor: &'a mut [DVec3],
    xaxis: &'a mut [DVec3],
}

impl<'a> Joints<'a> {
    fn new(m: &'a Model, s: &'a State, xanchor: &'a mut [DVec3], xaxis: &'a mut [DVec3]) -> Self {
        let n = m.jnt.len();
        Self {
            types: &m.jnt.r#type.as_slice()[..n],
            qposadr: &m.jnt.qposadr.as_slice()[..n],
            pos: &m.jnt.pos.as_slice()[..n],
            axis: &m.jnt.axis.as_slice()[..n],
            qpos: &s.qpos,
            qpos0: &m.qpos0,
            xanchor: &mut xanchor[..n],
            xaxis: &mut xaxis[..n],
        }
    }

    /// Pose of the body of a free joint, which stands alone and says all.
    #[inline(always)]
    fn free(&mut self, j: usize) -> Frame {
        let q = &self.qpos[self.qposadr[j] as usize..][..7];
        let pos = DVec3::new(q[0], q[1], q[2]);
        (self.xanchor[j], self.xaxis[j]) = (pos, self.axis[j]);
        Frame::new(pos, quat::normalize_if_needed(quat::read(&q[3..])))
    }

    /// Pose of a body to which its last joint, a hinge, brings it from the given one. The axis is the same before and after
    /// its turn: the matrix, which is wanted anyhow, turns it and the way back from the anchor.
    #[inline(always)]
    fn hinge(&mut self, j: usize, pos: DVec3, rot: DQuat) -> Frame {
        let adr = self.qposadr[j] as usize;
        let (axis, offset) = (self.axis[j], self.pos[j]);
        let turn = quat::from_axis_angle(axis, self.qpos[adr] - self.qpos0[adr]);
        let turned = Frame::new(pos, quat::normalize_if_needed(quat::mul(rot, turn)));
        self.xaxis[j] = turned.mat * axis;
        self.xanchor[j] = pos;
        if offset == DVec3::ZERO {
            return turned;
        }
        // The turn is about the anchor, not about the body's origin.
        let anchor = pos + quat::rotate(rot, offset);
        self.xanchor[j] = anchor;
        Frame { pos: anchor - turned.mat * offset, ..turned }
    }

    /// Pose to which joint `j` brings a body that would be at the given one with the joint at zero.
    #[inline(always)]
    fn carry(&mut self, j: usize, pos: DVec3, rot: DQuat) -> (DVec3, DQuat) {
        let adr = self.qposadr[j] as usize;
        let axis = quat::rotate(rot, self.axis[j]);
        self.xaxis[j] = axis;
        let offset = self.pos[j];
        let centred = offset == DVec3::ZERO;
        let anchor = if centred { pos } else { pos + quat::rotate(rot, offset) };
        self.xanchor[j] = anchor;
        let turn = match self.types[j] {
            JointType::Slide => return (pos + axis * (self.qpos[adr] - self.qpos0[adr]), rot),
            JointType::Hinge => quat::from_axis_angle(self.axis[j], self.qpos[adr] - self.qpos0[adr]),
            // A free joint among others: the compiler refuses it.
            JointType::Ball | JointType::Free => quat::normalize_if_needed(quat::read(&self.qpos[adr..])),
        };
        let rot = quat::mul(rot, turn);
        // The turn is about the anchor, not about the body's origin.
        (if centred { pos } else { anchor - quat::rotate(rot, offset) }, rot)
    }
}

/// Computes the poses of all geoms and sites that may have moved, from those of the bodies.
pub fn frames(m: &Model, awake: &Awake, out: &mut Poses) {
    dispatch(Frames { m, awake, out });
}

/// [`frames`] as a kernel.
struct Frames<'a> {
    m: &'a Model,
    awake: &'a Awake,
    out: &'a mut Poses,
}

impl Kernel for Frames<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { m, awake, out } = self;
        for g in awake.geoms.iter().cloned().flatten() {
            place_geom(m, GeomId::new(g), out);
        }
        for i in awake.sites.iter().cloned().flatten() {
            place_site(m, SiteId::new(i), out);
        }
    }
}

#[inline(always)]
fn place_geom(m: &Model, g: GeomId, out: &mut Poses) {
    out.geom_xpos[g] = point(out, m.geom.bodyid[g], m.geom.sameframe[g], m.geom.pos[g]);
    out.geom_xmat[g] = axes(out, m.geom.bodyid[g], m.geom.sameframe[g], m.geom.quat[g]);
}

#[inline(always)]
fn place_site(m: &Model, i: SiteId, out: &mut Poses) {
    out.site_xpos[i] = point(out, m.site.bodyid[i], m.site.sameframe[i], m.site.pos[i]);
    out.site_xmat[i] = axes(out, m.site.bodyid[i], m.site.sameframe[i], m.site.quat[i]);
}

/// World position of the origin of a local frame, which may be known to be the body's or its
/// inertia's.
#[inline(always)]
fn point(p: &Poses, b: BodyId, same: SameFrame, pos: DVec3) -> DVec3 {
    match same {
        SameFrame::Body => p.xpos[b],
        SameFrame::Inertia => p.xipos[b],
        _ => p.xmat[b] * pos + p.xpos[b],
    }
}

/// World orientation of a local frame, which may be known to be the body's or its inertia's.
#[inline(always)]
fn axes(p: &Poses, b: BodyId, same: SameFrame, rot: DQuat) -> DMat3 {
    match same {
        SameFrame::Body | SameFrame::BodyRot => p.xmat[b],
        SameFrame::Inertia | SameFrame::InertiaRot => p.ximat[b],
        SameFrame::None => quat::to_mat(quat::mul(p.xquat[b], rot)),
    }
}
