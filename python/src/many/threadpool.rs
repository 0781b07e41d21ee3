//! Threads within one simulation.

use super::threads::MAX_THREADS;
use crate::data::DataCore;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Lets `nthread` threads solve the islands of a step of `d`; none with 0. Results don't depend on it.
#[pyfunction]
fn mju_threadpool(d: &Bound<'_, DataCore>, nthread: i64) -> PyResult<()> {
    let n = usize::try_from(nthread).ok().filter(|&n| n <= MAX_THREADS);
    let n = n.ok_or_else(|| PyValueError::new_err(format!("`nthread` is from 0 to {MAX_THREADS}, not {nthread}")))?;
    d.get().lock()?.data.solver_threads = n;
    Ok(())
}

/// Adds the function of this file.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mju_threadpool, module)?)
}
