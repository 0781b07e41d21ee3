//! From text to a model.

use crate::lengthrange::set_length_ranges;
use crate::support::unsupported_options;
use mj_mjcf::{FileResolver, FileSystem, Memory, Report};
use mj_model::{Loc, Model, Severity, Spec};
use std::path::Path;

/// A model did not load; displayed, every problem found, each with its place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(pub Report);

impl LoadError {
    /// Number of errors, warnings left out.
    pub fn error_count(&self) -> usize {
        self.0.diagnostics.list.iter().filter(|d| d.severity == Severity::Error).count()
    }
}

/// A loaded model with what it came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The compiled model.
    pub model: Model,
    /// What was read.
    pub spec: Spec,
    /// Warnings.
    pub report: Report,
}

/// Loads an MJCF file.
///
/// # Errors
/// If the file can't be read or has errors; all of them are in the result.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    load_with(path.as_ref(), &FileSystem::default()).map(|l| l.model)
}

/// Loads MJCF text that includes no files.
///
/// # Errors
/// If the text has errors; all of them are in the result.
pub fn load_str(xml: &str) -> Result<Model, LoadError> {
    let mut files = Memory::new();
    files.insert("model.xml", xml);
    load_with(Path::new("model.xml"), &files).map(|l| l.model)
}

/// Loads MJCF through a file resolver, and keeps the spec and the warnings.
///
/// # Errors
/// If a file can't be read or has errors; all of them are in the result.
pub fn load_with(path: &Path, files: &dyn FileResolver) -> Result<Loaded, LoadError> {
    let (spec, mut report) = mj_mjcf::read(path, files);
    let Some(spec) = spec else { return Err(LoadError(report)) };
    let (mut model, compiled) = mj_compile::compile(&spec);
    report.diagnostics.list.extend(compiled.list);
    if let Some(model) = &model {
        for problem in unsupported_options(model) {
            let place = spec.option_locs.iter().rev().find(|(name, _)| name == problem.option);
            report.diagnostics.error(place.map_or(Loc::NONE, |(_, loc)| *loc), problem.to_string());
        }
    }
    if let Some(model) = &mut model {
        set_length_ranges(model, &spec, &mut report.diagnostics);
    }
    match model {
        Some(model) if !report.has_errors() => Ok(Loaded { model, spec, report }),
        _ => Err(LoadError(report)),
    }
}
