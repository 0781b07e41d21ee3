//! Sensors of the smallest signed distance of two geoms, or of two bodies' geoms.

use super::object::{object, reference};
use crate::data::Data;
use mj_collide::geom_distance;
use mj_math::DVec3;
use mj_model::*;

/// Reads a distance, a normal or a segment. The cutoff is the distance beyond which there is none.
pub fn read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let cutoff = m.sensor.cutoff[s];
    let (mut dist, mut points) = (cutoff, [DVec3::ZERO; 2]);
    let poses = &d.smooth.poses;
    for g1 in geoms(m, m.sensor.objtype[s], object(m, s)) {
        for g2 in geoms(m, m.sensor.reftype[s], reference(m, s)) {
            if balls_apart(m, &poses.geom_xpos, [g1, g2], dist) {
                continue;
            }
            if let Some(w) = geom_distance(m, &poses.geom_xpos, &poses.geom_xmat, [g1, g2], dist, &mut d.ws.collide) {
                (dist, points) = (w.dist, w.points);
            }
        }
    }
    match m.sensor.r#type[s] {
        SensorType::GeomDist => out[0] = dist,
        SensorType::GeomNormal => (points[1] - points[0]).normalize_or_zero().write_to_slice(out),
        _ => {
            points[0].write_to_slice(out);
            points[1].write_to_slice(&mut out[3..]);
        }
    }
}

/// Whether the bounding balls of two geoms are farther apart than a distance; planes have none.
fn balls_apart(m: &Model, xpos: &IdVec<GeomId, DVec3>, geoms: [GeomId; 2], distance: f64) -> bool {
    let [r1, r2] = geoms.map(|g| m.geom.rbound[g]);
    let reach = r1 + r2 + distance;
    r1 > 0.0 && r2 > 0.0 && reach > 0.0 && xpos[geoms[0]].distance_squared(xpos[geoms[1]]) > reach * reach
}

/// A geom, or the geoms of a body.
fn geoms(m: &Model, kind: ObjType, id: usize) -> impl Iterator<Item = GeomId> + use<> {
    let body = BodyId::new(id);
    match kind {
        ObjType::Body => id_range(m.body.geomadr[body], m.body.geomnum[body]),
        _ => id_range(Some(GeomId::new(id)), 1),
    }
}
