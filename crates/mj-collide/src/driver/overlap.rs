//! Which geoms of a model lie in a region.

use mj_math::{DMat3, DVec3};
use mj_model::{GeomId, IdVec, Model};

use super::{CollideWorkspace, filter};
use crate::Placed;
use crate::overlap::overlap_nearby;

/// Fills `out` with the geoms that overlap a region at the given poses (world frame), in the model's order: those that
/// `admit` takes, whether or not they collide with anything. Meshes count as their convex plan.hulls. The bodies in the region
/// are those of the geoms: `m.geom.bodyid[g]`.
///
/// Example: [`collide`](crate::collide).
pub fn overlapping_geoms(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    region: &Placed,
    admit: impl Fn(GeomId) -> bool,
    ws: &mut CollideWorkspace,
    out: &mut Vec<GeomId>,
) {
    out.clear();
    let CollideWorkspace { plan, ccd, .. } = ws;
    let [min, max] = region.bounds();
    for g in m.geom.ids().filter(|&g| filter::shape_kind(m.geom.r#type[g]).is_some() && admit(g)) {
        // The bounding ball is enough for most.
        let (centre, radius) = (geom_xpos[g], m.geom.rbound[g]);
        if radius > 0.0 && (centre - centre.clamp(min, max)).length_squared() > radius * radius {
            continue;
        }
        let placed = plan.hulls.place(m, geom_xpos, geom_xmat, g);
        let [low, high] = placed.bounds();
        if low.cmple(max).all() && min.cmple(high).all() && overlap_nearby(region, &placed, ccd) {
            out.push(g);
        }
    }
}
