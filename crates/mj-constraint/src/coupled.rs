//! Couplings of the inertia matrix beyond its own pattern, as rows.

use crate::rows::Rows;
use mj_math::BlockRows;
use mj_problem::RowView;

/// Rows with couplings before them.
///
/// An inertia matrix M + Σ w jᵀj costs ½ aᵀMa + Σ ½ w (ja)²: a coupling is the row of an equality
/// with Jacobian j, inverse regularization w and reference 0. So a solver that knows M by its pattern
/// solves problems in M + Σ w jᵀj.
#[derive(Clone, Debug, Default)]
pub struct RowsWithCouplings {
    rows: Rows,
    couplings: usize,
}

impl RowsWithCouplings {
    /// Puts couplings, by their Jacobians and weights, before `rows`.
    pub fn set(&mut self, coupling: &BlockRows, weight: &[f64], rows: Option<&Rows>) {
        let n = weight.len();
        let out = &mut self.rows;
        self.couplings = n;
        out.jac.clear(coupling.ncols());
        for jac in [Some(coupling), rows.map(|r| &r.jac)].into_iter().flatten() {
            for b in jac.blocks() {
                out.jac.push(b.nrow as usize, jac.runs(b)).copy_from_slice(jac.values(b));
            }
        }
        let fill = |to: &mut Vec<f64>, from: Option<&Vec<f64>>, first: &mut dyn Iterator<Item = f64>| {
            to.clear();
            to.extend(first);
            to.extend(from.into_iter().flatten());
        };
        fill(&mut out.d, rows.map(|r| &r.d), &mut weight.iter().copied());
        fill(&mut out.r, rows.map(|r| &r.r), &mut weight.iter().map(|w| 1.0 / w));
        fill(&mut out.aref, rows.map(|r| &r.aref), &mut std::iter::repeat_n(0.0, n));
        fill(&mut out.frictionloss, rows.map(|r| &r.frictionloss), &mut std::iter::repeat_n(0.0, n));
        (out.ne, out.nf) = rows.map_or((n, 0), |r| (n + r.ne, r.nf));
        out.cones.clear();
        for cone in rows.iter().flat_map(|r| &r.cones) {
            let mut cone = *cone;
            cone.row += n as u32;
            out.cones.push(cone);
        }
    }

    /// Appends rows that push only.
    pub fn append(&mut self, jac: &BlockRows, d: &[f64], aref: &[f64]) {
        let out = &mut self.rows;
        for b in jac.blocks() {
            out.jac.push(b.nrow as usize, jac.runs(b)).copy_from_slice(jac.values(b));
        }
        out.d.extend_from_slice(d);
        out.r.extend(d.iter().map(|d| 1.0 / d));
        out.aref.extend_from_slice(aref);
        out.frictionloss.resize(out.d.len(), 0.0);
    }

    /// Borrows the rows as solvers read them.
    pub fn view(&self) -> RowView<'_> {
        self.rows.view()
    }

    /// Number of couplings: the first rows.
    pub fn couplings(&self) -> usize {
        self.couplings
    }
}
