//! Fields that follow from the tables alone, for every configuration.

use mj_math::MINVAL;
use mj_model::model::AddedBy;
use mj_model::*;

/// Fills in masses of subtrees, actuators that add to joints and tendons, sleep policies.
pub(crate) fn set(m: &mut Model) {
    build::set_subtree_masses(m);
    adding_actuators(m);
    sleep_policies(m);
}

/// Scales masses and inertias so that the masses sum to `total`.
pub(crate) fn scale_mass(m: &mut Model, total: f64) {
    let now: f64 = m.body.mass.iter().sum();
    let scale = (total / now.max(MINVAL)).max(MINVAL);
    m.body.mass.iter_mut().for_each(|x| *x *= scale);
    m.body.inertia.iter_mut().for_each(|x| *x *= scale);
}

/// Elements to which an actuator can add damping or armature.
#[derive(PartialEq)]
enum Target {
    Joint(JointId),
    Tendon(TendonId),
}

fn target(m: &Model, a: ActuatorId) -> Option<Target> {
    let i = usize::try_from(m.actuator.trnid[a][0]).ok()?;
    match m.actuator.trntype[a] {
        TrnType::Joint | TrnType::JointInParent => Some(Target::Joint(JointId::new(i))),
        TrnType::Tendon => Some(Target::Tendon(TendonId::new(i))),
        _ => None,
    }
}

/// Whether an actuator adds damping or armature to its target.
fn adds(m: &Model, a: ActuatorId) -> bool {
    m.actuator.damping[a] != 0.0 || m.actuator.dampingpoly[a] != [0.0; 2] || m.actuator.armature[a] != 0.0
}

/// Fills in which actuator adds damping or armature to each joint and tendon.
fn adding_actuators(m: &mut Model) {
    m.jnt.actuatorid.as_mut_slice().fill(AddedBy::None);
    m.tendon.actuatorid.as_mut_slice().fill(AddedBy::None);
    for a in m.actuator.ids() {
        let slot = match target(m, a).filter(|_| adds(m, a)) {
            Some(Target::Joint(j)) => &mut m.jnt.actuatorid[j],
            Some(Target::Tendon(t)) => &mut m.tendon.actuatorid[t],
            None => continue,
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

/// Fills in the trees along tendons.
pub(crate) fn tendon_trees(m: &mut Model) {
    for t in m.tendon.ids() {
        let trees = trees_of(m, t);
        m.tendon.treenum.edit()[t] = trees.len() as i32;
        for (slot, tree) in m.tendon.treeid.edit()[t].iter_mut().zip(&trees) {
            *slot = tree.index() as i32;
        }
    }
}

/// Returns whether a tendon couples trees so that none of them may sleep alone: more than two, or two by a spring or a
/// damper.
fn couples(m: &Model, t: TendonId) -> bool {
    let n = &m.tendon;
    let loose = n.stiffness[t] == 0.0
        && n.stiffnesspoly[t] == [0.0; 2]
        && n.damping[t] == 0.0
        && n.dampingpoly[t] == [0.0; 2]
        && !m.actuator.ids().any(|a| adds(m, a) && target(m, a) == Some(Target::Tendon(t)));
    n.treenum[t] > 2 || n.treenum[t] == 2 && !loose
}

/// Finds the trees that may sleep by the author's word, though a tendon couples them with others.
pub(crate) fn wrong_sleepers(m: &Model) -> impl Iterator<Item = (TreeId, TendonId)> {
    let by_order = |m: &Model, t: TreeId| matches!(m.tree.sleep_policy[t], SleepPolicy::Allowed | SleepPolicy::Init);
    m.tendon
        .ids()
        .filter(|&t| couples(m, t))
        .flat_map(move |t| trees_of(m, t).into_iter().filter(move |&tree| by_order(m, tree)).map(move |tree| (tree, t)))
}

/// Trees of flexes that neither an equality constraint nor elasticity nor passive contacts hold.
fn flex_trees(m: &Model) -> impl Iterator<Item = TreeId> {
    let held = |f: FlexId| m.flex.edgeequality[f] != 0 || m.flex_is_elastic(f) || m.flex_is_passive(f);
    let free = m.flex.ids().filter(move |&f| !held(f));
    let bodies = free.flat_map(|f| {
        let (nodes, verts) = (m.flex.nodeadr[f] as usize, m.flex.vertadr[f] as usize);
        let nodes = m.flex_data.nodebodyid[nodes..nodes + m.flex.nodenum[f] as usize].iter().copied();
        let verts = m.flex_data.vertbodyid[verts..verts + m.flex.vertnum[f] as usize].iter().copied().flatten();
        nodes.chain(verts)
    });
    bodies.filter_map(|b| m.body.treeid[b])
}

/// Decides which trees may sleep, where the author left it open: not those that actuators move, nor
/// those that a tendon couples with others.
fn sleep_policies(m: &mut Model) {
    let open = |p: SleepPolicy| !matches!(p, SleepPolicy::Never | SleepPolicy::Allowed | SleepPolicy::Init);
    for policy in m.tree.sleep_policy.iter_mut().filter(|p| open(**p)) {
        *policy = SleepPolicy::AutoAllowed;
    }
    let mut kept_awake: Vec<TreeId> = m.tendon.ids().filter(|&t| couples(m, t)).flat_map(|t| trees_of(m, t)).collect();
    for a in m.actuator.ids() {
        let [first, second] = m.actuator.trnid[a];
        let Ok(i) = usize::try_from(first) else { continue };
        let body = match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => m.jnt.bodyid[JointId::new(i)],
            TrnType::So3 if second < 0 => m.jnt.bodyid[JointId::new(i)],
            TrnType::Site | TrnType::SliderCrank | TrnType::So3 => m.site.bodyid[SiteId::new(i)],
            TrnType::Body => BodyId::new(i),
            TrnType::Tendon => {
                kept_awake.extend(trees_of(m, TendonId::new(i)));
                continue;
            }
            TrnType::Undefined => continue,
        };
        kept_awake.extend(m.body.treeid[body]);
    }
    kept_awake.extend(flex_trees(m));
    for tree in kept_awake {
        if open(m.tree.sleep_policy[tree]) {
            m.tree.sleep_policy[tree] = SleepPolicy::AutoNever;
        }
    }
}
