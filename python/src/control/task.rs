//! Tasks by name.

use super::states::arrays;
use super::threads::Threads;
use crate::error;
use crate::model::ModelCore;
use mj_control::Task;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::Ordering;

/// Returns all tasks: name, description, condition of success, method; seconds; whether it is reported as it is.
#[pyfunction]
pub fn _tasks() -> Vec<([&'static str; 4], f64, bool)> {
    Task::all().iter().map(|t| ([t.name, t.about, t.success, t.method], t.seconds, t.is_open)).collect()
}

/// Returns the model of a task.
#[pyfunction]
pub fn _task_model(py: Python, name: &str) -> PyResult<ModelCore> {
    let model = Task::find(name).and_then(Task::model).map_err(error::value)?;
    ModelCore::wrap(py, model)
}

/// Runs a task from the start of a seed, on so many threads.
#[pyfunction]
pub fn _task_run<'py>(py: Python<'py>, name: &str, seed: u64, threads: usize) -> PyResult<Bound<'py, PyDict>> {
    let task = Task::find(name).map_err(error::value)?;
    let m = task.model().map_err(error::value)?;
    let outcome = Threads::new(threads)
        .run(py, |stop| {
            let mut problem = task.problem(&m, seed)?;
            let stopped = || stop.load(Ordering::Relaxed);
            task.run(&m, &mut problem, |_, _| !stopped())
        })?
        .map_err(error::value)?;
    let out = arrays(py, &m, &outcome.states)?;
    out.set_item("success", outcome.success)?;
    out.set_item("plans", outcome.rate.plans)?;
    out.set_item("seconds", outcome.rate.seconds)?;
    Ok(out)
}
