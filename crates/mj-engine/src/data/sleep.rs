//! Which trees sleep.

use mj_math::{DQuat, DVec3};
use mj_model::*;
use std::ops::Range;

/// Steps for which a tree stays awake at least (`mjMINAWAKE`).
pub const MIN_AWAKE: i32 = 10;

/// Count of a tree that has just been disturbed.
pub(crate) const DISTURBED: i32 = -(1 + MIN_AWAKE);

/// Count of a tree that has been slow for long enough.
pub(crate) const READY: i32 = -1;

/// Which trees sleep, and what woke or will wake them.
#[derive(Clone, Debug, Default)]
pub struct Sleep {
    /// For each tree that is awake, a negative count that goes up to −1 while the tree is slow; for
    /// one that sleeps, the next of those it sleeps with: they form a ring.
    pub tree_asleep: IdVec<TreeId, i32>,
    /// Where the coordinates of each tree are.
    pub(crate) qpos: IdVec<TreeId, Range<usize>>,
    /// Coordinates with which the sleeping trees fell asleep, nq.
    pub(crate) kept: Vec<f64>,
    /// Pose of the mocap body from which a sleeping tree hangs.
    pub(crate) carrier: IdVec<TreeId, Option<(DVec3, DQuat)>>,
    /// Scratch: root of each tree in the forest of trees that constraints tie together; the trees of
    /// an island.
    pub(crate) root: Vec<u32>,
    pub(crate) island: Vec<TreeId>,
}

impl Sleep {
    pub(crate) fn new(m: &Model) -> Self {
        let coordinates = |t: TreeId| {
            let dofs = m.tree.dofadr[t].index()..m.tree.dofadr[t].index() + m.tree.dofnum[t] as usize;
            let joint = |d: usize| m.dof.jntid[DofId::new(d)];
            if dofs.is_empty() {
                return 0..0;
            }
            // Up to the coordinates of the joint after the last.
            let next = m.jnt.qposadr.as_slice().get(joint(dofs.end - 1).index() + 1);
            m.jnt.qposadr[joint(dofs.start)] as usize..next.map_or(m.nq(), |&q| q as usize)
        };
        Self {
            tree_asleep: m.tree.ids().map(|_| DISTURBED).collect(),
            qpos: m.tree.ids().map(coordinates).collect(),
            kept: m.qpos0.clone(),
            carrier: m.tree.ids().map(|_| None).collect(),
            root: Vec::new(),
            island: Vec::new(),
        }
    }

    /// Whether a tree sleeps.
    pub fn is_asleep(&self, t: TreeId) -> bool {
        self.tree_asleep[t] >= 0
    }

    /// Coordinates with which the sleeping trees fell asleep, nq.
    pub fn kept(&self) -> &[f64] {
        &self.kept
    }

    /// Number of trees that sleep.
    pub fn count(&self) -> usize {
        self.tree_asleep.iter().filter(|&&a| a >= 0).count()
    }
}
