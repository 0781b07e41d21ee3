//! Joint-space inertia: composite rigid bodies, its factor, products and solutions.

use crate::buffers::{JointInertia, Poses, Transmissions};
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::{Inertia, PaddedFactor, TreePattern, dense};
use mj_model::model::AddedBy;
use mj_model::*;
use std::ops::Range;

impl JointInertia {
    /// Makes buffers for a model.
    pub fn new(m: &Model) -> Self {
        Self {
            crb: IdVec::filled(m.body.len(), Inertia::ZERO),
            M: vec![0.0; m.m_pattern.nnz()],
            qLD: vec![0.0; m.m_pattern.nnz()],
            qLDiagInv: vec![0.0; m.nv()],
            padded: if PaddedFactor::suits(&m.m_pattern) {
                PaddedFactor::new(&m.m_pattern)
            } else {
                PaddedFactor::default()
            },
        }
    }

    /// Factors M = Lᵀ D L into `qLD` and `qLDiagInv`, for the awake dofs. Returns the dof whose pivot was not positive and
    /// was lifted, if any.
    pub fn factor(&mut self, m: &Model, awake: &Awake) -> Option<DofId> {
        if awake.everything() && PaddedFactor::suits(&m.m_pattern) {
            let lifted = self.padded.factor(&m.m_pattern, &self.M, |_| 0.0);
            self.padded.write(&m.m_pattern, &mut self.qLD, &mut self.qLDiagInv);
            return lifted.map(DofId::new);
        }
        self.padded.forget();
        for dofs in &awake.dofs {
            let entries = entries(m, dofs);
            self.qLD[entries.clone()].copy_from_slice(&self.M[entries]);
        }
        factor_rows(m, awake, &mut self.qLD, &mut self.qLDiagInv)
    }

    /// Computes y = M x.
    pub fn mul(&self, m: &Model, x: &[f64], y: &mut [f64]) {
        m.m_pattern.mul(&self.M, x, y);
    }

    /// Solves M x = b in place, with the factor, for all dofs: sleeping ones with their last factor.
    pub fn solve(&self, m: &Model, x: &mut [f64]) {
        m.m_pattern.solve(&self.qLD, &self.qLDiagInv, x);
    }

    /// Solves M x = b in place, with the factor, for the awake dofs, and leaves the others.
    pub fn solve_awake(&self, m: &Model, awake: &Awake, x: &mut [f64]) {
        if awake.everything() && self.padded.is_known() {
            return self.padded.solve(x);
        }
        solve_rows(m, awake, &self.qLD, &self.qLDiagInv, x);
    }
}

/// Inertia that actuators add to dof `d`: armature times gear squared, summed over the actuators
/// that act on its joint.
#[inline]
pub fn actuator_armature(m: &Model, d: DofId) -> f64 {
    let j = m.dof.jntid[d];
    added(m, m.jnt.actuatorid[j], joint_targets(j), |a| m.actuator.armature[a])
}

/// Inertia of a tendon's length: its own armature and what actuators add to it.
#[inline]
pub fn tendon_armature(m: &Model, t: TendonId) -> f64 {
    m.tendon.armature[t] + added(m, m.tendon.actuatorid[t], tendon_target(t), |a| m.actuator.armature[a])
}

/// Whether an actuator acts on joint `j`.
pub(crate) fn joint_targets(j: JointId) -> impl Fn(TrnType, i32) -> bool {
    move |kind, id| matches!(kind, TrnType::Joint | TrnType::JointInParent) && id == j.index() as i32
}

/// Whether an actuator acts on tendon `t`.
pub(crate) fn tendon_target(t: TendonId) -> impl Fn(TrnType, i32) -> bool {
    move |kind, id| kind == TrnType::Tendon && id == t.index() as i32
}

/// Returns the sum that actuators add to a joint or tendon: Σ value·gear² over those `by` which something is added, all with the given
/// target.
#[inline]
pub(crate) fn added(
    m: &Model,
    by: AddedBy,
    target: impl Fn(TrnType, i32) -> bool,
    value: impl Fn(ActuatorId) -> f64,
) -> f64 {
    let one = |a: ActuatorId| {
        let value = value(a);
        if value == 0.0 {
            return 0.0;
        }
        let gear = m.output.gear[OutputId::new(m.actuator.outadr[a] as usize)][0];
        value * gear * gear
    };
    match by {
        AddedBy::None => 0.0,
        AddedBy::One(a) => one(a),
        AddedBy::Several => sum_of_several(m, target, one),
    }
}

