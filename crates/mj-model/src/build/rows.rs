//! Rows of bodies, joints and degrees of freedom.

use super::JointDef;
use crate::Model;
use crate::enums::*;
use crate::ids::*;
use crate::model::{BodyRow, DofRow, JointRow};
use mj_math::{DQuat, DVec3, quat};

/// Appends a body and its joints to the tables, with coordinates, degrees of freedom, addresses and links. The row has its
/// `mocapid` and the address of its geoms already; the bodies before it must be complete.
pub fn push_body(m: &mut Model, parent: BodyId, body: BodyRow, joints: &[JointDef]) -> BodyId {
    let id = BodyId::new(m.body.len());
    let world = id == BodyId::WORLD;
    let moves = !joints.is_empty() || body.mocapid.is_some();
    let (jnt, dof) = (m.jnt.len(), m.dof.len());
    // The degrees of freedom above are those of the body that the parent is fixed to.
    let mut last = (!world)
        .then(|| m.body.weldid[parent])
        .and_then(|b| m.body.dofadr[b].map(|d| DofId::new(d.index() + m.body.dofnum[b] as usize - 1)));
    for j in joints {
        push_joint(m, id, (body.pos, body.quat), j, &mut last);
    }
    m.body.push(BodyRow {
        parentid: parent,
        rootid: if world || parent == BodyId::WORLD { id } else { m.body.rootid[parent] },
        weldid: if world || moves { id } else { m.body.weldid[parent] },
        jntnum: joints.len() as u32,
        jntadr: (!joints.is_empty()).then(|| JointId::new(jnt)),
        dofnum: (m.dof.len() - dof) as u32,
        dofadr: (m.dof.len() > dof).then(|| DofId::new(dof)),
        ..body
    })
}

/// Appends a joint with its coordinates and degrees of freedom.
fn push_joint(m: &mut Model, body: BodyId, (pos, rot): (DVec3, DQuat), j: &JointDef, last: &mut Option<DofId>) {
    let kind = j.joint.r#type;
    let yields = j.joint.springyield > 0.0;
    let jnt = m.jnt.push(JointRow {
        bodyid: body,
        qposadr: m.qpos0.len() as u32,
        dofadr: DofId::new(m.dof.len()),
        plasticadr: if yields { m.nplastic as i32 } else { -1 },
        ..j.joint.clone()
    });
    if yields {
        m.nplastic += if kind == JointType::Ball { 4 } else { 1 };
    }
    match kind {
        JointType::Free => {
            m.qpos0.extend(pos.to_array());
            m.qpos0.extend(quat::to_wxyz(rot));
        }
        JointType::Ball => m.qpos0.extend([1.0, 0.0, 0.0, 0.0]),
        JointType::Slide | JointType::Hinge => m.qpos0.push(j.reference),
    }
    match kind {
        JointType::Slide | JointType::Hinge => m.qpos_spring.push(j.spring),
        _ => m.qpos_spring.extend_from_slice(&m.qpos0[m.qpos_spring.len()..]),
    }
    for _ in 0..kind.sizes().1 {
        *last = Some(m.dof.push(DofRow { bodyid: body, jntid: jnt, parentid: *last, ..j.dof.clone() }));
    }
}
