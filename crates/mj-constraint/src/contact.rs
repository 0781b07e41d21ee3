//! Contacts: frictionless, with a pyramid of edges, or with an elliptic cone.

use crate::builder::{Constraint, Row, RowWorkspace};
use crate::rows::{ConeRows, Rows};
use crate::softness::{RowKind, Softness};
use mj_collide::{Contact, Contacts};
use mj_dynamics::chains::merge;
use mj_dynamics::jacobian::{BodyPoint, for_each_common_run, width};
use mj_dynamics::{Chains, Poses};
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// `Contact::exclude` of a contact that moves no dof.
const NO_DOFS: u8 = 3;

/// Appends the rows of all contacts that are not in their gap, and notes in each contact where its
/// rows are.
pub(crate) fn append(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    contacts: &mut Contacts,
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    if m.opt.disabled(disable::CONTACT) {
        return;
    }
    // Contacts of two bodies come one after the other: they move the same dofs.
    let mut merged = None;
    for (i, c) in contacts.list.iter_mut().enumerate() {
        if c.exclude != 0 {
            continue;
        }
        let bodies = c.geom.map(|g| m.geom.bodyid[g]);
        let point = |b| BodyPoint::new(m, chains, poses, b, c.pos);
        let points = [point(bodies[0]), point(bodies[1])];
        if merged != Some(bodies) {
            merge(points[0].chain, points[1].chain, true, &mut ws.runs);
            merged = Some(bodies);
        }
        if ws.runs.is_empty() {
            c.exclude = NO_DOFS;
            continue;
        }
        c.efc_address = Some(rows.nefc() as u32);
        let weight = |k: usize| m.body.invweight0[bodies[0]][k] + m.body.invweight0[bodies[1]][k];
        let weights = [weight(0), weight(1)];
        match (c.dim, m.opt.cone) {
            (1, _) => frictionless(m, i, c, &points, weights, ws, rows),
            (3, Cone::Pyramidal) => pyramid_of_four(m, i, c, &points, weights, ws, rows),
            (_, Cone::Pyramidal) => pyramid(m, i, c, &points, weights, ws, rows),
            (_, Cone::Elliptic) => cone(m, i, c, &points, weights, ws, rows),
        }
    }
}

/// The Jacobian of the contact's motion, the second geom's less the first's, along its frame: dim
/// rows over the columns in `ws.runs`.
fn jacobian(c: &Contact, points: &[BodyPoint; 2], ws: &mut RowWorkspace) {
    let n = width(&ws.runs);
    let dim = c.dim as usize;
    ws.jac.clear();
    ws.jac.resize(dim * n, 0.0);
    for (p, sign) in points.iter().zip([-1.0, 1.0]) {
        let axes = c.frame.map(|a| a * sign);
        if dim < 3 {
            p.for_each(&ws.runs, |col, v| ws.jac[col] += axes[0].dot(v.lin));
            continue;
        }
        // Normal and tangents see the translation, spin and rolls the rotation.
        let (translation, rotation) = ws.jac.split_at_mut(3 * n);
        let (r0, rest) = translation.split_at_mut(n);
        let (r1, r2) = rest.split_at_mut(n);
        p.add_along(&ws.runs, axes, [r0, r1, r2]);
        if dim > 3 {
            p.for_each(&ws.runs, |col, v| {
                for k in 3..dim {
                    rotation[(k - 3) * n + col] += axes[k - 3].dot(v.rot);
                }
            });
        }
    }
}

fn constraint(m: &Model, kind: ConstraintType, i: usize, c: &Contact) -> Constraint {
    let softness = Softness::new(m, c.solref, c.solreffriction, c.solimp);
    Constraint { kind, id: i, softness, margin: c.includemargin, violation: c.dist }
}

fn frictionless(
    m: &Model,
    i: usize,
    c: &Contact,
    points: &[BodyPoint; 2],
    weights: [f64; 2],
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    jacobian(c, points, ws);
    let kind = ConstraintType::ContactFrictionless;
    rows.append_always(
        &constraint(m, kind, i, c),
        &ws.runs,
        &ws.jac,
        std::iter::once(Row::positional(c.dist, weights[0])),
    );
}

/// Elliptic cone: the normal, then friction rows.
fn cone(
    m: &Model,
    i: usize,
    c: &Contact,
    points: &[BodyPoint; 2],
    weights: [f64; 2],
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    jacobian(c, points, ws);
    let row = |k: usize| match k {
        0 => Row::positional(c.dist, weights[0]),
        _ => Row { pos: 0.0, kind: RowKind::ContactFriction, diag: weights[usize::from(k > 2)], frictionloss: 0.0 },
    };
    let dim = c.dim as usize;
    let kind = ConstraintType::ContactElliptic;
    let first = rows.nefc() as u32;
    rows.append_always(&constraint(m, kind, i, c), &ws.runs, &ws.jac, (0..dim).map(row));
    let cone = ConeRows { row: first, dim: c.dim, contact: i as u32, mu: 0.0, friction: c.friction };
    rows.cones.push(cone);
}

