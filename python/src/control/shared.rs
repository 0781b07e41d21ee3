//! Checks and locks that planners, costs and logs share.

use crate::data::{Access, DataCore};
use crate::model::ModelCore;
use mj_engine::State;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most numbers that a planner may hold: 2 GiB.
const MOST_NUMBERS: usize = 1 << 28;

/// Raises a `ValueError` if so many rows of numbers are more than memory should hold.
pub fn check_room(rows: usize, width: usize, about: &str) -> PyResult<()> {
    match rows.checked_mul(width) {
        Some(n) if n <= MOST_NUMBERS => Ok(()),
        _ => {
            Err(PyValueError::new_err(format!("{rows} {about} of {width} numbers are more than 2 GiB: ask for fewer")))
        }
    }
}

/// Exception of a function of the user during a call.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// Calls the user's function, if there is one, with arguments; returns whether to go on. An exception is kept in `failed`, and ends it.
pub fn goes_on<A>(watch: Option<&Py<PyAny>>, failed: &Mutex<Option<PyErr>>, arguments: A) -> bool
where
    A: for<'py> PyCallArgs<'py>,
{
    let Some(watch) = watch else { return true };
    let told = Python::attach(|py| {
        let answer = watch.bind(py).call1(arguments)?;
        Ok(answer.is_none() || answer.is_truthy()?)
    });
    told.unwrap_or_else(|e| {
        *locked(failed) = Some(e);
        false
    })
}

/// Locks a mutex that is held for a moment only.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the state of data.
pub fn state_of(py: Python, model: &Py<ModelCore>, d: &Bound<'_, DataCore>) -> PyResult<State> {
    DataCore::call(d, model.bind(py), Access::Read, |_, d| d.state.clone())
}
