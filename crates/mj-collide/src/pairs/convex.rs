//! All pairs without a closed form: the general convex routine.

use crate::ccd::{manifold, touch};
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Contacts of two convex shapes.
pub(crate) fn convex(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    let Some(touch) = touch(a, b, q.margin, &q.ccd, ws) else { return };
    if q.ccd.multi_contact && manifold(a, b, &touch, q.margin, out) {
        return;
    }
    let [p1, p2] = touch.witness.points;
    out.add(touch.witness.dist, 0.5 * (p1 + p2), touch.witness.normal);
}
