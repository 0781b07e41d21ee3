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
    for g1 in geoms(m, m.sensor.objtype[s], object(m, s)) {
        for g2 in geoms(m, m.sensor.reftype[s], reference(m, s)) {
            let near = geom_distance(
                m,
                &d.smooth.poses.geom_xpos,
                &d.smooth.poses.geom_xmat,
                [g1, g2],
                dist,
                &mut d.ws.collide,
            );
            if let Some(w) = near {
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

/// A geom, or the geoms of a body.
fn geoms(m: &Model, kind: ObjType, id: usize) -> impl Iterator<Item = GeomId> + use<> {
    let body = BodyId::new(id);
    match kind {
        ObjType::Body => id_range(m.body.geomadr[body], m.body.geomnum[body]),
        _ => id_range(Some(GeomId::new(id)), 1),
    }
}
