//! What moving a dof changes of a contact's force.

use super::law::RowLaw;
use super::{At, dofs};
use crate::contact::{contact_force, contact_wrench};
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
    /// moves), and the contact's wrench on both bodies to `wrenches`. Puts into `hardens` how the first row's product with
    /// the velocities that made its motions changes with each of these dofs.
    #[allow(clippy::too_many_arguments)] // what it reads, and where it adds
    pub(super) fn add(
        &mut self,
        m: &Model,
        w: WhatMoves<'_>,
        [by_qacc, by_qvel]: [&ChainMotion; 2],
        mut hardens: Option<(&ChainMotion, &mut [f64])>,
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
        let points = |v: &ChainMotion| [0, 1].map(|k| v.body[bodies[k]].motion_at(arms[k]));
        let (points_a, points_v) = (points(by_qacc), points(by_qvel));
        let law = Law::new(m, &w);
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
                d
            };
            let (by_a, by_v) = (change(by_qacc, points_a), change(by_qvel, points_v));
            if let Some((motion, out)) = &mut hardens {
                out[k] = law.first_row(change(motion, points(motion)));
            }
            let change = law.change(by_a, by_v, c.frame[0].dot(relative.lin)) + frame.cross_force(wrench);
            let row = &mut out[k * nv..(k + 1) * nv];
            for (&d, t) in columns.iter().zip(&self.relative) {
                row[d] -= t.dot(change);
            }
        }
        dofs(&self.runs).for_each(|d| self.sides[d] = 0);
    }
}

/// How a contact's force changes with the motion of its bodies against each other, along its frame: normal and
/// tangents see the translation, spin and rolls the rotation.
struct Law {
    axes: [DVec3; 3],
    /// Second derivative of the cost: AᵀHA, where the rows are A times the motion along the frame.
    hessian: [[f64; 6]; 6],
    /// Damping of each direction; whether it is one.
    damping: [f64; 6],
    even: bool,
    /// By the distance: change of the rows' reference, and of the force as the regularization changes.
    stiffness: [f64; 6],
    growth: [f64; 6],
    dim: usize,
    /// By how much the first row leans from the normal to the first tangent.
    lean: f64,
}

impl Law {
    fn new(m: &Model, w: &WhatMoves<'_>) -> Self {
        let (rows, c) = (w.at.rows, w.contact);
        let dim = c.dim as usize;
        let row = |r: usize| RowLaw::new(m, rows, w.first + r);
        let first = row(0);
        let mut law = Self {
            axes: c.frame,
            hessian: [[0.0; 6]; 6],
            damping: [first.damping; 6],
            even: true,
            stiffness: [0.0; 6],
            growth: contact_force(rows, c, w.at.force).map(|f| f * first.growth),
            dim,
            lean: 0.0,
        };
        law.stiffness[0] = first.whole();
        let h = |r: usize, s: usize| w.hessian[r * w.n + s];
        if rows.r#type[w.first] == ConstraintType::ContactPyramidal {
            law.lean = c.friction[0];
            // Two edges a direction, the normal and a part of the direction more or less.
            for d in 1..dim {
                let (mu, more, less) = (c.friction[d - 1], h(2 * d - 2, 2 * d - 2), h(2 * d - 1, 2 * d - 1));
                law.hessian[0][0] += more + less;
                law.hessian[0][d] = mu * (more - less);
                law.hessian[d][0] = law.hessian[0][d];
                law.hessian[d][d] = mu * mu * (more + less);
                // Over a time step the stiffness depends on the edge's velocity, in proportion.
                let edges = [2 * d - 2, 2 * d - 1].map(|r| row(r).whole());
                law.stiffness[0] = 0.5 * (edges[0] + edges[1]);
                law.stiffness[d] = 0.5 * (edges[0] - edges[1]) / mu;
            }
            return law;
        }
        for r in 0..dim {
            let own = row(r);
            law.damping[r] = own.damping;
            law.stiffness[r] = own.whole();
            for s in 0..dim {
                law.hessian[r][s] = h(r, s);
            }
        }
        law.even = law.damping[..dim].iter().all(|&x| x == first.damping);
        law
    }

    /// Of a change of the motion along the frame, what the first row sees.
    fn first_row(&self, change: Spatial) -> f64 {
        let [n, t, _] = self.axes;
        n.dot(change.lin) + self.lean * t.dot(change.lin)
    }

    fn along_frame(&self, v: Spatial) -> [f64; 6] {
        let [n, t, u] = self.axes;
        [n.dot(v.lin), t.dot(v.lin), u.dot(v.lin), n.dot(v.rot), t.dot(v.rot), u.dot(v.rot)]
    }

    /// Change of the wrench, given that of the relative motion by acceleration and by velocity, and of the distance.
    fn change(&self, by_a: Spatial, by_v: Spatial, dist: f64) -> Spatial {
        let mut u = if self.even {
            self.along_frame(by_a + by_v * self.damping[0])
        } else {
            let (mut u, v) = (self.along_frame(by_a), self.along_frame(by_v));
            u.iter_mut().zip(v).zip(self.damping).for_each(|((u, v), b)| *u += b * v);
            u
        };
        u.iter_mut().zip(self.stiffness).for_each(|(u, k)| *u += k * dist);
        let mut f = self.growth.map(|x| x * dist);
        for r in 0..self.dim {
            for s in 0..self.dim {
                f[r] -= self.hessian[r][s] * u[s];
            }
        }
        let [n, t1, t2] = self.axes;
        Spatial::new(n * f[3] + t1 * f[4] + t2 * f[5], n * f[0] + t1 * f[1] + t2 * f[2])
    }
}
