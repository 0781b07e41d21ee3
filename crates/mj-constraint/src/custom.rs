//! Equality constraints of a program's own: residuals with their Jacobians.

use crate::builder::{Constraint, Row, RowWorkspace};
use crate::rows::Rows;
use crate::softness::Softness;
use mj_dynamics::Poses;
use mj_math::block::Run;
use mj_model::{ConstraintType, DofId, Model, State};
use std::fmt::Debug;

/// Rows of equality constraints that a program adds to those of the model. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomRows {
    nv: usize,
    rows: Vec<CustomRow>,
    jac: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CustomRow {
    pos: f64,
    bias: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
}

impl CustomRows {
    /// Removes all rows, and sets the number of degrees of freedom, nv.
    pub fn start(&mut self, nv: usize) {
        self.nv = nv;
        self.rows.clear();
        self.jac.clear();
    }

    /// Adds a row r(q) = 0 and returns its Jacobian ∂r/∂q (nv), zero, to be filled.
    ///
    /// `pos` is the residual r, m or rad; `solref` and `solimp` are the parameters of the row, as those of a model's equality
    /// constraint. A row whose Jacobian is zero, or acts on a tree that sleeps, is left out.
    pub fn push(&mut self, pos: f64, solref: [f64; 2], solimp: [f64; 5]) -> &mut [f64] {
        self.rows.push(CustomRow { pos, bias: 0.0, solref, solimp });
        let start = self.jac.len();
        self.jac.resize(start + self.nv, 0.0);
        &mut self.jac[start..]
    }

    /// Sets J̇ v of the last row, by which the residual accelerates without any acceleration of the joints. 0 unless set: a
    /// constraint that is not linear in q then drifts as far as its softness allows.
    pub fn set_bias(&mut self, bias: f64) {
        if let Some(row) = self.rows.last_mut() {
            row.bias = bias;
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// J̇ v of a row of the problem, by the number that it has as an equality.
    pub(crate) fn bias(&self, m: &Model, id: usize) -> f64 {
        let row = id.checked_sub(m.eq.len()).and_then(|i| self.rows.get(i));
        row.map_or(0.0, |row| row.bias)
    }
}

/// An equality constraint of a program's own, for pipelines that take it as an object.
pub trait CustomEquality: Debug + Send + Sync {
    /// Adds the rows of a state.
    fn rows(&self, m: &Model, s: &State, poses: &Poses, out: &mut CustomRows);
}

/// Appends the rows. They are numbered behind the equality constraints of the model.
pub(crate) fn append(m: &Model, s: &State, custom: &CustomRows, ws: &mut RowWorkspace, rows: &mut Rows) {
    if custom.nv != m.nv() {
        return;
    }
    for (i, (row, jac)) in custom.rows.iter().zip(custom.jac.chunks_exact(custom.nv.max(1))).enumerate() {
        ws.runs.clear();
        ws.jac.clear();
        let mut diag = 0.0;
        let mut awake = true;
        for (dof, &x) in jac.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let id = DofId::new(dof);
            awake &= s.awake.tree(m.dof.treeid[id]);
            diag += x * x * m.dof.invweight0[id];
            match ws.runs.last_mut() {
                Some(run) if (run.start + run.len) as usize == dof => run.len += 1,
                _ => ws.runs.push(Run { start: dof as u32, len: 1 }),
            }
            ws.jac.push(x);
        }
        if awake {
            let softness = Softness::new(m, row.solref, [0.0; 2], row.solimp);
            let id = m.eq.len() + i;
            let c = Constraint { kind: ConstraintType::Equality, id, softness, margin: 0.0, violation: row.pos };
            rows.append(&c, &ws.runs, &ws.jac, [Row::positional(row.pos, diag)]);
        }
    }
}
