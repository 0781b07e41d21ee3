//! Contacts, distances, and costs of constraints.

use super::{Any, D, M, change, read, register, row};
use crate::args::{Out, vector};
use crate::data::Access;
use mj_engine::{self as engine, QueryError};
use mj_math::DVec3;
use mj_model::GeomId;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// Writes force and torque of a contact in its frame, 6 numbers.
#[pyfunction]
#[pyo3(name = "mj_contactForce")]
fn mj_contact_force(m: M, d: D, id: i64, result: Any) -> PyResult<()> {
    let out = Out::<f64>::sized("result", result, 6)?;
    let i = usize::try_from(id).map_err(|_| PyIndexError::new_err(format!("there is no contact {id}")))?;
    let force = read(m, d, |m, d| match engine::contact_force(m, d, i) {
        // A contact without rows has no force.
        Err(QueryError::Row { .. }) => Ok([0.0; 6]),
        other => other,
    });
    out.write(force?)
}

/// Returns the signed distance of two geoms, `distmax` if they are farther apart, and writes the segment between their
/// nearest points to `fromto` (6).
#[pyfunction]
#[pyo3(name = "mj_geomDistance")]
fn mj_geom_distance(m: M, d: D, geom1: i64, geom2: i64, distmax: f64, fromto: Option<Any>) -> PyResult<f64> {
    let n = m.get().current(m.py())?.geom.len();
    let [a, b] = [row("geom", geom1, n)?, row("geom", geom2, n)?];
    let out = fromto.map(|value| Out::<f64>::sized("fromto", value, 6)).transpose()?;
    let found = read(m, d, |m, d| engine::geom_distance(m, d, a, b, distmax))?;
    if let Some(out) = out {
        let [from, to] = found.map_or([DVec3::ZERO; 2], |w| w.points);
        out.write(from.to_array().into_iter().chain(to.to_array()))?;
    }
    Ok(found.map_or(distmax, |w| w.dist))
}

/// Returns the greatest number of contacts that two geoms can have. `has_margin` is for MuJoCo's callers: it changes nothing.
#[pyfunction]
#[pyo3(name = "mj_maxContact")]
fn mj_max_contact(m: M, g1: i64, g2: i64, has_margin: i64) -> PyResult<usize> {
    let _ = has_margin;
    let model = m.get().current(m.py())?;
    let geoms = [row("geom", g1, model.geom.len())?, row("geom", g2, model.geom.len())?];
    Ok(mj_collide::max_contacts(&model, geoms.map(GeomId::new)))
}

/// Adds a contact to those of the next call that computes contacts; returns 0.
#[pyfunction]
#[pyo3(name = "mj_addContact")]
fn mj_add_contact(m: M, d: D, con: Any) -> PyResult<i32> {
    let numbers = |name: &str, n: usize| vector::<f64>(name, &con.getattr(name)?, n);
    let three = |name: &str| numbers(name, 3).map(|v| DVec3::from_slice(&v));
    let geoms = vector::<i32>("geom", &con.getattr("geom")?, 2)?;
    let n = m.get().current(m.py())?.geom.len();
    let [a, b] = [row("geom", geoms[0].into(), n)?, row("geom", geoms[1].into(), n)?];
    let (pos, frame) = (three("pos")?, numbers("frame", 9)?);
    let one = |name: &str| -> PyResult<f64> { con.getattr(name)?.extract() };
    let dim: u32 = con.getattr("dim")?.extract()?;
    let (dist, includemargin, adhesion) = (one("dist")?, one("includemargin")?, one("adhesion")?);
    let fixed = |v: &[f64], to: &mut [f64]| to.copy_from_slice(v);
    let [friction, solref, solreffriction, solimp, surfacevel] =
        [("friction", 5), ("solref", 2), ("solreffriction", 2), ("solimp", 5), ("surfacevel", 3)]
            .map(|(name, n)| numbers(name, n));
    let [friction, solref, solreffriction, solimp, surfacevel] =
        [friction?, solref?, solreffriction?, solimp?, surfacevel?];
    change(m, d, Access::Change, |m, d| {
        let mut contact = engine::make_contact(m, d, a, b, pos, DVec3::from_slice(&frame), dist)?;
        for (axis, numbers) in contact.frame.iter_mut().zip(frame.chunks_exact(3)) {
            *axis = DVec3::from_slice(numbers);
        }
        (contact.dist, contact.includemargin, contact.adhesion, contact.dim) = (dist, includemargin, adhesion, dim);
        contact.geom = [GeomId::new(a), GeomId::new(b)].map(Some);
        fixed(&friction, &mut contact.friction);
        fixed(&solref, &mut contact.solref);
        fixed(&solreffriction, &mut contact.solreffriction);
        fixed(&solimp, &mut contact.solimp);
        fixed(&surfacevel, &mut contact.surfacevel);
        engine::add_contact(m, d, &contact)?;
        // Part of the present contacts at once, too.
        d.contacts.list.push(contact);
        Ok::<_, QueryError>(0)
    })
}

/// Computes forces and states of the constraint rows from `jar`, J a − a_ref (nefc), and the cost if `cost` (1) is given.
#[pyfunction]
#[pyo3(name = "mj_constraintUpdate")]
#[allow(non_snake_case)]
fn mj_constraint_update(m: M, d: D, jar: Any, cost: Option<Any>, flg_coneHessian: i32) -> PyResult<()> {
    let _ = flg_coneHessian;
    let out = cost.map(|value| Out::<f64>::sized("cost", value, 1)).transpose()?;
    let n = d.get().look(m.py()).data.rows.nefc();
    let jar = vector::<f64>("jar", jar, n)?;
    let total = change(m, d, Access::Change, |m, d| engine::constraint_update(m, d, &jar))?;
    out.map_or(Ok(()), |out| out.write([total]))
}

/// Tells whether a point lies in the volume of a site.
#[pyfunction]
#[pyo3(name = "mj_insideSite")]
fn mj_inside_site(m: M, d: D, siteid: i64, point: Any) -> PyResult<i32> {
    let point = DVec3::from_array(crate::args::fixed("point", point)?);
    let site = row("site", siteid, m.get().current(m.py())?.site.len())?;
    Ok(read(m, d, |m, d| engine::inside_site(m, d, site, point))?.into())
}

register! {
    mj_contact_force mj_geom_distance mj_max_contact mj_add_contact mj_constraint_update mj_inside_site
}
