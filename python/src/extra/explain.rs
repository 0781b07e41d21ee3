//! A state in words.

use crate::data::{Access, DataCore};
use crate::model::ModelCore;
use pyo3::prelude::*;

/// Describes what went wrong in a state and what is unusual, a sentence each, the gravest first.
#[pyfunction]
pub fn _explain(m: &Bound<'_, ModelCore>, d: &Bound<'_, DataCore>) -> PyResult<Vec<String>> {
    crate::callbacks::call(d, m, Access::Read, |m, d| mj_engine::explain(m, d))
}
