//! From the engine's errors to Python's exceptions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::fmt::Display;

/// Makes a `ValueError` from an error of the engine.
pub fn value(e: impl Display) -> PyErr {
    PyValueError::new_err(e.to_string())
}

/// Makes a `ValueError` from diagnostics of a model. Places read as `file, line 3, column 7`: programs look for the line.
pub fn diagnostics(e: impl Display) -> PyErr {
    let text = e.to_string();
    let lines: Vec<String> =
        text.lines().map(|line| place_in_words(line).unwrap_or_else(|| line.to_string())).collect();
    PyValueError::new_err(lines.join("\n"))
}

/// Writes a place at the start of a line, `file:3:7: …`, in words; none where there is no place.
fn place_in_words(line: &str) -> Option<String> {
    let (place, rest) = line.split_once(": ")?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, row) = place.rsplit_once(':')?;
    let (row, column) = (row.parse::<u32>().ok()?, column.parse::<u32>().ok()?);
    Some(format!("{file}, line {row}, column {column}: {rest}"))
}

/// Makes a `FatalError`, for misuse that ends the reference's program.
pub fn fatal(py: Python, e: impl Display) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "mj._errors", "FatalError") {
        Ok(class) => PyErr::from_type(class.clone(), e.to_string()),
        Err(e) => e,
    }
}
