//! Sensors whose site is a zone in space.

use crate::data::Data;
use mj_collide::{Placed, Pose, Shape, ShapeKind, ray};
use mj_constraint::contact_force;
use mj_math::DVec3;
use mj_model::*;

/// Whether a point is inside a site's shape.
pub fn inside_site(m: &Model, d: &Data, site: SiteId, point: DVec3) -> bool {
    let p = d.poses.site_xmat[site].transpose() * (point - d.poses.site_xpos[site]);
    let s = m.site.size[site];
    match m.site.r#type[site] {
        GeomType::Sphere => p.length_squared() < s.x * s.x,
        GeomType::Capsule => (p - DVec3::Z * p.z.clamp(-s.y, s.y)).length_squared() < s.x * s.x,
        GeomType::Ellipsoid => (p / s).length_squared() < 1.0,
        GeomType::Cylinder => p.z.abs() < s.y && p.x * p.x + p.y * p.y < s.x * s.x,
        GeomType::Box => p.abs().cmplt(s).all(),
        GeomType::Plane => p.z < 0.0,
        _ => false,
    }
}

/// Sum of the normal forces of contacts of the site's body whose force line meets the site's shape.
pub fn touch(m: &Model, d: &Data, site: SiteId) -> f64 {
    let body = m.site.bodyid[site];
    let kind = match m.site.r#type[site] {
        GeomType::Capsule => ShapeKind::Capsule,
        GeomType::Ellipsoid => ShapeKind::Ellipsoid,
        GeomType::Cylinder => ShapeKind::Cylinder,
        GeomType::Box => ShapeKind::Box,
        _ => ShapeKind::Sphere,
    };
    let pose = Pose { pos: d.poses.site_xpos[site], mat: d.poses.site_xmat[site] };
    let zone = Placed::new(Shape { kind, size: m.site.size[site] }, pose);
    let mut sum = 0.0;
    for c in &d.contacts.list {
        let bodies = c.geom.map(|g| m.geom.bodyid[g]);
        if c.efc_address.is_none() || !bodies.contains(&body) {
            continue;
        }
        let normal = contact_force(&d.rows, c, &d.solution.efc_force)[0];
        if normal <= 0.0 {
            continue;
        }
        let out_of_body = if bodies[1] == body { -c.frame[0] } else { c.frame[0] };
        if ray(&zone, c.pos, out_of_body).is_some() {
            sum += normal;
        }
    }
    sum
}
