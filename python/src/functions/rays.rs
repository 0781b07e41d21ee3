//! Rays.

use super::{Any, D, M, read, register, row};
use crate::args::{Out, fixed, vector};
use mj_engine::{self as engine, FlexParts, RayFilter, RayHit};
use mj_math::DVec3;
use mj_model::{BodyId, FlexId, GeomType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Which geoms a ray can meet.
fn filter(m: M, geomgroup: Option<Any>, flg_static: bool, bodyexclude: i64) -> PyResult<RayFilter> {
    let groups = geomgroup.map(|value| vector::<u8>("geomgroup", value, 6)).transpose()?;
    let groups = groups.map(|v| {
        let mut groups = [false; 6];
        groups.iter_mut().zip(v).for_each(|(to, from)| *to = from != 0);
        groups
    });
    let n = m.get().current(m.py())?.body.len();
    let exclude = usize::try_from(bodyexclude).ok().filter(|&b| b < n).map(BodyId::new);
    Ok(RayFilter { exclude, skip_static: !flg_static, groups })
}

/// Distance along a ray, or -1 where it meets nothing.
fn distance(hit: Option<RayHit>) -> f64 {
    hit.map_or(-1.0, |hit| hit.dist)
}

fn geom_of(hit: Option<RayHit>) -> i32 {
    hit.map_or(-1, |hit| hit.geom.index() as i32)
}

fn normal_of(hit: Option<RayHit>) -> [f64; 3] {
    hit.map_or([0.0; 3], |hit| hit.normal.to_array())
}

/// Returns the distance along a ray to the first geom that it meets, in units of the length of `vec`; -1 if it meets none.
/// Writes the geom to `geomid` (1), -1 if none, and the surface's normal to `normal` (3). `geomgroup` (6) holds which
/// groups count, `flg_static` whether static geoms do, `bodyexclude` a body that doesn't.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal = None))]
#[allow(clippy::too_many_arguments)] // the reference's signature
fn mj_ray(
    m: M,
    d: D,
    pnt: Any,
    vec: Any,
    geomgroup: Option<Any>,
    flg_static: Any,
    bodyexclude: i64,
    geomid: Option<Any>,
    normal: Option<Any>,
) -> PyResult<f64> {
    let [origin, direction] = [fixed("pnt", pnt)?, fixed("vec", vec)?].map(DVec3::from_array);
    let filter = filter(m, geomgroup, flg_static.is_truthy()?, bodyexclude)?;
    let id = geomid.map(|v| Out::<i32>::sized("geomid", v, 1)).transpose()?;
    let out = normal.map(|v| Out::<f64>::sized("normal", v, 3)).transpose()?;
    let hit = read(m, d, |m, d| engine::ray(m, d, origin, direction, &filter))?;
    id.map_or(Ok(()), |out| out.write([geom_of(hit)]))?;
    out.map_or(Ok(()), |out| out.write(normal_of(hit)))?;
    Ok(distance(hit))
}

/// Casts `nray` rays from one point along `vec` (3 nray); writes distances, geoms and normals as `mj_ray` does. Geoms
/// farther than `cutoff` are left out.
#[pyfunction]
#[pyo3(name = "mj_multiRay", signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray, cutoff))]
#[allow(clippy::too_many_arguments)] // the reference's signature
fn mj_multi_ray(
    m: M,
    d: D,
    pnt: Any,
    vec: Any,
    geomgroup: Option<Any>,
    flg_static: Any,
    bodyexclude: i64,
    geomid: Any,
    dist: Any,
    normal: Option<Any>,
    nray: usize,
    cutoff: f64,
) -> PyResult<()> {
    let origin = DVec3::from_array(fixed("pnt", pnt)?);
    let total = nray.checked_mul(3).ok_or_else(|| PyValueError::new_err(format!("`nray` is too large: {nray}")))?;
    let directions: Vec<DVec3> = vector::<f64>("vec", vec, total)?.chunks_exact(3).map(DVec3::from_slice).collect();
    let filter = filter(m, geomgroup, flg_static.is_truthy()?, bodyexclude)?;
    let (ids, dists) = (Out::<i32>::sized("geomid", geomid, nray)?, Out::<f64>::sized("dist", dist, nray)?);
    let normals = normal.map(|v| Out::<f64>::sized("normal", v, total)).transpose()?;
    let mut hits = Vec::new();
    read(m, d, |m, d| engine::multi_ray(m, d, origin, &directions, &filter, cutoff, &mut hits))?;
    ids.write(hits.iter().map(|&hit| geom_of(hit)))?;
    dists.write(hits.iter().map(|&hit| distance(hit)))?;
    normals.map_or(Ok(()), |out| out.write(hits.iter().flat_map(|&hit| normal_of(hit))))
}

/// Casts a ray at one geom of a type.
fn at_geom(m: M, d: D, geomid: i64, ray: [Any; 2], normal: Option<Any>, kind: GeomType) -> PyResult<f64> {
    let model = m.get().current(m.py())?;
    let geom = mj_model::GeomId::new(row("geom", geomid, model.geom.len())?);
    if model.geom.r#type[geom] != kind {
        let is = model.geom.r#type[geom].keyword();
        return Err(PyValueError::new_err(format!("geom {geomid} is a {is}, not a {}", kind.keyword())));
    }
    let [origin, direction] = [fixed("pnt", ray[0])?, fixed("vec", ray[1])?].map(DVec3::from_array);
    let out = normal.map(|v| Out::<f64>::sized("normal", v, 3)).transpose()?;
    let hit = read(m, d, |m, d| engine::ray_geom(m, d, geom, origin, direction))?;
    out.map_or(Ok(()), |out| out.write(normal_of(hit)))?;
    Ok(distance(hit))
}

