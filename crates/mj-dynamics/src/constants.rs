//! Constants of a model in its reference configuration: inverse weights, which scale constraints,
//! and the accelerations that actuators cause.

use crate::buffers::{JointInertia, Poses, Transmissions};
use crate::rigid::chains::Chains;
use crate::rigid::inertia::actuator_armature;
use crate::rigid::jacobian::BodyPoint;
use mj_math::block::Run;
use mj_math::{BlockRows, DVec3, MINVAL, Spatial, dense};
use mj_model::*;
use std::ops::Range;

/// Diagonal of the joint-space inertia without tendon armature, from composite inertias: what `crb`
/// itself needs for simple dofs, so this comes before it.
pub fn dof_M0(m: &Model, poses: &Poses) -> IdVec<DofId, f64> {
    let mut crb = poses.cinert.clone();
    for b in m.body.ids().skip(1).rev() {
        let child = crb[b];
        crb[m.body.parentid[b]] += child;
    }
    let one = |d: DofId| {
        let c = poses.cdof[d];
        m.dof.armature[d] + actuator_armature(m, d) + c.dot(crb[m.dof.bodyid[d]].mul(c))
    };
    m.dof.ids().map(one).collect()
}

/// Rows of Jacobians and their solutions, one at a time. A row ends within some trees, whose dofs lie side by side: all else
/// is zero, and is not read.
struct Responses<'a> {
    m: &'a Model,
    inertia: &'a JointInertia,
    /// Jᵀ, nv; zero between two calls.
    row: Vec<f64>,
    /// M⁻¹ Jᵀ, nv; zero between two calls.
    x: Vec<f64>,
}

impl<'a> Responses<'a> {
    fn new(m: &'a Model, inertia: &'a JointInertia) -> Self {
        Self { m, inertia, row: vec![0.0; m.nv()], x: vec![0.0; m.nv()] }
    }

    /// Returns the dofs of a tree.
    fn dofs(&self, tree: TreeId) -> Range<usize> {
        let first = self.m.tree.dofadr[tree].index();
        first..first + self.m.tree.dofnum[tree] as usize
    }

    /// Returns the dofs of all trees from the first to the last that a row of a Jacobian moves.
    fn dofs_of_row(&self, j: &BlockRows, i: usize) -> Range<usize> {
        let mut all: Option<Range<usize>> = None;
        j.for_each_in_row(i, |c, _| {
            let own = self.dofs(self.m.dof.treeid[DofId::new(c)]);
            all = Some(match all.take() {
                Some(known) => known.start.min(own.start)..known.end.max(own.end),
                None => own,
            });
        });
        all.unwrap_or(0..0)
    }

    /// Solves for a row that `fill` writes within whole trees, and returns what `read` makes of row and solution. Both begin at a
    /// multiple of four, so that sums don't depend on where a tree lies.
    fn of<R>(
        &mut self,
        dofs: Range<usize>,
        fill: impl FnOnce(&mut [f64]),
        read: impl FnOnce(&[f64], &[f64]) -> R,
    ) -> R {
        fill(&mut self.row[dofs.clone()]);
        self.x[dofs.clone()].copy_from_slice(&self.row[dofs.clone()]);
        self.m.m_pattern.solve_rows(dofs.clone(), &self.inertia.qLD, &self.inertia.qLDiagInv, &mut self.x);
        let whole = dofs.start & !3..dofs.end.next_multiple_of(4).min(self.row.len());
        let result = read(&self.row[whole.clone()], &self.x[whole]);
        self.row[dofs.clone()].fill(0.0);
        self.x[dofs].fill(0.0);
        result
    }

    /// Returns J M⁻¹ Jᵀ of a row that `fill` writes within whole trees.
    fn weight(&mut self, dofs: Range<usize>, fill: impl FnOnce(&mut [f64])) -> f64 {
        self.of(dofs, fill, |row, x| dense::dot(x, row))
    }

    /// Returns J M⁻¹ Jᵀ of a row of a Jacobian.
    fn weight_of_row(&mut self, j: &BlockRows, i: usize) -> f64 {
        let dofs = self.dofs_of_row(j, i);
        let first = dofs.start;
        self.weight(dofs, |row| j.for_each_in_row(i, |c, v| row[c - first] = v))
    }
}

