//! Forces on bodies and at contacts, velocities and accelerations of objects.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::element::{ElementKey, find, index_error};
use crate::errors::query::{QueryError, check_length};
use crate::wrench;
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// Returns the force and torque of a contact in its own frame: normal, two tangents; spin, two rolls (`mj_contactForce`).
/// Zero where the contact makes no constraint.
///
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
///     <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="2"/></body></worldbody></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// for _ in 0..1000 {
///     step(&m, &mut d)?;
/// }
/// // At rest, the contact carries the weight.
/// let weight = 2.0 * 9.81;
/// assert!((contact_force(&m, &d, 0)?[0] - weight).abs() < 1e-3 * weight);
/// assert!((contact_wrench(&m, &d, 0)?.lin.z - weight).abs() < 1e-3 * weight);
///
/// // Its rows move the ball, and make one island of it.
/// let row = constraint_row(&m, &d, 0)?;
/// assert_eq!(row.source, RowSource::Contact(0));
/// let mut map = IslandMap::default();
/// islands(&m, &d, &mut map)?;
/// assert_eq!((map.nisland, map.efc_island[0]), (1, Some(0)));
/// let rows = problem(&m, &d).nefc();
/// assert_eq!(rows, d.solution.efc_force.len());
/// // Rows that accelerate as their reference asks cost nothing and need no force.
/// assert_eq!(constraint_update(&m, &mut d, &vec![0.0; rows])?, 0.0);
/// assert!(d.solution.efc_force.iter().all(|&f| f == 0.0));
///
/// // A contact made by hand: a ball in the air is held where it touches nothing.
/// let mut d = Data::new(&m)?;
/// d.state.qpos[2] = 0.5;
/// let contact = make_contact(&m, &d, "floor", "ball", DVec3::new(0.0, 0.0, 0.4), DVec3::Z, -0.001)?;
/// add_contact(&m, &mut d, &contact)?;
/// forward(&m, &mut d)?;
/// assert!(d.contacts.len() == 1 && d.qacc[2] > -9.81);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such contact, or data and model don't fit together.
pub fn contact_force(m: &Model, d: &Data, contact: usize) -> Result<[f64; 6], QueryError> {
    check_contact(m, d, contact)?;
    Ok(mj_constraint::contact_force(&d.rows, &d.contacts.list, contact, &d.solution.efc_force))
}

/// Returns the torque and force that a contact exerts on the body of its second geom, world frame, at the contact's
/// point; the first geom's body feels the opposite.
///
/// Example: [`contact_force`].
///
/// # Errors
/// As [`contact_force`].
pub fn contact_wrench(m: &Model, d: &Data, contact: usize) -> Result<Spatial, QueryError> {
    check_contact(m, d, contact)?;
    Ok(mj_constraint::contact_wrench(&d.rows, &d.contacts.list, contact, &d.solution.efc_force))
}

fn check_contact(m: &Model, d: &Data, index: usize) -> Result<(), QueryError> {
    check_data(m, d)?;
    let missing = QueryError::Contact { index, count: d.contacts.list.len() };
    let contact = d.contacts.list.get(index).ok_or(missing.clone())?;
    // The lists are the user's to change; the rows belong to the contacts that they were made from.
    let end = d.rows.first_of_contact(index).map_or(0, |first| {
        let dim = contact.dim as usize;
        let pyramid = d.rows.r#type.get(first) == Some(&ConstraintType::ContactPyramidal);
        first + if pyramid { 2 * dim.saturating_sub(1) } else { dim }
    });
    let known = matches!(contact.dim, 1 | 3 | 4 | 6) && end <= d.solution.efc_force.len().min(d.rows.nefc());
    if known { Ok(()) } else { Err(missing) }
}

/// Adds the generalized force of a force and a torque on a body at a point (world frame) to `qfrc`, nv long
/// (`mj_applyFT`).
///
/// Example: [`jac_point`](crate::jac_point).
///
/// # Errors
/// If there is no such body, `qfrc` has another length, or data and model don't fit together.
pub fn apply_ft(
    m: &Model,
    d: &Data,
    force: DVec3,
    torque: DVec3,
    point: DVec3,
    body: impl ElementKey<BodyId>,
    qfrc: &mut [f64],
) -> Result<(), QueryError> {
    check_data(m, d)?;
    let body = find(m, body)?;
    check_length("qfrc", qfrc.len(), m.nv())?;
    mj_dynamics::apply_ft(m, &d.plan.dynamics.chains, &d.smooth.poses, force, torque, point, body, qfrc);
    Ok(())
}

/// Returns the angular and linear velocity of an object's frame, oriented as the world or, if `local`, as the frame
/// itself (`mj_objectVelocity`). Objects are bodies (`Body`: the inertial frame, `XBody`: the body's own), geoms, sites
/// and cameras.
///
/// Example: [`jac_point`](crate::jac_point).
///
/// # Errors
/// If there is no such object, or data and model don't fit together.
pub fn object_velocity(m: &Model, d: &Data, kind: ObjType, id: usize, local: bool) -> Result<Spatial, QueryError> {
    check_object(m, d, kind, id)?;
    mj_dynamics::object_velocity(m, &d.smooth.poses, &d.smooth.velocities, kind, id, local)
        .ok_or(QueryError::NoFrame(kind.keyword()))
}

/// Returns the angular and linear acceleration of an object's frame, oriented as the world or, if `local`, as the frame
/// itself (`mj_objectAcceleration`). A body at rest under gravity accelerates upwards, as an accelerometer reads.
///
/// It reads the accelerations of bodies, which [`rne_post_constraint`] computes: call that first, unless the model has
/// an accelerometer or a sensor of force.
///
/// Example: [`jac_point`](crate::jac_point).
///
/// # Errors
/// If there is no such object, or data and model don't fit together.
pub fn object_acceleration(m: &Model, d: &Data, kind: ObjType, id: usize, local: bool) -> Result<Spatial, QueryError> {
    check_object(m, d, kind, id)?;
    mj_dynamics::object_acceleration(m, &d.smooth.poses, &d.smooth.velocities, &d.body_forces, kind, id, local)
        .ok_or(QueryError::NoFrame(kind.keyword()))
}

fn check_object(m: &Model, d: &Data, kind: ObjType, id: usize) -> Result<(), QueryError> {
    check_data(m, d)?;
    let count = match kind {
        ObjType::Body | ObjType::XBody => m.body.len(),
        ObjType::Geom => m.geom.len(),
        ObjType::Site => m.site.len(),
        ObjType::Camera => m.cam.len(),
        _ => return Err(QueryError::NoFrame(kind.keyword())),
    };
    if id < count { Ok(()) } else { Err(index_error(kind, id, count).into()) }
}

/// Computes accelerations and forces of bodies from the present acceleration and constraint forces, into `d.body_forces`
/// (`mj_rnePostConstraint`).
///
/// Example: [`jac_point`](crate::jac_point).
///
/// # Errors
/// If data and model don't fit together.
pub fn rne_post_constraint(m: &Model, d: &mut Data) -> Result<(), QueryError> {
    check_data(m, d)?;
    wrench::body_forces(m, d);
    Ok(())
}
