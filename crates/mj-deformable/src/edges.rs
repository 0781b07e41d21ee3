//! Edges of flexes: lengths, their derivatives and velocities, and the forces of springs and dampers along them.

use crate::buffers::Flexes;
use mj_dynamics::{BodyPoint, Chains, Poses};
use mj_math::{DVec3, Spatial};
use mj_model::*;
use std::ops::Range;

/// Edges of a flex.
pub(crate) fn range(m: &Model, f: FlexId) -> Range<usize> {
    m.flex.edgeadr[f] as usize..(m.flex.edgeadr[f] + m.flex.edgenum[f]) as usize
}

/// Whether anything acts along the edges of a flex, so that their Jacobian is of use.
fn acts(m: &Model, f: FlexId) -> bool {
    let t = &m.flex;
    t.edgeequality[f] == 1 || t.edgedamping[f] != 0.0 || t.edgestiffness[f] != 0.0 || t.damping[f] != 0.0
}

/// Computes lengths and Jacobian of the edges of flexes that are neither rigid nor interpolated. Rows of flexes along whose
/// edges nothing acts are zero.
pub fn edges(m: &Model, chains: &Chains, poses: &Poses, out: &mut Flexes) {
    for f in m.flex.ids().filter(|&f| !m.flex.rigid[f] && m.flex.interp[f] == 0) {
        let acts = acts(m, f);
        let first = m.flex.vertadr[f] as usize;
        for e in range(m, f) {
            let ends = m.flex_data.edge[e].map(|v| first + v as usize);
            let [p, q] = ends.map(|v| out.vert_xpos[v]);
            let length = (q - p).length();
            out.edge_length[FlexEdgeId::new(e)] = length;
            let block = out.edge_J.blocks()[e];
            let (runs, values) = out.edge_J.runs_and_values_mut(&block);
            values.fill(0.0);
            if !acts || runs.is_empty() {
                continue;
            }
            let along = if length < mj_math::MINVAL { DVec3::X } else { (q - p) / length };
            for (v, point, sign) in [(ends[0], p, -1.0), (ends[1], q, 1.0)] {
                let body = m.flex_data.vertbodyid[v].unwrap_or(BodyId::WORLD);
                let wrench = Spatial::new(DVec3::ZERO, along * sign);
                BodyPoint::new(m, chains, poses, body, point).project(runs, wrench, values);
            }
        }
    }
}

/// Computes the velocities of the edges' lengths.
#[inline]
pub fn edge_velocities(s: &State, out: &mut Flexes) {
    for (e, v) in out.edge_velocity.iter_mut().enumerate() {
        *v = out.edge_J.row_dot(e, &s.qvel);
    }
}

/// Adds the forces of springs and dampers along edges to `spring` and `damper` (nv).
pub(crate) fn edge_forces(m: &Model, flexes: &Flexes, spring: &mut [f64], damper: &mut [f64]) {
    let (springs, dampers) = (!m.opt.disabled(disable::SPRING), !m.opt.disabled(disable::DAMPER));
    for f in m.flex.ids().filter(|&f| !m.flex.rigid[f] && m.flex.interp[f] == 0) {
        let stiffness = if springs { m.flex.edgestiffness[f] } else { 0.0 };
        let damping = if dampers { m.flex.edgedamping[f] } else { 0.0 };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        for e in range(m, f) {
            let id = FlexEdgeId::new(e);
            if m.flexedge.rigid[id] {
                continue;
            }
            let pull = stiffness * (m.flexedge.length0[id] - flexes.edge_length[id]);
            let drag = -damping * flexes.edge_velocity[id];
            let (runs, values) = flexes.edge_J.row(e);
            let dofs = runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
            for (d, j) in dofs.zip(values) {
                spring[d] += j * pull;
                damper[d] += j * drag;
            }
        }
    }
}

/// Energy of the springs along edges.
pub fn edge_energy(m: &Model, flexes: &Flexes) -> f64 {
    let elastic = |f: &FlexId| !m.flex.rigid[*f] && m.flex.interp[*f] == 0 && m.flex.dim[*f] == 1;
    let of = |f: FlexId| {
        let stretch = |e: usize| {
            let id = FlexEdgeId::new(e);
            if m.flexedge.rigid[id] { 0.0 } else { m.flexedge.length0[id] - flexes.edge_length[id] }
        };
        range(m, f).map(|e| 0.5 * m.flex.edgestiffness[f] * stretch(e).powi(2)).sum::<f64>()
    };
    m.flex.ids().filter(elastic).filter(|&f| m.flex.edgestiffness[f] != 0.0).map(of).sum()
}
