//! From the engine's errors to Python's exceptions.

use mj_engine::LoadError;
use mj_model::{Diagnostic, Sources};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::fmt::Display;

/// Makes a `ValueError` from an error of the engine.
pub fn value(e: impl Display) -> PyErr {
    PyValueError::new_err(e.to_string())
}

/// One problem of a model: severity, message, what would be right, and where: file, line, column, end of the place.
type Problem = (String, String, Option<String>, Option<Place>);
/// File, line and column of the first character, and those after the last.
type Place = (String, (usize, usize), (usize, usize));

fn problem(sources: &Sources, d: &Diagnostic) -> Problem {
    let place = d.loc.get().and_then(|(file, range)| {
        let path = sources.files.get(file)?.path.display().to_string();
        Some((path, sources.line_column(file, range.start), sources.line_column(file, range.end)))
    });
    (d.severity.to_string(), d.message.clone(), d.help.clone(), place)
}

/// Makes a `LoadError` with all problems of a model. Places in its text read as `file, line 3, column 7`: programs look
/// for the line.
pub fn load(py: Python, LoadError(report): &LoadError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let text = report.to_string();
    let lines: Vec<String> =
        text.lines().map(|line| place_in_words(line).unwrap_or_else(|| line.to_string())).collect();
    let problems: Vec<Problem> = report.diagnostics.list.iter().map(|d| problem(&report.sources, d)).collect();
    match CLASS.import(py, "mj._errors", "LoadError") {
        Ok(class) => PyErr::from_type(class.clone(), (lines.join("\n"), problems)),
        Err(e) => e,
    }
}

/// Writes a place at the start of a line, `file:3:7: …`, in words; none where there is no place.
fn place_in_words(line: &str) -> Option<String> {
    let (place, rest) = line.split_once(": ")?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, row) = place.rsplit_once(':')?;
    let (row, column) = (row.parse::<u32>().ok()?, column.parse::<u32>().ok()?);
    Some(format!("{file}, line {row}, column {column}: {rest}"))
}

/// Makes a `FatalError` where the interpreter may be released.
pub fn fatal_anywhere(e: impl Display) -> PyErr {
    Python::attach(|py| fatal(py, e))
}

/// Makes a `FatalError`, for misuse that ends the reference's program.
pub fn fatal(py: Python, e: impl Display) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "mj._errors", "FatalError") {
        Ok(class) => PyErr::from_type(class.clone(), e.to_string()),
        Err(e) => e,
    }
}
