//! How the fluid's forces, and their slope by velocity, change with position.
//!
//! The fluid sees a body by its velocity u in the body's frame, relative to the wind. A nudge of dof k carries the body along
//! with S_k, but not the motion w of what k hangs from, nor the wind: in the body's frame u changes by ξ = (w − wind) × S_k,
//! and the force F(u) by B ξ, B = ∂F/∂u. The dofs i that k carries too, or turns together with, are in that frame, the others
//! see the force turn:
//!
//! ```text
//! ∂(S_i·F)/∂q_k = S_i·B ξ,   or   S_i·(B ξ + S_k ×* F).
//! ```
//!
//! What an integrator's matrix holds of it, S_i·P z with P a part of B and z = Σ S_j x_j for given x, is like a force: z changes
//! by (Σ S_j x_j over what k hangs from) × S_k, and P z along ξ by its derivative T, which is found by differences of B: a few
//! numbers of one shape.

use super::dofs::{groups_of_dofs, is_free_without_children};
use super::fluids::{FluidPart, Place};
use super::motion::ChainMotion;
use crate::buffers::Smooth;
use crate::passive::fluid::{FluidShape, for_each_shape};
use crate::rigid::chains::Chains;
use mj_math::{DMat3, DVec3, Spatial, SpatialMap};
use mj_model::*;

/// Derivative of the fluid's forces by position, and of their slope. Reuse it: it keeps its memory.
#[derive(Clone, Debug)]
pub struct FluidDerivative {
    velocity: ChainMotion,
    along: ChainMotion,
    /// First of the dofs that turn together with each dof.
    first: Vec<u32>,
}

/// Which entries a matrix has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entries {
    All,
    Diagonal,
}

