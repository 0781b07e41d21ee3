//! Kinematic trees that have come to rest are left out of the pipeline until something disturbs them.
//!
//! Trees fall asleep together with all that constraints tie them to, after [`MIN_AWAKE`] steps below
//! the velocity `sleep_tolerance`, and wake together. While they sleep, everything that was computed
//! of them stays as it was, so that they go on as if they had been awake.
//!
//! Manual: Computation, "Sleeping islands"; Simulation, "Sleeping islands".

mod fall;
mod wake;

pub(crate) use fall::fall_asleep;
pub(crate) use wake::{by_contacts, by_equalities, by_tendons, by_touch};

use crate::data::Data;
use crate::pipeline::{Known, evaluate};
use mj_math::{DQuat, DVec3};
use mj_model::*;
use std::ops::Range;

/// Steps for which a tree stays awake at least (`mjMINAWAKE`).
pub const MIN_AWAKE: i32 = 10;

/// Count of a tree that has just been disturbed.
const DISTURBED: i32 = -(1 + MIN_AWAKE);

/// Count of a tree that has been slow for long enough.
const READY: i32 = -1;

/// Which trees sleep, and what woke or will wake them.
#[derive(Clone, Debug, Default)]
pub struct Sleep {
    /// For each tree that is awake, a negative count that goes up to −1 while the tree is slow; for
    /// one that sleeps, the next of those it sleeps with: they form a ring.
    pub tree_asleep: IdVec<TreeId, i32>,
    /// Where the coordinates of each tree are.
    qpos: IdVec<TreeId, Range<usize>>,
    /// Coordinates with which the sleeping trees fell asleep, nq.
    kept: Vec<f64>,
    /// Pose of the mocap body from which a sleeping tree hangs.
    carrier: IdVec<TreeId, Option<(DVec3, DQuat)>>,
    /// Scratch: root of each tree in the forest of trees that constraints tie together; the trees of
    /// an island.
    root: Vec<u32>,
    island: Vec<TreeId>,
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

    /// Number of trees that sleep.
    pub fn count(&self) -> usize {
        self.tree_asleep.iter().filter(|&&a| a >= 0).count()
    }
}

/// Tells the stages which trees are awake.
pub(crate) fn publish(m: &Model, d: &mut Data) {
    let asleep = &d.sleep.tree_asleep;
    d.state.awake.set(m, |t| asleep[t] < 0);
}

/// Pose of the mocap body that carries a tree, if one does.
fn carrier(m: &Model, s: &State, t: TreeId) -> Option<(DVec3, DQuat)> {
    let mocap = m.body.mocapid[m.body.rootid[m.tree.bodyadr[t]]]?;
    Some((s.mocap_pos[mocap], s.mocap_quat[mocap]))
}

/// Whether nothing keeps a tree from sleeping at the velocity `tolerance`: its policy, applied
/// forces, its velocity. Zero is tested by its bits, so that a negative zero disturbs too.
fn can_sleep(m: &Model, s: &State, t: TreeId, tolerance: f64) -> bool {
    let still = |x: &f64| x.to_bits() == 0;
    let first = m.tree.bodyadr[t].index();
    let dofs = m.tree.dofadr[t].index()..m.tree.dofadr[t].index() + m.tree.dofnum[t] as usize;
    let bodies = first..first + m.tree.bodynum[t] as usize;
    if matches!(m.tree.sleep_policy[t], SleepPolicy::Never | SleepPolicy::AutoNever)
        || !s.xfrc_applied.as_slice()[bodies].as_flattened().iter().all(still)
        || !s.qfrc_applied[dofs.clone()].iter().all(still)
    {
        return false;
    }
    let qvel = &s.qvel[dofs.clone()];
    if tolerance == 0.0 {
        qvel.iter().all(still)
    } else {
        qvel.iter().zip(&m.dof.length.as_slice()[dofs]).all(|(v, length)| length * v.abs() < tolerance)
    }
}

/// All trees awake but, where sleeping is on, those that the model wants to begin asleep. Those of
/// them that can't sleep, since they touch or are tied to others that don't, stay awake.
pub(crate) fn reset(m: &Model, d: &mut Data) {
    d.sleep.tree_asleep.as_mut_slice().fill(DISTURBED);
    d.state.awake.wake_all(m);
    let begins_asleep = |t: TreeId| m.tree.sleep_policy[t] == SleepPolicy::Init;
    if !m.opt.enabled(enable::SLEEP) || !m.tree.ids().any(begins_asleep) {
        return;
    }
    evaluate(m, d, Known::Nothing, true);
    for t in m.tree.ids().filter(|&t| begins_asleep(t)) {
        d.sleep.tree_asleep[t] = READY;
    }
    fall_asleep(m, d);
    for t in m.tree.ids().filter(|&t| begins_asleep(t)) {
        if !d.sleep.is_asleep(t) {
            d.sleep.tree_asleep[t] = DISTURBED;
        }
    }
    publish(m, d);
    d.smooth.actuation.qacc_smooth.fill(0.0);
    d.smooth.actuation.qfrc_smooth.fill(0.0);
    d.contacts.list.clear();
    d.rows.clear(m);
}

/// Trees that the model wants to begin asleep and that are awake.
pub(crate) fn reluctant(m: &Model, d: &Data) -> impl Iterator<Item = TreeId> {
    m.tree.ids().filter(|&t| m.tree.sleep_policy[t] == SleepPolicy::Init && !d.sleep.is_asleep(t))
}
