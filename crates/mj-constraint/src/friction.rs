//! Friction loss of dofs and tendons.

use crate::builder::{Constraint, Row};
use crate::rows::Rows;
use crate::softness::{RowKind, Softness};
use mj_dynamics::Transmissions;
use mj_math::block::Run;
use mj_model::*;

/// Appends a row for every dof and tendon with friction loss.
pub(crate) fn append(m: &Model, awake: &Awake, trans: &Transmissions, rows: &mut Rows) {
    if m.opt.disabled(disable::FRICTIONLOSS) {
        return;
    }
    let row = |frictionloss, diag| [Row { pos: 0.0, kind: RowKind::Dissipative, diag, frictionloss }];
    let constraint = |kind, id, solref, solimp| {
        let softness = Softness::new(m, solref, [0.0; 2], solimp);
        Constraint { kind, id, softness, margin: 0.0, violation: 0.0 }
    };
    let dofs = awake.dofs.iter().flat_map(Clone::clone).map(DofId::new);
    for d in dofs.filter(|&d| m.dof.frictionloss[d] != 0.0) {
        let c = constraint(ConstraintType::FrictionDof, d.index(), m.dof.solref[d], m.dof.solimp[d]);
        let run = Run { start: d.index() as u32, len: 1 };
        rows.append(&c, &[run], &[1.0], row(m.dof.frictionloss[d], m.dof.invweight0[d]));
    }
    let moves = |t| awake.everything() || awake.tendon(m, t) == SleepState::Awake;
    for t in m.tendon.ids().filter(|&t| m.tendon.frictionloss[t] > 0.0 && moves(t)) {
        let c = constraint(ConstraintType::FrictionTendon, t.index(), m.tendon.solref_fri[t], m.tendon.solimp_fri[t]);
        let (runs, vals) = trans.ten_J.row(t.index());
        rows.append(&c, runs, vals, row(m.tendon.frictionloss[t], m.tendon.invweight0[t]));
    }
}