/// Inverse inertia of each body at its centre of mass, the mean over the three directions:
/// translation, rotation. Zero for bodies that no dof moves. Needs the factor of M.
pub fn body_invweight0(m: &Model, chains: &Chains, poses: &Poses, inertia: &JointInertia) -> IdVec<BodyId, [f64; 2]> {
    let mut responses = Responses::new(m, inertia);
    let one = |b: BodyId| {
        let Some(tree) = m.body.treeid[b].filter(|_| m.body.dofnum[m.body.weldid[b]] != 0) else { return [0.0; 2] };
        if m.body.simple[b] == 2 {
            return [1.0 / m.body.mass[b].max(MINVAL), 0.0];
        }
        let dofs = responses.dofs(tree);
        let within = [Run { start: dofs.start as u32, len: dofs.len() as u32 }];
        let p = BodyPoint::new(m, chains, poses, b, poses.xipos[b]);
        let mut weight = |wrench| responses.weight(dofs.clone(), |row| p.project(&within, wrench, row));
        let mut sum = [0.0; 2];
        for axis in DVec3::AXES {
            sum[0] += weight(Spatial::new(DVec3::ZERO, axis));
            sum[1] += weight(Spatial::new(axis, DVec3::ZERO));
        }
        sum.map(|s| s / 3.0)
    };
    m.body.ids().map(one).collect()
}

/// Inverse inertia of each dof, the mean over the dofs of a ball or of either half of a free joint.
/// Needs the factor of M.
pub fn dof_invweight0(m: &Model, inertia: &JointInertia) -> IdVec<DofId, f64> {
    let mut responses = Responses::new(m, inertia);
    let mut out = IdVec::filled(m.nv(), 0.0);
    for j in m.jnt.ids() {
        let d = m.jnt.dofadr[j].index();
        let body = m.jnt.bodyid[j];
        if m.body.simple[body] == 2 {
            out[DofId::new(d)] = 1.0 / m.body.mass[body].max(MINVAL);
            continue;
        }
        // Groups of dofs that share their mean.
        let (groups, len) = match m.jnt.r#type[j] {
            JointType::Free => (2, 3),
            JointType::Ball => (1, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        };
        let tree = responses.dofs(m.dof.treeid[DofId::new(d)]);
        for g in 0..groups {
            let dofs = d + g * len..d + (g + 1) * len;
            let weights = dofs.clone().map(|i| responses.weight(tree.clone(), |row| row[i - tree.start] = 1.0));
            let sum: f64 = weights.sum();
            for i in dofs {
                out[DofId::new(i)] = sum / len as f64;
            }
        }
    }
    out
}

/// Inverse inertia of each tendon's length: J M⁻¹ Jᵀ.
pub fn tendon_invweight0(m: &Model, trans: &Transmissions, inertia: &JointInertia) -> IdVec<TendonId, f64> {
    let mut responses = Responses::new(m, inertia);
    m.tendon.ids().map(|t| responses.weight_of_row(&trans.ten_J, t.index())).collect()
}

/// Inverse inertia of some rows of a Jacobian: J M⁻¹ Jᵀ.
pub fn row_invweight0(
    m: &Model,
    jac: &BlockRows,
    rows: impl IntoIterator<Item = usize>,
    inertia: &JointInertia,
) -> Vec<f64> {
    let mut responses = Responses::new(m, inertia);
    rows.into_iter().map(|row| responses.weight_of_row(jac, row)).collect()
}

/// Norm of the acceleration that unit force of each actuator output causes: |M⁻¹ Jᵀ|.
pub fn actuator_acc0(m: &Model, trans: &Transmissions, inertia: &JointInertia) -> IdVec<OutputId, f64> {
    let mut responses = Responses::new(m, inertia);
    let one = |o: OutputId| {
        let moment = &trans.actuator_moment;
        let dofs = responses.dofs_of_row(moment, o.index());
        let first = dofs.start;
        let fill = |row: &mut [f64]| moment.for_each_in_row(o.index(), |c, v| row[c - first] = v);
        responses.of(dofs, fill, |_, x| dense::norm(x))
    };
    m.output.ids().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dynamics;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        /// Solving within a tree gives the bits of a solution over all dofs.
        #[test]
        fn responses_are_those_of_all_dofs((m, s) in any_model()) {
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let inertia = &d.smooth.inertia;
            let mut responses = Responses::new(&m, inertia);
            for dof in m.dof.ids() {
                let tree = responses.dofs(m.dof.treeid[dof]);
                let weight = responses.weight(tree.clone(), |row| row[dof.index() - tree.start] = 1.0);
                let mut unit = vec![0.0; m.nv()];
                unit[dof.index()] = 1.0;
                let mut x = unit.clone();
                inertia.solve(&m, &mut x);
                prop_assert_eq!(weight.to_bits(), dense::dot(&x, &unit).to_bits());
                prop_assert!(responses.row.iter().chain(&responses.x).all(|&x| x == 0.0));
            }
            let moment = &d.smooth.transmissions.actuator_moment;
            for o in m.output.ids() {
                let mut x = vec![0.0; m.nv()];
                moment.for_each_in_row(o.index(), |c, v| x[c] = v);
                inertia.solve(&m, &mut x);
                let norm = actuator_acc0(&m, &d.smooth.transmissions, inertia)[o];
                prop_assert_eq!(norm.to_bits(), dense::norm(&x).to_bits());
            }
        }
    }
}
