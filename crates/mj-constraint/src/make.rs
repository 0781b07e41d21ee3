//! All constraint rows of a configuration, kind by kind in the reference's order.

use crate::impedance::{Impedance, Reference, regularization};
use crate::rows::Rows;
use crate::{contact, equality, friction_loss, limit};
use mj_collide::Contacts;
use mj_dynamics::{Chains, JointInertia, Poses, Transmissions};
use mj_math::block::Run;
use mj_model::*;

/// Scratch of the functions that make rows. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Columns of the constraint at hand.
    pub(crate) runs: Vec<Run>,
    /// A vector over all dofs.
    pub(crate) dofs: Vec<f64>,
}

/// What rows are made from: the model and everything that depends on position.
#[derive(Clone, Copy)]
pub struct Configuration<'a> {
    /// Model.
    pub m: &'a Model,
    /// State.
    pub s: &'a State,
    /// Chains of dofs that move each body.
    pub chains: &'a Chains,
    /// Poses.
    pub poses: &'a Poses,
    /// Tendons.
    pub trans: &'a Transmissions,
    /// Joint-space inertia with its factor: for the exact diagonal only.
    pub inertia: &'a JointInertia,
}

/// Makes all rows of a configuration, except what depends on velocity ([`crate::reference`]): the
/// Jacobian, residuals, regularization. Contacts learn their first row and cone friction, and those
/// that no dof moves are marked as excluded.
pub fn make_rows(c: Configuration, contacts: &mut Contacts, work: &mut Workspace, rows: &mut Rows) {
    rows.clear(c.m.nv());
    if c.m.opt.disabled(disable::CONSTRAINT) {
        return;
    }
    work.dofs.resize(c.m.nv(), 0.0);
    let mut b = Builder::new(c, rows, work);
    if !c.m.opt.disabled(disable::EQUALITY) {
        equality::add(&mut b);
    }
    b.rows.ne = b.rows.nefc();
    if !c.m.opt.disabled(disable::FRICTIONLOSS) {
        friction_loss::add(&mut b);
    }
    b.rows.nf = b.rows.nefc() - b.rows.ne;
    if !c.m.opt.disabled(disable::LIMIT) {
        limit::add(&mut b);
    }
    b.rows.nl = b.rows.nefc() - b.rows.ne - b.rows.nf;
    if !c.m.opt.disabled(disable::CONTACT) {
        contact::add(&mut b, contacts);
    }
}

/// Appends constraints to rows. A constraint's block of the Jacobian comes first, then its numbers.
pub(crate) struct Builder<'a> {
    pub c: Configuration<'a>,
    pub rows: &'a mut Rows,
    pub runs: &'a mut Vec<Run>,
    dofs: &'a mut Vec<f64>,
    /// Least time constant of `solref`; none: refsafe is off.
    pub least: Option<f64>,
    exact: bool,
}

/// Numbers of a constraint.
pub(crate) struct Params {
    pub r#type: ConstraintType,
    pub id: usize,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    /// Violation that the impedance depends on, margin subtracted.
    pub violation: f64,
    pub margin: f64,
    pub frictionloss: f64,
}

impl<'a> Builder<'a> {
    fn new(c: Configuration<'a>, rows: &'a mut Rows, work: &'a mut Workspace) -> Self {
        let least = (!c.m.opt.disabled(disable::REFSAFE)).then_some(2.0 * c.m.opt.timestep);
        let exact = c.m.opt.enabled(enable::DIAGEXACT);
        Self { c, rows, runs: &mut work.runs, dofs: &mut work.dofs, least, exact }
    }

    /// Adds the numbers of a constraint whose block is the last of the Jacobian: one row for each
    /// (residual, approximate diagonal).
    pub fn push(&mut self, p: &Params, rows: impl IntoIterator<Item = (f64, f64)>) {
        let imp = Impedance::new(p.solimp);
        let (d, slope) = imp.at(p.violation);
        let (stiffness, damping) = Reference::new(p.solref, self.least).gains(imp.dmax);
        let friction = matches!(p.r#type, ConstraintType::FrictionDof | ConstraintType::FrictionTendon);
        let stiffness = if friction { 0.0 } else { stiffness };
        for (pos, diag) in rows {
            let diag = self.diagonal(diag);
            let r = regularization(d, diag);
            self.push_row(p, pos, p.margin, [stiffness, damping, d, slope], r);
        }
    }

    /// Adds the numbers of one row.
    pub fn push_row(&mut self, p: &Params, pos: f64, margin: f64, kbip: [f64; 4], r: f64) {
        let rows = &mut *self.rows;
        rows.r#type.push(p.r#type);
        rows.id.push(p.id as u32);
        rows.pos.push(pos);
        rows.margin.push(margin);
        rows.frictionloss.push(p.frictionloss);
        rows.kbip.push(kbip);
        rows.r.push(r);
        rows.d.push(1.0 / r);
        // The diagonal for which R = (1 − d)/d · A holds with this R.
        rows.diag_a.push(r * kbip[2] / (1.0 - kbip[2]));
    }

    /// Diagonal of J M⁻¹ Jᵀ for the next row: `approximate`, or computed where the model asks so.
    pub fn diagonal(&mut self, approximate: f64) -> f64 {
        if !self.exact {
            return approximate;
        }
        let inertia = self.c.inertia;
        self.dofs.fill(0.0);
        self.rows.jac.for_each_in_row(self.rows.r.len(), |c, v| self.dofs[c] = v);
        self.c.m.m_pattern.solve_transposed(&inertia.qLD, self.dofs);
        self.dofs.iter().zip(&inertia.qLDiagInv).map(|(x, inv)| x * x * inv).sum()
    }
}

impl Rows {
    /// Removes all rows; the Jacobian gets `nv` columns.
    pub fn clear(&mut self, nv: usize) {
        self.jac.clear(nv);
        (self.ne, self.nf, self.nl) = (0, 0, 0);
        self.r#type.clear();
        self.id.clear();
        self.kbip.clear();
        self.cones.clear();
        for v in [
            &mut self.pos,
            &mut self.margin,
            &mut self.frictionloss,
            &mut self.diag_a,
            &mut self.d,
            &mut self.r,
            &mut self.vel,
            &mut self.aref,
        ] {
            v.clear();
        }
    }
}
