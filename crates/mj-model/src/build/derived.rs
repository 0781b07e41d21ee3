//! Fields that follow from bodies and joints: trees, simple inertias, masses of subtrees, sparsity.

use crate::enums::*;
use crate::ids::*;
use crate::model::{Model, TreeRow};
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

/// Which frame of a body an element's frame (position and orientation in the body) shares: the body's own, or
/// the inertial one.
pub fn same_frame((pos, quat): (DVec3, DQuat), (ipos, iquat): (DVec3, DQuat)) -> SameFrame {
    let (null_pos, null_quat) = (same_pos(pos, DVec3::ZERO), same_quat(quat, DQuat::IDENTITY));
    let (com, axes) = (same_pos(pos, ipos), same_quat(quat, iquat));
    match (null_pos, null_quat, com, axes) {
        (true, true, ..) => SameFrame::Body,
        (_, true, ..) => SameFrame::BodyRot,
        (_, _, true, true) => SameFrame::Inertia,
        (_, _, _, true) => SameFrame::InertiaRot,
        _ => SameFrame::None,
    }
}

/// Marks bodies whose block of the inertia matrix is diagonal whatever the configuration, where they may be marked.
pub fn set_simple(m: &mut Model, may: impl Fn(BodyId) -> bool) {
    for b in m.body.ids() {
        let parent = m.body.parentid[b];
        // Moved by its own joints only: its parent is the world, or fixed in the world.
        let near_world =
            m.body.rootid[b] == b || (m.body.parentid[parent] == BodyId::WORLD && m.body.dofnum[parent] == 0);
        let centred = m.body.sameframe[b] == SameFrame::Body;
        let mut simple = centred && near_world && may(b);
        let mut turned = false;
        for j in id_range(m.body.jntadr[b], m.body.jntnum[b]) {
            let along_one = m.jnt.axis[j].to_array().iter().filter(|x| x.abs() > EPS).count() == 1;
            let scalar = matches!(m.jnt.r#type[j], JointType::Slide | JointType::Hinge);
            simple &= !turned && same_pos(m.jnt.pos[j], DVec3::ZERO) && (along_one || !scalar);
            turned |= matches!(m.jnt.r#type[j], JointType::Ball | JointType::Hinge);
        }
        // A body that carries another is not simple.
        if parent != BodyId::WORLD {
            m.body.simple[parent] = 0;
        }
        let mut joints = id_range(m.body.jntadr[b], m.body.jntnum[b]);
        let slides = m.body.dofnum[b] > 0 && joints.all(|j| m.jnt.r#type[j] == JointType::Slide);
        m.body.simple[b] = u8::from(simple) * if slides { 2 } else { 1 };
    }
}

/// Finds the kinematic trees, and the tree of each dof and body.
pub fn set_trees(m: &mut Model) {
    for d in m.dof.ids() {
        if m.dof.parentid[d].is_none() {
            m.tree.push(TreeRow { dofadr: d, ..Default::default() });
        }
        let tree = TreeId::new(m.tree.len() - 1);
        m.dof.treeid[d] = tree;
        m.tree.dofnum[tree] += 1;
    }
    for b in m.body.ids() {
        m.body.treeid[b] = m.body.dofadr[m.body.weldid[b]].map(|d| m.dof.treeid[d]);
        if let Some(t) = m.body.treeid[b] {
            if m.tree.bodynum[t] == 0 {
                m.tree.bodyadr[t] = b;
            }
            m.tree.bodynum[t] += 1;
        }
    }
}

/// Adds up the masses of subtrees.
pub fn set_subtree_masses(m: &mut Model) {
    m.body.subtreemass = m.body.mass.clone();
    for b in m.body.ids().skip(1).rev() {
        let mass = m.body.subtreemass[b];
        m.body.subtreemass[m.body.parentid[b]] += mass;
    }
}

/// Sets the numbers of consecutive simple dofs, and with them the pattern of the inertia matrix.
pub fn set_pattern(m: &mut Model) {
    let mut count = 0;
    for d in m.dof.ids().rev() {
        count = if m.body.simple[m.dof.bodyid[d]] > 0 { count + 1 } else { 0 };
        m.dof.simplenum[d] = count;
    }
    let parent: Vec<Option<usize>> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
    let simple: Vec<bool> = m.dof.simplenum.iter().map(|&n| n > 0).collect();
    m.m_pattern = TreePattern::new(&parent, &simple);
}
