//! Contacts: frictionless, with a pyramid of edges, or with an elliptic cone.

use crate::builder::{Carrier, Constraint, Row, RowWorkspace};
use crate::flex;
use crate::rows::penalty::is_passive;
use crate::rows::{ContactRows, IN_GAP, MOVES_NO_DOF, PASSIVE, Rows};
use crate::softness::{RowKind, Softness};
use mj_collide::{Contact, Contacts};
use mj_deformable::{Flexes, RodLever};
use mj_dynamics::{Between, BodyPoint, Wrenches};
use mj_dynamics::{Chains, Poses};
use mj_dynamics::{chain_width, merge_chains};
use mj_math::block::Run;
use mj_math::simd::dispatch;
use mj_math::{DVec3, Spatial};
use mj_model::*;
use mj_problem::ConeRows;
use std::array::from_fn;

/// Starts [`Rows::contacts`]: no contact has rows yet.
pub(crate) fn start(m: &Model, contacts: &Contacts, rows: &mut Rows) {
    let exclude = |c: &Contact| match c.in_gap {
        _ if is_passive(m, c) => PASSIVE,
        true => IN_GAP,
        false => 0,
    };
    rows.contacts.extend(contacts.iter().map(|c| ContactRows { exclude: exclude(c), ..ContactRows::default() }));
}

/// Appends the rows of all contacts that are neither in their gap nor passive, and sets [`Rows::contacts`].
pub(crate) fn append(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    flexes: &Flexes,
    contacts: &Contacts,
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    if m.opt.disabled(disable::CONTACT) {
        return;
    }
    // Contacts of two bodies come one after the other: they move the same dofs.
    let mut merged = None;
    for (i, c) in contacts.iter().enumerate() {
        if rows.contacts[i].exclude != 0 {
            continue;
        }
        let (points, levers);
        let (motion, weights) = if let Some(geoms) = c.geoms() {
            let bodies = geoms.map(|g| m.geom.bodyid[g]);
            points = bodies.map(|b| BodyPoint::new(m, chains, poses, b, c.pos));
            if merged != Some(bodies) {
                merge_chains(points[0].chain, points[1].chain, true, &mut ws.runs);
                merged = Some(bodies);
            }
            let weight = |k: usize| m.body.invweight0[bodies[0]][k] + m.body.invweight0[bodies[1]][k];
            (Motion::OfTwo(&points), [weight(0), weight(1)])
        } else {
            let mut carriers = std::mem::take(&mut ws.carriers);
            let first = flex::carriers(m, flexes, c, &mut carriers);
            flex::merge(chains, &carriers, ws);
            ws.carriers = carriers;
            levers = flex::levers(m, flexes, c);
            flex::merge_levers(m, chains, &levers, ws);
            merged = None;
            let sides = ws.carriers.split_at(first).into();
            let of = |side: &[Carrier], k: usize| side.iter().map(|(b, w)| m.body.invweight0[*b][k] * w).sum::<f64>();
            let weight = |k: usize| of(&ws.carriers[first..], k) - of(&ws.carriers[..first], k);
            (Motion::OfMany { chains, poses, flexes, sides, levers: &levers }, [weight(0), weight(1)])
        };
        if ws.runs.is_empty() {
            rows.contacts[i].exclude = MOVES_NO_DOF;
            continue;
        }
        rows.contacts[i].efc_address = Some(rows.nefc() as u32);
        let made = Made { m, i, c, motion, weights, runs: &ws.runs };
        match (c.dim, m.opt.cone) {
            (1, _) => made.frictionless(rows),
            (3, Cone::Pyramidal) => made.pyramid::<4>(rows),
            (4, Cone::Pyramidal) => made.pyramid::<6>(rows),
            (_, Cone::Pyramidal) => made.pyramid::<10>(rows),
            (3, Cone::Elliptic) => made.cone::<3>(rows),
            (4, Cone::Elliptic) => made.cone::<4>(rows),
            (_, Cone::Elliptic) => made.cone::<6>(rows),
        }
    }
}

