//! Contacts of triangles, those of a mesh or of a flex, with a signed distance field.

use super::{Found, Map};
use crate::sdf::Starts;
use crate::{CcdWorkspace, MAX_CONTACTS, Placed, Pose, PreContact, PreContacts, Query, SdfOptions};
use mj_math::{DMat3, DVec3, MINVAL};
use std::ops::ControlFlow;

/// Height of a tetrahedron over a triangle below which its circumscribed sphere says little, m.
const LOWEST: f64 = 0.1;

/// Contacts of a mesh, as it is and not its hull, and a field: least distances on the mesh's triangles.
pub(crate) fn mesh_sdf(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    let Some(faces) = a.shape.solid.and_then(|solid| solid.faces.as_ref()) else { return };
    let Some(field) = b.shape.field() else { return };
    let map = Map::between(&a.pose, &b.pose);
    let mut candidates = [(DVec3::ZERO, 0.0); MAX_CONTACTS];
    let mut count = 0;
    faces.search(
        |centre, half| field.distance(map.point(centre)) < half.length(),
        |face| {
            let face = face.map(|p| map.point(p));
            if !may_touch(&face, |p| field.distance(p)) {
                return true;
            }
            let found = ws.starts.descend(field, &face, &q.sdf, |x, dist| {
                candidates[count] = (x, dist);
                count += 1;
                if count == MAX_CONTACTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found.is_continue()
        },
    );
    let mut found = Found::new(&b.pose);
    for &(x, dist) in &candidates[..count] {
        found.contact(x, dist, |x| field.distance_gradient(x).1).into_iter().for_each(|c| out.push(c));
    }
}

/// Contacts of a field with triangles given in the world, of which `search` finds those near it.
///
/// `search` is given a test of boxes (centre and half sizes), and what takes a triangle with its number: it says whether
/// more are wanted. Each triangle gives its deepest point at most. Contacts come with their triangle's number, with normals
/// out of the field.
pub(crate) fn flex_sdf(
    a: &Placed,
    sdf: &SdfOptions,
    starts: &mut Starts,
    search: impl FnOnce(&dyn Fn(DVec3, DVec3) -> bool, &mut dyn FnMut(u32, [DVec3; 3]) -> bool),
    mut add: impl FnMut(u32, PreContact),
) {
    let Some(field) = a.shape.field() else { return };
    let map = Map::between(&Pose { pos: DVec3::ZERO, mat: DMat3::IDENTITY }, &a.pose);
    let mut deep = [(0, DVec3::ZERO, 0.0); MAX_CONTACTS];
    let mut count = 0;
    search(&|centre, half| field.distance(map.point(centre)) < half.length(), &mut |number, corners| {
        let corners = corners.map(|p| map.point(p));
        if !may_touch(&corners, |p| field.distance(p)) {
            return true;
        }
        let mut deepest: Option<(DVec3, f64)> = None;
        // As many points as a pair may have are looked at.
        let mut seen = 0;
        let _ = starts.descend(field, &corners, sdf, |x, dist| {
            if deepest.is_none_or(|best| dist < best.1) {
                deepest = Some((x, dist));
            }
            seen += 1;
            if seen == MAX_CONTACTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some((x, dist)) = deepest {
            deep[count] = (number, x, dist);
            count += 1;
        }
        count < MAX_CONTACTS
    });
    let mut found = Found::new(&a.pose);
    for &(number, x, dist) in &deep[..count] {
        if let Some(c) = found.contact(x, dist, |x| field.distance_gradient(x).1) {
            add(number, PreContact { normal: -c.normal, ..c });
        }
    }
}

/// Whether a triangle may touch the surface of a field: by the sphere around it and a fourth point towards the surface.
fn may_touch(corners: &[DVec3; 3], distance: impl Fn(DVec3) -> f64) -> bool {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let normal = if normal.length() < MINVAL { DVec3::X } else { normal / normal.length() };
    let centroid = a / 3.0 + b / 3.0 + c / 3.0;
    let dist = distance(centroid);
    let height = -dist / 10.0;
    if height.abs() < LOWEST {
        // The circle around the triangle.
        let (ab, bc, ca) = ((a - b).length(), (b - c).length(), (c - a).length());
        let s = (ab + bc + ca) / 2.0;
        let area = (s * (s - ab) * (s - bc) * (s - ca)).sqrt();
        return dist < ab * bc * ca / (4.0 * area.max(MINVAL));
    }
    let fourth = centroid + normal * -height;
    let [a, b, c] = [a - fourth, b - fourth, c - fourth];
    let cross = [b.cross(c), c.cross(a), a.cross(b)];
    let twice = 2.0 * a.dot(cross[0]);
    if twice.abs() < MINVAL {
        return dist < (b - a).length();
    }
    let centre = (cross[0] * a.dot(a) + cross[1] * b.dot(b) + cross[2] * c.dot(c)) / twice;
    distance(centre + fourth) < centre.length()
}
