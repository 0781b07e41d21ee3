//! Surfaces of flexes and skins as flat arrays.

use mj_scene::{FlexSurface, Scene, SkinSurface};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns the arrays by their names; those of all flexes, or of all skins, one after another.
pub fn surfaces<'py>(py: Python<'py>, scene: &Scene) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let counts = |name: &str, counts: &mut dyn Iterator<Item = usize>| {
        let counts: Vec<i32> = counts.map(|n| i32::try_from(n).unwrap_or(i32::MAX)).collect();
        out.set_item(name, PyArray1::from_vec(py, counts))
    };
    let floats = |name: &str, rows: &mut dyn Iterator<Item = &[f32]>| {
        let flat: Vec<f32> = rows.flatten().copied().collect();
        out.set_item(name, PyArray1::from_vec(py, flat))
    };
    let (flexes, skins): (&[FlexSurface], &[SkinSurface]) = (&scene.flexes, &scene.skins);
    counts("flexvertnum", &mut flexes.iter().map(|f| f.vertices.len()))?;
    counts("flexedgenum", &mut flexes.iter().map(|f| f.edges.len()))?;
    counts("flexfaceused", &mut flexes.iter().map(|f| f.faces.positions.len() / 3))?;
    counts("skinvertnum", &mut skins.iter().map(|s| s.vertices.len()))?;
    let edges: Vec<i32> = flexes.iter().flat_map(|f| f.edges.as_flattened()).copied().collect();
    out.set_item("flexedge", PyArray1::from_vec(py, edges))?;
    floats("flexvert", &mut flexes.iter().map(|f| f.vertices.as_flattened()))?;
    floats("flexface", &mut flexes.iter().map(|f| f.faces.positions.as_flattened()))?;
    floats("flexnormal", &mut flexes.iter().map(|f| f.faces.normals.as_flattened()))?;
    floats("flextexcoord", &mut flexes.iter().map(|f| f.faces.texcoords.as_flattened()))?;
    floats("skinvert", &mut skins.iter().map(|s| s.vertices.as_flattened()))?;
    floats("skinnormal", &mut skins.iter().map(|s| s.normals.as_flattened()))?;
    Ok(out)
}