#[cold]
#[inline(never)]
fn sum_of_several(m: &Model, target: impl Fn(TrnType, i32) -> bool, one: impl Fn(ActuatorId) -> f64) -> f64 {
    let acts = |a: &ActuatorId| target(m.actuator.trntype[*a], m.actuator.trnid[*a][0]);
    m.actuator.ids().filter(acts).map(one).sum()
}

/// Composite inertia of each subtree and the joint-space inertia M without tendon armature, by the
/// composite-rigid-body algorithm (Featherstone, "Rigid Body Dynamics Algorithms", 6.2).
///
/// Column i of M is the force that unit acceleration of dof i needs: the composite inertia that
/// hangs from the dof, times its motion, seen along the dof and its ancestors.
pub fn crb(m: &Model, awake: &Awake, poses: &Poses, out: &mut JointInertia) {
    dispatch(Crb { m, awake, poses, out });
}

/// [`crb`] as a kernel.
struct Crb<'a> {
    m: &'a Model,
    awake: &'a Awake,
    poses: &'a Poses,
    out: &'a mut JointInertia,
}

impl Kernel for Crb<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        composite(self.m, self.awake, self.poses, self.out);
    }
}

#[inline(always)]
fn composite(m: &Model, awake: &Awake, poses: &Poses, out: &mut JointInertia) {
    let n = m.body.len();
    let parent = &m.body.parentid.as_slice()[..n];
    let crb = &mut out.crb.as_mut_slice()[..n];
    for range in &awake.bodies {
        crb[range.clone()].copy_from_slice(&poses.cinert.as_slice()[range.clone()]);
    }
    for &(p, b) in &awake.sleeping_roots {
        if p != BodyId::WORLD {
            let child = crb[b.index()];
            crb[p.index()] += child;
        }
    }
    for range in awake.bodies.iter().rev() {
        for b in (range.start.max(1)..range.end).rev() {
            let p = parent[b].index();
            if p > 0 {
                let child = crb[b];
                crb[p] += child;
            }
        }
    }

    let cdof = poses.cdof.as_slice();
    let body = m.dof.bodyid.as_slice();
    let (simple, armature) = (m.dof.simplenum.as_slice(), m.dof.armature.as_slice());
    let any_actuator = m.jnt.actuatorid.iter().any(AddedBy::is_some);
    for i in awake.dofs.iter().flat_map(Clone::clone) {
        let row = m.m_pattern.row(i);
        let values = &mut out.M[row.clone()];
        let last = values.len() - 1;
        // Decoupled, in a frame that turns with it: constant.
        if simple[i] > 0 {
            values[last] = m.dof.M0.as_slice()[i];
            continue;
        }
        let force = crb[body[i].index()].mul(cdof[i]);
        let cols = &m.m_pattern.colind[row];
        if let Some(side_by_side) = TreePattern::contiguous(cols) {
            for (v, motion) in values.iter_mut().zip(&cdof[side_by_side]) {
                *v = motion.dot(force);
            }
        } else {
            for (v, &c) in values.iter_mut().zip(cols) {
                *v = cdof[c as usize].dot(force);
            }
        }
        values[last] += armature[i];
        if any_actuator {
            values[last] += actuator_armature(m, DofId::new(i));
        }
    }
}

/// Adds the armature of tendons to M: armature·JᵀJ of each tendon.
///
/// Only entries of the tree's pattern are added: the coupling that a tendon makes between dofs of
/// which neither is the other's ancestor is dropped, as the reference does.
pub fn add_tendon_armature(m: &Model, awake: &Awake, trans: &Transmissions, out: &mut JointInertia) {
    for t in m.tendon.ids() {
        let armature = tendon_armature(m, t);
        if armature == 0.0 || !tendon_moves(m, awake, t) {
            continue;
        }
        let (runs, vals) = trans.ten_J.row(t.index());
        for (i, &ji) in runs.iter().flat_map(|r| r.start..r.start + r.len).zip(vals) {
            if ji == 0.0 {
                continue;
            }
            let by = armature * ji;
            m.m_pattern.for_each_common(i as usize, runs, |places, first| {
                dense::axpy(&mut out.M[places], by, &vals[first..]);
            });
        }
    }
}

