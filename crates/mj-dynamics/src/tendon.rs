//! Tendon lengths and Jacobians: weighted sums of joint coordinates, and paths through sites,
//! around geoms and over pulleys.

use crate::buffers::{Poses, Transmissions, Velocities};
use crate::chains::{self, Chains};
use crate::inertia::{tendon_armature, tendon_moves};
use crate::jacobian::BodyPoint;
use crate::rne::BodyWrench;
use crate::velocity::body_velocity;
use crate::wrap;
use mj_math::block::Run;
use mj_math::{BlockRows, DVec3, MINVAL, Spatial, dense};
use mj_model::*;

/// Part of a spatial tendon's path: from a site to the next, perhaps around a geom.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: SiteId,
    to: SiteId,
    /// The geom to wrap around with its type, and the site that tells on which side.
    around: Option<(GeomId, WrapType, Option<SiteId>)>,
    /// Divisor of the pulley branch.
    divisor: f64,
}

/// Calls `f` with each segment of the path of spatial tendon `t`.
fn for_each_segment(m: &Model, t: TendonId, mut f: impl FnMut(Segment)) {
    let path = id_range(Some(m.tendon.adr[t]), m.tendon.num[t]);
    let site = |w: WrapId| SiteId::new(m.wrap.objid[w] as usize);
    let (mut from, mut around, mut divisor) = (None, None, 1.0);
    for w in path {
        match m.wrap.r#type[w] {
            WrapType::Pulley => (from, divisor) = (None, m.wrap.prm[w]),
            kind @ (WrapType::Sphere | WrapType::Cylinder) => {
                let side = m.wrap.prm[w].round();
                let side = (side >= 0.0).then(|| SiteId::new(side as usize));
                around = Some((GeomId::new(m.wrap.objid[w] as usize), kind, side));
            }
            WrapType::Site => {
                if let Some(from) = from {
                    f(Segment { from, to: site(w), around: around.take(), divisor });
                }
                from = Some(site(w));
            }
            WrapType::Joint | WrapType::None => {}
        }
    }
}

/// A corner of a path and the body that carries it.
type Corner = (BodyId, DVec3);

/// Calls `f` with the ends of each straight piece of spatial tendon `t` and the divisor of its branch.
/// Returns the length of all pieces and arcs.
fn for_each_piece(m: &Model, poses: &Poses, t: TendonId, mut f: impl FnMut(Corner, Corner, f64)) -> f64 {
    let mut length = 0.0;
    for_each_segment(m, t, |seg| {
        let a = (m.site.bodyid[seg.from], poses.site_xpos[seg.from]);
        let b = (m.site.bodyid[seg.to], poses.site_xpos[seg.to]);
        let arc = seg.around.and_then(|(g, kind, side)| {
            let around = wrap::Round::new(kind, poses.geom_xpos[g], poses.geom_xmat[g], m.geom.size[g].x);
            around.wrap(a.1, b.1, side.map(|i| poses.site_xpos[i])).map(|arc| (m.geom.bodyid[g], arc))
        });
        let mut piece = |a: Corner, b: Corner| {
            f(a, b, seg.divisor);
            (b.1 - a.1).length() / seg.divisor
        };
        length += match arc {
            None => piece(a, b),
            Some((g, arc)) => piece(a, (g, arc.from)) + arc.length / seg.divisor + piece((g, arc.to), b),
        };
    });
    length
}

/// Direction from one end of a piece to the other.
fn direction(a: DVec3, b: DVec3) -> DVec3 {
    let dif = b - a;
    let n = dif.length();
    if n < MINVAL { DVec3::X } else { dif / n }
}

/// Forces of spatial tendon `t` on the bodies along its path, where `force` acts to lengthen it.
/// Fixed tendons act on joints, and give none.
pub fn tendon_wrenches(m: &Model, poses: &Poses, t: TendonId, force: f64, mut f: impl FnMut(BodyWrench)) {
    if is_fixed(m, t) || force == 0.0 {
        return;
    }
    for_each_piece(m, poses, t, |a, b, divisor| {
        if a.0 != b.0 {
            let wrench = Spatial::new(DVec3::ZERO, direction(a.1, b.1) * (force / divisor));
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
fn is_fixed(m: &Model, t: TendonId) -> bool {
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
pub fn tendons(m: &Model, s: &State, chains: &Chains, poses: &Poses, out: &mut Transmissions) {
    for t in m.tendon.ids() {
        if !s.awake.everything() && s.awake.tendon(m, t) == SleepState::Asleep {
            continue;
        }
        if is_fixed(m, t) {
            let term = |w| {
                let j = JointId::new(m.wrap.objid[w] as usize);
                m.wrap.prm[w] * s.qpos[m.jnt.qposadr[j] as usize]
            };
            out.ten_length[t] = id_range(Some(m.tendon.adr[t]), m.tendon.num[t]).map(term).sum();
            continue;
        }
        let block = out.ten_J.blocks()[t.index()];
        out.ten_J.values_mut(&block).fill(0.0);
        // The gradient of each piece is the unit vector along it times the difference of its ends'
        // Jacobians; the ends of an arc slide without changing the length.
        let length = for_each_piece(m, poses, t, |a, b, divisor| {
            if a.0 != b.0 {
                let wrench = Spatial::new(DVec3::ZERO, direction(a.1, b.1) / divisor);
                let (runs, row) = out.ten_J.runs_and_values_mut(&block);
                BodyPoint::new(m, chains, poses, b.0, b.1).project(runs, wrench, row);
                BodyPoint::new(m, chains, poses, a.0, a.1).project(runs, -wrench, row);
            }
        });
        out.ten_length[t] = length;
    }
}

/// Adds to `qfrc` the bias force of tendon armature: armature · Jᵀ (J̇ q̇).
pub fn add_tendon_bias(m: &Model, s: &State, poses: &Poses, trans: &Transmissions, vel: &Velocities, qfrc: &mut [f64]) {
    for t in m.tendon.ids() {
        let armature = tendon_armature(m, t);
        if is_fixed(m, t) || armature == 0.0 || !tendon_moves(m, &s.awake, t) {
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
