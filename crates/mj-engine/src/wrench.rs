//! Constraint forces as wrenches on bodies.

use crate::data::Data;
use mj_constraint::{anchors, contact_wrench};
use mj_dynamics::{BodyWrench, rne_post_constraint};
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// Body accelerations and forces after constraints (`cacc`, `cfrc_int`, `cfrc_ext`).
pub fn body_forces(m: &Model, d: &mut Data) {
    d.ws.wrenches.clear();
    contacts(m, d);
    equalities(m, d);
    rne_post_constraint(
        m,
        &d.state,
        &d.poses,
        &d.velocities,
        &d.qacc,
        d.ws.wrenches.iter().copied(),
        &mut d.body_forces,
    );
}

fn contacts(m: &Model, d: &mut Data) {
    for c in d.contacts.list.iter().filter(|c| c.efc_address.is_some()) {
        let wrench = contact_wrench(&d.rows, c, &d.solution.efc_force);
        let [first, second] = c.geom.map(|g| m.geom.bodyid[g]);
        d.ws.wrenches.push(BodyWrench { body: first, wrench: -wrench, point: c.pos });
        d.ws.wrenches.push(BodyWrench { body: second, wrench, point: c.pos });
    }
}

/// Forces of connect and weld constraints.
fn equalities(m: &Model, d: &mut Data) {
    let mut row = 0;
    while row < d.rows.ne {
        let e = EqualityId::new(d.rows.id[row] as usize);
        let weld = match m.eq.r#type[e] {
            EqType::Connect => false,
            EqType::Weld => true,
            _ => {
                row += 1;
                continue;
            }
        };
        let a = anchors(m, &d.poses, e);
        let f = &d.solution.efc_force[row..];
        let force = DVec3::from_slice(f);
        let torque = if weld { a.torque(DVec3::from_slice(&f[3..])) * m.eq.data[e][10] } else { DVec3::ZERO };
        let wrench = Spatial::new(torque, force);
        d.ws.wrenches.push(BodyWrench { body: a.body[0], wrench, point: a.point[0] });
        d.ws.wrenches.push(BodyWrench { body: a.body[1], wrench: -wrench, point: a.point[1] });
        row += if weld { 6 } else { 3 };
    }
}
