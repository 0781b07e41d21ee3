//! Sensors whose site is a zone in space.

use super::object::{object, reference};
use crate::data::Data;
use mj_collide::{Placed, Pose, Shape, ShapeKind, ray, shape_kind};
use mj_constraint::contact_force;
use mj_math::{DVec3, quat};
use mj_model::*;

/// Whether a point is inside a site's shape.
pub fn inside_site(m: &Model, d: &Data, site: SiteId, point: DVec3) -> bool {
    let p = d.smooth.poses.site_xmat[site].transpose() * (point - d.smooth.poses.site_xpos[site]);
    let s = m.site.size[site];
    match m.site.r#type[site] {
        GeomType::Sphere => p.length_squared() < s.x * s.x,
        GeomType::Capsule => (p - DVec3::Z * p.z.clamp(-s.y, s.y)).length_squared() < s.x * s.x,
        GeomType::Ellipsoid => (p / s).length_squared() < 1.0,
        GeomType::Cylinder => p.z.abs() < s.y && p.x * p.x + p.y * p.y < s.x * s.x,
        GeomType::Box => p.abs().cmplt(s).all(),
        GeomType::Plane => p.z < 0.0,
        GeomType::Mesh => m.site.dataid[site].is_some_and(|mesh| inside_hull(m, mesh, p)),
        _ => false,
    }
}

/// Whether a point is inside the convex hull of a mesh, both as the mesh was written: a site does not move to the
/// mesh's own frame, as a geom does.
fn inside_hull(m: &Model, mesh: MeshId, p: DVec3) -> bool {
    let p = quat::rotate(m.mesh.quat[mesh].conjugate(), p - m.mesh.pos[mesh]);
    let d = &m.mesh_data;
    let (first, n) = (m.mesh.polyadr[mesh] as usize, m.mesh.polynum[mesh] as usize);
    let behind = |side: usize| {
        let corner = m.mesh.vertadr[mesh] + d.polyvert[d.polyvertadr[side] as usize];
        let corner = DVec3::from(d.vert[corner as usize].map(f64::from));
        d.polynormal[side].dot(p - corner) < 0.0
    };
    n > 0 && (first..first + n).all(behind)
}

/// A site's shape at its pose. That of a mesh is its convex hull.
fn place_site<'a>(m: &Model, d: &'a Data, site: SiteId) -> Placed<'a> {
    let kind = shape_kind(m.site.r#type[site]).unwrap_or(ShapeKind::Sphere);
    let pose = Pose { pos: d.smooth.poses.site_xpos[site], mat: d.smooth.poses.site_xmat[site] };
    let mut shape = Shape::primitive(kind, m.site.size[site]);
    let Some(mesh) = m.site.dataid[site].filter(|_| kind == ShapeKind::Mesh) else { return Placed::new(shape, pose) };
    shape.hull = d.ws.collide.hull(mesh);
    let own = Pose { pos: pose.point(m.mesh.pos[mesh]), mat: pose.mat * quat::to_mat(m.mesh.quat[mesh]) };
    Placed::new(shape, own)
}

/// Returns the distance by which the object of a sensor extends beyond its site: a site, a geom, or the farthest of a body's or a subtree's
/// geoms.
pub fn protrusion(m: &Model, d: &Data, s: SensorId) -> f64 {
    let zone = place_site(m, d, SiteId::new(reference(m, s)));
    let id = object(m, s);
    let of_geom = |g: GeomId| {
        let placed = d.ws.collide.place(m, &d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat, g);
        mj_collide::protrusion(&placed, &zone).unwrap_or(0.0)
    };
    let root = BodyId::new(id);
    match m.sensor.objtype[s] {
        ObjType::Site => mj_collide::protrusion(&place_site(m, d, SiteId::new(id)), &zone).unwrap_or(0.0),
        ObjType::Geom => of_geom(GeomId::new(id)),
        ObjType::Body => {
            id_range(m.body.geomadr[root], m.body.geomnum[root]).map(of_geom).fold(f64::NEG_INFINITY, f64::max)
        }
        // A subtree; the compiler admits no other kinds, and sees to it that there are geoms.
        _ => (m.geom.ids().filter(|&g| m.in_subtree(m.geom.bodyid[g], root)))
            .map(of_geom)
            .fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Sum of the normal forces of contacts of the site's body whose force line meets the site's shape.
pub fn touch(m: &Model, d: &Data, site: SiteId) -> f64 {
    let body = m.site.bodyid[site];
    let zone = place_site(m, d, site);
    let mut sum = 0.0;
    for (i, c) in d.contacts.iter().enumerate() {
        let bodies = c.bodies(m);
        if d.rows.first_of_contact(i).is_none() || !bodies.contains(&body) {
            continue;
        }
        let normal = contact_force(&d.rows, &d.contacts, i, &d.solution.efc_force)[0];
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
