//! The functions of the module.

mod step;

use pyo3::prelude::*;

/// Adds all functions to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    step::add(module)
}
