//! Plane and polyhedron: the lowest corner, and corners next to it that are low too.

use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Most contacts.
const MOST: usize = 3;
/// Least distance of the others from the first contact, in bounding radii.
const SPREAD: f64 = 0.3;

/// Up to three contacts of a plane and a polyhedron.
pub(crate) fn plane_mesh(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let Some(hull) = b.shape.hull else { return };
    let normal = a.axis();
    let lowest = hull.farthest(b.pose.local_vector(-normal));
    let first = out.len();
    let apart = SPREAD * b.shape.bounding_radius();
    let mut add = |corner: u32| {
        let p = b.pose.point(hull.corners()[corner as usize]);
        let dist = normal.dot(p - a.pose.pos);
        let near = out.get(first).is_some_and(|c| c.pos.distance(p) < apart);
        if dist <= q.margin && !near && out.len() - first < MOST {
            out.add(dist, p - normal * (0.5 * dist), normal);
        }
    };
    add(lowest);
    hull.neighbours(lowest).iter().for_each(|&corner| add(corner));
}
