//! Sensors of rays, distances, zones and contacts: what they may refer to, and how much they report.

use crate::context::Context;
use mj_model::Model;
use mj_model::sensing::{CONTACT_FIELDS, CONTACT_VELOCITIES, NET_FORCE, RAY_FIELDS, width};
use mj_model::spec::Sensor;
use mj_model::*;

/// Number of outputs of a sensor of contacts or rays; absurdly many stay too many.
pub(crate) fn dim(s: &Sensor, object: i32, m: &Model) -> u32 {
    if s.r#type == SensorType::Contact {
        let slots = u32::try_from(s.intprm[2]).unwrap_or(0);
        return slots.saturating_mul(width(&CONTACT_FIELDS, s.intprm[0]));
    }
    let rays = match usize::try_from(object) {
        Ok(camera) if s.objtype == ObjType::Camera => {
            let [w, h] = m.cam.resolution[CameraId::new(camera)].map(|n| u32::try_from(n).unwrap_or(0));
            w.saturating_mul(h)
        }
        _ => 1,
    };
    rays.saturating_mul(width(&RAY_FIELDS, s.intprm[0]))
}

/// Checks what a sensor of this family asks for and refers to, given the rows of its object and reference.
pub(crate) fn check(cx: &mut Context, s: &Sensor, [object, reference]: [i32; 2], what: &str, m: &Model) {
    use SensorType as S;
    match s.r#type {
        S::CamProjection => camera_has_pixels(cx, s, reference, what, m),
        S::Rangefinder => {
            if s.objtype == ObjType::Camera {
                camera_has_pixels(cx, s, object, what, m);
            }
            asks_for_fields(cx, s, &RAY_FIELDS, what);
        }
        S::Contact => {
            asks_for_fields(cx, s, &CONTACT_FIELDS, what);
            if s.intprm[1] == NET_FORCE && s.intprm[0] & CONTACT_VELOCITIES != 0 {
                cx.error(s.loc, format!("{what}: a net force has no velocity"))
                    .help("drop `linvel` and `angvel`, or choose another `reduce`");
            }
            if !(0..=NET_FORCE).contains(&s.intprm[1]) || s.intprm[2] <= 0 {
                cx.error(s.loc, format!("{what}: `reduce` or `num` is out of range"));
            }
        }
        S::GeomDist | S::GeomNormal | S::GeomFromTo if s.objtype == s.reftype && object == reference && object >= 0 => {
            cx.error(s.loc, format!("{what} is from `{}` to itself", s.objname));
        }
        S::InsideSite if s.intprm[0] != 0 => encloses(cx, s, [object, reference], what, m),
        _ => {}
    }
}

fn camera_has_pixels(cx: &mut Context, s: &Sensor, camera: i32, what: &str, m: &Model) {
    let Ok(camera) = usize::try_from(camera) else { return };
    if m.cam.resolution[CameraId::new(camera)].iter().any(|&n| n <= 0) {
        cx.error(s.loc, format!("{what}: the camera needs a `resolution` of at least one pixel"));
    }
}

fn asks_for_fields(cx: &mut Context, s: &Sensor, fields: &[u32], what: &str) {
    if s.intprm[0] <= 0 || s.intprm[0] >> fields.len() != 0 {
        cx.error(s.loc, format!("{what}: `data` must name at least one field"));
    }
}

/// An enclosure is measured between convex shapes that are bounded: not of planes, height fields and signed distances.
fn encloses(cx: &mut Context, s: &Sensor, [object, zone]: [i32; 2], what: &str, m: &Model) {
    let Ok(id) = usize::try_from(object) else { return };
    let measurable = |kind: GeomType| !matches!(kind, GeomType::Plane | GeomType::Hfield | GeomType::Sdf);
    if let Ok(zone) = usize::try_from(zone)
        && !measurable(m.site.r#type[SiteId::new(zone)])
    {
        let kind = m.site.r#type[SiteId::new(zone)].keyword();
        cx.error(s.loc, format!("{what}: a site of type `{kind}` encloses nothing"));
        return;
    }
    let (mut count, mut other) = (0, None);
    let mut look = |kind: GeomType| {
        count += 1;
        if !measurable(kind) {
            other = Some(kind);
        }
    };
    match s.objtype {
        ObjType::Geom => look(m.geom.r#type[GeomId::new(id)]),
        ObjType::Site => look(m.site.r#type[SiteId::new(id)]),
        ObjType::Body => {
            let b = BodyId::new(id);
            id_range(m.body.geomadr[b], m.body.geomnum[b]).for_each(|g| look(m.geom.r#type[g]));
        }
        ObjType::XBody => {
            let within = |g: &GeomId| m.in_subtree(m.geom.bodyid[*g], BodyId::new(id));
            m.geom.ids().filter(within).for_each(|g| look(m.geom.r#type[g]));
        }
        ObjType::Camera => {
            cx.error(s.loc, format!("{what}: a camera has no extent that a site could enclose"));
            return;
        }
        _ => return,
    }
    if count == 0 {
        cx.error(s.loc, format!("{what}: `{}` has no geom that a site could enclose", s.objname));
    }
    if let Some(kind) = other {
        cx.error(s.loc, format!("{what}: no site encloses a {}", kind.keyword()));
    }
}
