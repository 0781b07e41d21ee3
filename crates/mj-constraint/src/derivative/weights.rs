//! How constraint forces change with the inverse weights that their regularization is in proportion to.
//!
//! R of a contact's rows is in proportion to its bodies' inverse weights, that of a limit, a friction loss or a coupling to
//! those of its dofs or tendons; so the forces, which are in proportion to D = 1/R where they are no constants, change by
//! −f d ln R (manual: Computation, "Constraint model").

use super::At;
use super::ForceDerivative;
use super::block::{columns, groups, push};
use crate::equality::anchored_bodies;
use mj_math::MINVAL;
use mj_model::*;
use mj_problem::ConstraintState;
use std::ops::Range;

/// Inverse weights of a model, or what they change by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseWeights {
    /// Weights of bodies: translation, rotation.
    pub body: IdVec<BodyId, [f64; 2]>,
    /// Weights of dofs.
    pub dof: IdVec<DofId, f64>,
    /// Weights of tendons.
    pub tendon: IdVec<TendonId, f64>,
}

impl InverseWeights {
    /// Copies those of a model.
    pub fn of(m: &Model) -> Self {
        Self { body: m.body.invweight0.clone(), dof: m.dof.invweight0.clone(), tendon: m.tendon.invweight0.clone() }
    }
}

/// Borrowed inverse weights: those of a model, or their slopes.
#[derive(Clone, Copy)]
struct Weights<'a> {
    body: &'a IdVec<BodyId, [f64; 2]>,
    dof: &'a IdVec<DofId, f64>,
    tendon: &'a IdVec<TendonId, f64>,
}

impl<'a> Weights<'a> {
    fn of(m: &'a Model) -> Self {
        Self { body: &m.body.invweight0, dof: &m.dof.invweight0, tendon: &m.tendon.invweight0 }
    }
}

impl<'a> From<&'a InverseWeights> for Weights<'a> {
    fn from(w: &'a InverseWeights) -> Self {
        Self { body: &w.body, dof: &w.dof, tendon: &w.tendon }
    }
}

/// Whether the regularization of all rows is known to be in proportion to inverse weights of bodies, dofs and tendons.
pub fn follow_inverse_weights(m: &Model, at: At<'_>) -> bool {
    let follows = |first: u32, r: u32| sum(m, at, first as usize, r as usize, Weights::of(m)).is_some();
    at.rows.jac.blocks().iter().all(|b| (0..b.nrow).all(|r| follows(b.row, r)))
}

/// Sum of the weights that row `r` of a block is regularized by; none where it is by others.
fn sum(m: &Model, at: At<'_>, first: usize, r: usize, weights: Weights<'_>) -> Option<f64> {
    let Weights { body, dof, tendon } = weights;
    let id = at.rows.id[first] as usize;
    let of_joint = |j: usize| dof[m.jnt.dofadr[JointId::new(j)]];
    match at.rows.r#type[first] {
        ConstraintType::FrictionDof => Some(dof[DofId::new(id)]),
        ConstraintType::LimitJoint => Some(of_joint(id)),
        ConstraintType::FrictionTendon | ConstraintType::LimitTendon => Some(tendon[TendonId::new(id)]),
        ConstraintType::Equality => {
            let e = EqualityId::new(id);
            let both = |of: &dyn Fn(usize) -> f64| {
                [m.eq.obj1id[e], m.eq.obj2id[e]].into_iter().filter_map(|i| usize::try_from(i).ok()).map(of).sum()
            };
            match m.eq.r#type[e] {
                EqType::Connect | EqType::Weld => {
                    Some(anchored_bodies(m, e).iter().map(|&b| body[b][usize::from(r > 2)]).sum())
                }
                EqType::Joint => Some(both(&of_joint)),
                EqType::Tendon => Some(both(&|t| tendon[TendonId::new(t)])),
                _ => None,
            }
        }
        ConstraintType::ContactFrictionless | ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic => {
            let geoms = at.contacts.list[id].geoms()?;
            Some(geoms.iter().map(|&g| body[m.geom.bodyid[g]][0]).sum())
        }
    }
}

/// Whether the forces of some rows grow with D.
fn grow(at: At<'_>, mut rows: Range<usize>) -> bool {
    rows.any(|i| matches!(at.state[i], ConstraintState::Quadratic | ConstraintState::Cone))
}

impl ForceDerivative {
    /// Adds to −Jᵀf, nv numbers, what a change of the inverse weights does, where all rows
    /// [follow them](follow_inverse_weights).
    pub fn add_by_weights(&mut self, m: &Model, at: At<'_>, change: &InverseWeights, out: &mut [f64]) {
        for block in at.rows.jac.blocks() {
            let (first, n, w) = (block.row as usize, block.nrow as usize, block.ncol as usize);
            if !grow(at, first..first + n) {
                continue;
            }
            columns(&at.rows.jac, block, &mut self.columns);
            let jac = at.rows.jac.values(block);
            for (r, rows) in groups(at.rows.r#type[first], n) {
                let of = |weights| sum(m, at, first, r, weights).unwrap_or_default();
                let (weight, slope) = (of(Weights::of(m)), of(change.into()));
                if slope == 0.0 || weight < MINVAL || !grow(at, first + rows.start..first + rows.end) {
                    continue;
                }
                push(jac, w, &at.force[first..first + n], rows, &mut self.push);
                self.columns.iter().zip(&self.push).for_each(|(&d, x)| out[d] += slope / weight * x);
            }
        }
    }
}
