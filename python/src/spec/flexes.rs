//! Flexcomps as bodies, flexes and equality constraints.

use super::files::{Places, Reader};
use crate::model::load::Files;
use mj_engine::{LoadError, Report};
use mj_math::{DVec3, quat};
use mj_model::spec::{Body, Flexcomp, Orientation};
use mj_model::{Diagnostics, Elastic2d, FlexDof, FlexEquality, FlexcompType, Severity, Spec};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Puts bodies, flexes and equality constraints in the place of flexcomps. The files that these need are read at once.
///
/// # Errors
/// If a flexcomp is wrong.
pub fn expand(spec: Spec, files: &Files, places: &Places) -> Result<Spec, LoadError> {
    let mut filled = spec;
    let mut diag = Diagnostics::default();
    let mut reader = Reader::new(files);
    let mut named: Vec<String> = Vec::new();
    filled.worldbody.each_mut(&mut |b| {
        for f in &mut b.flexcomps {
            named.push(f.mesh.clone());
            if !f.file.is_empty() && f.contents.len() < 2 {
                match reader.read(&f.file, &places.meshdir, places) {
                    Ok(contents) => f.contents = contents,
                    Err(e) => drop(diag.error(f.loc, format!("flexcomp `{}`: {e}", f.name))),
                }
            }
        }
    });
    if named.is_empty() {
        return Ok(filled);
    }
    let meshes = filled.meshes.clone();
    for m in filled.meshes.iter_mut().filter(|m| named.contains(&m.name)) {
        if !m.file.is_empty() && m.contents.len() < 2 {
            match reader.read(&m.file, &places.meshdir, places) {
                Ok(contents) => m.contents = contents,
                Err(e) => drop(diag.error(m.loc, format!("mesh `{}`: {e}", m.name))),
            }
        }
    }
    if !diag.has_errors() {
        filled = mj_compile::expand_flexcomps(&filled, &mj_engine::builtin_plugins(), &mut diag).unwrap_or(filled);
    }
    if diag.has_errors() {
        return Err(LoadError(Report { diagnostics: diag, sources: filled.sources }));
    }
    // What else uses a mesh reads its file when the spec is compiled.
    filled.meshes = meshes;
    Ok(filled)
}

/// Returns a spec of nothing but a flexcomp in the world's first child, with the meshes and classes of another.
pub fn alone(base: &Spec, parent: &str, flexcomp: Flexcomp) -> Spec {
    let mut spec = Spec {
        compiler: base.compiler.clone(),
        defaults: base.defaults.clone(),
        meshes: base.meshes.clone(),
        ..Spec::default()
    };
    spec.worldbody.bodies.push(Body { name: parent.into(), flexcomps: vec![flexcomp], ..Body::default() });
    spec
}

/// The first error, as Python is told.
pub fn told(e: &LoadError) -> PyErr {
    let first = e.0.diagnostics.list.iter().find(|d| d.severity == Severity::Error);
    PyValueError::new_err(format!("Error: {}", first.map_or("", |d| &d.message)))
}

/// Makes a flexcomp of named arguments.
///
/// # Errors
/// If one of them is not what it should be.
pub fn flexcomp(given: &Bound<'_, PyDict>) -> PyResult<Flexcomp> {
    let mut f = Flexcomp::default();
    for (name, value) in given {
        let name: String = name.extract()?;
        let text = || value.extract::<String>();
        let wrong = |what: &str| PyValueError::new_err(format!("Error: {what}"));
        match name.as_str() {
            "name" => f.name = text()?,
            "type" => {
                f.r#type = FlexcompType::from_keyword(&text()?).ok_or_else(|| wrong("unknown type of flexcomp"))?;
            }
            "dof" => f.dof = FlexDof::from_keyword(&text()?).ok_or_else(|| wrong("unknown dof of flexcomp"))?,
            "dim" => f.dim = value.extract()?,
            "count" => f.count = value.extract()?,
            "cellcount" => f.cellcount = value.extract()?,
            "spacing" => f.spacing = value.extract()?,
            "scale" => f.scale = value.extract()?,
            "radius" => f.radius = value.extract()?,
            "mass" => f.mass = value.extract()?,
            "inertiabox" => f.inertiabox = value.extract()?,
            "equality" => {
                f.edge.equality = match value.extract::<i32>()? {
                    0 => FlexEquality::False,
                    1 => FlexEquality::True,
                    3 => FlexEquality::Strain,
                    _ => return Err(wrong("invalid edge equality, must be 0 (none), 1 (edge) or 3 (strain)")),
                };
            }
            "rigid" => f.rigid = value.extract::<i32>()? != 0,
            "flatskin" => f.flatskin = value.extract::<i32>()? != 0,
            "elastic2d" => {
                f.elasticity.elastic2d = Elastic2d::from_code(value.extract()?)
                    .ok_or_else(|| wrong("invalid elastic2d, must be 0 (none), 1 (bend), 2 (stretch) or 3 (both)"))?;
            }
            "pos" => f.pos = DVec3::from_array(value.extract()?),
            "quat" => f.orientation = Orientation::Quat(quat::from_wxyz(value.extract()?)),
            "origin" => f.origin = value.extract()?,
            "file" => f.file = text()?,
            "mesh" => f.mesh = text()?,
            _ => return Err(PyValueError::new_err(format!("make_flex takes no `{name}`"))),
        }
    }
    Ok(f)
}
