//! Plane and ellipsoid: the ellipsoid's support point against the normal.

use crate::ccd::SupportMap;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Contact of a plane and an ellipsoid.
pub(crate) fn plane_ellipsoid(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let normal = a.axis();
    let lowest = b.support(-normal);
    let dist = normal.dot(lowest - a.pose.pos);
    if dist <= q.margin {
        out.add(dist, lowest - normal * (0.5 * dist), normal);
    }
}
