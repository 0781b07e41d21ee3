//! Contacts of the user's, and how collisions are found: functions of the narrow phase, and a filter.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::element::{ElementKey, find};
use crate::errors::query::QueryError;
use mj_collide::{Colliders, Contact, ContactFilter, PreContact, contact_between};
use mj_math::DVec3;
use mj_model::*;

/// Makes a contact of two geoms with their own parameters (friction, solref, …), or those of an explicit pair: the
/// midpoint between the surfaces, the normal from the first geom to the second (world frame), and the distance, negative
/// where they overlap, in metres. Give it to [`add_contact`].
///
/// Example: [`contact_force`](crate::contact_force).
///
/// # Errors
/// If a geom is not there, a number is not finite, the normal has no length, or data and model don't fit together.
pub fn make_contact(
    m: &Model,
    d: &Data,
    geom1: impl ElementKey<GeomId>,
    geom2: impl ElementKey<GeomId>,
    pos: DVec3,
    normal: DVec3,
    dist: f64,
) -> Result<Contact, QueryError> {
    check_data(m, d)?;
    let geoms = [find(m, geom1)?, find(m, geom2)?];
    if !normal.is_finite() || normal.length() < mj_math::MINVAL {
        return Err(QueryError::BadContact("its normal must be finite and have a length"));
    }
    let found = PreContact { dist, pos, normal: normal.normalize(), tangent: DVec3::ZERO };
    let contact = contact_between(m, &d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat, geoms, &found);
    check_contact(m, &contact)?;
    Ok(contact)
}

/// Adds a contact to those that the next evaluation of forward or inverse dynamics finds, before it makes constraint rows
/// (`mj_addContact`). It takes part once: in the next [`step`](crate::step), [`forward`](crate::forward) or
/// [`fwd_position`](crate::fwd_position), and there in the first stage of Runge-Kutta's method. The contacts in
/// `d.contacts` stay as they are until then.
///
/// Example: [`contact_force`](crate::contact_force).
///
/// # Errors
/// If the contact's geoms are not there, its dimension is none of 1, 3, 4 and 6, its frame is not orthonormal, a number
/// is not finite, or data and model don't fit together.
pub fn add_contact(m: &Model, d: &mut Data, contact: &Contact) -> Result<(), QueryError> {
    check_data(m, d)?;
    check_contact(m, contact)?;
    d.ws.added.push(*contact);
    Ok(())
}

fn check_contact(m: &Model, c: &Contact) -> Result<(), QueryError> {
    let Some(geoms) = c.geoms() else { return Err(QueryError::BadContact("both its sides must be geoms")) };
    for geom in geoms {
        find(m, geom)?;
    }
    let numbers = [c.dist, c.includemargin, c.adhesion];
    let lists: [&[f64]; 5] = [&numbers, &c.friction, &c.solref, &c.solreffriction, &c.solimp];
    let finite = lists.iter().all(|list| list.iter().all(|x| x.is_finite()));
    if !finite || !c.pos.is_finite() || !c.surfacevel.iter().all(|x| x.is_finite()) {
        return Err(QueryError::BadContact("a number of it is not finite"));
    }
    if ![1, 3, 4, 6].contains(&c.dim) {
        return Err(QueryError::BadContact("its dimension must be 1, 3, 4 or 6"));
    }
    if c.friction.iter().any(|&mu| mu <= 0.0) {
        return Err(QueryError::BadContact("its friction coefficients must be positive"));
    }
    let [x, y, z] = c.frame;
    let products = [x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0, x.dot(y), y.dot(z), z.dot(x)];
    if products.iter().all(|p| p.abs() < 1e-6) {
        Ok(())
    } else {
        Err(QueryError::BadContact("the axes of its frame must have unit length and be at right angles"))
    }
}

impl Data {
    /// Returns the functions of the narrow phase, one for each pair of kinds of shapes.
    pub fn colliders(&self) -> &Colliders {
        &self.ws.collide.colliders
    }

    /// Returns the functions of the narrow phase for changing.
    pub fn colliders_mut(&mut self) -> &mut Colliders {
        &mut self.ws.collide.colliders
    }

    /// Returns the filter of contacts, if one is set.
    pub fn contact_filter(&self) -> Option<&ContactFilter> {
        self.ws.collide.filter.as_ref()
    }

    /// Sets or removes a filter that refuses pairs of geoms besides those that the model's own rules refuse. It is asked
    /// at every step for pairs whose bounding volumes are near. Copies of the data share it.
    pub fn set_contact_filter(&mut self, filter: Option<ContactFilter>) {
        self.ws.collide.filter = filter;
    }
}
