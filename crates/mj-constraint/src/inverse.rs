//! Inverse dynamics of the constraints: from acceleration to force, row by row, without a solver.
//!
//! The cost is strictly convex in the acceleration, and its gradient is known in closed form: for a
//! given q̈ the force is −∇s(J q̈ − aref) (Todorov, "Convex and analytically-invertible dynamics with
//! contacts and constraints", 2014).

use crate::rows::RowView;
use mj_model::ConstraintState;

/// Forces of the rows at acceleration `qacc`, and Jᵀ force in `qfrc_constraint` (nv). Returns the
/// cost s.
///
/// `jar` (nefc) becomes J q̈ − aref; `work` holds nv numbers.
pub fn inverse(
    rows: &RowView,
    qacc: &[f64],
    jar: &mut Vec<f64>,
    force: &mut Vec<f64>,
    state: &mut Vec<ConstraintState>,
    qfrc_constraint: &mut [f64],
    work: &mut [f64],
) -> f64 {
    let n = rows.nefc();
    jar.resize(n, 0.0);
    force.resize(n, 0.0);
    state.resize(n, ConstraintState::Satisfied);
    rows.jac.mul(qacc, jar, work);
    for (x, a) in jar.iter_mut().zip(rows.aref) {
        *x -= a;
    }
    let cost = rows.evaluate(jar, force, state);
    qfrc_constraint.fill(0.0);
    rows.jac.mul_transposed_add(force, qfrc_constraint, work);
    cost
}
