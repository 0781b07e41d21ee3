//! Fields that follow from bodies and joints: trees, simple inertias, masses of subtrees, sparsity.

use crate::Model;
use crate::enums::*;
use crate::ids::*;
use crate::model::TreeRow;
use mj_math::{DQuat, DVec3, TreePattern};

/// Frames closer than this, number by number, count as the same.
const SAME: f64 = 1e-6;
/// Components of an axis below this count as zero.
const EPS: f64 = 1e-14;

fn same_pos(a: DVec3, b: DVec3) -> bool {
    (a - b).abs().max_element() < SAME
}

fn same_quat(a: DQuat, b: DQuat) -> bool {
    let near = |q: DQuat| [q.x, q.y, q.z, q.w].iter().all(|c| c.abs() < SAME);
    near(a - b) || near(a + b)
}

/// Returns which frame of its body the inertial frame of a body shares.
pub fn inertial_sameframe(m: &Model, b: BodyId) -> SameFrame {
    match (same_pos(m.body.ipos[b], DVec3::ZERO), same_quat(m.body.iquat[b], DQuat::IDENTITY)) {
        (true, true) => SameFrame::Body,
        (_, true) => SameFrame::BodyRot,
        _ => SameFrame::None,
    }
}

/// Returns which frame of body `b` a geom or site of that pose shares: the body's own, or the inertial one.
fn child_sameframe(m: &Model, b: BodyId, pos: DVec3, quat: DQuat) -> SameFrame {
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

/// Fills in the frames that bodies, geoms and sites share (`sameframe`), from their poses.
pub fn set_sameframes(m: &mut Model) {
    for b in m.body.ids() {
        m.body.sameframe[b] = inertial_sameframe(m, b);
    }
    for g in m.geom.ids() {
        m.geom.sameframe[g] = child_sameframe(m, m.geom.bodyid[g], m.geom.pos[g], m.geom.quat[g]);
    }
    for s in m.site.ids() {
        m.site.sameframe[s] = child_sameframe(m, m.site.bodyid[s], m.site.pos[s], m.site.quat[s]);
    }
}

/// Marks bodies whose block of the inertia matrix is diagonal whatever the configuration (`body_simple`): those among them
/// for which `allowed` is true.
pub fn set_simple(m: &mut Model, allowed: impl Fn(BodyId) -> bool) {
    for b in m.body.ids() {
        let parent = m.body.parentid[b];
        // Moved by its own joints only: its parent is the world, or fixed in the world.
        let near_world =
            m.body.rootid[b] == b || (m.body.parentid[parent] == BodyId::WORLD && m.body.dofnum[parent] == 0);
        let centred = inertial_sameframe(m, b) == SameFrame::Body;
        let mut simple = centred && near_world && allowed(b);
        let mut turned = false;
        for j in id_range(m.body.jntadr[b], m.body.jntnum[b]) {
            let along_one = m.jnt.axis[j].to_array().iter().filter(|x| x.abs() > EPS).count() == 1;
            let scalar = matches!(m.jnt.r#type[j], JointType::Slide | JointType::Hinge);
            simple &= !turned && same_pos(m.jnt.pos[j], DVec3::ZERO) && (along_one || !scalar);
            turned |= matches!(m.jnt.r#type[j], JointType::Ball | JointType::Hinge);
        }
        // A body that carries another is not simple.
        if parent != BodyId::WORLD {
            m.body.simple.edit()[parent] = 0;
        }
        let mut joints = id_range(m.body.jntadr[b], m.body.jntnum[b]);
        let slides = m.body.dofnum[b] > 0 && joints.all(|j| m.jnt.r#type[j] == JointType::Slide);
        m.body.simple.edit()[b] = u8::from(simple) * if slides { 2 } else { 1 };
    }
}

/// Appends the kinematic trees, and fills in the tree of each dof and body.
pub fn set_trees(m: &mut Model) {
    for d in m.dof.ids() {
        if m.dof.parentid[d].is_none() {
            m.tree.push(TreeRow { dofadr: d, ..Default::default() });
        }
        let tree = TreeId::new(m.tree.len() - 1);
        m.dof.treeid.edit()[d] = tree;
        m.tree.dofnum.edit()[tree] += 1;
    }
    for b in m.body.ids() {
        m.body.treeid.edit()[b] = m.body.dofadr[m.body.weldid[b]].map(|d| m.dof.treeid[d]);
        if let Some(t) = m.body.treeid[b] {
            if m.tree.bodynum[t] == 0 {
                m.tree.bodyadr.edit()[t] = b;
            }
            m.tree.bodynum.edit()[t] += 1;
        }
    }
}

/// Fills in the masses of subtrees.
pub fn set_subtree_masses(m: &mut Model) {
    m.body.subtreemass = m.body.mass.clone();
    for b in m.body.ids().skip(1).rev() {
        let mass = m.body.subtreemass[b];
        m.body.subtreemass[m.body.parentid[b]] += mass;
    }
}

/// Fills in the numbers of consecutive simple dofs, and with them the pattern of the joint-space inertia.
pub fn set_pattern(m: &mut Model) {
    let mut count = 0;
    for d in m.dof.ids().rev() {
        count = if m.body.simple[m.dof.bodyid[d]] > 0 { count + 1 } else { 0 };
        m.dof.simplenum.edit()[d] = count;
    }
    let parent: Vec<Option<usize>> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
    let simple: Vec<bool> = m.dof.simplenum.iter().map(|&n| n > 0).collect();
    m.m_pattern = TreePattern::new(&parent, &simple).into();
}
