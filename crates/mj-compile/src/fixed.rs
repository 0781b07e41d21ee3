//! What follows from the tables alone, whatever the configuration.

use crate::context::Context;
use mj_math::MINVAL;
use mj_model::*;

/// Fills in masses of subtrees, actuators that add to joints and tendons, trees of tendons, sleep
/// policies.
pub(crate) fn set(cx: &mut Context, m: &mut Model) {
    if cx.compiler.settotalmass > 0.0 {
        scale_mass(m, cx.compiler.settotalmass);
    }
    build::set_subtree_masses(m);
    adding_actuators(m);
    tendon_trees(m);
    sleep_policies(cx, m);
}

/// Scales masses and inertias so that the masses sum to `total`.
fn scale_mass(m: &mut Model, total: f64) {
    let now: f64 = m.body.mass.iter().sum();
    let scale = (total / now.max(MINVAL)).max(MINVAL);
    m.body.mass.iter_mut().for_each(|x| *x *= scale);
    m.body.inertia.iter_mut().for_each(|x| *x *= scale);
}

/// Which actuator adds damping or armature to each joint and tendon.
fn adding_actuators(m: &mut Model) {
    for a in m.actuator.ids() {
        let adds =
            m.actuator.damping[a] != 0.0 || m.actuator.dampingpoly[a] != [0.0; 2] || m.actuator.armature[a] != 0.0;
        let Ok(target) = usize::try_from(m.actuator.trnid[a][0]) else { continue };
        if !adds {
            continue;
        }
        let slot = match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => &mut m.jnt.actuatorid[JointId::new(target)],
            TrnType::Tendon => &mut m.tendon.actuatorid[TendonId::new(target)],
            _ => continue,
        };
        *slot = slot.and(a);
    }
}

/// Tree of the body that a path object lies on.
fn wrap_tree(m: &Model, w: WrapId) -> Option<TreeId> {
    let i = usize::try_from(m.wrap.objid[w]).ok()?;
    let body = match m.wrap.r#type[w] {
        WrapType::Joint => m.jnt.bodyid[JointId::new(i)],
        WrapType::Site => m.site.bodyid[SiteId::new(i)],
        WrapType::Sphere | WrapType::Cylinder => m.geom.bodyid[GeomId::new(i)],
        WrapType::None | WrapType::Pulley => return None,
    };
    m.body.treeid[body]
}

/// Trees along a tendon, each once, in the order of the path.
fn trees_of(m: &Model, t: TendonId) -> Vec<TreeId> {
    let mut trees = Vec::new();
    for tree in id_range(Some(m.tendon.adr[t]), m.tendon.num[t]).filter_map(|w| wrap_tree(m, w)) {
        if !trees.contains(&tree) {
            trees.push(tree);
        }
    }
    trees
}

fn tendon_trees(m: &mut Model) {
    for t in m.tendon.ids() {
        let trees = trees_of(m, t);
        m.tendon.treenum[t] = trees.len() as i32;
        for (slot, tree) in m.tendon.treeid[t].iter_mut().zip(&trees) {
            *slot = tree.index() as i32;
        }
    }
}

/// Decides which trees may sleep, where the author left it open: not those that actuators move, nor
/// those that a tendon couples with others.
fn sleep_policies(cx: &mut Context, m: &mut Model) {
    let keep_awake = |m: &mut Model, tree: Option<TreeId>| {
        if let Some(policy) = tree.map(|t| &mut m.tree.sleep_policy[t])
            && *policy == SleepPolicy::Auto
        {
            *policy = SleepPolicy::AutoNever;
        }
    };
    for a in m.actuator.ids() {
        let [first, second] = m.actuator.trnid[a];
        let Ok(i) = usize::try_from(first) else { continue };
        let body = match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => m.jnt.bodyid[JointId::new(i)],
            TrnType::So3 if second < 0 => m.jnt.bodyid[JointId::new(i)],
            TrnType::Site | TrnType::SliderCrank | TrnType::So3 => m.site.bodyid[SiteId::new(i)],
            TrnType::Body => BodyId::new(i),
            TrnType::Tendon => {
                for tree in trees_of(m, TendonId::new(i)) {
                    keep_awake(m, Some(tree));
                }
                continue;
            }
            TrnType::Undefined => continue,
        };
        keep_awake(m, m.body.treeid[body]);
    }

    for t in m.tendon.ids() {
        let trees = trees_of(m, t);
        let n = &m.tendon;
        let loose = n.stiffness[t] == 0.0
            && n.stiffnesspoly[t] == [0.0; 2]
            && n.damping[t] == 0.0
            && n.dampingpoly[t] == [0.0; 2]
            && n.actuatorid[t].is_none();
        if trees.len() < 2 || trees.len() == 2 && loose {
            continue;
        }
        for tree in trees {
            if matches!(m.tree.sleep_policy[tree], SleepPolicy::Allowed | SleepPolicy::Init) {
                let body = cx.names.describe(ObjType::Body, m.tree.bodyadr[tree].index());
                let tendon = cx.names.describe(ObjType::Tendon, t.index());
                let loc = cx.spec.tendons.get(t.index()).map_or(Loc::NONE, |t| t.loc);
                cx.error(loc, format!("{body} may not sleep, because {tendon} couples its tree with others"));
            }
            keep_awake(m, Some(tree));
        }
    }
    for policy in m.tree.sleep_policy.iter_mut().filter(|p| **p == SleepPolicy::Auto) {
        *policy = SleepPolicy::AutoAllowed;
    }
}
