//! Jacobians of points and bodies.

use super::{Any, D, M, read, register, row};
use crate::args::{Out, fixed};
use mj_engine::{self as engine, DVec3, Jacobian};
use pyo3::prelude::*;

/// A matrix of 3 × nv to write, unless it is not asked for.
fn target<'py>(name: &str, value: Option<Any<'_, 'py>>, nv: usize) -> PyResult<Option<Out<'py, f64>>> {
    value.map(|value| Out::matrix(name, value, 3, nv)).transpose()
}

/// Finds a Jacobian and writes what is asked for of it.
fn write<E: std::fmt::Display + Send>(
    m: M,
    d: D,
    (jacp, jacr): (Option<Any>, Option<Any>),
    names: (&str, &str),
    f: impl FnOnce(&engine::Model, &engine::Data, &mut Jacobian) -> Result<(), E> + Send,
) -> PyResult<()> {
    let nv = m.get().current(m.py())?.nv();
    let (jacp, jacr) = (target(names.0, jacp, nv)?, target(names.1, jacr, nv)?);
    let mut jacobian = Jacobian::default();
    read(m, d, |m, d| f(m, d, &mut jacobian))?;
    jacp.map_or(Ok(()), |out| out.write(jacobian.jacp))?;
    jacr.map_or(Ok(()), |out| out.write(jacobian.jacr))
}

const JAC: (&str, &str) = ("jacp", "jacr");

/// Computes the Jacobian of a point of a body: translation and rotation, each 3 × nv; either may be None.
#[pyfunction]
fn mj_jac(m: M, d: D, jacp: Option<Any>, jacr: Option<Any>, point: Any, body: i64) -> PyResult<()> {
    let point = DVec3::from_array(fixed("point", point)?);
    let body = row("body", body, m.get().current(m.py())?.body.len())?;
    write(m, d, (jacp, jacr), JAC, |m, d, out| engine::jac_point(m, d, point, body, out))
}

/// Computes the rate of change of the Jacobian of a point of a body.
#[pyfunction]
#[pyo3(name = "mj_jacDot")]
fn mj_jac_dot(m: M, d: D, jacp: Option<Any>, jacr: Option<Any>, point: Any, body: i64) -> PyResult<()> {
    let point = DVec3::from_array(fixed("point", point)?);
    let body = row("body", body, m.get().current(m.py())?.body.len())?;
    write(m, d, (jacp, jacr), JAC, |m, d, out| engine::jac_dot(m, d, point, body, out))
}

macro_rules! jacobians {
    ($($(#[doc = $doc:literal])+ $name:ident($arg:ident: $table:ident) = $f:path;)*) => {$(
        $(#[doc = $doc])+
        #[pyfunction]
        #[allow(non_snake_case)]
        fn $name(m: M, d: D, jacp: Option<Any>, jacr: Option<Any>, $arg: i64) -> PyResult<()> {
            let id = row(stringify!($arg), $arg, m.get().current(m.py())?.$table.len())?;
            write(m, d, (jacp, jacr), JAC, |m, d, out| $f(m, d, id, out))
        }
    )*};
}

jacobians! {
    /// Computes the Jacobian of a body's frame: translation and rotation, each 3 × nv; either may be None.
    mj_jacBody(body: body) = engine::jac_body;
    /// Computes the Jacobian of a body's centre of mass: translation and rotation, each 3 × nv; either may be None.
    mj_jacBodyCom(body: body) = engine::jac_body_com;
    /// Computes the Jacobian of a geom's centre: translation and rotation, each 3 × nv; either may be None.
    mj_jacGeom(geom: geom) = engine::jac_geom;
    /// Computes the Jacobian of a site's frame: translation and rotation, each 3 × nv; either may be None.
    mj_jacSite(site: site) = engine::jac_site;
}

/// Computes the Jacobian of the centre of mass of a body's subtree, 3 × nv.
#[pyfunction]
#[pyo3(name = "mj_jacSubtreeCom")]
fn mj_jac_subtree_com(m: M, d: D, jacp: Option<Any>, body: i64) -> PyResult<()> {
    let body = row("body", body, m.get().current(m.py())?.body.len())?;
    write(m, d, (jacp, None), JAC, |m, d, out| {
        out.jacp.resize(3 * m.nv(), 0.0);
        engine::jac_subtree_com(m, d, body, &mut out.jacp)
    })
}

/// Computes the Jacobians of a point of a body and of an axis that turns with it, each 3 × nv; either may be None.
#[pyfunction]
#[pyo3(name = "mj_jacPointAxis")]
#[allow(non_snake_case)]
fn mj_jac_point_axis(
    m: M,
    d: D,
    jacPoint: Option<Any>,
    jacAxis: Option<Any>,
    point: Any,
    axis: Any,
    body: i64,
) -> PyResult<()> {
    let [point, axis] = [fixed("point", point)?, fixed("axis", axis)?].map(DVec3::from_array);
    let body = row("body", body, m.get().current(m.py())?.body.len())?;
    let names = ("jacPoint", "jacAxis");
    write(m, d, (jacPoint, jacAxis), names, |m, d, out| engine::jac_point_axis(m, d, point, axis, body, out))
}

/// Computes the matrix that maps velocities to the angular momentum of a body's subtree, 3 × nv.
#[pyfunction]
#[pyo3(name = "mj_angmomMat")]
fn mj_angmom_mat(m: M, d: D, mat: Any, body: i64) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let body = row("body", body, model.body.len())?;
    let out = Out::<f64>::matrix("mat", mat, 3, model.nv())?;
    let mut numbers = vec![0.0; 3 * model.nv()];
    read(m, d, |m, d| engine::angmom_mat(m, d, body, &mut numbers))?;
    out.write(numbers)
}

register! {
    mj_jac mj_jac_dot mj_jacBody mj_jacBodyCom mj_jacGeom mj_jacSite mj_jac_subtree_com mj_jac_point_axis mj_angmom_mat
}
