//! Bodies that move vertices of flexes.

use mj_engine::{Data, Model};
use mj_math::DVec3;
use mj_model::{BodyId, FlexId};

/// Returns the body that moves a vertex of a flex most, with the point to pull: the vertex, or of an interpolated flex the node of the
/// grid that is nearest in the reference configuration.
pub(super) fn vertex_body(m: &Model, d: &Data, f: FlexId, vertex: usize) -> Option<(BodyId, DVec3)> {
    let v = m.flex.vertadr[f] as usize + vertex;
    if m.flex.interp[f] == 0 {
        let body = (*m.flex_data.vertbodyid.get(v)?)?;
        return Some((body, *d.flexes.vert_xpos.get(v)?));
    }
    let at = *m.flex_data.vert0.get(v)?;
    let order = m.flex.interp[f].unsigned_abs() as usize;
    let counts = m.flex.cellnum[f].map(|n| n.max(1) as usize * order);
    let first = m.flex.nodeadr[f] as usize;
    let bodies = m.flex_data.nodebodyid.get(first..first + m.flex.nodenum[f] as usize)?;
    // Nodes lie evenly in the box of the flex, z fastest. Those that no dof moves can't be pulled.
    let place = |n: usize| {
        let [_, ny, nz] = counts.map(|c| c + 1);
        let index = [n / (ny * nz), n / nz % ny, n % nz];
        DVec3::from_array([0, 1, 2].map(|k| index[k] as f64 / counts[k] as f64))
    };
    let moving = (0..bodies.len()).filter(|&n| m.body.dofnum[bodies[n]] > 0);
    let distance = |n: &usize| place(*n).distance_squared(at);
    let node = moving.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    let body = bodies[node];
    let local = if m.flex.centered[f] { DVec3::ZERO } else { *m.flex_shape.node.get(first + node)? };
    Some((body, d.smooth.poses.xpos[body] + d.smooth.poses.xmat[body] * local))
}