/// Pyramid: two opposing edges n ± μₖ tₖ a friction dimension.
fn pyramid(
    m: &Model,
    i: usize,
    c: &Contact,
    points: &[BodyPoint; 2],
    weights: [f64; 2],
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    jacobian(c, points, ws);
    let dim = c.dim as usize;
    let n = width(&ws.runs);
    let edges = edges(c, weights);
    let out = rows.append_block(&constraint(m, ConstraintType::ContactPyramidal, i, c), &ws.runs, edges);
    let (normal, tangents) = ws.jac[..dim * n].split_at(n);
    for ((pair, t), mu) in out.chunks_exact_mut(2 * n).zip(tangents.chunks_exact(n)).zip(c.friction) {
        let (up, down) = pair.split_at_mut(n);
        for (((up, down), normal), t) in up.iter_mut().zip(down).zip(normal).zip(t) {
            let side = mu * t;
            (*up, *down) = (normal + side, normal - side);
        }
    }
}

/// The parameters of a pyramid's edges.
fn edges(c: &Contact, weights: [f64; 2]) -> impl ExactSizeIterator<Item = Row> {
    (0..2 * (c.dim as usize - 1)).map(move |k| {
        let mu = c.friction[k / 2];
        Row::positional(c.dist, weights[0] + mu * mu * weights[usize::from(k > 3)])
    })
}

/// The same for the most frequent contact, with two tangents, whose edges are written where they belong: each column
/// has one of the two bodies.
fn pyramid_of_four(
    m: &Model,
    i: usize,
    c: &Contact,
    points: &[BodyPoint; 2],
    weights: [f64; 2],
    ws: &RowWorkspace,
    rows: &mut Rows,
) {
    let kind = ConstraintType::ContactPyramidal;
    let out = rows.append_block(&constraint(m, kind, i, c), &ws.runs, edges(c, weights));
    let n = width(&ws.runs);
    let (r0, rest) = out.split_at_mut(n);
    let (r1, rest) = rest.split_at_mut(n);
    let (r2, r3) = rest.split_at_mut(n);
    for (p, sign) in points.iter().zip([-1.0, 1.0]) {
        let [normal, t1, t2] = c.frame.map(|a| a * sign);
        for_each_common_run(p.chain, &ws.runs, |column, dofs| {
            let own = column..column + dofs.len();
            let first = r0[own.clone()].iter_mut().zip(&mut r1[own.clone()]);
            let second = r2[own.clone()].iter_mut().zip(&mut r3[own]);
            for ((first, second), d) in first.zip(second).zip(dofs) {
                let v = p.motion(d).lin;
                let along = normal.dot(v);
                let (side1, side2) = (c.friction[0] * t1.dot(v), c.friction[1] * t2.dot(v));
                (*first.0, *first.1) = (along + side1, along - side1);
                (*second.0, *second.1) = (along + side2, along - side2);
            }
        });
    }
}

/// Adds the velocity of moving surfaces to the velocities of contact rows: along the tangents and
/// the spin, but neither the normal nor the rolls.
pub(crate) fn add_surface_velocity(contacts: &Contacts, rows: &mut Rows) {
    for c in contacts.list.iter().filter(|c| c.surfacevel != [0.0; 3]) {
        let Some(row) = c.efc_address.map(|a| a as usize) else { continue };
        let pyramid = rows.r#type[row] == ConstraintType::ContactPyramidal;
        for k in 1..(c.dim as usize).min(4) {
            let v = c.surfacevel[k - 1];
            if pyramid {
                let mu = c.friction[k - 1];
                rows.vel[row + 2 * (k - 1)] += mu * v;
                rows.vel[row + 2 * (k - 1) + 1] -= mu * v;
            } else {
                rows.vel[row + k] += v;
            }
        }
    }
}

/// Adhesion: the reference of the normal is shifted by the adhesive force times R; for pyramids the
/// force is split equally among the edges.
pub(crate) fn add_adhesion(contacts: &Contacts, rows: &mut Rows) {
    for c in contacts.list.iter().filter(|c| c.adhesion != 0.0) {
        let Some(row) = c.efc_address.map(|a| a as usize) else { continue };
        let n = if rows.r#type[row] == ConstraintType::ContactPyramidal { 2 * (c.dim as usize - 1) } else { 1 };
        for i in row..row + n {
            rows.aref[i] += rows.r[i] * c.adhesion / n as f64;
        }
    }
}

/// Force and torque that a contact exerts on its second geom's body, world frame, given the
/// constraint forces (`efc_force`).
pub fn contact_wrench(rows: &Rows, c: &Contact, efc_force: &[f64]) -> Spatial {
    let f = contact_force(rows, c, efc_force);
    let world = |v: &[f64]| -> DVec3 { c.frame[0] * v[0] + c.frame[1] * v[1] + c.frame[2] * v[2] };
    Spatial::new(world(&f[3..]), world(&f[..3]))
}

/// Force of a contact along its frame: normal, two tangents; torque: spin, two rolls. Adhesion, which
/// pulls the surfaces together, is taken off the normal. Zero where it has no rows.
pub fn contact_force(rows: &Rows, c: &Contact, efc_force: &[f64]) -> [f64; 6] {
    let mut f = [0.0; 6];
    let Some(row) = c.efc_address.map(|a| a as usize) else { return f };
    let dim = c.dim as usize;
    if rows.r#type[row] == ConstraintType::ContactPyramidal {
        // Edge pairs n ± μ t: the normal is their sum, a tangent μ times their difference.
        for k in 1..dim {
            let (a, b) = (efc_force[row + 2 * (k - 1)], efc_force[row + 2 * (k - 1) + 1]);
            f[0] += a + b;
            f[k] = (a - b) * c.friction[k - 1];
        }
    } else {
        f[..dim].copy_from_slice(&efc_force[row..row + dim]);
    }
    f[0] -= c.adhesion;
    f
}