/// What moves the two sides of a contact.
enum Motion<'a> {
    /// Two bodies: where the contact is on each.
    OfTwo(&'a [BodyPoint<'a>; 2]),
    /// Any number of bodies, by their shares.
    OfMany {
        chains: &'a Chains,
        poses: &'a Poses,
        flexes: &'a Flexes,
        /// Bodies with negative shares, and with positive ones.
        sides: [&'a [Carrier]; 2],
        /// Levers of the sides that are edges of rods.
        levers: &'a [Option<RodLever>; 2],
    },
}

/// Column of a dof, which must be in the runs.
fn column_of(runs: &[Run], dof: usize) -> usize {
    let before = runs.iter().map(|r| (r.len as usize).min(dof.saturating_sub(r.start as usize)));
    before.sum()
}

/// Adds to the rows `out` (N×width of `runs`) the motion of a point, which bodies carry by their shares, along wrenches.
#[expect(clippy::too_many_arguments, reason = "a place, what moves it, and where the result goes")]
pub(crate) fn fill<const N: usize>(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    carriers: &[Carrier],
    pos: DVec3,
    runs: &[Run],
    wrenches: &Wrenches<N>,
    out: &mut [f64],
) {
    let n = chain_width(runs);
    for &(b, share) in carriers {
        let point = BodyPoint::new(m, chains, poses, b, pos);
        for (k, row) in out.chunks_exact_mut(n).enumerate() {
            let [a, b, c, x, y, z] = wrenches.map(|w| w[k] * share);
            point.project(runs, Spatial::new(DVec3::new(a, b, c), DVec3::new(x, y, z)), row);
        }
    }
}

/// Adds to the rows `out` the motion of a point on an edge of a rod.
fn fill_lever<const N: usize>(
    (m, chains, poses, flexes): (&Model, &Chains, &Poses, &Flexes),
    lever: &RodLever,
    sign: f64,
    runs: &[Run],
    wrenches: &Wrenches<N>,
    out: &mut [f64],
) {
    let column = column_of(runs, lever.dof);
    for (k, row) in out.chunks_exact_mut(chain_width(runs)).enumerate() {
        let [a, b, c, x, y, z] = wrenches.map(|w| w[k] * sign);
        let (forces, moment) = lever.transmit(Spatial::new(DVec3::new(a, b, c), DVec3::new(x, y, z)));
        for (v, force) in lever.vertex.into_iter().zip(forces) {
            let body = m.flex_data.vertbodyid[v].unwrap_or(BodyId::WORLD);
            let point = BodyPoint::new(m, chains, poses, body, flexes.vert_xpos[v]);
            point.project(runs, Spatial::new(DVec3::ZERO, force), row);
        }
        row[column] += moment;
    }
}

/// A contact whose rows are being made.
struct Made<'a> {
    m: &'a Model,
    /// Its number.
    i: usize,
    c: &'a Contact,
    motion: Motion<'a>,
    /// Sums of the bodies' inverse weights: translation, rotation.
    weights: [f64; 2],
    runs: &'a [Run],
}

