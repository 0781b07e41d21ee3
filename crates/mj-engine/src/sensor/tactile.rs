//! Tactile sensors: how deep the vertices of a mesh (taxels) are inside what touches their body, and how fast they slip.
//!
//! The mesh is fixed in a geom's frame, and not itself part of the contacts: what counts is which
//! geoms touch the geom's body.

use super::frame;
use super::object::{object, reference};
use crate::data::Data;
use mj_collide::{Contact, shape_distance};
use mj_math::DVec3;
use mj_model::*;

/// Reads three numbers a taxel, kind by kind: the greatest depth in a geom that touches (m), then the speeds along the
/// taxel's two tangents, relative to the geoms that it is in, summed over them without their signs (m/s).
///
/// Tangents have meshes with a frame of three normals a vertex: built-in plates and wedges, and those that give as
/// many. For others the speeds are zero.
pub fn read(m: &Model, d: &Data, s: SensorId, out: &mut [f64]) {
    out.fill(0.0);
    let (mesh, carrier) = (MeshId::new(object(m, s)), GeomId::new(reference(m, s)));
    let body = weld(m, carrier);
    let rows = |adr: u32, n: u32| adr as usize..(adr + n) as usize;
    let taxels = &m.mesh_data.vert[rows(m.mesh.vertadr[mesh], m.mesh.vertnum[mesh])];
    let normals = &m.mesh_data.normal[rows(m.mesh.normaladr[mesh], m.mesh.normalnum[mesh])];
    let frames = if normals.len() == 3 * taxels.len() { normals.as_chunks::<3>().0 } else { &[] };
    let (depths, speeds) = out.split_at_mut(taxels.len());
    let (first, second) = speeds.split_at_mut(taxels.len());
    let (pos, mat) = (d.smooth.poses.geom_xpos[carrier], d.smooth.poses.geom_xmat[carrier]);
    let outwards = |v: [f32; 3]| mat * DVec3::from(v.map(f64::from));
    for other in touching(m, d, body) {
        let shape = d.ws.collide.place(m, &d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat, other).shape;
        let (center, axes) = (d.smooth.poses.geom_xpos[other], d.smooth.poses.geom_xmat[other].transpose());
        for (i, &taxel) in taxels.iter().enumerate() {
            let taxel = outwards(taxel) + pos;
            let depth = -shape_distance(&shape, axes * (taxel - center));
            if depth <= 0.0 {
                continue;
            }
            depths[i] = depths[i].max(depth);
            if let Some(&[_, a, b]) = frames.get(i) {
                let slip =
                    frame::velocity(m, d, body, taxel).lin - frame::velocity(m, d, m.geom.bodyid[other], taxel).lin;
                first[i] += slip.dot(outwards(a)).abs();
                second[i] += slip.dot(outwards(b)).abs();
            }
        }
    }
}

/// The body that a geom is fixed to.
fn weld(m: &Model, g: GeomId) -> BodyId {
    m.body.weldid[m.geom.bodyid[g]]
}

/// Geoms that touch those of a body, each once, in the order of the contacts.
fn touching<'a>(m: &'a Model, d: &'a Data, body: BodyId) -> impl Iterator<Item = GeomId> + 'a {
    let sides = |[a, b]: [GeomId; 2]| [(a, b), (b, a)];
    let geoms = d.contacts.list.iter().filter_map(Contact::geoms);
    let all = move || geoms.clone().flat_map(sides).filter(move |s| weld(m, s.0) == body).map(|s| s.1);
    // A geom has few contacts: looking back costs less than a list of those that were seen.
    all().enumerate().filter(move |&(n, g)| !all().take(n).any(|seen| seen == g)).map(|(_, g)| g)
}
