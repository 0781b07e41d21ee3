//! Derivatives of the force of a connect or weld by position and velocity of a dof.
//!
//! The rows' acceleration Ja + J̇v is that of the anchors against each other, and for welds that of the orientation
//! error e = Im(p Q), p = q₁⁻¹, Q = q₀:
//!
//! ```text
//! ë = ½ Im(p X Q),   X = Δω̇ + ω₀ × ω₁ − ½|Δω|²,
//! ```
//!
//! a quaternion product with Δω = ω₀ − ω₁. When dof k turns a body that hangs from a base of velocity w and
//! acceleration a_w, the body's motion is carried along by S_k, but the base stays: seen from what is carried it moves
//! differently, by ξ = w × S_k in velocity, and in acceleration by a_w × S_k + ξ × (v − w).

use super::At;
use crate::equality::{Anchors, anchors, pure, vector};
use mj_dynamics::ChainMotion;
use mj_math::{DQuat, DVec3, Spatial};
use mj_model::*;

/// Velocities and accelerations of all bodies, as the derivative needs them.
#[derive(Clone, Copy)]
pub(super) struct Motions<'a> {
    pub velocity: &'a ChainMotion,
    pub acceleration: &'a ChainMotion,
}

/// A connect or weld and its rows.
pub(super) struct ConnectWeld {
    anchors: Anchors,
    sides: [Side; 2],
    /// Scale of the orientation's rows; none for connects.
    scale: Option<f64>,
    pub rows: usize,
}

/// A body's anchor: relative to the centre of mass of its tree, and its motion.
#[derive(Clone, Copy)]
struct Side {
    body: BodyId,
    arm: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    spin: DVec3,
    spin_rate: DVec3,
}

/// Their change with a dof; `turn` and `point` are those of the body itself.
#[derive(Clone, Copy, Default)]
struct Change {
    turn: DVec3,
    point: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    spin: DVec3,
    spin_rate: DVec3,
}

/// Change of the rows' position, velocity and acceleration.
#[derive(Clone, Copy, Default)]
pub(super) struct RowChange {
    pub pos: [f64; 6],
    pub vel: [f64; 6],
    pub acc: [f64; 6],
}

impl Side {
    fn new(m: &Model, at: At<'_>, motions: Motions<'_>, body: BodyId, point: DVec3) -> Self {
        let arm = point - at.poses.subtree_com[m.body.rootid[body]];
        let v = motions.velocity.body[body].motion_at(arm);
        let a = motions.acceleration.body[body].motion_at(arm);
        let acceleration = a.lin + v.rot.cross(v.lin);
        Self { body, arm, velocity: v.lin, acceleration, spin: v.rot, spin_rate: a.rot }
    }

    /// When dof `k`, whose motion is `s`, moves the body.
    fn by_position(&self, motions: Motions<'_>, k: DofId, s: Spatial) -> Change {
        let (w, base) = (motions.velocity.base[k], motions.acceleration.base[k]);
        let xi = w.cross_motion(s);
        let da = base.cross_motion(s) + xi.cross_motion(motions.velocity.body[self.body] - w);
        let (own, xi, da) = (s.motion_at(self.arm), xi.motion_at(self.arm), da.motion_at(self.arm));
        let turn = own.rot;
        Change {
            turn,
            point: own.lin,
            velocity: turn.cross(self.velocity) + xi.lin,
            acceleration: turn.cross(self.acceleration)
                + da.lin
                + xi.rot.cross(self.velocity)
                + self.spin.cross(xi.lin),
            spin: turn.cross(self.spin) + xi.rot,
            spin_rate: turn.cross(self.spin_rate) + da.rot,
        }
    }

    /// When dof `k` gets faster.
    fn by_velocity(&self, motions: Motions<'_>, k: DofId, s: Spatial) -> Change {
        let v = motions.velocity;
        let da = (v.base[k] + v.tip[k]).cross_motion(s) + s.cross_motion(v.body[self.body]);
        let (own, da) = (s.motion_at(self.arm), da.motion_at(self.arm));
        Change {
            velocity: own.lin,
            acceleration: da.lin + own.rot.cross(self.velocity) + self.spin.cross(own.lin),
            spin: own.rot,
            spin_rate: da.rot,
            ..Change::default()
        }
    }
}

