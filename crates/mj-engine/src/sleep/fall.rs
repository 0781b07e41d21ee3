//! Falling asleep.

use super::{can_sleep, carrier};
use crate::data::{DISTURBED, Data, READY};
use mj_model::*;

/// Counts the steps for which trees have been slow, and puts to sleep the islands all of whose trees
/// have been for long enough: their velocities become zero. Returns whether any fell asleep; what
/// depends on velocity is to be computed again then.
pub(crate) fn fall_asleep(m: &Model, d: &mut Data) -> bool {
    if !m.opt.enabled(enable::SLEEP) {
        return false;
    }
    // Without islands nobody knows who is tied to whom.
    if d.rows.nefc() > 0 && m.opt.disabled(disable::ISLAND) {
        return false;
    }
    let mut ready = false;
    let implicit = m.opt.integrator == IntegratorType::Discrete;
    for t in m.tree.ids().filter(|&t| d.state.awake.tree(t)) {
        let count = &mut d.sleep.tree_asleep[t];
        let alone = implicit || !d.plan.flexes.elastic_trees[t];
        *count =
            if alone && can_sleep(m, &d.state, t, m.opt.sleep_tolerance) { (*count + 1).min(READY) } else { DISTURBED };
        ready |= *count == READY;
    }
    if !ready {
        return false;
    }
    tie(m, d);
    let mut any = false;
    for t in m.tree.ids() {
        // Each island once: at its first tree.
        if d.sleep.root[t.index()] == t.index() as u32 && d.state.awake.tree(t) {
            any |= sleep_island(m, d, t);
        }
    }
    any
}

/// Finds which trees constraints, elastic flexes and passive contacts tie together: sets the first tree of its island as
/// each tree's root.
fn tie(m: &Model, d: &mut Data) {
    let root = &mut d.sleep.root;
    root.clear();
    root.extend(0..m.tree.len() as u32);
    let tree = |dof: u32| m.dof.treeid[DofId::new(dof as usize)].index() as u32;
    for jac in [&d.rows.jac, &d.rows.passive.jac] {
        for block in jac.blocks() {
            let runs = jac.runs(block).iter();
            unite(root, runs.flat_map(|run| tree(run.start)..=tree(run.start + run.len - 1)));
        }
    }
    for f in m.flex.ids().filter(|&f| mj_deformable::is_stiff(m, f)) {
        unite(root, d.plan.flexes.trees(m, f).map(|t| t.index() as u32));
    }
    for t in 0..root.len() as u32 {
        root[t as usize] = find(root, t);
    }
}

/// Gives trees one root, the least of theirs.
fn unite(root: &mut [u32], trees: impl Iterator<Item = u32>) {
    let mut first = None;
    for t in trees {
        let other = find(root, *first.get_or_insert(t));
        let this = find(root, t);
        root[other.max(this) as usize] = other.min(this);
    }
}

/// Root of tree `t`, halving its path.
fn find(root: &mut [u32], mut t: u32) -> u32 {
    while root[t as usize] != t {
        root[t as usize] = root[root[t as usize] as usize];
        t = root[t as usize];
    }
    t
}

/// Puts the island that begins with tree `first` to sleep if all of it is ready.
fn sleep_island(m: &Model, d: &mut Data, first: TreeId) -> bool {
    let sleep = &mut d.sleep;
    sleep.island.clear();
    let later = (first.index()..m.tree.len()).map(TreeId::new);
    sleep.island.extend(later.filter(|t| sleep.root[t.index()] == first.index() as u32));
    if sleep.island.iter().any(|&t| sleep.tree_asleep[t] != READY) {
        return false;
    }
    for (i, &t) in sleep.island.iter().enumerate() {
        let next = sleep.island[(i + 1) % sleep.island.len()];
        sleep.tree_asleep[t] = next.index() as i32;
        sleep.carrier[t] = carrier(m, &d.state, t);
        let coordinates = sleep.qpos[t].clone();
        sleep.kept[coordinates.clone()].copy_from_slice(&d.state.qpos[coordinates]);
        let dofs = m.tree.dofadr[t].index()..m.tree.dofadr[t].index() + m.tree.dofnum[t] as usize;
        d.state.qvel[dofs.clone()].fill(0.0);
        d.qacc[dofs].fill(0.0);
    }
    true
}
