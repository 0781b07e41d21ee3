//! Regularization of the rows: how soft each is against the inertia that it meets.

use crate::rows::Rows;
use mj_collide::Contacts;
use mj_math::{MINVAL, TreePattern};
use mj_model::*;

/// Sets the regularization of all rows from the diagonal `diag` of J M⁻¹ Jᵀ, and the friction of the
/// regularized cones.
///
/// A row's acceleration becomes a mixture of the reference and what it would be without the
/// constraint: R = (1 − d)/d · Â, with d the impedance and Â the diagonal (manual: Computation,
/// "Constraint model"). The rows of a frictional contact follow from that of the first, R₀:
///
/// - elliptic cones: friction is softer by impratio, R₁ = R₀/impratio, and Rⱼ μⱼ² = R₁ μ₁², so that
///   the cone is round in scaled coordinates; its friction is μ = μ₁ √(R₁/R₀);
/// - pyramids: what makes their friction as soft as the elliptic cone's, R = 2 μ² R₀.
pub(crate) fn regularize(m: &Model, diag: impl Fn(&Rows, usize) -> f64, contacts: &Contacts, rows: &mut Rows) {
    let n = rows.nefc();
    let impratio = m.opt.impratio.max(MINVAL);
    let softer = (1.0 / impratio).sqrt();
    rows.r.clear();
    while rows.r.len() < n {
        let i = rows.r.len();
        let imp = rows.kbip[i][2];
        let r = ((1.0 - imp) * diag(rows, i) / imp).max(MINVAL);
        let kind = rows.r#type[i];
        if !matches!(kind, ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic) {
            rows.r.push(r);
            continue;
        }
        let id = rows.id[i] as usize;
        let c = &contacts[id];
        let mu = c.friction[0] * softer;
        rows.contacts[id].mu = mu;
        let dim = c.dim as usize;
        if kind == ConstraintType::ContactPyramidal {
            rows.r.extend(std::iter::repeat_n(2.0 * mu * mu * r, 2 * (dim - 1)));
        } else {
            let ratio = |k: usize| c.friction[0] / c.friction[k];
            rows.r.push(r);
            rows.r.extend((0..dim - 1).map(|k| r / impratio * ratio(k) * ratio(k)));
        }
    }
    for cone in &mut rows.cones {
        cone.mu = rows.contacts[cone.contact as usize].mu;
    }
    follow_regularization(rows);
}

/// Sets what depends on the regularization: its inverse, and the diagonal to which it stands in the
/// proportion that the impedance asks for.
pub(crate) fn follow_regularization(rows: &mut Rows) {
    rows.d.clear();
    rows.d.extend(rows.r.iter().map(|r| 1.0 / r));
    rows.diag_a.clear();
    rows.diag_a.extend(rows.r.iter().zip(&rows.kbip).map(|(r, [_, _, imp, _])| r * imp / (1.0 - imp)));
}

/// The exact diagonal of J A⁻¹ Jᵀ, for a matrix A = LᵀDL by its factor: each row's ‖D^(−½) L⁻ᵀ jᵀ‖².
pub(crate) fn exact_diagonal(
    rows: &Rows,
    pattern: &TreePattern,
    ld: &[f64],
    dinv: &[f64],
    x: &mut Vec<f64>,
    diag: &mut Vec<f64>,
) {
    diag.clear();
    for i in 0..rows.nefc() {
        x.clear();
        x.resize(pattern.n(), 0.0);
        rows.jac.for_each_in_row(i, |d, j| x[d] = j);
        pattern.solve_transposed(ld, x);
        diag.push(x.iter().zip(dinv).map(|(x, inv)| x * x * inv).sum());
    }
}
