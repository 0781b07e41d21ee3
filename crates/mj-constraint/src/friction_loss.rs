//! Friction loss of dofs and tendons: rows without residual, whose force is bounded.

use crate::equality::push_scaled;
use crate::make::{Builder, Params};
use mj_math::block::Run;
use mj_model::*;

/// Adds a row for every dof and tendon with friction loss.
pub(crate) fn add(b: &mut Builder) {
    let m = b.c.m;
    for d in m.dof.ids() {
        let loss = m.dof.frictionloss[d];
        if loss == 0.0 {
            continue;
        }
        b.rows.jac.push(1, &[Run { start: d.index() as u32, len: 1 }])[0] = 1.0;
        let p = params(ConstraintType::FrictionDof, d.index(), m.dof.solref[d], m.dof.solimp[d], loss);
        b.push(&p, [(0.0, m.dof.invweight0[d])]);
    }
    for t in m.tendon.ids() {
        let loss = m.tendon.frictionloss[t];
        if loss <= 0.0 || b.c.trans.ten_J.row(t.index()).0.is_empty() {
            continue;
        }
        push_scaled(&mut b.rows.jac, &b.c.trans.ten_J, t.index(), 1.0);
        let p = params(ConstraintType::FrictionTendon, t.index(), m.tendon.solref_fri[t], m.tendon.solimp_fri[t], loss);
        b.push(&p, [(0.0, m.tendon.invweight0[t])]);
    }
}

fn params(r#type: ConstraintType, id: usize, solref: [f64; 2], solimp: [f64; 5], loss: f64) -> Params {
    Params { r#type, id, solref, solimp, violation: 0.0, margin: 0.0, frictionloss: loss }
}
