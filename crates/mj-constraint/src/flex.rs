//! Contacts with flexes: the bodies that carry a contact's point. Equality constraints along edges.

use crate::builder::{Carrier, Constraint, Row, RowWorkspace};
use crate::rows::Rows;
use mj_collide::Contact;
use mj_deformable::{Flexes, RodLever, carriers_of_place, rod_lever};
use mj_dynamics::{Chains, merge_chains};
use mj_math::block::Run;
use mj_math::closest::{on_segment, on_tetrahedron, on_triangle};
use mj_math::{DVec3, MINVAL};
use mj_model::*;

/// Collects the bodies that carry a contact's point; returns how many of them are on its first side, with negative shares.
pub(crate) fn carriers(m: &Model, flexes: &Flexes, c: &Contact, out: &mut Vec<Carrier>) -> usize {
    out.clear();
    let mut first = 0;
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        match (c.geom[side], c.flex[side]) {
            (Some(g), _) => out.push((m.geom.bodyid[g], sign)),
            (None, Some(f)) => of_flex(m, flexes, f, [c.elem[side], c.vert[side]], c.pos, sign, out),
            (None, None) => {}
        }
        if side == 0 {
            first = out.len();
        }
    }
    first
}

/// Vertices of a flex that a side of a contact touches: `vert`, or where that is negative those of the element.
pub(crate) fn vertices<'a>(m: &'a Model, f: FlexId, elem: i32, vert: &'a i32) -> &'a [i32] {
    if *vert >= 0 {
        return std::slice::from_ref(vert);
    }
    let corners = m.flex.dim[f] as usize + 1;
    &m.flex_data.elem[m.flex.elemdataadr[f] as usize + elem.max(0) as usize * corners..][..corners]
}

fn of_flex(
    m: &Model,
    flexes: &Flexes,
    f: FlexId,
    [elem, vert]: [i32; 2],
    point: DVec3,
    sign: f64,
    out: &mut Vec<Carrier>,
) {
    let first = m.flex.vertadr[f] as usize;
    let mut weights = [0.0; 4];
    let vertices = vertices(m, f, elem, &vert);
    let at = |i: usize| flexes.vert_xpos[first + vertices[i] as usize];
    match vertices.len() {
        1 => weights[0] = 1.0,
        2 => weights[..2].copy_from_slice(&on_segment(point, [at(0), at(1)])),
        3 => weights[..3].copy_from_slice(&on_triangle(point, [at(0), at(1), at(2)])),
        _ => weights = on_tetrahedron(point, [at(0), at(1), at(2), at(3)]),
    }
    let shares = vertices.iter().map(|&v| first + v as usize).zip(weights);
    if m.flex.interp[f] == 0 {
        let body = |v: usize| m.flex_data.vertbodyid[v].unwrap_or(BodyId::WORLD);
        out.extend(shares.map(|(v, w)| (body(v), sign * w)));
    } else {
        let place = shares.fold(DVec3::ZERO, |p, (v, w)| p + m.flex_data.vert0[v] * w);
        carriers_of_place(m, f, place, |node, w| out.push((m.flex_data.nodebodyid[node], sign * w)));
    }
}

/// Levers by which a contact moves the edges of rods that twist, for each side: such a side has no other carriers.
pub(crate) fn levers(m: &Model, flexes: &Flexes, c: &Contact) -> [Option<RodLever>; 2] {
    [(0, 1.0), (1, -1.0)].map(|(side, sign)| {
        let f = c.flex[side].filter(|_| c.geom[side].is_none())?;
        let surface = c.pos - c.frame[0] * (0.5 * sign * c.dist);
        rod_lever(m, flexes, f, [c.elem[side], c.vert[side]], [c.pos, surface])
    })
}

/// Merges the chains of the edges that levers move into `ws.runs`.
pub(crate) fn merge_levers(m: &Model, chains: &Chains, levers: &[Option<RodLever>; 2], ws: &mut RowWorkspace) {
    for lever in levers.iter().flatten() {
        let body = |v: usize| m.flex_data.vertbodyid[v].unwrap_or(BodyId::WORLD);
        let twist = [Run { start: lever.dof as u32, len: 1 }];
        for chain in [chains.of(body(lever.vertex[0])), chains.of(body(lever.vertex[1])), &twist] {
            let all: &[Run] = &ws.runs;
            merge_chains(all, chain, false, &mut ws.part);
            std::mem::swap(&mut ws.runs, &mut ws.part);
        }
    }
}

/// Merges the chains of all bodies that carry a point into `ws.runs`.
pub(crate) fn merge(chains: &Chains, carriers: &[Carrier], ws: &mut RowWorkspace) {
    ws.runs.clear();
    for (b, _) in carriers {
        let all: &[Run] = &ws.runs;
        merge_chains(all, chains.of(*b), false, &mut ws.part);
        std::mem::swap(&mut ws.runs, &mut ws.part);
    }
}

/// Appends a row for the length of each edge of a flex that can change.
pub(crate) fn edges(m: &Model, e: EqualityId, flexes: &Flexes, rows: &mut Rows) {
    let Ok(f) = usize::try_from(m.eq.obj1id[e]) else { return };
    let f = FlexId::new(f);
    for edge in m.flex.edgeadr[f] as usize..(m.flex.edgeadr[f] + m.flex.edgenum[f]) as usize {
        let id = FlexEdgeId::new(edge);
        if m.flexedge.rigid[id] {
            continue;
        }
        let pos = flexes.edge_length[id] - m.flexedge.length0[id];
        let (runs, jac) = flexes.edge_J.row(edge);
        let diag = m.flexedge.invweight0[id].max(MINVAL);
        rows.append(&Constraint::equality(m, e, pos), runs, jac, [Row::positional(pos, diag)]);
    }
}
