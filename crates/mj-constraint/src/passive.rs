//! Stiffness, force and Jacobian of passive contacts.

use crate::builder::{Carrier, RowWorkspace};
use crate::contact::fill;
use crate::flex;
use crate::inputs::RowInputs;
use crate::rows::penalty::PASSIVE_CONTACT_FREQUENCY_SQUARED;
use crate::rows::{MOVES_NO_DOF, PASSIVE, Rows};
use mj_collide::Contact;
use mj_math::block::Run;
use mj_model::*;

/// Makes the springs of passive contacts. There are none where the model's springs and dampers are both off.
pub(crate) fn append(m: &Model, inputs: RowInputs<'_>, ws: &mut RowWorkspace, rows: &mut Rows) {
    if m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER) {
        return;
    }
    let RowInputs { chains, smooth, flexes, contacts, .. } = inputs;
    for (i, c) in contacts.iter().enumerate() {
        if rows.contacts[i].exclude != PASSIVE {
            continue;
        }
        let mut carriers = std::mem::take(&mut ws.carriers);
        let second = flex::carriers(m, flexes, c, &mut carriers);
        let k =
            PASSIVE_CONTACT_FREQUENCY_SQUARED * least_mass(m, &smooth.inertia.M, c, carriers.split_at(second).into());
        if k > 0.0 {
            flex::merge(chains, &carriers, ws);
            if ws.runs.is_empty() {
                rows.contacts[i].exclude = MOVES_NO_DOF;
            } else {
                let spring = &mut rows.passive;
                let all: &[Run] = &ws.runs;
                let out = spring.jac.push(1, all);
                let [x, y, z] = c.frame[0].to_array();
                let normal = [[0.0], [0.0], [0.0], [x], [y], [z]];
                fill(m, chains, &smooth.poses, &carriers, c.pos, all, &normal, out);
                spring.stiffness.push(k);
                spring.force.push(-k * c.dist.min(0.0));
                spring.contact.push(i as u32);
            }
        }
        ws.carriers = carriers;
    }
}

/// Mass of a point that moves along three axes; zero for all other bodies.
pub(crate) fn point_mass(m: &Model, inertia: &[f64], b: BodyId) -> f64 {
    if m.body.dofnum[b] != 3 {
        return 0.0;
    }
    m.body.dofadr[b].map_or(0.0, |dof| inertia[m.m_pattern.diag(dof.index())].max(0.0))
}

/// Least mass, other than zero, of what takes part in a contact: of each vertex; of an interpolated flex the mass of its
/// nodes as the contact's point feels it, 1 / Σ w²/m, by the number of vertices that a node stands for.
fn least_mass(m: &Model, inertia: &[f64], c: &Contact, carriers: [&[Carrier]; 2]) -> f64 {
    let d = &m.flex_data;
    let mut least = f64::INFINITY;
    let mut take = |mass: f64| {
        if mass > 0.0 {
            least = least.min(mass);
        }
    };
    for side in 0..2 {
        let Some(f) = c.flex[side] else { continue };
        if m.flex.interp[f] != 0 {
            let nodes = &d.nodebodyid[m.flex.nodeadr[f] as usize..][..m.flex.nodenum[f] as usize];
            let free = nodes.iter().filter(|&&b| point_mass(m, inertia, b) > 0.0).count();
            let share = |&(b, w): &Carrier| match point_mass(m, inertia, b) {
                0.0 => 0.0,
                mass => w * w / mass,
            };
            let inverse: f64 = carriers[side].iter().map(share).sum();
            take(if inverse > 0.0 { free as f64 / f64::from(m.flex.vertnum[f]) / inverse } else { 0.0 });
            continue;
        }
        for v in flex::vertices(m, f, c.elem[side], &c.vert[side]) {
            let body = d.vertbodyid[m.flex.vertadr[f] as usize + *v as usize];
            take(body.map_or(0.0, |b| point_mass(m, inertia, b)));
        }
    }
    if least.is_finite() { least } else { 0.0 }
}
