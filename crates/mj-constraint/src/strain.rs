//! Strain of a flex's cell or face: one row for each mode of deformation that takes energy.
//!
//! A mode w, which is scaled by the root of its stiffness, has the residual w·(Rᵀ x − x₀) of the nodes' positions x, where R is
//! the rotation of the element. In the Jacobian R counts as constant.

use crate::builder::{Constraint, Row, RowWorkspace};
use crate::rows::Rows;
use mj_deformable::{Grid, MAX_ELEMENT_NODES, node_position, rotation_of};
use mj_dynamics::{BodyPoint, Chains, Poses, chain_width, merge_chains};
use mj_math::{DVec3, Spatial, quat};
use mj_model::*;

/// Appends the rows of an equality constraint of strain.
pub(crate) fn append(m: &Model, chains: &Chains, poses: &Poses, e: EqualityId, ws: &mut RowWorkspace, rows: &mut Rows) {
    let Ok(flex) = usize::try_from(m.eq.obj1id[e]) else { return };
    let f = FlexId::new(flex);
    let Some(grid) = Grid::of(m, f) else { return };
    let Some(element) = grid.constrained(&m.eq.data[e]) else { return };
    let width = 3 * grid.element_nodes();
    let Some(record) = record(m, f, element * width * width, width * width) else { return };
    let (modes, first) = (record[1..].chunks_exact(width).take(record[0] as usize), m.flex.nodeadr[f] as usize);

    let element = grid.element(element);
    let mut node = [0; MAX_ELEMENT_NODES];
    let mut at = [DVec3::ZERO; MAX_ELEMENT_NODES];
    let count = element.num_nodes();
    let mut weight = 0.0;
    ws.runs.clear();
    for (k, n) in element.nodes().enumerate() {
        node[k] = first + n;
        at[k] = node_position(m, poses, node[k]);
        let body = m.flex_data.nodebodyid[node[k]];
        weight += m.body.invweight0[body][0];
        merge_chains(&ws.runs, chains.of(body), false, &mut ws.part);
        std::mem::swap(&mut ws.runs, &mut ws.part);
    }
    weight /= count as f64;
    let extent = element.extent(&m.flex_data.node0[first..]);
    let rotation = quat::to_mat(rotation_of(element.deformation(&at[..count], extent)));
    let mut displacement = [DVec3::ZERO; MAX_ELEMENT_NODES];
    for k in 0..count {
        displacement[k] = rotation.transpose() * at[k] - m.flex_data.node0[node[k]];
    }
    let columns = chain_width(&ws.runs);
    for mode in modes {
        let mode = mode.as_chunks::<3>().0;
        ws.jac.clear();
        ws.jac.resize(columns, 0.0);
        let mut residual = 0.0;
        for k in 0..count {
            let w = DVec3::from_array(mode[k]);
            residual += w.dot(displacement[k]);
            let point = BodyPoint::new(m, chains, poses, m.flex_data.nodebodyid[node[k]], at[k]);
            point.project(&ws.runs, Spatial::new(DVec3::ZERO, rotation * w), &mut ws.jac);
        }
        rows.append(&Constraint::equality(m, e, residual), &ws.runs, &ws.jac, [Row::positional(residual, weight)]);
    }
}

/// Record of an element's modes.
fn record(m: &Model, f: FlexId, from: usize, size: usize) -> Option<&[f64]> {
    let first = usize::try_from(m.flex.stiffnessadr[f]).ok()?;
    m.flex_shape.stiffness.get(first + from..first + from + size)
}
