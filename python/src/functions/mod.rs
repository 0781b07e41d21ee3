//! The functions of the module.

mod mju;
mod step;

use pyo3::prelude::*;

/// Adds all functions to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    step::add(module)?;
    mju::add(module)
}
