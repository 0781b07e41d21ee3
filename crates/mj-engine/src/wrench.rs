//! Constraint forces as wrenches on bodies.

use crate::data::Data;
use mj_constraint::{anchors, contact_wrench, tendon_coupling};
use mj_dynamics::tendon_armature;
use mj_dynamics::tendon_passive_force;
use mj_dynamics::{BodyWrench, length_drift, rne_post_constraint, tendon_wrenches};
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// Body accelerations and forces after constraints (`cacc`, `cfrc_int`, `cfrc_ext`).
pub fn body_forces(m: &Model, d: &mut Data) {
    d.ws.wrenches.clear();
    contacts(m, d);
    equalities(m, d);
    if d.plan.tendons_pull {
        tendons(m, d);
    }
    rne_post_constraint(
        m,
        &d.state,
        &d.smooth.poses,
        &d.smooth.velocities,
        &d.qacc,
        d.ws.wrenches.iter().copied(),
        &mut d.body_forces,
    );
}

fn contacts(m: &Model, d: &mut Data) {
    for (i, c) in d.contacts.iter().enumerate().filter(|&(i, _)| d.rows.first_of_contact(i).is_some()) {
        let wrench = contact_wrench(&d.rows, &d.contacts, i, &d.solution.efc_force);
        let [first, second] = c.bodies(m);
        d.ws.wrenches.push(BodyWrench { body: first, wrench: -wrench, point: c.pos });
        d.ws.wrenches.push(BodyWrench { body: second, wrench, point: c.pos });
    }
}

/// Forces of connect and weld constraints.
fn equalities(m: &Model, d: &mut Data) {
    let mut row = 0;
    while row < d.rows.ne {
        let e = EqualityId::new(d.rows.id[row] as usize);
        // Those of programs come last; nobody knows where they act.
        if e.index() >= m.eq.len() {
            break;
        }
        let weld = match m.eq.r#type[e] {
            EqType::Connect => false,
            EqType::Weld => true,
            _ => {
                row += 1;
                continue;
            }
        };
        let a = anchors(m, &d.smooth.poses, e);
        let f = &d.solution.efc_force[row..];
        let force = DVec3::from_slice(f);
        let torque = if weld { a.torque(DVec3::from_slice(&f[3..])) * m.eq.data[e][10] } else { DVec3::ZERO };
        let wrench = Spatial::new(torque, force);
        d.ws.wrenches.push(BodyWrench { body: a.body[0], wrench, point: a.point[0] });
        d.ws.wrenches.push(BodyWrench { body: a.body[1], wrench: -wrench, point: a.point[1] });
        row += if weld { 6 } else { 3 };
    }
}

/// Forces of spatial tendons on the bodies along their paths.
fn tendons(m: &Model, d: &mut Data) {
    for t in m.tendon.ids().filter(|&t| m.tendon.r#type[t] == TendonType::Spatial) {
        let force = tendon_force(m, d, t);
        let wrenches = &mut d.ws.wrenches;
        tendon_wrenches(m, &d.smooth.poses, t, force, |w| wrenches.push(w));
    }
}

/// Total force that acts to lengthen a tendon: spring, damper, actuators, constraints, and what its
/// armature resists.
fn tendon_force(m: &Model, d: &Data, t: TendonId) -> f64 {
    let mut force = tendon_passive_force(m, &d.state, &d.smooth.transmissions, &d.smooth.velocities, t);
    for a in m.actuator.ids() {
        if m.actuator.trntype[a] == TrnType::Tendon && m.actuator.trnid[a][0] as usize == t.index() {
            let o = OutputId::new(m.actuator.outadr[a] as usize);
            force += m.output.gear[o][0] * d.smooth.actuation.actuator_force[o];
        }
    }
    for (row, f) in d.solution.efc_force.iter().enumerate() {
        force += f * row_by_length(m, d, row, t);
    }
    let armature = tendon_armature(m, t);
    if armature != 0.0 {
        let mut acceleration = length_drift(m, &d.state, &d.smooth.poses, &d.smooth.velocities, t);
        d.smooth.transmissions.ten_J.for_each_in_row(t.index(), |dof, j| acceleration += j * d.qacc[dof]);
        force -= armature * acceleration;
    }
    force
}

/// Derivative of a constraint row by a tendon's length.
fn row_by_length(m: &Model, d: &Data, row: usize, t: TendonId) -> f64 {
    let of_this = d.rows.id[row] as usize == t.index();
    match d.rows.r#type[row] {
        ConstraintType::FrictionTendon if of_this => 1.0,
        // The lower limit's distance grows with the length, the upper one's shrinks.
        ConstraintType::LimitTendon if of_this => {
            let [lower, upper] = m.tendon.range[t].map(|end| (d.smooth.transmissions.ten_length[t] - end).abs());
            let distance = d.rows.pos[row].abs();
            if (lower - distance).abs() <= (upper - distance).abs() { 1.0 } else { -1.0 }
        }
        ConstraintType::Equality => {
            let e = EqualityId::new(d.rows.id[row] as usize);
            if e.index() >= m.eq.len() || m.eq.r#type[e] != EqType::Tendon {
                return 0.0;
            }
            tendon_coupling(m, &d.smooth.transmissions, e).into_iter().flatten().filter(|c| c.0 == t).map(|c| c.1).sum()
        }
        _ => 0.0,
    }
}
