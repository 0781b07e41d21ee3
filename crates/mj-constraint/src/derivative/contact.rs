//! Derivative of a contact's force by the motion of a dof.

use super::At;
use super::block::dofs;
use super::law::RowLaw;
use super::product::Product;
use crate::contact::{contact_force, contact_wrench};
use mj_collide::ContactMotion;
use mj_dynamics::ChainMotion;
use mj_dynamics::merge_chains;
use mj_math::block::Run;
use mj_math::{DMat3, DVec3, Spatial, SpatialMap};
use mj_model::*;
use std::array::from_fn;

/// A contact and the rows that it has.
#[derive(Clone, Copy)]
pub struct WhatMoves<'a> {
    /// Rows, forces, motions.
    pub at: At<'a>,
    /// Number of the contact.
    pub id: usize,
    /// Motion of the contact with its shapes.
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
    /// Motions of the dofs, at the contact.
    motions: Vec<Spatial>,
    product: Product,
}

impl Moving {
    /// Adds the derivative of −Jᵀf by the dofs that move the contact to `out` (nv×nv, one row a dof that
    /// moves), and the contact's wrench on both bodies to `wrenches`. Puts into `hardens` how the first row's product with
    /// the velocities that made its motions changes with each of these dofs. `runs` are the columns of the rows.
    #[allow(clippy::too_many_arguments)] // what it reads, and where it adds
    pub(super) fn add(
        &mut self,
        m: &Model,
        w: WhatMoves<'_>,
        [by_qacc, by_qvel]: [&ChainMotion; 2],
        mut hardens: Option<(&ChainMotion, &mut [f64])>,
        runs: &[Run],
        out: &mut [f64],
        wrenches: &mut IdVec<BodyId, Spatial>,
    ) {
        let (at, c) = (w.at, &w.at.contacts[w.id]);
        let nv = m.nv();
        let bodies = c.bodies(m);
        let arm = |b: BodyId| c.pos - at.poses.subtree_com[m.body.rootid[b]];
        let arms = bodies.map(arm);
        let wrench = contact_wrench(at.rows, at.contacts, w.id, at.force);
        wrenches[bodies[0]] -= wrench.force_at(-arms[0]);
        wrenches[bodies[1]] += wrench.force_at(-arms[1]);

        self.sides.resize(nv, 0);
        self.motions.resize(nv, Spatial::ZERO);
        for (b, side) in bodies.into_iter().zip([1, 2]) {
            for d in dofs(at.chains.of(b)) {
                self.sides[d] |= side;
                self.motions[d] = at.poses.cdof.as_slice()[d].motion_at(arms[side as usize - 1]);
            }
        }
        merge_chains(at.chains.of(bodies[0]), at.chains.of(bodies[1]), false, &mut self.runs);
        // A column is the motion of the second body against the first.
        self.product.start(runs, 6);
        for (k, d) in dofs(runs).enumerate() {
            let t = self.motions[d];
            self.product.set_column(k, (if self.sides[d] == 2 { t } else { -t }).to_array());
        }

        // Motions of the bodies at the contact, by acceleration and by velocity.
        let points = |v: &ChainMotion| [0, 1].map(|k| v.body[bodies[k]].motion_at(arms[k]));
        let seen = [points(by_qacc), points(by_qvel)];
        let law = Law::new(m, &w);
        let mut classes = [None; 4];
        for k in dofs(&self.runs) {
            let (s, side) = (self.motions[k], self.sides[k]);
            let arm = arms[if side & 1 != 0 { 0 } else { 1 }];
            let class = classes[side as usize].get_or_insert_with(|| Class::new(&law, &w.moves, side, seen, wrench));
            let mut change = class.map.mul(s);
            if class.sign != 0.0 {
                let base = |v: &ChainMotion| v.base[DofId::new(k)].motion_at(arm);
                let (base_a, base_v) = (base(by_qacc), base(by_qvel));
                for part in law.parts() {
                    let base = base_a * part.weights[0] + base_v * part.weights[1];
                    change += law.apply(&part.map, base.cross_motion(s)) * class.sign;
                }
            }
            if let Some((motion, out)) = &mut hardens {
                let [v1, v2] = points(motion);
                let base = motion.base[DofId::new(k)].motion_at(arm);
                let carried = s.cross_motion(class.carried([v1, v2]) - base * class.sign);
                out[k] = law.first_row(carried - class.frame.mul(s).cross_motion(v2 - v1));
            }
            self.product.push_row(k, (-change).to_array());
        }
        self.product.add_to(nv, out);
        dofs(&self.runs).for_each(|d| self.sides[d] = 0);
    }
}

/// Dofs that move the same bodies of a contact.
#[derive(Clone, Copy)]
struct Class {
    /// Whether they move the second body against the first: 1, the first against the second: −1, or both alike.
    sign: f64,
    /// Motion of the contact's frame by a dof's motion S.
    frame: SpatialMap,
    /// Change of the wrench by S, but for what the base of the dof does.
    map: SpatialMap,
}

