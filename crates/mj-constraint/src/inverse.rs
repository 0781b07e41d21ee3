//! From acceleration to constraint forces, in closed form.

use crate::builder::RowWorkspace;
use crate::rows::Rows;
use mj_problem::ConstraintState;

/// Forces of all rows at the acceleration `qacc` (nv): minus the gradient of their cost at
/// J q̈ − a_ref. Sets force and zone of each row (nefc), and the force in joint space Jᵀ f (nv).
///
/// Manual: Computation, "Inverse dynamics".
pub fn forces_at(
    rows: &Rows,
    qacc: &[f64],
    ws: &mut RowWorkspace,
    efc_force: &mut Vec<f64>,
    efc_state: &mut Vec<ConstraintState>,
    qfrc_constraint: &mut Vec<f64>,
) {
    let (n, nv) = (rows.nefc(), qacc.len());
    ws.jar.resize(n, 0.0);
    ws.work.resize(nv, 0.0);
    rows.jac.mul(qacc, &mut ws.jar, &mut ws.work);
    for (x, a) in ws.jar.iter_mut().zip(&rows.aref) {
        *x -= a;
    }
    efc_force.resize(n, 0.0);
    efc_state.resize(n, ConstraintState::Satisfied);
    rows.view().evaluate(&ws.jar, efc_force, efc_state);
    qfrc_constraint.clear();
    qfrc_constraint.resize(nv, 0.0);
    rows.jac.mul_transposed_add(efc_force, qfrc_constraint, &mut ws.work);
}
