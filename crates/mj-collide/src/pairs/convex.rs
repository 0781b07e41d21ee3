//! All pairs without a closed form: the general convex routine.

use crate::bounding_box::boxes_apart;
use crate::ccd::{manifold, perturbed, portal_contact, surface_normal, touch};
use crate::{CcdAlgorithm, CcdWorkspace, Placed, PreContact, PreContacts, Query};

/// Contacts of two convex shapes.
pub(crate) fn convex(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    if q.ccd.algorithm == CcdAlgorithm::Portal {
        return perturbed(a, b, q, out);
    }
    // Half of the pairs whose bounding balls meet need no search. It counts what is apart by its tolerance as touching.
    if boxes_apart(a, b, q.margin.max(0.0) + 2.0 * q.ccd.tolerance) {
        return;
    }
    let Some(touch) = touch(a, b, q.margin, &q.ccd, ws) else { return };
    if q.ccd.multi_contact && manifold(a, b, &touch, (q.margin, false), &mut ws.patches, out) {
        return;
    }
    out.push(touch.contact());
}

/// One contact of two convex shapes.
pub(crate) fn single(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace) -> Option<PreContact> {
    match q.ccd.algorithm {
        CcdAlgorithm::GjkEpa => touch(a, b, q.margin, &q.ccd, ws).map(|touch| touch.contact()),
        CcdAlgorithm::Portal => portal_contact(a, b, q.margin, &q.ccd)
            .map(|found| PreContact { normal: surface_normal(a, b, &found), ..found }),
    }
}
