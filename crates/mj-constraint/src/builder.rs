//! Appends constraints to [`Rows`].

use crate::rows::Rows;
use crate::softness::{RowKind, Softness};
use mj_math::block::Run;
use mj_model::{ConstraintType, Model};

/// Memory for making rows; keeps its capacity.
#[derive(Clone, Debug, Default)]
pub struct RowWorkspace {
    /// Columns of the constraint being made.
    pub(crate) runs: Vec<Run>,
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
        Self { runs: Vec::with_capacity(nv), jac: Vec::with_capacity(16 * nv), work: vec![0.0; nv], jar: Vec::new() }
    }
}

/// What all rows of one constraint share.
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
    }

    /// Appends a constraint whose Jacobian `jac` (rows×width of `runs`, row-major) has any entry
    /// other than zero. Its regularization is computed when all rows are there.
    pub(crate) fn append(
        &mut self,
        c: &Constraint,
        runs: &[Run],
        jac: &[f64],
        rows: impl ExactSizeIterator<Item = Row>,
    ) {
        if jac.iter().all(|&x| x == 0.0) {
            return;
        }
        self.append_always(c, runs, jac, rows);
    }

    /// Appends a constraint whatever its Jacobian.
    pub(crate) fn append_always(
        &mut self,
        c: &Constraint,
        runs: &[Run],
        jac: &[f64],
        rows: impl ExactSizeIterator<Item = Row>,
    ) {
        self.append_block(c, runs, rows).copy_from_slice(jac);
    }

    /// Appends a constraint and returns its Jacobian (rows×width of `runs`, row-major), to be filled.
    #[inline]
    pub(crate) fn append_block(
        &mut self,
        c: &Constraint,
        runs: &[Run],
        rows: impl ExactSizeIterator<Item = Row>,
    ) -> &mut [f64] {
        let (first, n) = (self.nefc(), rows.len());
        let end = first + n;
        self.r#type.resize(end, c.kind);
        self.id.resize(end, c.id as u32);
        self.margin.resize(end, c.margin);
        self.pos.resize(end, 0.0);
        self.frictionloss.resize(end, 0.0);
        self.approx.resize(end, 0.0);
        self.kbip.resize(end, [0.0; 4]);
        let (imp, slope) = c.softness.impedance(c.violation - c.margin);
        let equality = c.kind == ConstraintType::Equality;
        // Rows of one kind have one reference.
        let mut last = None;
        for (i, row) in (first..end).zip(rows) {
            let (k, b) = match last {
                Some((kind, known)) if kind == row.kind => known,
                _ => {
                    let own = !equality && row.kind == RowKind::Positional;
                    let resolved = if own { c.softness.resolved(imp) } else { None };
                    resolved.unwrap_or_else(|| c.softness.stiffness_damping(row.kind))
                }
            };
            last = Some((row.kind, (k, b)));
            if row.kind == RowKind::ContactFriction {
                self.margin[i] = 0.0;
            }
            self.pos[i] = row.pos;
            self.frictionloss[i] = row.frictionloss;
            self.approx[i] = row.diag;
            self.kbip[i] = [k, b, imp, slope];
        }
        match c.kind {
            ConstraintType::Equality => self.ne += n,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => self.nf += n,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => self.nl += n,
            _ => {}
        }
        self.jac.push(n, runs)
    }
}
