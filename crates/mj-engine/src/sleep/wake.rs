//! Waking: by whoever moves or pushes a tree, and by what is awake already.

use super::{can_sleep, carrier, publish};
use crate::data::{DISTURBED, Data};
use mj_model::*;

/// Wakes a sleeping tree and those it sleeps with, with the count `value`; disturbs one that is awake.
fn wake(d: &mut Data, t: TreeId, value: i32) {
    let asleep = &mut d.sleep.tree_asleep;
    if asleep[t] < 0 {
        asleep[t] = asleep[t].min(value);
        return;
    }
    let mut at = t;
    while let Ok(next) = usize::try_from(asleep[at]) {
        asleep[at] = value;
        at = TreeId::new(next);
    }
}

/// Wakes trees whose coordinates or carrier somebody moved, or to which they gave a velocity or a
/// force; all of them if sleeping has been switched off. Comes first in the position stage.
pub(crate) fn by_touch(m: &Model, d: &mut Data) {
    let on = m.opt.enabled(enable::SLEEP);
    if !on && d.state.awake.everything() {
        return;
    }
    for t in m.tree.ids() {
        if d.sleep.is_asleep(t) && (!on || is_touched(m, d, t)) {
            wake(d, t, DISTURBED);
        }
    }
    // The state may have been replaced, too, by one in which others sleep.
    if m.tree.ids().any(|t| d.state.awake.tree(t) == d.sleep.is_asleep(t)) {
        publish(m, d);
    }
}

fn is_touched(m: &Model, d: &Data, t: TreeId) -> bool {
    let coordinates = d.sleep.qpos[t].clone();
    d.state.qpos[coordinates.clone()] != d.sleep.kept[coordinates]
        || d.sleep.carrier[t] != carrier(m, &d.state, t)
        || !can_sleep(m, &d.state, t, 0.0)
}

/// Wakes trees that something awake touches. Returns whether any woke: there may be more contacts
/// then.
pub(crate) fn by_contacts(m: &Model, d: &mut Data) -> bool {
    if d.state.awake.everything() {
        return false;
    }
    let mut woke = false;
    for i in 0..d.contacts.list.len() {
        let [a, b] = d.contacts.list[i].bodies(m);
        woke |= wake_other(m, d, a, b) || wake_other(m, d, b, a);
    }
    if woke {
        publish(m, d);
    }
    woke
}

/// Wakes the tree of `other` if it sleeps and body `by` is awake; for as long as that, too, has to
/// go on.
fn wake_other(m: &Model, d: &mut Data, by: BodyId, other: BodyId) -> bool {
    let Some(sleeper) = m.body.treeid[other].filter(|&t| !d.state.awake.tree(t)) else { return false };
    if d.state.awake.body(by) != SleepState::Awake {
        return false;
    }
    let value = m.body.treeid[by].map_or(DISTURBED, |t| d.sleep.tree_asleep[t]);
    wake(d, sleeper, value);
    true
}

/// Wakes trees that a tendon at its limit ties to one that is awake.
pub(crate) fn by_tendons(m: &Model, d: &mut Data) {
    if d.state.awake.everything() {
        return;
    }
    let mut woke = false;
    for t in m.tendon.ids().filter(|&t| m.tendon.treenum[t] == 2 && m.tendon.limited[t]) {
        let (length, [low, high]) = (d.smooth.transmissions.ten_length[t], m.tendon.range[t]);
        if (length - low).min(high - length) < m.tendon.margin[t] {
            let trees = m.tendon.treeid[t].map(|t| TreeId::new(t.max(0) as usize));
            woke |= wake_one_by_other(d, trees);
        }
    }
    if woke {
        publish(m, d);
    }
}

/// Wakes one of two trees if it sleeps and the other doesn't.
fn wake_one_by_other(d: &mut Data, [a, b]: [TreeId; 2]) -> bool {
    let awake = &d.state.awake;
    if awake.tree(a) == awake.tree(b) {
        return false;
    }
    let (by, sleeper) = if awake.tree(a) { (a, b) } else { (b, a) };
    let value = d.sleep.tree_asleep[by];
    wake(d, sleeper, value);
    true
}

