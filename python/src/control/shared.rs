//! Checks and locks that planners, costs and logs share.

use crate::data::{Access, DataCore};
use crate::model::ModelCore;
use mj_engine::State;
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

/// Locks a mutex that is held for a moment only.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the state of data.
pub fn state_of(py: Python, model: &Py<ModelCore>, d: &Bound<'_, DataCore>) -> PyResult<State> {
    DataCore::call(d, model.bind(py), Access::Read, |_, d| d.state.clone())
}
