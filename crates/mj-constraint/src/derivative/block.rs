//! Blocks of constraint rows: Hessian of their cost, columns, forces.

use super::At;
use mj_math::block::{Block, Run};
use mj_math::{BlockRows, dense};
use mj_model::ConstraintType;
use mj_problem::ConstraintState;
use mj_problem::cost::elliptic;

/// Greatest number of rows of a contact.
pub(super) const MAXROWS: usize = 10;

/// Hessian of the cost of a block of `n` rows, row-major; none where it vanishes, and the forces with it but
/// for those of friction loss, which are constant there.
pub(super) fn hessian(at: At<'_>, jar: &[f64], first: usize, n: usize) -> Option<[f64; MAXROWS * MAXROWS]> {
    let mut h = [0.0; MAXROWS * MAXROWS];
    let d = &at.rows.d[first..first + n];
    if at.state[first] == ConstraintState::Cone {
        let cone = at.rows.cones.iter().find(|c| c.row as usize == first)?;
        elliptic::hessian(cone, d, &jar[first..first + n], &mut h[..n * n]);
        return Some(h);
    }
    let mut any = false;
    for r in 0..n {
        if at.state[first + r] == ConstraintState::Quadratic {
            h[r * n + r] = d[r];
            any = true;
        }
    }
    any.then_some(h)
}

/// Dofs of a block's columns.
pub(super) fn columns(jac: &BlockRows, block: &Block, out: &mut Vec<usize>) {
    out.clear();
    out.extend(dofs(jac.runs(block)));
}

pub(super) fn dofs(runs: &[Run]) -> impl Iterator<Item = usize> + '_ {
    runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize)
}

/// Rows of a block that are regularized together, each group with the row whose inertia counts: all of a contact, or one.
pub(super) fn groups(kind: ConstraintType, n: usize) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let contact = matches!(kind, ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic);
    let (count, size) = if contact { (1, n) } else { (n, 1) };
    (0..count).map(move |g| (g, g..g + size))
}

/// Jᵀf of some rows of a block, in its columns.
pub(super) fn push(jac: &[f64], w: usize, force: &[f64], rows: std::ops::Range<usize>, out: &mut Vec<f64>) {
    out.clear();
    out.resize(w, 0.0);
    for r in rows {
        dense::axpy(out, force[r], &jac[r * w..(r + 1) * w]);
    }
}