/// Returns the distance along a ray to a mesh; -1 if it misses.
#[pyfunction]
#[pyo3(name = "mj_rayMesh", signature = (m, d, geomid, pnt, vec, normal = None))]
fn mj_ray_mesh(m: M, d: D, geomid: i64, pnt: Any, vec: Any, normal: Option<Any>) -> PyResult<f64> {
    at_geom(m, d, geomid, [pnt, vec], normal, GeomType::Mesh)
}

/// Returns the distance along a ray to a height field; -1 if it misses.
#[pyfunction]
#[pyo3(name = "mj_rayHfield", signature = (m, d, geomid, pnt, vec, normal = None))]
fn mj_ray_hfield(m: M, d: D, geomid: i64, pnt: Any, vec: Any, normal: Option<Any>) -> PyResult<f64> {
    at_geom(m, d, geomid, [pnt, vec], normal, GeomType::Hfield)
}

/// Returns the distance along a ray to the parts of a flex that flags name; -1 if it misses. Writes the vertex of the flex that
/// is nearest to the place to `vertid` (1), -1 if none, and the surface's normal to `normal` (3). `flex_layer` is the layer of
/// a solid's elements, from the outside.
#[pyfunction]
#[pyo3(
    name = "mj_rayFlex",
    signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid = None, normal = None)
)]
#[allow(clippy::too_many_arguments)] // the reference's signature
fn mj_ray_flex(
    m: M,
    d: D,
    flex_layer: i32,
    flg_vert: Any,
    flg_edge: Any,
    flg_face: Any,
    flg_skin: Any,
    flexid: i64,
    pnt: Any,
    vec: Any,
    vertid: Option<Any>,
    normal: Option<Any>,
) -> PyResult<f64> {
    let flex = FlexId::new(row("flex", flexid, m.get().current(m.py())?.flex.len())?);
    let [origin, direction] = [fixed("pnt", pnt)?, fixed("vec", vec)?].map(DVec3::from_array);
    let parts = FlexParts {
        vertices: flg_vert.is_truthy()?,
        edges: flg_edge.is_truthy()?,
        faces: flg_face.is_truthy()?,
        skin: flg_skin.is_truthy()?,
        layer: flex_layer,
    };
    let id = vertid.map(|v| Out::<i32>::sized("vertid", v, 1)).transpose()?;
    let out = normal.map(|v| Out::<f64>::sized("normal", v, 3)).transpose()?;
    let hit = read(m, d, |m, d| engine::ray_flex(m, d, flex, origin, direction, parts))?;
    id.map_or(Ok(()), |out| out.write([hit.map_or(-1, |hit| hit.vertex as i32)]))?;
    out.map_or(Ok(()), |out| out.write(hit.map_or([0.0; 3], |hit| hit.normal.to_array())))?;
    Ok(hit.map_or(-1.0, |hit| hit.dist))
}

register! { mj_ray mj_multi_ray mj_ray_mesh mj_ray_hfield mj_ray_flex }