impl Made<'_> {
    /// Appends N rows, each of which is the motion of the second body against the first along a wrench at the contact.
    #[inline(always)]
    fn append<const N: usize>(&self, kind: ConstraintType, list: [Row; N], wrenches: &Wrenches<N>, rows: &mut Rows) {
        let c = self.c;
        let softness = Softness::new(self.m, c.solref, c.solreffriction, c.solimp);
        let constraint = Constraint { kind, id: self.i, softness, margin: c.includemargin, violation: c.dist };
        let out = rows.append_block(&constraint, self.runs, list);
        match self.motion {
            Motion::OfTwo(points) => dispatch(Between { points, wrenches, within: self.runs, out }),
            Motion::OfMany { chains, poses, flexes, sides, levers } => {
                let m = self.m;
                for (side, lever) in levers.iter().enumerate() {
                    match lever {
                        None => fill(m, chains, poses, sides[side], c.pos, self.runs, wrenches, out),
                        Some(lever) => {
                            let sign = [-1.0, 1.0][side];
                            fill_lever((m, chains, poses, flexes), lever, sign, self.runs, wrenches, out);
                        }
                    }
                }
            }
        }
    }

    fn frictionless(&self, rows: &mut Rows) {
        let row = Row::positional(self.c.dist, self.weights[0]);
        let [x, y, z] = self.c.frame[0].to_array();
        let normal = [[0.0], [0.0], [0.0], [x], [y], [z]];
        self.append(ConstraintType::ContactFrictionless, [row], &normal, rows);
    }

    /// Elliptic cone: the normal, then friction rows.
    fn cone<const N: usize>(&self, rows: &mut Rows) {
        let c = self.c;
        // The normal and the tangents pull, the spin and the rolls turn.
        let mut wrenches = [[0.0; N]; 6];
        for k in 0..N {
            let axis = c.frame[k % 3].to_array();
            let pull = if k < 3 { 3 } else { 0 };
            for i in 0..3 {
                wrenches[pull + i][k] = axis[i];
            }
        }
        let list = from_fn(|k| match k {
            0 => Row::positional(c.dist, self.weights[0]),
            _ => {
                let diag = self.weights[usize::from(k > 2)];
                Row { pos: 0.0, kind: RowKind::ContactFriction, diag, frictionloss: 0.0 }
            }
        });
        let row = rows.nefc() as u32;
        self.append(ConstraintType::ContactElliptic, list, &wrenches, rows);
        rows.cones.push(ConeRows { row, dim: c.dim, contact: self.i as u32, mu: 0.0, friction: c.friction });
    }

    /// Pyramid: two opposing edges n ± μₖ tₖ a friction dimension.
    fn pyramid<const N: usize>(&self, rows: &mut Rows) {
        let c = self.c;
        let normal = c.frame[0].to_array();
        let mut wrenches = [[0.0; N]; 6];
        for k in 0..N {
            let (axis, mu) = (c.frame[(1 + k / 2) % 3].to_array(), c.friction[k / 2]);
            let mu = if k % 2 == 0 { mu } else { -mu };
            let pull = if k < 4 { 3 } else { 0 };
            for i in 0..3 {
                wrenches[3 + i][k] = normal[i];
                wrenches[pull + i][k] += mu * axis[i];
            }
        }
        let list = from_fn(|k| {
            let mu = c.friction[k / 2];
            Row::positional(c.dist, self.weights[0] + mu * mu * self.weights[usize::from(k > 3)])
        });
        self.append(ConstraintType::ContactPyramidal, list, &wrenches, rows);
    }
}

/// Adds the velocity of moving surfaces to the velocities of contact rows: along the tangents and
/// the spin, but neither the normal nor the rolls.
pub(crate) fn add_surface_velocity(contacts: &Contacts, rows: &mut Rows) {
    for (i, c) in contacts.iter().enumerate().filter(|(_, c)| c.surfacevel != [0.0; 3]) {
        let Some(row) = rows.first_of_contact(i) else { continue };
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
    for (i, c) in contacts.iter().enumerate().filter(|(_, c)| c.adhesion != 0.0) {
        let Some(row) = rows.first_of_contact(i) else { continue };
        let n = if rows.r#type[row] == ConstraintType::ContactPyramidal { 2 * (c.dim as usize - 1) } else { 1 };
        for i in row..row + n {
            rows.aref[i] += rows.r[i] * c.adhesion / n as f64;
        }
    }
}

/// Computes the force and torque that contact `id` exerts on its second geom's body, world frame, from the constraint
/// forces (`efc_force`).
#[inline]
pub fn contact_wrench(rows: &Rows, contacts: &[Contact], id: usize, efc_force: &[f64]) -> Spatial {
    let (c, f) = (&contacts[id], contact_force(rows, contacts, id, efc_force));
    let world = |v: &[f64]| -> DVec3 { c.frame[0] * v[0] + c.frame[1] * v[1] + c.frame[2] * v[2] };
    Spatial::new(world(&f[3..]), world(&f[..3]))
}

/// Computes the force of contact `id` along its frame: normal, two tangents; torque: spin, two rolls. Adhesion, which
/// pulls the surfaces together, is taken off the normal. Zero where the contact has no rows.
pub fn contact_force(rows: &Rows, contacts: &[Contact], id: usize, efc_force: &[f64]) -> [f64; 6] {
    let mut f = [0.0; 6];
    let Some(row) = rows.first_of_contact(id) else { return f };
    let c = &contacts[id];
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