impl FluidDerivative {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        Self { velocity: ChainMotion::new(m), along: ChainMotion::new(m), first: groups_of_dofs(m) }
    }

    /// Calls `f` with a dof that moves, a dof whose force changes, and the change of `qfrc_fluid`.
    pub fn by_position(
        &mut self,
        m: &Model,
        chains: &Chains,
        s: &State,
        r: &Smooth,
        mut f: impl FnMut(usize, usize, f64),
    ) {
        self.velocity.compute(m, &r.poses, &s.qvel);
        let Self { velocity, first, .. } = self;
        for_each_shape(m, &s.awake, &r.poses, &r.velocities, |b, at, v, shape| {
            let place = Place::new(m, chains, r, b, at);
            let (force, slope) = (shape.force(m, v), shape.slope(m, v, FluidPart::All));
            let arm = at.0 - r.poses.subtree_com[m.body.rootid[b]];
            for k in dofs(&place) {
                let own = place.motion(k);
                let change = slope.mul(drift(&place, velocity, k, arm, m.opt.wind, own));
                let turned = change + own.cross_force(force);
                for i in dofs(&place) {
                    let carried = i >= k || first[i] == first[k];
                    f(k, i, place.motion(i).dot(if carried { change } else { turned }));
                }
            }
        });
    }

    /// Calls `f` with a dof that moves, a dof, and how a part of the slope ∂`qfrc_fluid`/∂v times `x` (nv) changes there by
    /// position and by velocity. Of the slope are left out what couples dofs that M does not, but for `FluidPart::All`.
    #[allow(clippy::too_many_arguments)] // what of, where, and to whom
    pub fn of_slope(
        &mut self,
        m: &Model,
        chains: &Chains,
        s: &State,
        r: &Smooth,
        x: &[f64],
        part: FluidPart,
        f: impl FnMut(usize, usize, [f64; 2]),
    ) {
        let free = |i: usize| part == FluidPart::Symmetric && is_free_without_children(m, m.dof.jntid[DofId::new(i)]);
        // Dofs that M couples to nothing are all that move their body.
        let entries = |i: usize| match part {
            FluidPart::All => Entries::All,
            _ if free(i) || m.m_pattern.row(i).len() > 1 || m.dof.parentid[DofId::new(i)].is_none() => Entries::All,
            _ => Entries::Diagonal,
        };
        let part = |i: usize| if free(i) { FluidPart::All } else { part };
        self.change(m, chains, s, r, x, part, entries, f);
    }

    /// Calls `f` as [`Self::of_slope`] does, with changes of the diagonal of the slope.
    pub fn of_diagonal(
        &mut self,
        m: &Model,
        chains: &Chains,
        s: &State,
        r: &Smooth,
        part: FluidPart,
        f: impl FnMut(usize, usize, [f64; 2]),
    ) {
        self.change(m, chains, s, r, &vec![1.0; m.nv()], |_| part, |_| Entries::Diagonal, f);
    }

    /// `part` and `entries` are those of the bodies that a dof moves.
    #[allow(clippy::too_many_arguments)] // what of, where, and to whom
    fn change(
        &mut self,
        m: &Model,
        chains: &Chains,
        s: &State,
        r: &Smooth,
        x: &[f64],
        part: impl Fn(usize) -> FluidPart,
        entries: impl Fn(usize) -> Entries,
        mut f: impl FnMut(usize, usize, [f64; 2]),
    ) {
        self.velocity.compute(m, &r.poses, &s.qvel);
        self.along.compute(m, &r.poses, x);
        let Self { velocity, along, first } = self;
        for_each_shape(m, &s.awake, &r.poses, &r.velocities, |b, at, v, shape| {
            let place = Place::new(m, chains, r, b, at);
            let Some(last) = dofs(&place).last() else { return };
            let (part, entries) = (part(last), entries(last));
            let arm = at.0 - r.poses.subtree_com[m.body.rootid[b]];
            let slope = shape.slope(m, v, part);
            let whole = place.local(along.body[b].motion_at(arm));
            let mut curve = curvature(m, &shape, v, whole, part);
            let mut force = slope.mul(whole);
            for i in dofs(&place) {
                let to = place.motion(i);
                if entries == Entries::Diagonal {
                    let z = to * x[i];
                    (curve, force) = (curvature(m, &shape, v, z, part), slope.mul(z));
                }
                for k in dofs(&place) {
                    let own = place.motion(k);
                    let carried = i >= k || first[i] == first[k];
                    let grown = match entries {
                        Entries::All => drift(&place, along, k, arm, DVec3::ZERO, own),
                        Entries::Diagonal if carried => Spatial::ZERO,
                        Entries::Diagonal => (to * x[i]).cross_motion(own),
                    };
                    let xi = drift(&place, velocity, k, arm, m.opt.wind, own);
                    let mut by_position = to.dot(slope.mul(grown) + curve.mul(xi));
                    if !carried {
                        by_position += to.dot(own.cross_force(force));
                    }
                    f(k, i, [by_position, to.dot(curve.mul(own))]);
                }
            }
        });
    }
}

/// The dofs that move a body.
fn dofs<'a>(place: &Place<'a>) -> impl Iterator<Item = usize> + use<'a> {
    place.point.chain.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize)
}

/// ξ: how a velocity changes in the body's frame when dof `k`, whose motion there is `own`, moves it.
fn drift(place: &Place<'_>, v: &ChainMotion, k: usize, arm: DVec3, wind: DVec3, own: Spatial) -> Spatial {
    let mut base = v.base[DofId::new(k)].motion_at(arm);
    base.lin -= wind;
    place.local(base).cross_motion(own)
}

/// T: the derivative of P(v) z by v, P a part of the slope of a shape's force.
fn curvature(m: &Model, shape: &FluidShape, v: Spatial, z: Spatial, part: FluidPart) -> SpatialMap {
    let h = 1e-6 * (1.0 + v.rot.length().max(v.lin.length()));
    let column = |k: usize| {
        let mut e = [0.0; 6];
        e[k] = h;
        let e = Spatial::from_slice(&e);
        (shape.slope(m, v + e, part).mul(z) - shape.slope(m, v - e, part).mul(z)) * (0.5 / h)
    };
    let c: [Spatial; 6] = std::array::from_fn(column);
    let block = |first: usize, get: fn(&Spatial) -> DVec3| {
        DMat3::from_cols(get(&c[first]), get(&c[first + 1]), get(&c[first + 2]))
    };
    SpatialMap {
        rot_rot: block(0, |s| s.rot),
        rot_lin: block(3, |s| s.rot),
        lin_rot: block(0, |s| s.lin),
        lin_lin: block(3, |s| s.lin),
    }
}
