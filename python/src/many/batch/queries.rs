//! Jacobians and rays in many simulations, at their present states.

use super::call::End;
use super::{BatchCore, strict};
use crate::args::Out;
use mj_engine::{self as engine, DVec3, Jacobian, RayFilter, RayHit};
use mj_model::BodyId;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Arguments that say which rays are cast and what they can meet.
pub struct Rays<'a, 'py> {
    /// Origins.
    pub pnt: &'a Bound<'py, PyAny>,
    /// Directions.
    pub vec: &'a Bound<'py, PyAny>,
    /// Which groups of geoms count.
    pub geomgroup: Option<&'a Bound<'py, PyAny>>,
    /// Whether static geoms count.
    pub flg_static: bool,
    /// Bodies that don't count, by ray.
    pub bodyexclude: &'a Bound<'py, PyAny>,
}

/// Keeps what a simulation found.
fn keep<T>(place: &Mutex<Option<T>>, found: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
}

/// Returns what a simulation found, with a value for those that failed.
fn taken<T>(places: Vec<Mutex<Option<T>>>, none: impl Fn() -> T) -> impl Iterator<Item = T> {
    places.into_iter().map(move |place| place.into_inner().ok().flatten().unwrap_or_else(&none))
}

impl BatchCore {
    /// Computes the Jacobians of a point of a body in each simulation, each 3 × nv; either may be None. Returns how many
    /// simulations failed.
    pub fn do_jac(
        &self,
        py: Python,
        ids: Option<&Bound<'_, PyAny>>,
        [body, point]: [&Bound<'_, PyAny>; 2],
        [jacp, jacr]: [Option<&Bound<'_, PyAny>>; 2],
    ) -> PyResult<usize> {
        let sims = strict::ids(ids, self.nsim)?;
        let model = self.lock()?.shared.model.clone();
        let (n, nv, nbody) = (sims.len(), model.nv(), model.body.len());
        let bodies = strict::read::<i32>("body", body, &[n])?;
        let bodies = bodies.iter().map(|&b| usize::try_from(b).ok().filter(|&b| b < nbody)).collect::<Option<Vec<_>>>();
        let bodies = bodies.ok_or_else(|| PyValueError::new_err(format!("body must be in [0, {nbody})")))?;
        let points = strict::read::<f64>("point", point, &[n, 3])?;
        let jacp = jacp.map(|v| strict::write::<f64>("jacp", v, &[n, 3, nv])).transpose()?;
        let jacr = jacr.map(|v| strict::write::<f64>("jacr", v, &[n, 3, nv])).transpose()?;
        let found: Vec<Mutex<Option<Jacobian>>> = sims.iter().map(|_| Mutex::new(None)).collect();
        let failed = self.call_sims(py, &sims, &|k, _, m, d, _| {
            let mut jacobian = Jacobian::default();
            let point = DVec3::from_slice(&points[3 * k..]);
            engine::kinematics(m, d).and_then(|()| engine::com_pos(m, d)).map_err(|e| e.to_string())?;
            engine::jac_point(m, d, point, bodies[k], &mut jacobian).map_err(|e| e.to_string())?;
            keep(&found[k], jacobian);
            Ok(End::Leave)
        })?;
        let zero = || Jacobian { jacp: vec![0.0; 3 * nv], jacr: vec![0.0; 3 * nv] };
        let (translations, rotations): (Vec<_>, Vec<_>) = taken(found, zero).map(|j| (j.jacp, j.jacr)).unzip();
        write(jacp, translations.into_iter().flatten())?;
        write(jacr, rotations.into_iter().flatten())?;
        Ok(failed)
    }

    /// Finds where rays meet geoms in each simulation: distance, geom and, unless it is None, normal. Returns how many
    /// simulations failed.
    pub fn do_ray(
        &self,
        py: Python,
        ids: Option<&Bound<'_, PyAny>>,
        rays: &Rays,
        [dist, geomid]: [&Bound<'_, PyAny>; 2],
        normal: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let sims = strict::ids(ids, self.nsim)?;
        let &Rays { pnt, vec, geomgroup, flg_static, bodyexclude } = rays;
        let nbody = self.lock()?.shared.model.body.len();
        let n = sims.len();
        let nray = dist.getattr("shape").and_then(|s| s.get_item(1)).and_then(|n| n.extract::<usize>());
        let nray = nray.map_err(|_| crate::args::wrong("dist", "an array with two axes", dist))?;
        let origins = strict::read::<f64>("pnt", pnt, &[n, nray, 3])?;
        let directions = strict::read::<f64>("vec", vec, &[n, nray, 3])?;
        let exclude = strict::read::<i32>("bodyexclude", bodyexclude, &[n, nray])?;
        let groups = geomgroup.map(|g| strict::read::<u8>("geomgroup", g, &[6])).transpose()?;
        let groups = groups.map(|g| std::array::from_fn(|i| g[i] != 0));
        let dist = strict::write::<f64>("dist", dist, &[n, nray])?;
        let geomid = strict::write::<i32>("geomid", geomid, &[n, nray])?;
        let normal = normal.map(|v| strict::write::<f64>("normal", v, &[n, nray, 3])).transpose()?;
        let found: Vec<Mutex<Option<Vec<Option<RayHit>>>>> = sims.iter().map(|_| Mutex::new(None)).collect();
        let failed = self.call_sims(py, &sims, &|k, _, m, d, _| {
            engine::kinematics(m, d).map_err(|e| e.to_string())?;
            let cast = |i: usize| {
                let [origin, direction] = [&origins, &directions].map(|v| DVec3::from_slice(&v[3 * i..]));
                let exclude = usize::try_from(exclude[i]).ok().filter(|&b| b < nbody).map(BodyId::new);
                let filter = RayFilter { exclude, skip_static: !flg_static, groups };
                engine::ray(m, d, origin, direction, &filter).map_err(|e| e.to_string())
            };
            keep(&found[k], (k * nray..(k + 1) * nray).map(cast).collect::<Result<Vec<_>, _>>()?);
            Ok(End::Leave)
        })?;
        let hits: Vec<Option<RayHit>> = taken(found, || vec![None; nray]).flatten().collect();
        dist.write(hits.iter().map(|hit| hit.map_or(-1.0, |hit| hit.dist)))?;
        geomid.write(hits.iter().map(|hit| hit.map_or(-1, |hit| hit.geom.index() as i32)))?;
        write(normal, hits.iter().flat_map(|hit| hit.map_or([0.0; 3], |hit| hit.normal.to_array())))?;
        Ok(failed)
    }
}

/// Writes numbers to an array if there is one.
fn write(out: Option<Out<f64>>, numbers: impl Iterator<Item = f64>) -> PyResult<()> {
    out.map_or(Ok(()), |out| out.write(numbers))
}
