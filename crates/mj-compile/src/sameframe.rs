//! Frames that coincide: those of inertias, geoms and sites with the frame of their body.

use crate::frames::{same_pos, same_quat};
use mj_math::{DQuat, DVec3};
use mj_model::*;

/// Returns which frame of its body the inertial frame shares.
pub(crate) fn of_inertia(m: &Model, b: BodyId) -> SameFrame {
    match (same_pos(m.body.ipos[b], DVec3::ZERO), same_quat(m.body.iquat[b], DQuat::IDENTITY)) {
        (true, true) => SameFrame::Body,
        (_, true) => SameFrame::BodyRot,
        _ => SameFrame::None,
    }
}

/// Returns which frame of body `b` a child of that pose shares.
fn of_child(m: &Model, b: BodyId, pos: DVec3, quat: DQuat) -> SameFrame {
    let (null_pos, null_quat) = (same_pos(pos, DVec3::ZERO), same_quat(quat, DQuat::IDENTITY));
    let (com, axes) = (same_pos(pos, m.body.ipos[b]), same_quat(quat, m.body.iquat[b]));
    match (null_pos, null_quat, com, axes) {
        (true, true, ..) => SameFrame::Body,
        (_, true, ..) => SameFrame::BodyRot,
        (_, _, true, true) => SameFrame::Inertia,
        (_, _, _, true) => SameFrame::InertiaRot,
        _ => SameFrame::None,
    }
}

/// Finds a body whose block of the inertia matrix was compiled as diagonal, though its inertial frame no longer is its
/// own.
pub(crate) fn off_centre(m: &Model) -> Option<BodyId> {
    m.body.ids().skip(1).find(|&b| m.body.simple[b] > 0 && of_inertia(m, b) != SameFrame::Body)
}

/// Fills in the frames that bodies, geoms and sites share.
pub(crate) fn set(m: &mut Model) {
    for b in m.body.ids() {
        m.body.sameframe[b] = of_inertia(m, b);
    }
    for g in m.geom.ids() {
        m.geom.sameframe[g] = of_child(m, m.geom.bodyid[g], m.geom.pos[g], m.geom.quat[g]);
    }
    for s in m.site.ids() {
        m.site.sameframe[s] = of_child(m, m.site.bodyid[s], m.site.pos[s], m.site.quat[s]);
    }
}
