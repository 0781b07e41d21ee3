//! Groups of dofs that the derivatives treat alike.

use mj_model::*;

/// First of the dofs that turn together with each dof.
pub(super) fn groups_of_dofs(m: &Model) -> Vec<u32> {
    let mut first = vec![0; m.nv()];
    for j in m.jnt.ids() {
        let mut d = m.jnt.dofadr[j].index();
        for n in turning_together(m.jnt.r#type[j]) {
            first[d..d + n].fill(d as u32);
            d += n;
        }
    }
    first
}

/// The dofs of a joint in groups that turn together: the translations of a free joint come before its
/// rotations.
pub(super) fn turning_together(kind: JointType) -> &'static [usize] {
    match kind {
        JointType::Free => &[3, 3],
        JointType::Ball => &[3],
        JointType::Slide | JointType::Hinge => &[1],
    }
}

/// First dofs of the free bodies no joint hangs from.
pub(super) fn free_bodies(m: &Model) -> Vec<DofId> {
    m.jnt.ids().filter(|&j| is_free_without_children(m, j)).map(|j| m.jnt.dofadr[j]).collect()
}

/// Whether a joint is that of a free body no joint hangs from.
pub fn is_free_without_children(m: &Model, j: JointId) -> bool {
    let carries = |last: usize| m.dof.parentid.iter().any(|p| p.is_some_and(|p| p.index() == last));
    m.jnt.r#type[j] == JointType::Free && m.body.jntnum[m.jnt.bodyid[j]] == 1 && !carries(m.jnt.dofadr[j].index() + 5)
}
