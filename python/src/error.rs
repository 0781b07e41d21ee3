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

/// Makes a `FatalError`, for misuse that ends the reference's program.
pub fn fatal(py: Python, e: impl Display) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "mj._errors", "FatalError") {
        Ok(class) => PyErr::from_type(class.clone(), e.to_string()),
        Err(e) => e,
    }
}
