//! Templates of constraint rows.

use mj_model::{DofId, Model, TendonId, disable};

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Rows of one equality.
    Equality,
    /// Friction of a dof.
    DofFriction,
    /// Friction of a tendon.
    TendonFriction,
    /// One side of a joint's limit.
    JointLimit,
    /// One side of a tendon's limit.
    TendonLimit,
}

/// A row that a state may have, with all that doesn't depend on the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTemplate {
    /// Kind.
    pub kind: RowKind,
    /// Equality, dof, tendon or joint.
    pub id: usize,
    /// Side of a limit: −1 lower, 1 upper; 0 for other kinds.
    pub side: i8,
    /// Greatest number of rows.
    pub count: usize,
}

/// Lists the templates of a model, in the order in which rows are made.
pub(super) fn templates(m: &Model) -> Vec<RowTemplate> {
    use mj_model::EqType;
    let mut out = Vec::new();
    let mut push = |kind, id, side, count| out.push(RowTemplate { kind, id, side, count });
    if !m.opt.disabled(disable::EQUALITY) {
        for e in m.eq.ids() {
            let count = match m.eq.r#type[e] {
                EqType::Connect => 3,
                EqType::Weld => 6,
                _ => 1,
            };
            push(RowKind::Equality, e.index(), 0, count);
        }
    }
    if !m.opt.disabled(disable::FRICTIONLOSS) {
        (0..m.nv())
            .filter(|&d| m.dof.frictionloss[DofId::new(d)] > 0.0)
            .for_each(|d| push(RowKind::DofFriction, d, 0, 1));
        let rough = |t: &usize| m.tendon.frictionloss[TendonId::new(*t)] > 0.0;
        (0..m.tendon.len()).filter(rough).for_each(|t| push(RowKind::TendonFriction, t, 0, 1));
    }
    if !m.opt.disabled(disable::LIMIT) {
        for j in m.jnt.ids().filter(|&j| m.jnt.limited[j]) {
            [-1, 1].into_iter().for_each(|side| push(RowKind::JointLimit, j.index(), side, 1));
        }
        for t in m.tendon.ids().filter(|&t| m.tendon.limited[t]) {
            [-1, 1].into_iter().for_each(|side| push(RowKind::TendonLimit, t.index(), side, 1));
        }
    }
    out
}
