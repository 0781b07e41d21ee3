//! The inertia that a row meets over a time step, and how it changes (the integrator `discrete`).
//!
//! A row's R is in proportion to
//!
//! ```text
//! e = Σ j²/(M_dd + n_d) / Σ j²/M_dd,
//! ```
//!
//! over the dofs d of the row j, where n is what the step adds to the diagonal of M (`discretize.rs`). So its forces change by
//! −f d ln e, f the forces, with the row, with the diagonal of M, and with n.

use super::At;
use super::ForceDerivative;
use super::block::{columns, groups, hessian, push};
use mj_model::*;

/// Diagonals of a time step's inertia, with their derivatives by position: a row of nv numbers for each dof that moves.
#[derive(Clone, Copy, Debug)]
pub struct StepDiagonals<'a> {
    /// Diagonal of M, nv.
    pub mass: &'a [f64],
    /// Sum that the step adds to it, nv.
    pub added: &'a [f64],
    /// ∂mass/∂q, nv×nv.
    pub mass_by_position: &'a [f64],
    /// ∂added/∂q, nv×nv.
    pub added_by_position: &'a [f64],
}

/// Derivatives of ln e by what it depends on, a number for each column of the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Hardening {
    by_mass: Vec<f64>,
    by_added: Vec<f64>,
    /// By the row itself; over all dofs, zero where the row is.
    pub by_row: Vec<f64>,
    /// Derivative of ln e by position through the row itself, nv.
    pub through_row: Vec<f64>,
}

impl Hardening {
    /// Finds the derivatives of the row whose values in the dofs `columns` are `row`.
    pub fn find(&mut self, s: StepDiagonals<'_>, columns: &[usize], row: &[f64]) {
        let nv = s.mass.len();
        let of = |d: usize| (s.mass[d], s.mass[d] + s.added[d]);
        let (mut bare, mut full) = (0.0, 0.0);
        for (&d, j) in columns.iter().zip(row) {
            let (m, n) = of(d);
            bare += j * j / m;
            full += j * j / n;
        }
        self.by_mass.clear();
        self.by_added.clear();
        for list in [&mut self.by_row, &mut self.through_row] {
            list.clear();
            list.resize(nv, 0.0);
        }
        if bare <= 0.0 || full <= 0.0 {
            self.by_mass.resize(columns.len(), 0.0);
            self.by_added.resize(columns.len(), 0.0);
            return;
        }
        for (&d, j) in columns.iter().zip(row) {
            let (m, n) = of(d);
            let by_full = j * j / (n * n * full);
            self.by_mass.push(j * j / (m * m * bare) - by_full);
            self.by_added.push(-by_full);
            self.by_row[d] = 2.0 * j * (1.0 / (n * full) - 1.0 / (m * bare));
        }
    }

    /// Adds what this does to −Jᵀf by position, `push` being Jᵀf of the rows in the dofs `columns`.
    pub fn add(&self, s: StepDiagonals<'_>, columns: &[usize], push: &[f64], out: &mut [f64]) {
        let nv = s.mass.len();
        let along = |by: &[f64], change: &[f64]| columns.iter().zip(by).map(|(&d, x)| x * change[d]).sum::<f64>();
        for k in 0..nv {
            let row = k * nv..(k + 1) * nv;
            let change = self.through_row[k]
                + along(&self.by_mass, &s.mass_by_position[row.clone()])
                + along(&self.by_added, &s.added_by_position[row.clone()]);
            add_to(&mut out[row], columns, change, push);
        }
    }
}

/// Adds `scale` times numbers that belong to some columns.
fn add_to(out: &mut [f64], columns: &[usize], scale: f64, values: &[f64]) {
    if scale != 0.0 {
        columns.iter().zip(values).for_each(|(&d, x)| out[d] += scale * x);
    }
}

impl ForceDerivative {
    /// Adds to −Jᵀf what a change of the diagonal that the step adds does: `change` and `out` have a row of nv numbers for each
    /// input.
    pub fn add_by_diagonal(&mut self, m: &Model, at: At<'_>, s: StepDiagonals<'_>, change: &[f64], out: &mut [f64]) {
        let nv = m.nv();
        if nv == 0 || change.iter().all(|&x| x == 0.0) {
            return;
        }
        for block in at.rows.jac.blocks() {
            let (first, n, w) = (block.row as usize, block.nrow as usize, block.ncol as usize);
            if hessian(at, &self.jar, first, n).is_none() {
                continue;
            }
            columns(&at.rows.jac, block, &mut self.columns);
            let jac = at.rows.jac.values(block);
            for (row, rows) in groups(at.rows.r#type[first], n) {
                self.hardening.find(s, &self.columns, &jac[row * w..(row + 1) * w]);
                push(jac, w, &at.force[first..first + n], rows, &mut self.push);
                for (change, out) in change.chunks_exact(nv).zip(out.chunks_exact_mut(nv)) {
                    let by = self.columns.iter().zip(&self.hardening.by_added).map(|(&d, x)| x * change[d]).sum();
                    add_to(out, &self.columns, by, &self.push);
                }
            }
        }
    }
}
