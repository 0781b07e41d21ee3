//! Plane and cylinder: the lowest points of both rims, and two more on the lower rim that complete a triangle.

use crate::frame::TINY;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Up to four contacts of a plane and a cylinder.
pub(crate) fn plane_cylinder(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let normal = a.axis();
    let (radius, half) = (b.shape.size.x, b.shape.size.y);
    let height = normal.dot(b.pose.pos - a.pose.pos);

    // The axis that goes down, and the radius that goes down as steeply as it can. A disk parallel to the
    // plane has no such radius; any will do.
    let mut axis = b.axis();
    let mut slope = normal.dot(axis);
    if slope > 0.0 {
        (axis, slope) = (-axis, -slope);
    }
    let down = axis * slope - normal;
    let length = down.length();
    let spoke = if length >= TINY { down * (radius / length) } else { b.pose.mat.x_axis * radius };

    let axis = axis * half;
    let rise_axis = slope * half;
    let rise_spoke = normal.dot(spoke);
    let mut touch = |offset, dist: f64| {
        if dist <= q.margin {
            out.add(dist, b.pose.pos + offset - normal * (0.5 * dist), normal);
        }
        dist <= q.margin
    };

    // The lower rim's lowest point: no contact where it is too high.
    if !touch(axis + spoke, height + rise_axis + rise_spoke) {
        return;
    }
    touch(spoke - axis, height - rise_axis + rise_spoke);

    // An equilateral triangle in the lower disk, pointing down.
    let across = spoke.cross(axis).normalize_or_zero() * (radius * 0.75f64.sqrt());
    let dist = height + rise_axis - 0.5 * rise_spoke;
    touch(axis - 0.5 * spoke + across, dist);
    touch(axis - 0.5 * spoke - across, dist);
}
