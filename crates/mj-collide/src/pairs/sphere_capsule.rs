//! Sphere and capsule: a ball and the nearest ball along the capsule.

use super::sphere_sphere::balls;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Contact of a sphere and a capsule.
pub(crate) fn sphere_capsule(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let (axis, size) = (b.axis(), b.shape.size);
    let along = axis.dot(a.pose.pos - b.pose.pos).max(-size.y).min(size.y);
    let nearest = b.pose.pos + axis * along;
    balls((a.pose.pos, a.shape.size.x), (nearest, size.x), [a.axis(), axis], q.margin, out);
}
