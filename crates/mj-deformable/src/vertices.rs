//! Positions of vertices, and boxes of elements.

use crate::buffers::Flexes;
use crate::cells::interpolation::track_interior;
use crate::lines::half_sizes;
use crate::plan::FlexPlan;
use mj_dynamics::Poses;
use mj_math::DVec3;
use mj_model::*;

/// Places the vertices of all flexes in the world, and computes the boxes of their elements.
pub fn vertices(m: &Model, plan: &FlexPlan, poses: &Poses, out: &mut Flexes) {
    let (d, s) = (&m.flex_data, &m.flex_shape);
    let place = |b: BodyId, local: DVec3, centered: bool| {
        if centered || local == DVec3::ZERO { poses.xpos[b] } else { poses.xpos[b] + poses.xmat[b] * local }
    };
    for f in m.flex.ids() {
        let of_nodes = m.flex.nodeadr[f] as usize..(m.flex.nodeadr[f] + m.flex.nodenum[f]) as usize;
        let of_verts = m.flex.vertadr[f] as usize..(m.flex.vertadr[f] + m.flex.vertnum[f]) as usize;
        let centered = m.flex.centered[f];
        if let Some(by) = &plan.interpolation[f.index()] {
            for i in of_nodes.clone() {
                out.node_xpos[i] = place(d.nodebodyid[i], s.node[i], centered);
            }
            let node = &mut out.node_xpos[of_nodes];
            if by.shell {
                track_interior(node, by.nodes);
            }
            for (v, p) in out.vert_xpos[of_verts].iter_mut().enumerate() {
                *p = by.place(v, node);
            }
        } else {
            for i in of_verts {
                out.vert_xpos[i] = place(d.vertbodyid[i].unwrap_or(BodyId::WORLD), s.vert[i], centered);
            }
        }
        boxes(m, f, out);
    }
}

fn boxes(m: &Model, f: FlexId, out: &mut Flexes) {
    let verts = &out.vert_xpos[m.flex.vertadr[f] as usize..];
    let corners = m.flex.dim[f] as usize + 1;
    let elem = &m.flex_data.elem[m.flex.elemdataadr[f] as usize..];
    // A rectangle, however it is turned, is in the circle through its corners.
    let radius = half_sizes(m, f).map_or(m.flex.radius[f], |[a, b]| a.hypot(b));
    let boxes = &mut out.elem_aabb[m.flex.elemadr[f] as usize..][..m.flex.elemnum[f] as usize];
    for (aabb, e) in boxes.iter_mut().zip(elem.chunks_exact(corners)) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &v in e {
            low = low.min(verts[v as usize]);
            high = high.max(verts[v as usize]);
        }
        let (centre, half) = (0.5 * (high + low), 0.5 * (high - low) + radius);
        *aabb = [centre.x, centre.y, centre.z, half.x, half.y, half.z];
    }
}