/// Factors the rows of awake dofs of a matrix in the pattern of M. Returns the dof whose pivot was not positive and was
/// lifted, if any.
pub(crate) fn factor_rows(m: &Model, awake: &Awake, ld: &mut [f64], dinv: &mut [f64]) -> Option<DofId> {
    let rows = awake.dofs.iter().rev();
    let lifted = rows.fold(None, |first, dofs| first.or(m.m_pattern.factor_rows(dofs.clone(), ld, dinv)));
    lifted.map(DofId::new)
}

/// Solves in place, for the awake dofs, with a factor in the pattern of M.
pub(crate) fn solve_rows(m: &Model, awake: &Awake, ld: &[f64], dinv: &[f64], x: &mut [f64]) {
    for dofs in &awake.dofs {
        m.m_pattern.solve_rows(dofs.clone(), ld, dinv, x);
    }
}

/// Where the rows of M of these dofs lie, which must not be none.
pub(crate) fn entries(m: &Model, dofs: &Range<usize>) -> Range<usize> {
    m.m_pattern.row(dofs.start).start..m.m_pattern.row(dofs.end - 1).end
}

/// Whether a tendon's length may have changed.
pub(crate) fn tendon_moves(m: &Model, awake: &Awake, t: TendonId) -> bool {
    awake.everything() || awake.tendon(m, t) == SleepState::Awake
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_math::dense;
    use mj_model::*;
    use mj_testkit::{any_model, pendulum};
    use proptest::prelude::*;

    #[test]
    fn a_point_mass_has_m_l_squared() {
        let m = pendulum(2.0, 3.0);
        let mut d = Dynamics::new(&m);
        d.forward(&m, &State::new(&m));
        assert!((d.smooth.inertia.M[0] - 12.0).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// M a + bias is the force that Newton-Euler finds for the acceleration a; M is positive
        /// definite; solving undoes multiplying.
        #[test]
        fn composite_bodies_agree_with_newton_euler((m, s) in any_model(), a in prop::collection::vec(-1.0..1.0f64, 60)) {
            let n = m.nv();
            let a = &a[..n.min(60)];
            prop_assume!(n == a.len() && n > 0);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let (mut ma, mut full) = (vec![0.0; n], vec![0.0; n]);
            d.smooth.inertia.mul(&m, a, &mut ma);
            rne(&m, &s, &d.smooth.poses, &d.smooth.velocities, Some(a), &mut d.work, &mut full);
            for i in 0..n {
                prop_assert!((ma[i] + d.smooth.velocities.qfrc_bias[i] - full[i]).abs() < 1e-9 * (1.0 + full[i].abs()));
            }
            prop_assert!(dense::dot(a, &ma) > 0.0);
            d.smooth.inertia.solve(&m, &mut ma);
            for i in 0..n {
                prop_assert!((ma[i] - a[i]).abs() < 1e-7);
            }
        }

        /// Armature of a tendon adds the energy of its length's velocity, where the tree's pattern
        /// has room for it.
        #[test]
        fn tendon_armature_adds_its_energy((mut m, s) in any_model()) {
            let one_chain = m.m_pattern.rownnz.iter().enumerate().all(|(i, &n)| n as usize == i + 1);
            prop_assume!(one_chain && m.nv() > 0);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let without = kinetic_energy(&m, &s, &d.smooth.inertia, &mut d.work);
            m.tendon.armature[TendonId::new(0)] = 0.7;
            d.forward(&m, &s);
            let with = kinetic_energy(&m, &s, &d.smooth.inertia, &mut d.work);
            let v = d.smooth.velocities.ten_velocity[TendonId::new(0)];
            prop_assert!((with - without - 0.5 * 0.7 * v * v).abs() < 1e-9);
        }
    }
}
