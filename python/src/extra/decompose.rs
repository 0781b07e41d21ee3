//! Meshes as convex parts.

use crate::args::typed::{Argument, Matrix};
use crate::error;
use crate::kind::array_of;
use mj_compile::decompose::{Splitting, Surface, decompose};
use mj_math::DVec3;
use mj_model::Column;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Corners (n, 3) and triangles (m, 3).
type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

fn arrays<'py>(py: Python<'py>, surface: &Surface) -> PyResult<Arrays<'py>> {
    let vert = surface.vert.iter().flat_map(DVec3::to_array).collect();
    let face = surface.face.iter().flatten().map(|&i| i as i32).collect();
    let vert = array_of(py, &Column::F64(vert), &[surface.vert.len(), 3])?;
    Ok((vert, array_of(py, &Column::I32(face), &[surface.face.len(), 3])?))
}

/// Reads a surface from arrays.
fn surface(vert: &Bound<'_, PyAny>, face: &Bound<'_, PyAny>) -> PyResult<Surface> {
    let (v, f) = (Matrix::<f64>::read("vertices", vert)?, Matrix::<i32>::read("faces", face)?);
    for (name, columns) in [("vertices", v.columns), ("faces", f.columns)] {
        if columns != 3 {
            return Err(PyTypeError::new_err(format!("`{name}` must have 3 columns, not {columns}")));
        }
    }
    if v.values.iter().any(|x| !x.is_finite()) {
        return Err(PyValueError::new_err("`vertices` must be finite"));
    }
    let corner = |i: &i32| u32::try_from(*i).ok().filter(|&i| (i as usize) < v.rows);
    let corners: Option<Vec<u32>> = f.values.iter().map(corner).collect();
    let told =
        || PyValueError::new_err(format!("`faces` must be numbers of vertices, from 0 to {}", v.rows as i64 - 1));
    Ok(Surface {
        vert: v.values.chunks_exact(3).map(DVec3::from_slice).collect(),
        face: corners.ok_or_else(told)?.as_chunks().0.to_vec(),
    })
}

/// Splits a surface into convex parts, the largest first.
#[pyfunction]
pub fn _decompose<'py>(
    py: Python<'py>,
    vertices: &Bound<'py, PyAny>,
    faces: &Bound<'py, PyAny>,
    concavity: f64,
    voxels: u32,
    most: u32,
) -> PyResult<Vec<Arrays<'py>>> {
    let whole = surface(vertices, faces)?;
    let parts = py.detach(|| decompose(&whole, &Splitting { concavity, voxels, most })).map_err(error::value)?;
    parts.iter().map(|part| arrays(py, part)).collect()
}

/// Reads a mesh file: STL, OBJ or MSH by the ending of its name.
#[pyfunction]
pub fn _read_mesh<'py>(py: Python<'py>, name: &str, contents: Vec<u8>) -> PyResult<Arrays<'py>> {
    let surface = py.detach(|| Surface::read(name, contents)).map_err(error::value)?;
    arrays(py, &surface)
}