/// Wakes trees that an active equality constraint ties to something awake, or that have slept apart
/// while it wasn't active.
pub(crate) fn by_equalities(m: &Model, d: &mut Data) {
    if d.state.awake.everything() {
        return;
    }
    let mut woke = false;
    for e in m.eq.ids() {
        if !d.state.eq_active[e] {
            continue;
        }
        let object = |id: i32| usize::try_from(id).unwrap_or(0);
        if matches!(m.eq.r#type[e], EqType::Flex | EqType::FlexVert | EqType::FlexStrain) {
            let (plan, f) = (d.plan.flexes.clone(), FlexId::new(object(m.eq.obj1id[e])));
            woke |= wake_all(d, || plan.trees(m, f));
            continue;
        }
        if m.eq.obj2id[e] < 0 {
            continue;
        }
        let (i, j) = (object(m.eq.obj1id[e]), object(m.eq.obj2id[e]));
        let bodies = match m.eq.r#type[e] {
            EqType::Connect | EqType::Weld if m.eq.objtype[e] == ObjType::Site => {
                [i, j].map(|s| m.site.bodyid[SiteId::new(s)])
            }
            EqType::Connect | EqType::Weld => [i, j].map(BodyId::new),
            EqType::Joint => [i, j].map(|k| m.jnt.bodyid[JointId::new(k)]),
            EqType::Tendon => {
                woke |= wake_tendons(m, d, [i, j].map(TendonId::new));
                continue;
            }
            _ => continue,
        };
        woke |= wake_tied(m, d, bodies);
    }
    if woke {
        publish(m, d);
    }
}

/// Wakes what sleeps of two bodies that a constraint ties together, unless they sleep together.
fn wake_tied(m: &Model, d: &mut Data, bodies: [BodyId; 2]) -> bool {
    let states = bodies.map(|b| d.state.awake.body(b));
    let trees = bodies.map(|b| m.body.treeid[b]);
    let asleep = states.map(|s| s == SleepState::Asleep);
    if asleep == [false; 2] || states.contains(&SleepState::Static) || trees[0] == trees[1] {
        return false;
    }
    if let ([true, true], [Some(a), Some(b)]) = (asleep, trees)
        && sleep_together(d, a, b)
    {
        return false;
    }
    for (tree, _) in trees.into_iter().zip(asleep).filter(|(_, asleep)| *asleep) {
        if let Some(t) = tree {
            wake(d, t, DISTURBED);
        }
    }
    true
}

/// Wakes the sleeping trees of two coupled tendons if any of their trees is awake.
fn wake_tendons(m: &Model, d: &mut Data, tendons: [TendonId; 2]) -> bool {
    let trees = || {
        let of = |t: TendonId| m.tendon.treeid[t].into_iter().take(usize::try_from(m.tendon.treenum[t]).unwrap_or(0));
        tendons.into_iter().flat_map(of).filter_map(|t| usize::try_from(t).ok()).map(TreeId::new)
    };
    wake_all(d, trees)
}

/// Wakes those trees that sleep if any of them is awake.
fn wake_all<I: Iterator<Item = TreeId>>(d: &mut Data, trees: impl Fn() -> I) -> bool {
    if !trees().any(|t| d.state.awake.tree(t)) {
        return false;
    }
    let mut woke = false;
    for t in trees() {
        if !d.state.awake.tree(t) {
            wake(d, t, DISTURBED);
            woke = true;
        }
    }
    woke
}

/// Whether two sleeping trees are in one ring.
fn sleep_together(d: &Data, a: TreeId, b: TreeId) -> bool {
    let mut at = a;
    for _ in 0..d.sleep.tree_asleep.len() {
        if at == b {
            return true;
        }
        let Ok(next) = usize::try_from(d.sleep.tree_asleep[at]) else { return false };
        at = TreeId::new(next);
    }
    false
}
