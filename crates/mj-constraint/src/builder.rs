//! Appends constraints to [`Rows`].

use crate::rows::Rows;
use crate::softness::{RowKind, Softness};
use mj_math::block::Run;
use mj_model::{BodyId, ConstraintType, EqualityId, Model};

/// A body that carries a contact's point, by its share of the point's motion; negative on the first side.
pub(crate) type Carrier = (BodyId, f64);

/// Memory for making rows; keeps its capacity.
#[derive(Clone, Debug, Default)]
pub struct RowWorkspace {
    /// Columns of the constraint being made.
    pub(crate) runs: Vec<Run>,
    /// Columns while they are merged, or of a part of the constraint.
    pub(crate) part: Vec<Run>,
    /// Bodies that carry a contact with a flex.
    pub(crate) carriers: Vec<Carrier>,
    /// Jacobian of the constraint being made.
    pub(crate) jac: Vec<f64>,
    /// Gathered columns of products.
    pub(crate) work: Vec<f64>,
    /// A number a row.
    pub(crate) jar: Vec<f64>,
}

impl RowWorkspace {
    /// Memory for a model: no single constraint will need more.
    pub fn new(m: &Model) -> Self {
        let nv = m.nv();
        // Two elements of quadratic flexes have the most carriers.
        let carriers = if m.flex.is_empty() { 0 } else { 512 };
        Self {
            runs: Vec::with_capacity(nv),
            part: Vec::with_capacity(nv),
            carriers: Vec::with_capacity(carriers),
            jac: Vec::with_capacity(6 * nv),
            work: vec![0.0; nv],
            jar: Vec::new(),
        }
    }
}

/// Data that all rows of one constraint share.
pub(crate) struct Constraint {
    pub kind: ConstraintType,
    /// Equality, dof, joint, tendon or contact.
    pub id: usize,
    pub softness: Softness,
    /// Distance at which it comes in.
    pub margin: f64,
    /// Violation that sets the impedance: for a constraint of several rows, their norm.
    pub violation: f64,
}

impl Constraint {
    /// Describes an equality constraint with its softness.
    pub(crate) fn equality(m: &Model, e: EqualityId, violation: f64) -> Self {
        let softness = Softness::new(m, m.eq.solref[e], [0.0; 2], m.eq.solimp[e]);
        Self { kind: ConstraintType::Equality, id: e.index(), softness, margin: 0.0, violation }
    }
}

/// One row of a constraint.
pub(crate) struct Row {
    pub pos: f64,
    pub kind: RowKind,
    pub diag: f64,
    pub frictionloss: f64,
}

impl Row {
    /// A row that holds on to a position.
    pub fn positional(pos: f64, diag: f64) -> Self {
        Self { pos, kind: RowKind::Positional, diag, frictionloss: 0.0 }
    }
}

impl Rows {
    /// Removes all rows.
    pub fn clear(&mut self, m: &Model) {
        self.jac.clear(m.nv());
        (self.ne, self.nf, self.nl) = (0, 0, 0);
        self.r#type.clear();
        self.id.clear();
        self.pos.clear();
        self.margin.clear();
        self.frictionloss.clear();
        self.approx.clear();
        self.diag_a.clear();
        self.kbip.clear();
        self.d.clear();
        self.r.clear();
        self.vel.clear();
        self.aref.clear();
        self.cones.clear();
        self.contacts.clear();
        self.passive.clear(m.nv());
    }

    /// Appends a constraint whose Jacobian `jac` (N×width of `runs`, row-major) has any entry
    /// other than zero. Its regularization is computed when all rows are there.
    pub(crate) fn append<const N: usize>(&mut self, c: &Constraint, runs: &[Run], jac: &[f64], rows: [Row; N]) {
        if jac.iter().any(|&x| x != 0.0) {
            self.append_block(c, runs, rows).copy_from_slice(jac);
        }
    }

    /// Appends a constraint whatever its Jacobian, and returns that (N×width of `runs`, row-major), to be filled.
    #[inline]
    pub(crate) fn append_block<const N: usize>(&mut self, c: &Constraint, runs: &[Run], rows: [Row; N]) -> &mut [f64] {
        let (imp, slope) = c.softness.impedance(c.violation - c.margin);
        let equality = c.kind == ConstraintType::Equality;
        let reference = |kind| {
            let given = c.softness.stiffness_damping(kind);
            let own = !equality && kind == RowKind::Positional;
            let resolved = if own { c.softness.resolved(given.0, imp) } else { None };
            resolved.unwrap_or(given)
        };
        // Rows of one kind have one reference, and behind the first all are of one kind.
        let first = reference(rows[0].kind);
        let rest = if rows[N - 1].kind == rows[0].kind { first } else { reference(rows[N - 1].kind) };
        let margin = |row: &Row| if row.kind == RowKind::ContactFriction { 0.0 } else { c.margin };
        self.r#type.extend_from_slice(&[c.kind; N]);
        self.id.extend_from_slice(&[c.id as u32; N]);
        self.margin.extend(rows.iter().map(margin));
        self.pos.extend(rows.iter().map(|row| row.pos));
        self.frictionloss.extend(rows.iter().map(|row| row.frictionloss));
        self.approx.extend(rows.iter().map(|row| row.diag));
        self.kbip.extend((0..N).map(|i| {
            let (k, b) = if i == 0 { first } else { rest };
            [k, b, imp, slope]
        }));
        match c.kind {
            ConstraintType::Equality => self.ne += N,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => self.nf += N,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => self.nl += N,
            _ => {}
        }
        self.jac.push(N, runs)
    }
}
