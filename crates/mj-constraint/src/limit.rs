//! Limits of joints and tendons.

use crate::builder::{Constraint, Row, RowWorkspace};
use crate::rows::Rows;
use crate::softness::Softness;
use mj_dynamics::Transmissions;
use mj_math::block::Run;
use mj_math::quat;
use mj_model::*;

/// Appends a row for every limit nearer than its margin: joints first, then tendons.
pub(crate) fn append(m: &Model, s: &State, trans: &Transmissions, ws: &mut RowWorkspace, rows: &mut Rows) {
    if m.opt.disabled(disable::LIMIT) {
        return;
    }
    let joints = s.awake.joints.iter().flat_map(Clone::clone).map(JointId::new);
    for j in joints.filter(|&j| m.jnt.limited[j]) {
        let q = &s.qpos[m.jnt.qposadr[j] as usize..];
        match m.jnt.r#type[j] {
            JointType::Slide | JointType::Hinge => {
                for (dist, toward) in sides(m.jnt.range[j], q[0]) {
                    joint(m, j, dist, &[toward], rows);
                }
            }
            JointType::Ball => {
                // The angle of the rotation is limited by the greater bound.
                let v = quat::log(quat::normalize(quat::read(q)));
                let angle = v.length();
                let axis = if angle < mj_math::MINVAL { mj_math::DVec3::X } else { v / angle };
                let [lo, hi] = m.jnt.range[j];
                joint(m, j, lo.max(hi) - angle, &(-axis).to_array(), rows);
            }
            JointType::Free => {}
        }
    }
    let moves = |t| s.awake.everything() || s.awake.tendon(m, t) == SleepState::Awake;
    for t in m.tendon.ids().filter(|&t| m.tendon.limited[t] && moves(t)) {
        for (dist, toward) in sides(m.tendon.range[t], trans.ten_length[t]) {
            tendon(m, t, dist, toward, trans, ws, rows);
        }
    }
}

/// Distances to the lower and the upper limit, each with the sign of the coordinate that increases
/// it.
fn sides([lo, hi]: [f64; 2], x: f64) -> [(f64, f64); 2] {
    [(x - lo, 1.0), (hi - x, -1.0)]
}

fn joint(m: &Model, j: JointId, dist: f64, jac: &[f64], rows: &mut Rows) {
    let margin = m.jnt.margin[j];
    if dist >= margin {
        return;
    }
    let d = m.jnt.dofadr[j];
    let softness = Softness::new(m, m.jnt.solref[j], [0.0; 2], m.jnt.solimp[j]);
    let c = Constraint { kind: ConstraintType::LimitJoint, id: j.index(), softness, margin, violation: dist };
    let run = Run { start: d.index() as u32, len: jac.len() as u32 };
    rows.append(&c, &[run], jac, [Row::positional(dist, m.dof.invweight0[d])]);
}

fn tendon(
    m: &Model,
    t: TendonId,
    dist: f64,
    toward: f64,
    trans: &Transmissions,
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    let margin = m.tendon.margin[t];
    if dist >= margin {
        return;
    }
    let (runs, vals) = trans.ten_J.row(t.index());
    ws.jac.clear();
    ws.jac.extend(vals.iter().map(|v| v * toward));
    let softness = Softness::new(m, m.tendon.solref_lim[t], [0.0; 2], m.tendon.solimp_lim[t]);
    let c = Constraint { kind: ConstraintType::LimitTendon, id: t.index(), softness, margin, violation: dist };
    rows.append(&c, runs, &ws.jac, [Row::positional(dist, m.tendon.invweight0[t])]);
}
