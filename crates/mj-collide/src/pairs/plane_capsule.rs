//! Plane and capsule: the balls at both ends.

use super::plane_sphere::out_of_half_space;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Up to two contacts of a plane and a capsule, their frames aligned with the capsule.
pub(crate) fn plane_capsule(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let (axis, size) = (b.axis(), b.shape.size);
    for half in [size.y, -size.y] {
        let end = b.pose.pos + axis * half;
        out_of_half_space(a.pose.pos, a.axis(), end, size.x, q.margin, axis, out);
    }
}
