//! Stages that a perturbation of one dof leaves unchanged.

use crate::data::Data;
use crate::data::plan::sticks;
use mj_math::block::Run;
use mj_model::*;

/// Trees whose results are not those of the state in the middle, or are about to be others.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    last: Option<TreeId>,
    trees: [Option<TreeId>; 2],
    /// These trees alone.
    pub awake: Awake,
    /// Bodies that the column's position moves.
    pub bodies: IdVec<BodyId, bool>,
}

impl Moved {
    /// Everything is that of the state in the middle.
    pub fn forget(&mut self) {
        (self.last, self.trees) = (None, [None; 2]);
    }

    /// The tree of dof `i`, and that of the dof before.
    pub fn find_trees(&mut self, m: &Model, i: usize) {
        let tree = Some(m.dof.treeid[DofId::new(i)]);
        let trees = [self.last, tree];
        if trees != self.trees {
            self.trees = trees;
            self.awake.set(m, |t| trees.contains(&Some(t)));
        }
        self.last = tree;
    }

    /// Marks the bodies that a dof moves.
    pub fn mark_bodies(&mut self, m: &Model, dof: DofId) {
        let moved = &mut self.bodies;
        moved.resize(m.body.len(), false);
        moved.as_mut_slice().fill(false);
        let first = m.dof.bodyid[dof];
        moved[first] = true;
        // Children come after their parents.
        for b in first.index() + 1..m.body.len() {
            let b = BodyId::new(b);
            moved[b] = moved[m.body.parentid[b]];
        }
    }
}

/// Whether a tree's poses and velocities say nothing of another's, no force but those of constraints does, and what
/// is computed of one tree has the same bits with the others and without.
pub(super) fn separate_trees(m: &Model, d: &Data) -> bool {
    // Dofs of a row of moment arms.
    let one_tree = |row: (&[Run], &[f64])| {
        let tree = |dof: u32| m.dof.treeid[DofId::new(dof as usize)];
        row.0.windows(2).all(|r| tree(r[0].start) == tree(r[1].start))
            && row.0.iter().all(|r| r.len == 0 || tree(r.start) == tree(r.start + r.len - 1))
    };
    // Motions of dofs are told about the centre of mass of all that hangs from a child of the world.
    let root = |dof: usize| m.body.rootid[m.dof.bodyid[DofId::new(dof)]];
    let tree = |dof: usize| m.dof.treeid[DofId::new(dof)];
    let one_centre = || (1..m.nv()).all(|k| tree(k) == tree(k - 1) || root(k) != root(k - 1));
    let t = &d.smooth.transmissions;
    m.tree.len() > 1
        && one_centre()
        && !m.sensor.r#type.iter().any(|&t| t == SensorType::SubtreeCom)
        && m.tendon.ids().all(|i| m.tendon.treenum[i] == 1 && one_tree(t.ten_J.row(i.index())))
        && m.output.ids().all(|o| one_tree(t.actuator_moment.row(o.index())))
        && m.actuator.trntype.iter().all(|&t| t != TrnType::Body)
        && m.body.gravcomp.iter().all(|&x| x == 0.0)
        && d.hooks.is_none()
        && !sticks(m)
        && d.state.awake.everything()
}
