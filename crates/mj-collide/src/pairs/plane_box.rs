//! Plane and box: the corners of the lower half.

use mj_math::DVec3;

use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Up to four contacts of a plane and a box.
pub(crate) fn plane_box(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let normal = a.axis();
    let height = normal.dot(b.pose.pos - a.pose.pos);
    let first = out.len();
    for corner in corners(b.shape.size) {
        let corner = b.pose.mat * corner;
        let rise = normal.dot(corner);
        if rise > 0.0 || height + rise > q.margin {
            continue;
        }
        let dist = height + rise;
        out.add(dist, b.pose.pos + corner - normal * (0.5 * dist), normal);
        // A box parallel to an axis of the plane's has corners at its own middle height: four are enough.
        if out.len() - first == 4 {
            return;
        }
    }
}

/// The eight corners of a box, x fastest.
fn corners(half: DVec3) -> impl Iterator<Item = DVec3> {
    (0..8).map(move |i| {
        let sign = |bit: u8| if i & bit != 0 { 1.0 } else { -1.0 };
        half * DVec3::new(sign(1), sign(2), sign(4))
    })
}
