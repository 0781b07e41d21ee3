//! Tactile sensors: how deep the vertices of a mesh (taxels) are inside what touches their body, and how fast they slip.
//!
//! The mesh is fixed in a geom's frame, and not itself part of the contacts: what counts is which
//! geoms touch the geom's body.

use super::frame;
use super::object::{object, reference};
use crate::data::Data;
use mj_collide::Contact;
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
        let (kind, size) = (m.geom.r#type[other], m.geom.size[other]);
        let (center, axes) = (d.smooth.poses.geom_xpos[other], d.smooth.poses.geom_xmat[other].transpose());
        for (i, &taxel) in taxels.iter().enumerate() {
            let taxel = outwards(taxel) + pos;
            let depth = -distance(kind, size, axes * (taxel - center));
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

/// Distance of a point from the surface of a shape, both in the shape's frame, as the sensor
/// estimates it: negative inside. Where it isn't defined it is zero.
///
/// It is exact but for ellipsoids, where it is to first order, and inside boxes, where it is measured
/// along a direction that turns from radial in the middle to each face's normal at the face.
fn distance(kind: GeomType, size: DVec3, p: DVec3) -> f64 {
    match kind {
        GeomType::Plane => p.z,
        GeomType::Sphere => p.length() - size.x,
        GeomType::Capsule => (p - DVec3::Z * p.z.clamp(-size.y, size.y)).length() - size.x,
        GeomType::Ellipsoid => {
            let (scaled, slope) = ((p / size).length(), (p / (size * size)).length());
            if slope == 0.0 { -size.min_element() } else { scaled * (scaled - 1.0) / slope }
        }
        GeomType::Cylinder => {
            let (side, end) = (p.truncate().length() - size.x, p.z.abs() - size.y);
            side.max(end).min(0.0) + mj_math::real::hypot(side.max(0.0), end.max(0.0))
        }
        GeomType::Box => {
            let to_faces = size - p.abs();
            if to_faces.min_element() <= 0.0 {
                return (-to_faces).max(DVec3::ZERO).length();
            }
            let direction = (size / to_faces).normalize();
            -(to_faces / direction).min_element()
        }
        // Of meshes it would need a signed distance field, which models don't carry.
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_in_the_middle_and_at_the_surface() {
        let size = DVec3::new(0.2, 0.3, 0.4);
        for (kind, at_surface) in [
            (GeomType::Sphere, DVec3::X * 0.2),
            (GeomType::Capsule, DVec3::Z * 0.5),
            (GeomType::Ellipsoid, DVec3::Y * 0.3),
            (GeomType::Cylinder, DVec3::Z * 0.3),
            (GeomType::Box, DVec3::new(0.1, 0.0, 0.4)),
            (GeomType::Plane, DVec3::new(3.0, -2.0, 0.0)),
        ] {
            assert!(distance(kind, size, at_surface).abs() < 1e-15, "{kind:?}");
            let outwards = if at_surface.z == 0.0 && kind != GeomType::Plane { at_surface } else { DVec3::Z };
            let out = outwards.normalize();
            assert!((distance(kind, size, at_surface + out * 0.01) - 0.01).abs() < 4e-4, "{kind:?}");
            assert!(distance(kind, size, at_surface - out * 0.01) < -0.009, "{kind:?}");
        }
        // In a cube's middle all faces are equally far along the diagonal.
        let middle = distance(GeomType::Box, DVec3::splat(0.1), DVec3::ZERO);
        assert!((middle + 0.1 * 3f64.sqrt()).abs() < 1e-15);
    }
}
