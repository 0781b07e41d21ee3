//! All pairs without a closed form: the general convex routine.

use crate::ccd::{manifold, nearest};
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Contacts of two convex shapes.
pub(crate) fn convex(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    let Some(witness) = nearest(a, b, q.margin, &q.ccd, ws) else { return };
    if q.ccd.multi_contact && manifold(a, b, &witness, q.margin, out) {
        return;
    }
    let [p1, p2] = witness.points;
    out.add(witness.dist, 0.5 * (p1 + p2), witness.normal);
}
