//! Two spheres.

use mj_math::DVec3;

use crate::frame::{TINY, direction};
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Contact of two spheres.
pub(crate) fn sphere_sphere(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    balls((a.pose.pos, a.shape.size.x), (b.pose.pos, b.shape.size.x), [a.axis(), b.axis()], q.margin, out);
}

/// Contact of two balls (centre, radius). Concentric balls have no normal of their own: it is then orthogonal
/// to both `axes`.
pub(super) fn balls(
    (center1, radius1): (DVec3, f64),
    (center2, radius2): (DVec3, f64),
    axes: [DVec3; 2],
    margin: f64,
    out: &mut PreContacts,
) {
    let between = center2 - center1;
    let reach = radius1 + radius2 + margin;
    if between.length_squared() > reach * reach {
        return;
    }
    let (mut normal, length) = direction(between);
    if length < TINY {
        normal = direction(axes[0].cross(axes[1])).0;
    }
    let dist = length - radius1 - radius2;
    out.add(dist, center1 + normal * (radius1 + 0.5 * dist), normal);
}
