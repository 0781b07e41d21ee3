//! Frames of the edges of rods, which twist angles turn: carried along from one time step to the next without twist of their
//! own (Bergou et al., "Discrete viscous threads", 2010, section 4.2.3).

use super::hinge::{angle_about, transport};
use crate::buffers::Flexes;
use crate::lines::{Chain, Frames, RodEdge, Twist};
use crate::plan::FlexPlan;
use mj_dynamics::Poses;
use mj_math::{DQuat, DVec3, MINVAL, quat, real};
use mj_model::*;
use std::f64::consts::TAU;

/// Component of a tangent along the y axis of a body from which on the z axis gives the frame its direction.
const STEEP: f64 = 0.5;

/// Rods whose edges have twist angles: the flex, its chain, and the first of its edges and of its inner vertices among those of
/// all such rods.
fn chains(plan: &FlexPlan) -> impl Iterator<Item = (FlexId, &Chain, [usize; 2])> {
    let mut first = [0, 0];
    plan.rods.iter().enumerate().filter_map(|(f, r)| Some((FlexId::new(f), r.as_ref()?.chain.as_ref()?))).map(
        move |(f, chain)| {
            let at = first;
            first = [at[0] + chain.twist.len(), at[1] + chain.twist.len() - 1];
            (f, chain, at)
        },
    )
}

/// Returns the edges of a flex whose edges have twist angles, from end to end; empty where it is no such flex.
///
/// The axes of the section are those of the state at the last call of [`rod_frames`].
pub fn rod_edges<'a>(plan: &FlexPlan, flexes: &'a Flexes, f: FlexId) -> &'a [RodEdge] {
    match chains(plan).find(|(g, ..)| *g == f) {
        Some((_, chain, [first, _])) => &flexes.rods.edges[first..first + chain.twist.len()],
        None => &[],
    }
}

/// Position of a body's point and orientation of the body at qpos0.
fn rest_pose(m: &Model, b: BodyId, local: DVec3) -> (DVec3, DQuat) {
    let (mut b, mut point, mut turn) = (b, local, DQuat::IDENTITY);
    while b != BodyId::WORLD {
        point = m.body.pos[b] + quat::rotate(m.body.quat[b], point);
        turn = m.body.quat[b] * turn;
        b = m.body.parentid[b];
    }
    (point, quat::normalize(turn))
}

/// First axis of the frame of a rod's first edge at qpos0. `turn` is the orientation of the first vertex' body there.
fn first_normal(turn: DQuat, tangent: DVec3, along_second: bool) -> DVec3 {
    let local = quat::rotate(turn.conjugate(), tangent);
    let side = if local.y.abs() < STEEP { DVec3::Y } else { DVec3::Z };
    let normal = (side - local * local.dot(side)).normalize_or_zero();
    quat::rotate(turn, if along_second { local.cross(normal) } else { normal })
}

/// Places the frames of the edges of rods, from the frames that the plastic state holds, and measures how the edges twist.
/// Where the plastic state holds none, they follow from the frame of the first edge without twist.
pub fn rod_frames(m: &Model, s: &State, plan: &FlexPlan, poses: &Poses, flexes: &mut Flexes) {
    for (f, chain, [first, inner]) in chains(plan) {
        let vertices = m.flex.vertadr[f] as usize;
        let n = chain.twist.len();
        let Frames { edges, between, rest_xpos: rest, .. } = &mut flexes.rods;
        let (edges, between) = (&mut edges[first..first + n], &mut between[inner..inner + n - 1]);
        let body = |v: usize| m.flex_data.vertbodyid[vertices + v].unwrap_or(BodyId::WORLD);
        for (rest, &v) in rest.iter_mut().zip(&chain.vertices) {
            let local = if m.flex.centered[f] { DVec3::ZERO } else { m.flex_shape.vert[vertices + v] };
            *rest = rest_pose(m, body(v), local).0;
        }
        let x = |i: usize| flexes.vert_xpos[vertices + chain.vertices[i]];
        for (i, e) in edges.iter_mut().enumerate() {
            e.tangent = (x(i + 1) - x(i)).normalize_or_zero();
        }
        let Ok(at) = usize::try_from(m.flex.plasticadr[f]) else { continue };
        let saved = &s.plastic[at..at + 7 * n - 1];
        let records = m.rod_records(f);
        let turn = rest_pose(m, body(chain.vertices[0]), DVec3::ZERO).1;
        let at_rest = |i: usize| (rest[i + 1] - rest[i]).normalize_or_zero();
        let mut before = (at_rest(0), first_normal(turn, at_rest(0), records.first().is_some_and(|r| r[9] < 0.0)));
        place(m, poses, chain, edges, saved, before, &at_rest);
        for (i, (b, r)) in between.iter_mut().zip(records).enumerate() {
            // The reference frame at qpos0 has no twist, so that the curvature has the same components in both edges' frames.
            let tangent = at_rest(i + 1);
            let opposed = 1.0 + before.0.dot(tangent);
            b.rest = if r[6] > 0.0 && opposed > MINVAL {
                let curvature = before.0.cross(tangent) * (2.0 / opposed);
                [curvature.dot(before.1), curvature.dot(before.0.cross(before.1))]
            } else {
                [0.0; 2]
            };
            before = (tangent, transport(before.0, tangent, before.1));
            let [e, g] = [&edges[i], &edges[i + 1]];
            let angle = angle_about(g.tangent, transport(e.tangent, g.tangent, e.normal), g.normal);
            let saved = saved[6 * n + i];
            b.reference_twist = angle + TAU * ((saved - angle) / TAU).round();
        }
        let angle = |i: usize| match chain.twist[i] {
            Twist::Joint { qpos, .. } => s.qpos[qpos] - m.qpos0[qpos],
            Twist::Fixed(_) => 0.0,
        };
        for (i, e) in edges.iter_mut().enumerate() {
            let (sin, cos) = real::sin_cos(angle(i));
            let second = e.tangent.cross(e.normal);
            e.axes = [e.normal * cos + second * sin, second * cos - e.normal * sin];
        }
        flexes.sections.place(m, f, chain, edges);
        for (i, b) in between.iter_mut().enumerate() {
            b.twist = angle(i + 1) - angle(i) + b.reference_twist;
        }
    }
}

