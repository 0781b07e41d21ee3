//! Inverse dynamics.

use crate::data::Data;
use crate::{pipeline, sensor};
use mj_dynamics as dynamics;
use mj_model::{ConstraintState, Model};

/// Inverse dynamics: the force that gives the acceleration `d.qacc` at the present state, in
/// `d.qfrc_inverse`; constraint forces in `d.solution`. It equals the applied plus actuator force
/// that forward dynamics would need.
///
/// Manual: Computation, "Inverse dynamics".
pub fn inverse(m: &Model, d: &mut Data) {
    pipeline::position(m, d);
    sensor::position(m, d);
    pipeline::velocity(m, d);
    sensor::velocity(m, d);
    constraint_forces(m, d);
    // τ = M a + c − passive − constraint
    dynamics::mul_m(m, &d.inertia, &d.qacc, &mut d.qfrc_inverse);
    let v = &d.velocities;
    for i in 0..m.nv() {
        d.qfrc_inverse[i] += v.qfrc_bias[i] - v.qfrc_passive[i] - d.solution.qfrc_constraint[i];
    }
    sensor::acceleration(m, d);
}

/// Forces of all constraint rows at the acceleration `d.qacc`: the gradient of their cost, in closed
/// form.
fn constraint_forces(m: &Model, d: &mut Data) {
    let (s, n) = (&mut d.solution, d.rows.nefc());
    d.ws.jar.resize(n, 0.0);
    d.ws.work.resize(m.nv(), 0.0);
    d.rows.jac.mul(&d.qacc, &mut d.ws.jar, &mut d.ws.work);
    for (x, a) in d.ws.jar.iter_mut().zip(&d.rows.aref) {
        *x -= a;
    }
    s.efc_force.resize(n, 0.0);
    s.efc_state.resize(n, ConstraintState::Satisfied);
    d.rows.view().evaluate(&d.ws.jar, &mut s.efc_force, &mut s.efc_state);
    s.qfrc_constraint.clear();
    s.qfrc_constraint.resize(m.nv(), 0.0);
    d.rows.jac.mul_transposed_add(&s.efc_force, &mut s.qfrc_constraint, &mut d.ws.work);
}
