//! Contacts: frictionless, pyramids, elliptic cones (manual, "Computation: Constraint model",
//! contact; "Modeling: Solver parameters").

use crate::impedance::{Impedance, Reference, regularization};
use crate::make::{Builder, Configuration, Params};
use crate::rows::ConeRows;
use mj_collide::{Contact, Contacts};
use mj_dynamics::chains::merge;
use mj_dynamics::jacobian::{BodyPoint, width};
use mj_math::{MINVAL, Spatial};
use mj_model::*;

/// Why a contact makes no rows: nothing that it touches can move.
const STATIC: u8 = 3;

/// Adds the rows of all contacts.
pub(crate) fn add(b: &mut Builder, contacts: &mut Contacts) {
    for i in 0..contacts.list.len() {
        let con = &mut contacts.list[i];
        if con.exclude == 0 {
            add_one(b, i, con);
        }
    }
}

fn add_one(b: &mut Builder, id: usize, con: &mut Contact) {
    let m = b.c.m;
    let body = con.geom.map(|g| m.geom.bodyid[g]);
    // Dofs common to both bodies don't change their relative motion at the shared point.
    merge(b.c.chains.of(body[0]), b.c.chains.of(body[1]), true, b.runs);
    if b.runs.is_empty() {
        con.exclude = STATIC;
        return;
    }
    let first = b.rows.nefc();
    con.efc_address = Some(first as u32);

    let imp = Impedance::new(con.solimp);
    let (d, slope) = imp.at(con.dist - con.includemargin);
    let (stiffness, damping) = Reference::new(con.solref, b.least).gains(imp.dmax);
    let kbip = [stiffness, damping, d, slope];
    let weight: [f64; 2] = std::array::from_fn(|k| body.iter().map(|&x| m.body.invweight0[x][k]).sum());
    let dim = con.dim as usize;
    let mut p = Params {
        r#type: ConstraintType::ContactFrictionless,
        id,
        solref: con.solref,
        solimp: con.solimp,
        violation: 0.0,
        margin: con.includemargin,
        frictionloss: 0.0,
    };
    if dim == 1 {
        jacobian(&b.c, con, body, 1, b.runs, b.rows.jac.push(1, b.runs), |_, a, out| out[0] = a[0]);
        let r = regularization(d, b.diagonal(weight[0]));
        b.push_row(&p, con.dist, con.includemargin, kbip, r);
        return;
    }

    let pyramidal = m.opt.cone == Cone::Pyramidal;
    let friction = con.friction;
    if pyramidal {
        p.r#type = ConstraintType::ContactPyramidal;
        // Edges n ± μ_k t_k, in pairs.
        let nrow = 2 * (dim - 1);
        let n = width(b.runs);
        jacobian(&b.c, con, body, dim, b.runs, b.rows.jac.push(nrow, b.runs), |c, a, out| {
            for k in 1..dim {
                let t = friction[k - 1] * a[k];
                out[2 * (k - 1) * n + c] = a[0] + t;
                out[(2 * k - 1) * n + c] = a[0] - t;
            }
        });
        let normal = regularization(d, b.diagonal(weight[0] + friction[0] * friction[0] * weight[0]));
        con.mu = cone_friction(normal, friction_regularization(m, normal), friction[0]);
        // All edges share the R that gives the friction impedance of the elliptic cone.
        let r = 2.0 * con.mu * con.mu * normal;
        for _ in 0..nrow {
            b.push_row(&p, con.dist, con.includemargin, kbip, r);
        }
        return;
    }

    p.r#type = ConstraintType::ContactElliptic;
    let n = width(b.runs);
    jacobian(&b.c, con, body, dim, b.runs, b.rows.jac.push(dim, b.runs), |c, a, out| {
        for k in 0..dim {
            out[k * n + c] = a[k];
        }
    });
    let normal = regularization(d, b.diagonal(weight[0]));
    let tangent = friction_regularization(m, normal);
    con.mu = cone_friction(normal, tangent, friction[0]);
    b.push_row(&p, con.dist, con.includemargin, kbip, normal);
    // Friction rows only damp, with a reference of their own if there is one.
    let damping = Reference::friction(con.solreffriction, b.least).map_or(damping, |r| r.gains(imp.dmax).1);
    // The impedance of R is that of the contact; R_k μ_k² is the same for all of them.
    for k in 1..dim {
        let f = friction[k - 1];
        let r = if k == 1 { tangent } else { tangent * friction[0] * friction[0] / (f * f) };
        b.push_row(&p, 0.0, 0.0, [0.0, damping, d, slope], r);
    }
    b.rows.cones.push(ConeRows { row: first as u32, dim: con.dim, contact: id as u32, mu: con.mu, friction });
}

/// Regularization of the first friction row.
fn friction_regularization(m: &Model, normal: f64) -> f64 {
    normal / m.opt.impratio.max(MINVAL)
}

/// Friction of the regularized cone: μ₁ √(R₁/R₀).
fn cone_friction(normal: f64, tangent: f64, friction: f64) -> f64 {
    friction * (tangent / normal).sqrt()
}

/// Calls `put` with each column, the relative velocity of the bodies in the contact frame at unit
/// velocity of that column's dof (normal, tangents, spin, rolls) and the block's values.
#[inline]
fn jacobian(
    c: &Configuration,
    con: &Contact,
    body: [BodyId; 2],
    dim: usize,
    runs: &[mj_math::block::Run],
    out: &mut [f64],
    mut put: impl FnMut(usize, &[f64; 6], &mut [f64]),
) {
    let [n, t1, t2] = con.frame;
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        let p = BodyPoint::new(c.m, c.chains, c.poses, body[side], con.pos);
        p.for_each(runs, |col, v| {
            let v: Spatial = v * sign;
            let mut a = [v.lin.dot(n), 0.0, 0.0, 0.0, 0.0, 0.0];
            if dim > 1 {
                (a[1], a[2]) = (v.lin.dot(t1), v.lin.dot(t2));
            }
            if dim > 3 {
                (a[3], a[4], a[5]) = (v.rot.dot(n), v.rot.dot(t1), v.rot.dot(t2));
            }
            put(col, &a, out);
        });
    }
}

/// Adds the constant attraction of adhesive contacts to `qfrc`: the passive part of adhesion, also
/// of contacts in their gap. The other part is in the rows' reference acceleration.
pub fn adhesion_force(c: Configuration, contacts: &Contacts, qfrc: &mut [f64]) {
    if c.m.opt.disabled(disable::CONTACT) {
        return;
    }
    for con in contacts.iter().filter(|c| c.adhesion != 0.0 && c.exclude <= 1) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let force = con.frame[0] * (sign * con.adhesion);
            let body = c.m.geom.bodyid[con.geom[side]];
            let (zero, at) = (mj_math::DVec3::ZERO, con.pos);
            mj_dynamics::apply_ft(c.m, c.chains, c.poses, force, zero, at, body, qfrc);
        }
    }
}