/// Places the reference frames of the edges, whose tangents are known.
fn place(
    m: &Model,
    poses: &Poses,
    chain: &Chain,
    edges: &mut [RodEdge],
    saved: &[f64],
    rest: (DVec3, DVec3),
    at_rest: &dyn Fn(usize) -> DVec3,
) {
    let old = |i: usize| {
        let s = &saved[6 * i..];
        [DVec3::new(s[0], s[1], s[2]), DVec3::new(s[3], s[4], s[5])].map(DVec3::normalize_or_zero)
    };
    let is_saved = |i: usize| old(i).iter().all(|v| *v != DVec3::ZERO);
    let free = |t: &Twist| matches!(t, Twist::Joint { .. });
    let known = chain.twist.iter().enumerate().all(|(i, t)| !free(t) || is_saved(i));
    for i in 0..edges.len() {
        let tangent = edges[i].tangent;
        let mut spin = DVec3::ZERO;
        let normal = match chain.twist[i] {
            Twist::Fixed(b) => {
                let normal = (1..=i).fold(rest.1, |u, k| transport(at_rest(k - 1), at_rest(k), u));
                let local = quat::rotate(rest_pose(m, b, DVec3::ZERO).1.conjugate(), normal);
                poses.xmat[b] * local
            }
            Twist::Joint { .. } if known => {
                let [t, u] = old(i);
                spin = spin_of(t, tangent);
                transport(t, tangent, u)
            }
            Twist::Joint { .. } if i == 0 => transport(rest.0, tangent, rest.1),
            Twist::Joint { .. } => transport(edges[i - 1].tangent, tangent, edges[i - 1].normal),
        };
        edges[i].normal = (normal - tangent * tangent.dot(normal)).normalize_or_zero();
        edges[i].spin = spin;
    }
}

/// Derivative by the tangent `to`, of the turn about it of a frame that is carried from `from` straight to it.
pub(crate) fn spin_of(from: DVec3, to: DVec3) -> DVec3 {
    let opposed = 1.0 + from.dot(to);
    if opposed < MINVAL { DVec3::ZERO } else { to.cross(from) / opposed }
}

/// Records the frames at the start of a time step.
pub(crate) fn record_frames(plan: &FlexPlan, flexes: &mut Flexes) {
    let Frames { edges, between, start, .. } = &mut flexes.rods;
    let mut out = start.iter_mut();
    for (_, chain, [first, inner]) in chains(plan) {
        let n = chain.twist.len();
        let frames =
            edges[first..first + n].iter().flat_map(|e| e.tangent.to_array().into_iter().chain(e.normal.to_array()));
        let twists = between[inner..inner + n - 1].iter().map(|b| b.reference_twist);
        frames.chain(twists).zip(&mut out).for_each(|(x, out)| *out = x);
    }
}

/// Writes the frames that were recorded into the plastic state.
pub(crate) fn write_frames(m: &Model, plan: &FlexPlan, flexes: &Flexes, s: &mut State) {
    let mut from = 0;
    for (f, chain, _) in chains(plan) {
        let n = 7 * chain.twist.len() - 1;
        if let Ok(at) = usize::try_from(m.flex.plasticadr[f]) {
            s.plastic[at..at + n].copy_from_slice(&flexes.rods.start[from..from + n]);
        }
        from += n;
    }
}
