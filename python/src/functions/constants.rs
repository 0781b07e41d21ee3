//! What the module says of itself.

use super::register;
use pyo3::prelude::*;

/// Returns the version of the interface as a number: 4000000 for 4.0.0.
#[pyfunction]
fn mj_version() -> i32 {
    4_000_000
}

/// Returns the version of the interface as text.
#[pyfunction]
#[pyo3(name = "mj_versionString")]
fn mj_version_string() -> &'static str {
    "4.0.0"
}

register! { mj_version mj_version_string }