impl ConnectWeld {
    pub fn new(m: &Model, at: At<'_>, motions: Motions<'_>, e: EqualityId) -> Self {
        let anchors = anchors(m, at.poses, e);
        let sides = [0, 1].map(|i| Side::new(m, at, motions, anchors.body[i], anchors.point[i]));
        let scale = (m.eq.r#type[e] == EqType::Weld).then(|| m.eq.data[e][10]);
        Self { anchors, sides, scale, rows: if scale.is_some() { 6 } else { 3 } }
    }

    /// Whether dof `k` moves body number `i`.
    pub fn moves(&self, at: At<'_>, i: usize, k: usize) -> bool {
        at.chains.of(self.sides[i].body).iter().any(|r| (r.start..r.start + r.len).contains(&(k as u32)))
    }

    /// Change of the rows with the velocity of dof `k`.
    pub fn by_velocity(&self, at: At<'_>, motions: Motions<'_>, k: usize) -> RowChange {
        self.rows_by(self.changes(at, k, |side, dof, s| side.by_velocity(motions, dof, s)))
    }

    /// Change of the rows with the position of dof `k`, and of the wrenches with which constant rows' forces push on both
    /// bodies (torques about their anchors as they were).
    pub fn by_position(&self, at: At<'_>, motions: Motions<'_>, k: usize, force: &[f64]) -> (RowChange, [DVec3; 2]) {
        let changes = self.changes(at, k, |side, dof, s| side.by_position(motions, dof, s));
        let pull = DVec3::from_slice(force);
        let mut torque = DVec3::ZERO;
        if let Some(scale) = self.scale {
            // Torque ½ Im(q₁ f q₀⁻¹).
            let [q0, q1] = self.anchors.orientation;
            let y = q1 * pure(DVec3::from_slice(&force[3..])) * q0.conjugate();
            torque = vector(pure(changes[1].turn) * y - y * pure(changes[0].turn)) * (0.25 * scale);
        }
        let torques = [changes[0].point.cross(pull) + torque, -(changes[1].point.cross(pull) + torque)];
        (self.rows_by(changes), torques)
    }

    /// The wrenches of the rows' forces on both bodies, about the centres of mass of their trees.
    pub fn wrenches(&self, force: &[f64]) -> [(BodyId, Spatial); 2] {
        let pull = DVec3::from_slice(force);
        let torque = self.scale.map_or(DVec3::ZERO, |s| self.anchors.torque(DVec3::from_slice(&force[3..])) * s);
        [(0, 1.0), (1, -1.0)].map(|(i, sign)| {
            let side = &self.sides[i];
            (side.body, (Spatial::new(torque, pull) * sign).force_at(-side.arm))
        })
    }

    fn changes(&self, at: At<'_>, k: usize, change: impl Fn(&Side, DofId, Spatial) -> Change) -> [Change; 2] {
        let s = at.poses.cdof.as_slice()[k];
        [0, 1].map(|i| if self.moves(at, i, k) { change(&self.sides[i], DofId::new(k), s) } else { Change::default() })
    }

    fn rows_by(&self, [a, b]: [Change; 2]) -> RowChange {
        let mut out = RowChange::default();
        (a.point - b.point).write_to_slice(&mut out.pos);
        (a.velocity - b.velocity).write_to_slice(&mut out.vel);
        (a.acceleration - b.acceleration).write_to_slice(&mut out.acc);
        let Some(scale) = self.scale else { return out };
        let [first, second] = &self.sides;
        let (p, q) = (self.anchors.orientation[1].conjugate(), self.anchors.orientation[0]);
        let error = |x: DQuat| vector(p * x * q) * (0.5 * scale);
        // Of p X Q, where X changes and the orientations turn.
        let turned = |x: DQuat, dx: DQuat| dx + (x * pure(a.turn) - pure(b.turn) * x) * 0.5;
        let scalar = |x: f64| DQuat::from_xyzw(0.0, 0.0, 0.0, x);
        let (spin, dspin) = (first.spin - second.spin, a.spin - b.spin);
        let twist = first.spin_rate - second.spin_rate + first.spin.cross(second.spin);
        let dtwist = a.spin_rate - b.spin_rate + a.spin.cross(second.spin) + first.spin.cross(b.spin);
        error(pure(a.turn - b.turn)).write_to_slice(&mut out.pos[3..]);
        error(turned(pure(spin), pure(dspin))).write_to_slice(&mut out.vel[3..]);
        let x = pure(twist) + scalar(-0.5 * spin.length_squared());
        let dx = pure(dtwist) + scalar(-spin.dot(dspin));
        error(turned(x, dx)).write_to_slice(&mut out.acc[3..]);
        out
    }
}
