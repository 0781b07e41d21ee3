//! Which poses a step reads.

use mj_dynamics::PoseNeeds;
use mj_model::*;

/// The frames that a step reads: those of the smooth stages, of geoms that may collide, of sites that
/// are held together, and of what sensors look at.
pub fn of_step(m: &Model) -> PoseNeeds {
    let mut n = PoseNeeds::new(m);
    m.geom.ids().filter(|&g| m.geom.contype[g] != 0 || m.geom.conaffinity[g] != 0).for_each(|g| n.geom(m, g));
    m.pair.ids().flat_map(|p| [m.pair.geom1[p], m.pair.geom2[p]]).for_each(|g| n.geom(m, g));
    for e in m.eq.ids().filter(|&e| m.eq.objtype[e] == ObjType::Site) {
        [m.eq.obj1id[e], m.eq.obj2id[e]].iter().for_each(|&id| object(m, &mut n, ObjType::Site, id));
    }
    m.sensor.ids().for_each(|s| sensor(m, &mut n, s));
    n
}

fn sensor(m: &Model, n: &mut PoseNeeds, s: SensorId) {
    use SensorType::*;
    let kind = m.sensor.r#type[s];
    if let User | Plugin | Rangefinder | Tactile = kind {
        // Rays may hit, and users may ask for, anything.
        m.geom.ids().for_each(|g| n.geom(m, g));
    }
    for (kind, id) in [(m.sensor.objtype[s], m.sensor.objid[s]), (m.sensor.reftype[s], m.sensor.refid[s])] {
        object(m, n, kind, id);
    }
    // These look at all geoms of a body, or of a subtree.
    if let GeomDist | GeomNormal | GeomFromTo | InsideSite = kind {
        for (kind, id) in [(m.sensor.objtype[s], m.sensor.objid[s]), (m.sensor.reftype[s], m.sensor.refid[s])] {
            if let (ObjType::Body | ObjType::XBody, Ok(id)) = (kind, usize::try_from(id)) {
                let root = BodyId::new(id);
                let whole = kind == ObjType::XBody;
                let bodies = m.body.ids().filter(|&b| if whole { m.in_subtree(b, root) } else { b == root });
                bodies.for_each(|b| n.geoms_of(m, b));
            }
        }
    }
}

/// Adds an object, if it has a frame of its own.
fn object(m: &Model, n: &mut PoseNeeds, kind: ObjType, id: i32) {
    let Ok(id) = usize::try_from(id) else { return };
    match kind {
        ObjType::Geom => n.geom(m, GeomId::new(id)),
        ObjType::Site => n.site(m, SiteId::new(id)),
        ObjType::Camera => n.camera(CameraId::new(id)),
        _ => {}
    }
}
