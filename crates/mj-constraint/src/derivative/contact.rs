//! What moving a dof changes of a contact's force.

use super::{At, MAXROWS, dofs};
use crate::contact::contact_wrench;
use mj_collide::{Contact, ContactMotion};
use mj_dynamics::ChainMotion;
use mj_dynamics::chains::merge;
use mj_math::block::Run;
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// A contact and the rows that it has.
#[derive(Clone, Copy)]
pub struct WhatMoves<'a> {
    /// Rows, forces, motions.
    pub at: At<'a>,
    /// The contact.
    pub contact: &'a Contact,
    /// How it moves with its shapes.
    pub moves: ContactMotion,
    /// Hessian of its cost.
    pub hessian: &'a [f64],
    /// Its first row, and how many it has.
    pub first: usize,
    /// Number of rows.
    pub n: usize,
}

/// Memory of one contact at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Moving {
    /// Dofs that move either body.
    runs: Vec<Run>,
    /// Which bodies a dof moves: 1 the first, 2 the second.
    sides: Vec<u8>,
    /// Motion of each column of the rows at the contact: that of the second body against the first.
    relative: Vec<Spatial>,
}

impl Moving {
    /// Adds the derivative of −Jᵀf by the dofs that move the contact to `out` (nv×nv, one row a dof that
    /// moves), and the contact's wrench on both bodies to `wrenches`.
    #[allow(clippy::too_many_arguments)] // what it reads, and where it adds
    pub(super) fn add(
        &mut self,
        m: &Model,
        w: WhatMoves<'_>,
        [by_qacc, by_qvel]: [&ChainMotion; 2],
        jac: &[f64],
        columns: &[usize],
        out: &mut [f64],
        wrenches: &mut IdVec<BodyId, Spatial>,
    ) {
        let (at, c) = (w.at, w.contact);
        let nv = m.nv();
        let bodies = c.geom.map(|g| m.geom.bodyid[g]);
        let arm = |b: BodyId| c.pos - at.poses.subtree_com[m.body.rootid[b]];
        let arms = bodies.map(arm);
        let wrench = contact_wrench(at.rows, c, at.force);
        wrenches[bodies[0]] -= wrench.force_at(-arms[0]);
        wrenches[bodies[1]] += wrench.force_at(-arms[1]);

        self.sides.resize(nv, 0);
        for (b, side) in bodies.into_iter().zip([1, 2]) {
            dofs(at.chains.of(b)).for_each(|d| self.sides[d] |= side);
        }
        merge(at.chains.of(bodies[0]), at.chains.of(bodies[1]), false, &mut self.runs);
        let motion = |d: usize| {
            let arm = arm(m.dof.bodyid[DofId::new(d)]);
            (at.poses.cdof.as_slice()[d].motion_at(arm), arm)
        };
        self.relative.clear();
        self.relative.extend(columns.iter().map(|&d| if self.sides[d] == 2 { motion(d).0 } else { -motion(d).0 }));

        // Motions of the bodies at the contact, by acceleration and by velocity.
        let points = [by_qacc, by_qvel].map(|v| [0, 1].map(|k| v.body[bodies[k]].motion_at(arms[k])));
        let rows = RowMap::new(&w);
        for k in dofs(&self.runs) {
            let (s, arm) = motion(k);
            let (in_first, in_second) = (self.sides[k] & 1 != 0, self.sides[k] & 2 != 0);
            let part = |there: bool| if there { s } else { Spatial::ZERO };
            let relative = part(in_second) - part(in_first);
            let frame = w.moves.twist(part(in_first), relative);
            let change = |v: &ChainMotion, [v1, v2]: [Spatial; 2]| {
                let base = v.base[DofId::new(k)].motion_at(arm);
                let mut d = -frame.cross_motion(v2 - v1);
                if in_second {
                    d += s.cross_motion(v2 - base);
                }
                if in_first {
                    d -= s.cross_motion(v1 - base);
                }
                rows.along_frame(d)
            };
            let (by_a, by_v) = (change(by_qacc, points[0]), change(by_qvel, points[1]));
            let df = rows.force_change(&w, by_a, by_v, c.frame[0].dot(relative.lin));
            let carried = frame.cross_force(wrench);
            let row = &mut out[k * nv..(k + 1) * nv];
            for (j, (&d, t)) in columns.iter().zip(&self.relative).enumerate() {
                let mut x = t.dot(carried);
                for (r, f) in df[..w.n].iter().enumerate() {
                    x += jac[r * columns.len() + j] * f;
                }
                row[d] -= x;
            }
        }
        dofs(&self.runs).for_each(|d| self.sides[d] = 0);
    }
}

/// How a contact's rows are combined from the motion along its frame.
struct RowMap {
    axes: [DVec3; 3],
    pyramid: bool,
    friction: [f64; 5],
}

impl RowMap {
    fn new(w: &WhatMoves<'_>) -> Self {
        let pyramid = w.at.rows.r#type[w.first] == ConstraintType::ContactPyramidal;
        Self { axes: w.contact.frame, pyramid, friction: w.contact.friction }
    }

    /// Normal and tangents see the translation, spin and rolls the rotation.
    fn along_frame(&self, v: Spatial) -> [f64; 6] {
        let [n, t, u] = self.axes;
        [n.dot(v.lin), t.dot(v.lin), u.dot(v.lin), n.dot(v.rot), t.dot(v.rot), u.dot(v.rot)]
    }

    /// What row `r` is of a motion along the frame.
    fn row(&self, r: usize, u: &[f64; 6]) -> f64 {
        if !self.pyramid {
            return u[r];
        }
        let edge = self.friction[r / 2] * u[r / 2 + 1];
        u[0] + if r.is_multiple_of(2) { edge } else { -edge }
    }

    /// Change of the rows' forces, given that of the relative motion by acceleration and by velocity, and of
    /// the distance.
    fn force_change(&self, w: &WhatMoves<'_>, by_a: [f64; 6], by_v: [f64; 6], dist: f64) -> [f64; MAXROWS] {
        let rows = w.at.rows;
        let mut djar = [0.0; MAXROWS];
        let mut df = [0.0; MAXROWS];
        for r in 0..w.n {
            let i = w.first + r;
            let [k, b, imp, slope] = rows.kbip[i];
            let stiffness = k * (imp + slope * (rows.pos[i] - rows.margin[i]));
            djar[r] = self.row(r, &by_a) + b * self.row(r, &by_v) + stiffness * dist;
            df[r] = w.at.force[i] * slope / (imp * (1.0 - imp)) * dist;
        }
        for r in 0..w.n {
            for s in 0..w.n {
                df[r] -= w.hessian[r * w.n + s] * djar[s];
            }
        }
        df
    }
}
