//! Velocity of the rows and the reference acceleration (manual, "Computation: Dual problem").

use crate::equality::{Anchors, orientations, pure, torquescale, vector};
use crate::make::{Configuration, Workspace};
use crate::rows::Rows;
use mj_collide::{Contact, Contacts};
use mj_dynamics::{Velocities, body_velocity};
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// Computes `vel` = J v and `aref` = −B vel − K I (pos − margin) of all rows.
///
/// Contacts of moving surfaces count their velocity in; adhesive ones shift their reference by R
/// times the adhesion, so that the force along the normal is measured from the adhesive pull; connect
/// and weld subtract J̇v, so that the reference is of the residual's own second derivative.
pub fn reference(c: Configuration, vel: &Velocities, contacts: &Contacts, work: &mut Workspace, rows: &mut Rows) {
    let n = rows.nefc();
    rows.vel.resize(n, 0.0);
    rows.aref.clear();
    rows.jac.mul(&c.s.qvel, &mut rows.vel, &mut work.dofs);
    for con in contacts.iter().filter(|c| c.surfacevel != [0.0; 3]) {
        surface_velocity(con, rows);
    }
    for i in 0..n {
        let [k, b, imp, _] = rows.kbip[i];
        rows.aref.push(-b * rows.vel[i] - k * imp * (rows.pos[i] - rows.margin[i]));
    }
    for con in contacts.iter().filter(|c| c.adhesion != 0.0) {
        adhesion(con, rows);
    }
    let mut row = 0;
    while row < rows.ne {
        let e = EqualityId::new(rows.id[row] as usize);
        row += match c.m.eq.r#type[e] {
            EqType::Connect => {
                let a = Anchors::new(&c, e);
                let relative = coriolis(&c, vel, a.body[0], a.point[0]) - coriolis(&c, vel, a.body[1], a.point[1]);
                subtract(&mut rows.aref[row..], relative.lin);
                3
            }
            EqType::Weld => {
                weld(&c, vel, e, &mut rows.aref[row..]);
                6
            }
            _ => 1,
        };
    }
}

/// Rows of a contact: (first row, whether they are pyramid edges, number of rows).
fn rows_of(con: &Contact, rows: &Rows) -> Option<(usize, bool, usize)> {
    let at = con.efc_address? as usize;
    let dim = con.dim as usize;
    let pyramidal = rows.r#type[at] == ConstraintType::ContactPyramidal;
    Some((at, pyramidal, if pyramidal { 2 * (dim - 1) } else { dim }))
}

/// Adds the velocity of the second surface relative to the first: tangents and spin.
fn surface_velocity(con: &Contact, rows: &mut Rows) {
    let Some((at, pyramidal, _)) = rows_of(con, rows) else { return };
    for k in 1..(con.dim as usize).min(4) {
        let v = con.surfacevel[k - 1];
        if pyramidal {
            let v = con.friction[k - 1] * v;
            rows.vel[at + 2 * (k - 1)] += v;
            rows.vel[at + 2 * k - 1] -= v;
        } else {
            rows.vel[at + k] += v;
        }
    }
}

/// Shifts the normal row's reference, or every edge's by an equal share.
fn adhesion(con: &Contact, rows: &mut Rows) {
    let Some((at, pyramidal, n)) = rows_of(con, rows) else { return };
    let (count, share) = if pyramidal { (n, con.adhesion / n as f64) } else { (1, con.adhesion) };
    for i in at..at + count {
        rows.aref[i] += rows.r[i] * share;
    }
}

/// J̇v of a point of a body: its angular and linear acceleration if q̈ were zero.
fn coriolis(c: &Configuration, vel: &Velocities, body: BodyId, point: DVec3) -> Spatial {
    let mut acc = Spatial::ZERO;
    let (cdof_dot, qvel) = (vel.cdof_dot.as_slice(), &c.s.qvel);
    for r in c.chains.of(body) {
        for d in r.start as usize..(r.start + r.len) as usize {
            acc += cdof_dot[d] * qvel[d];
        }
    }
    let arm = point - c.poses.subtree_com[c.m.body.rootid[body]];
    let mut acc = acc.motion_at(arm);
    let v = body_velocity(c.m, c.poses, vel, body, point);
    // From the spatial acceleration to that of the point itself.
    acc.lin += v.rot.cross(v.lin);
    acc
}

/// J̇v of a weld: the product rule on ½ vec(q₁⁻¹ (0, ω) q₀), with q̇ = ½ (0, ω) q.
fn weld(c: &Configuration, vel: &Velocities, e: EqualityId, aref: &mut [f64]) {
    let a = Anchors::new(c, e);
    let acc: [Spatial; 2] = std::array::from_fn(|k| coriolis(c, vel, a.body[k], a.point[k]));
    let relative = acc[0] - acc[1];
    subtract(aref, relative.lin);

    let [q0, q1] = orientations(c, e, a.body);
    let [w0, w1] = a.body.map(|b| vel.cvel[b].rot);
    let (inverse, w) = (q1.conjugate(), pure(w0 - w1));
    let rate0 = pure(w0) * q0 * 0.5;
    let inverse_rate = (pure(w1) * q1 * 0.5).conjugate();
    let sum = inverse_rate * w * q0 + inverse * pure(relative.rot) * q0 + inverse * w * rate0;
    subtract(&mut aref[3..], vector(sum) * (0.5 * torquescale(c.m, e)));
}

fn subtract(x: &mut [f64], v: DVec3) {
    for (x, v) in x.iter_mut().zip(v.to_array()) {
        *x -= v;
    }
}
