//! Plane and sphere: the lowest point of the ball.

use mj_math::DVec3;

use crate::{CcdWorkspace, Placed, PreContact, PreContacts, Query};

/// Contact of a plane and a sphere.
pub(crate) fn plane_sphere(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    out_of_half_space(a.pose.pos, a.axis(), b.pose.pos, b.shape.size.x, q.margin, DVec3::ZERO, out);
}

/// Contact of the half-space below `point` (outward unit `normal`) and a ball.
pub(super) fn out_of_half_space(
    point: DVec3,
    normal: DVec3,
    center: DVec3,
    radius: f64,
    margin: f64,
    tangent: DVec3,
    out: &mut PreContacts,
) {
    let dist = normal.dot(center - point) - radius;
    if dist <= margin {
        out.push(PreContact { dist, pos: center - normal * (radius + 0.5 * dist), normal, tangent });
    }
}
