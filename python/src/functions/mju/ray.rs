//! Rays against single shapes.

use crate::args::typed::{Argument, OutFixed};
use crate::error::fatal_anywhere as fatal;
use mj_collide::{Placed, Pose, Shape, ShapeKind, ray, surface_normal};
use mj_math::{DMat3, DVec3};
use mj_model::GeomType;
use pyo3::prelude::*;

/// Returns the distance along a ray to the surface of a shape, in units of the length of `vec`; -1 if the ray misses
/// it.
///
/// The ray starts at `pnt` in the direction `vec`. The shape is a plane, sphere, capsule, ellipsoid, cylinder or box
/// (`mjtGeom`) with its center at `pos` and its axes in the columns of `mat` (nine numbers). `normal` gets the outward
/// unit normal of the surface where the ray meets it, zeros if it misses.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal = None))]
#[allow(clippy::too_many_arguments, reason = "as many as the Python interface has")]
fn mju_rayGeom(
    pos: &Bound<'_, PyAny>,
    mat: &Bound<'_, PyAny>,
    size: &Bound<'_, PyAny>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    geomtype: &Bound<'_, PyAny>,
    normal: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let pose = Pose { pos: DVec3::read("pos", pos)?, mat: DMat3::read("mat", mat)? };
    let size = DVec3::read("size", size)?;
    let (start, direction) = (DVec3::read("pnt", pnt)?, DVec3::read("vec", vec)?);
    let kind = shape_kind(i32::read("geomtype", geomtype)?)?;
    let normal = normal.map(|normal| OutFixed::<3>::read("normal", normal)).transpose()?;

    let shape = Placed::new(Shape::primitive(kind, size), pose);
    let distance = ray(&shape, start, direction);
    if let Some(normal) = normal {
        normal.set(distance.map_or(DVec3::ZERO, |t| surface_normal(&shape, start + t * direction)))?;
    }
    Ok(distance.unwrap_or(-1.0))
}

fn shape_kind(geomtype: i32) -> PyResult<ShapeKind> {
    Ok(match GeomType::from_code(geomtype) {
        Some(GeomType::Plane) => ShapeKind::Plane,
        Some(GeomType::Sphere) => ShapeKind::Sphere,
        Some(GeomType::Capsule) => ShapeKind::Capsule,
        Some(GeomType::Ellipsoid) => ShapeKind::Ellipsoid,
        Some(GeomType::Cylinder) => ShapeKind::Cylinder,
        Some(GeomType::Box) => ShapeKind::Box,
        _ => {
            return Err(fatal(format!(
                "`geomtype` must be a plane, sphere, capsule, ellipsoid, cylinder or box, not type {geomtype}"
            )));
        }
    })
}

/// Adds the function of this file.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mju_rayGeom, module)?)
}
