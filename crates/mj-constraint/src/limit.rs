//! Limits of joints and tendons: a row for each side within its margin.

use crate::equality::push_scaled;
use crate::make::{Builder, Params};
use mj_math::block::Run;
use mj_math::{DVec3, quat};
use mj_model::*;

/// Adds a row for every limit that is near.
pub(crate) fn add(b: &mut Builder) {
    let m = b.c.m;
    for j in m.jnt.ids() {
        if m.jnt.limited[j] {
            match m.jnt.r#type[j] {
                JointType::Slide | JointType::Hinge => scalar_joint(b, j),
                JointType::Ball => ball(b, j),
                JointType::Free => {}
            }
        }
    }
    for t in m.tendon.ids() {
        if m.tendon.limited[t] {
            tendon(b, t);
        }
    }
}

/// (distance to the limit, sign of the Jacobian) for the lower and the upper limit.
fn sides(range: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(value - range[0], 1.0), (range[1] - value, -1.0)]
}

fn scalar_joint(b: &mut Builder, j: JointId) {
    let m = b.c.m;
    let value = b.c.s.qpos[m.jnt.qposadr[j] as usize];
    for (dist, sign) in sides(m.jnt.range[j], value) {
        if dist < m.jnt.margin[j] {
            let start = m.jnt.dofadr[j].index() as u32;
            b.rows.jac.push(1, &[Run { start, len: 1 }])[0] = sign;
            push_joint(b, j, dist);
        }
    }
}

/// A ball joint's angle of rotation is limited: one row along the axis of rotation.
fn ball(b: &mut Builder, j: JointId) {
    let m = b.c.m;
    let q = quat::read(&b.c.s.qpos[m.jnt.qposadr[j] as usize..]);
    let rotation = quat::log(quat::normalize(q));
    let angle = rotation.length();
    let axis = if angle < mj_math::MINVAL { DVec3::X } else { rotation / angle };
    let [low, high] = m.jnt.range[j];
    let dist = low.max(high) - angle;
    if dist < m.jnt.margin[j] {
        let start = m.jnt.dofadr[j].index() as u32;
        b.rows.jac.push(1, &[Run { start, len: 3 }]).copy_from_slice(&(-axis).to_array());
        push_joint(b, j, dist);
    }
}

fn push_joint(b: &mut Builder, j: JointId, dist: f64) {
    let m = b.c.m;
    let margin = m.jnt.margin[j];
    let p = Params {
        r#type: ConstraintType::LimitJoint,
        id: j.index(),
        solref: m.jnt.solref[j],
        solimp: m.jnt.solimp[j],
        violation: dist - margin,
        margin,
        frictionloss: 0.0,
    };
    b.push(&p, [(dist, m.dof.invweight0[m.jnt.dofadr[j]])]);
}

fn tendon(b: &mut Builder, t: TendonId) {
    let (m, trans) = (b.c.m, b.c.trans);
    let margin = m.tendon.margin[t];
    for (dist, sign) in sides(m.tendon.range[t], trans.ten_length[t]) {
        if dist < margin && !trans.ten_J.row(t.index()).0.is_empty() {
            push_scaled(&mut b.rows.jac, &trans.ten_J, t.index(), sign);
            let p = Params {
                r#type: ConstraintType::LimitTendon,
                id: t.index(),
                solref: m.tendon.solref_lim[t],
                solimp: m.tendon.solimp_lim[t],
                violation: dist - margin,
                margin,
                frictionloss: 0.0,
            };
            b.push(&p, [(dist, m.tendon.invweight0[t])]);
        }
    }
}
