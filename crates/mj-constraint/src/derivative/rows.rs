//! Rows of equalities, of limits and of friction in tendons.

use super::block::{columns, groups, hessian, push};
use super::connect_weld::{ConnectWeld, Motions};
use super::law::RowLaw;
use super::{At, ForceDerivative};
use crate::equality::{bend, tendon_coupling};
use mj_dynamics::{ArmDerivative, for_each_common};
use mj_math::block::{Block, Run};
use mj_math::{DVec3, MINVAL, inverse_dexp, quat};
use mj_model::*;

/// Whether an equality holds two bodies together.
pub(super) fn is_connect_or_weld(m: &Model, e: EqualityId) -> bool {
    matches!(m.eq.r#type[e], EqType::Connect | EqType::Weld)
}

impl ForceDerivative {
    /// Adds what connects and welds do beside their damping: J̇v changes with the velocities.
    pub(super) fn held_by_velocity(&mut self, m: &Model, at: At<'_>) {
        let held = |block: &&Block| {
            let first = block.row as usize;
            at.rows.r#type[first] == ConstraintType::Equality
                && is_connect_or_weld(m, EqualityId::new(at.rows.id[first] as usize))
        };
        let nv = m.nv();
        for (i, block) in at.rows.jac.blocks().iter().filter(held).enumerate() {
            if i == 0 {
                self.acceleration.compute_accelerations(m, at.poses, &self.by_qvel, at.qvel, at.qacc);
                if at.step.is_some() {
                    let still = vec![0.0; nv];
                    self.drift.compute_accelerations(m, at.poses, &self.by_qvel, at.qvel, &still);
                }
            }
            let motions = Motions { velocity: &self.by_qvel, acceleration: &self.acceleration };
            let first = block.row as usize;
            let bodies = ConnectWeld::new(m, at, motions, EqualityId::new(at.rows.id[first] as usize));
            columns(&at.rows.jac, block, &mut self.columns);
            let w = block.ncol as usize;
            let jac = at.rows.jac.values(block);
            let bias = RowLaw::new(m, at.rows, first).bias;
            for &j in &self.columns {
                let change = bodies.by_velocity(at, motions, j);
                for r in 0..bodies.rows {
                    let df = at.rows.d[first + r] * bias * change.acc[r];
                    for (&k, x) in self.columns.iter().zip(&jac[r * w..]) {
                        self.by_velocity[j * nv + k] += df * x;
                    }
                }
            }
        }
    }

    /// Adds a connect or weld, and its wrenches.
    pub(super) fn held_by_position(&mut self, m: &Model, at: At<'_>, block: &Block, e: EqualityId) {
        let (nv, first, w) = (m.nv(), block.row as usize, block.ncol as usize);
        let motions = Motions { velocity: &self.by_qvel, acceleration: &self.acceleration };
        let held = ConnectWeld::new(m, at, motions, e);
        let n = held.rows;
        let (force, pos) = (&at.force[first..first + n], &at.rows.pos[first..first + n]);
        for (body, wrench) in held.wrenches(force) {
            self.wrenches[body] += wrench;
        }
        let violation = pos.iter().map(|x| x * x).sum::<f64>().sqrt();
        let jac = at.rows.jac.values(block);
        let laws: [RowLaw; 6] = std::array::from_fn(|r| RowLaw::new(m, at.rows, first + r.min(n - 1)));
        // Over a time step J̇v counts for less than Ja.
        let drift = Motions { velocity: &self.by_qvel, acceleration: &self.drift };
        let drift = at.step.map(|_| (ConnectWeld::new(m, at, drift, e), drift));
        for &j in &self.columns {
            let (mut change, torques) = held.by_position(at, motions, j, force);
            if let Some((held, motions)) = &drift {
                let (drift, _) = held.by_position(at, *motions, j, force);
                change.acc.iter_mut().zip(drift.acc).for_each(|(x, y)| *x -= (1.0 - laws[0].bias) * y);
            }
            let grown = pos.iter().zip(&change.pos).map(|(x, dx)| x * dx).sum::<f64>() / violation.max(MINVAL);
            let row = &mut self.by_position[j * nv..(j + 1) * nv];
            for (r, law) in laws[..n].iter().enumerate() {
                let djar = change.acc[r]
                    + law.damping * change.vel[r]
                    + law.stiffness * change.pos[r]
                    + law.stiffening * grown;
                let df = force[r] * law.growth * grown - at.rows.d[first + r] * djar;
                for (&k, x) in self.columns.iter().zip(&jac[r * w..]) {
                    row[k] -= df * x;
                }
            }
            for (i, torque) in torques.into_iter().enumerate() {
                for &k in self.columns.iter().filter(|&&k| held.moves(at, i, k)) {
                    row[k] -= at.poses.cdof.as_slice()[k].rot.dot(torque);
                }
            }
        }
        let Some(step) = at.step else { return };
        for (r, rows) in groups(ConstraintType::Equality, n) {
            let hard = &mut self.hardening;
            hard.find(step, &self.columns, &jac[r * w..(r + 1) * w]);
            self.by_row.compute(m, at.poses, &hard.by_row);
            // How the row's product with these velocities changes.
            let motions = Motions { velocity: &self.by_row, acceleration: &self.acceleration };
            let held = ConnectWeld::new(m, at, motions, e);
            for &j in &self.columns {
                hard.through_row[j] = held.by_position(at, motions, j, force).0.vel[r];
            }
            push(jac, w, force, rows, &mut self.push);
            hard.add(step, &self.columns, &self.push, &mut self.by_position);
        }
    }

    /// Adds how a row that doesn't change hardens, unless its force is constant.
    pub(super) fn harden_alone(&mut self, at: At<'_>, block: &Block) {
        let first = block.row as usize;
        let Some(step) = at.step.filter(|_| hessian(at, &self.jar, first, 1).is_some()) else { return };
        let (w, jac) = (block.ncol as usize, at.rows.jac.values(block));
        self.hardening.find(step, &self.columns, jac);
        push(jac, w, &at.force[first..first + 1], 0..1, &mut self.push);
        self.hardening.add(step, &self.columns, &self.push, &mut self.by_position);
    }

    /// Adds one row that holds a coordinate or a length.
    pub(super) fn row_by_position(
        &mut self,
        m: &Model,
        at: At<'_>,
        block: &Block,
        kind: ConstraintType,
        id: usize,
    ) -> Result<(), &'static str> {
        let first = block.row as usize;
        let h = hessian(at, &self.jar, first, 1).map_or(0.0, |h| h[0]);
        let force = at.force[first];
        if h == 0.0 && force == 0.0 {
            return Ok(());
        }
        let jac = at.rows.jac.values(block);
        let law = RowLaw::new(m, at.rows, first);
        if h != 0.0 {
            let stiffness = h * law.whole() - force * law.growth;
            self.product.start(at.rows.jac.runs(block), 1);
            self.product.set_rows(jac);
            self.columns.iter().zip(jac).for_each(|(&d, x)| self.product.push_row(d, [stiffness * x]));
            self.product.add_to(m.nv(), &mut self.by_position);
        }
        if !self.find_curve(m, at, block, kind, id)? {
            self.harden_alone(at, block);
            return Ok(());
        }
        let w = self.columns.len();
        if let Some(step) = at.step.filter(|_| h != 0.0) {
            let hard = &mut self.hardening;
            hard.find(step, &self.columns, jac);
            for (curve, &j) in self.curve.chunks_exact(w).zip(&self.columns) {
                hard.through_row[j] = self.columns.iter().zip(curve).map(|(&k, c)| hard.by_row[k] * c).sum();
            }
            push(jac, w, &[force], 0..1, &mut self.push);
            hard.add(step, &self.columns, &self.push, &mut self.by_position);
        }
        for (curve, &j) in self.curve.chunks_exact(w).zip(&self.columns) {
            let change = |x: &[f64]| self.columns.iter().zip(curve).map(|(&k, c)| x[k] * c).sum::<f64>();
            let push = h * (change(at.qacc) + law.damping * change(at.qvel));
            for ((&k, c), x) in self.columns.iter().zip(curve).zip(jac) {
                self.by_position[j * m.nv() + k] += push * x - force * c;
            }
        }
        Ok(())
    }

    /// Derivative of the block's row by position, if there is one.
    fn find_curve(
        &mut self,
        m: &Model,
        at: At<'_>,
        block: &Block,
        kind: ConstraintType,
        id: usize,
    ) -> Result<bool, &'static str> {
        let w = block.ncol as usize;
        let jac = at.rows.jac.values(block);
        self.curve.clear();
        self.curve.resize(w * w, 0.0);
        match kind {
            ConstraintType::LimitJoint => {
                let j = JointId::new(id);
                if m.jnt.r#type[j] != JointType::Ball {
                    return Ok(false);
                }
                // The row is −x/|x|, with x the rotation vector.
                let x = quat::log(quat::normalize(quat::read(&at.state_vector.qpos[m.jnt.qposadr[j] as usize..])));
                let n = x.length();
                if n < MINVAL {
                    return Err("the limit of a ball joint at no angle");
                }
                let axis = x / n;
                for (e, row) in DVec3::AXES.into_iter().zip(self.curve.chunks_exact_mut(3)) {
                    let dx = inverse_dexp(x, e);
                    ((axis * axis.dot(dx) - dx) / n).write_to_slice(row);
                }
                Ok(true)
            }
            ConstraintType::LimitTendon | ConstraintType::FrictionTendon => {
                let t = TendonId::new(id);
                if m.tendon.r#type[t] != TendonType::Spatial {
                    return Ok(false);
                }
                // The row is the tendon's, or its negative.
                let own = at.trans.ten_J.row(id).1;
                let sign = if jac.iter().zip(own).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
                self.add_tendon(m, at, t, sign, at.rows.jac.runs(block))?;
                Ok(true)
            }
            _ => self.find_curve_of_coupling(m, at, block, EqualityId::new(id)),
        }
    }

    /// Of y − P(x), which couples joints or tendons.
    fn find_curve_of_coupling(
        &mut self,
        m: &Model,
        at: At<'_>,
        block: &Block,
        e: EqualityId,
    ) -> Result<bool, &'static str> {
        let (w, runs) = (block.ncol as usize, at.rows.jac.runs(block));
        let second = usize::try_from(m.eq.obj2id[e]).ok();
        let data = &m.eq.data[e];
        if m.eq.r#type[e] == EqType::Joint {
            let Some(second) = second.map(JointId::new) else { return Ok(false) };
            let q = m.jnt.qposadr[second] as usize;
            let curvature = bend(data, at.state_vector.qpos[q] - m.qpos0[q]);
            let dof = m.jnt.dofadr[second].index();
            if let Some(c) = self.columns.iter().position(|&d| d == dof) {
                self.curve[c * w + c] -= curvature;
            }
            return Ok(curvature != 0.0);
        }
        let spatial = |t: TendonId| m.tendon.r#type[t] == TendonType::Spatial;
        let mut curved = false;
        for (t, slope) in tendon_coupling(m, at.trans, e).into_iter().flatten().filter(|(t, _)| spatial(*t)) {
            self.add_tendon(m, at, t, slope, runs)?;
            curved = true;
        }
        let Some(second) = second.map(TendonId::new) else { return Ok(curved) };
        let curvature = bend(data, at.trans.ten_length[second] - m.tendon.length0[second]);
        if curvature == 0.0 {
            return Ok(curved);
        }
        let (own, vals) = at.trans.ten_J.row(second.index());
        let mut places = Vec::new();
        for_each_common(own, runs, |column, _| places.push(column));
        for (&a, x) in places.iter().zip(vals) {
            for (&b, y) in places.iter().zip(vals) {
                self.curve[a * w + b] -= curvature * x * y;
            }
        }
        Ok(true)
    }

    /// Adds a multiple of the second derivative of a tendon's length, over the columns of `runs`.
    fn add_tendon(&mut self, m: &Model, at: At<'_>, t: TendonId, scale: f64, runs: &[Run]) -> Result<(), &'static str> {
        let arms: &mut ArmDerivative = &mut self.arms;
        if !arms.of_tendon(m, at.chains, at.poses, at.trans, t) {
            return Err("a tendon's path with a corner");
        }
        let w = self.columns.len();
        let mut places = Vec::new();
        for_each_common(at.trans.ten_J.row(t.index()).0, runs, |column, _| places.push(column));
        for (&a, row) in places.iter().zip(arms.values.chunks_exact(places.len().max(1))) {
            for (&b, x) in places.iter().zip(row) {
                self.curve[a * w + b] += scale * x;
            }
        }
        Ok(())
    }
}