impl Class {
    /// Of the side `side` as in [`Moving`], with the bodies' motions by acceleration and by velocity.
    fn new(law: &Law, moves: &ContactMotion, side: u8, seen: [[Spatial; 2]; 2], wrench: Spatial) -> Self {
        let (sign, frame) = match side {
            1 => (-1.0, moves.first + moves.relative.scaled(-1.0)),
            2 => (1.0, moves.relative),
            _ => (0.0, moves.first),
        };
        let mut class = Self { sign, frame, map: SpatialMap::carried_force(wrench).after(&frame) };
        for part in law.parts() {
            let [v1, v2] = [0, 1].map(|k| seen[0][k] * part.weights[0] + seen[1][k] * part.weights[1]);
            let carried = SpatialMap::cross_motion(-class.carried([v1, v2]));
            class.map += part.map.after(&(SpatialMap::cross_motion(v2 - v1).after(&frame) + carried));
        }
        if sign != 0.0 {
            class.map += SpatialMap::outer(law.by_dist(), moves.dist * sign);
        }
        class
    }

    /// V in how S changes the motion of the second body against the first, S × V, where the bodies have these motions and
    /// the dof's base has none.
    fn carried(&self, [v1, v2]: [Spatial; 2]) -> Spatial {
        match self.sign {
            1.0 => v2,
            -1.0 => -v1,
            _ => v2 - v1,
        }
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
    parts: [Part; 2],
}

impl Law {
    fn new(m: &Model, w: &WhatMoves<'_>) -> Self {
        let (rows, c) = (w.at.rows, &w.at.contacts[w.id]);
        let dim = c.dim as usize;
        let row = |r: usize| RowLaw::new(m, rows, w.first + r);
        let first = row(0);
        let mut law = Self {
            axes: c.frame,
            hessian: [[0.0; 6]; 6],
            damping: [first.damping; 6],
            even: true,
            stiffness: [0.0; 6],
            growth: contact_force(rows, w.at.contacts, w.id, w.at.force).map(|f| f * first.growth),
            dim,
            lean: 0.0,
            parts: [Part::NONE; 2],
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
            law.find_parts();
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
        law.find_parts();
        law
    }

    /// Of a change of the motion along the frame, what the first row sees.
    fn first_row(&self, change: Spatial) -> f64 {
        let [n, t, _] = self.axes;
        n.dot(change.lin) + self.lean * t.dot(change.lin)
    }

    /// Changes of the wrench by that of the relative motion: by acceleration, and by velocity; together where the damping is
    /// the same in all directions.
    fn parts(&self) -> &[Part] {
        &self.parts[..if self.even { 1 } else { 2 }]
    }

    /// Finds the parts.
    fn find_parts(&mut self) {
        let [n, t1, t2] = self.axes;
        let axes = DMat3::from_cols(n, t1, t2);
        let map = |scale: [f64; 6]| {
            let block = |i: usize, j: usize| {
                let column = |c: usize| DVec3::from_array(from_fn(|r| -scale[j + c] * self.hessian[i + r][j + c]));
                axes * DMat3::from_cols(column(0), column(1), column(2)) * axes.transpose()
            };
            let lin_lin = block(0, 0);
            if self.dim <= 3 {
                return SpatialMap { lin_lin, ..SpatialMap::ZERO };
            }
            SpatialMap { rot_rot: block(3, 3), rot_lin: block(3, 0), lin_rot: block(0, 3), lin_lin }
        };
        self.parts = if self.even {
            [Part { map: map([1.0; 6]), weights: [1.0, self.damping[0]] }, Part::NONE]
        } else {
            [Part { map: map([1.0; 6]), weights: [1.0, 0.0] }, Part { map: map(self.damping), weights: [0.0, 1.0] }]
        };
    }

    /// A part of the wrench's change, for a change of the motion.
    #[inline]
    fn apply(&self, map: &SpatialMap, change: Spatial) -> Spatial {
        if self.dim <= 3 { Spatial::new(DVec3::ZERO, map.lin_lin * change.lin) } else { map.mul(change) }
    }

    /// Change of the wrench by the distance.
    fn by_dist(&self) -> Spatial {
        let mut f = self.growth;
        for r in 0..self.dim {
            for s in 0..self.dim {
                f[r] -= self.hessian[r][s] * self.stiffness[s];
            }
        }
        let [n, t1, t2] = self.axes;
        Spatial::new(n * f[3] + t1 * f[4] + t2 * f[5], n * f[0] + t1 * f[1] + t2 * f[2])
    }
}

/// Change of the wrench by some of the motion's change: weights of that by acceleration and of that by velocity.
#[derive(Clone, Copy)]
struct Part {
    map: SpatialMap,
    weights: [f64; 2],
}

impl Part {
    const NONE: Self = Self { map: SpatialMap::ZERO, weights: [0.0; 2] };
}
