//! Control and identification: regulators, costs, planners, tasks, parameters from logs.
//!
//! The computation runs on threads of its own with the interpreter released; the calling thread handles signals.

mod cost;
mod function;
mod identify;
mod linear;
mod planner;
mod sampler;
mod states;
mod task;
mod threads;

use crate::data::{Access, DataCore};
use crate::error;
use crate::model::ModelCore;
use cost::CostCore;
use mj_control::{ControlError, Cost};
use mj_engine::{Model, State};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use threads::Threads;

/// Adds the classes and functions of this folder to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CostCore>()?;
    module.add_class::<cost::ResidualCore>()?;
    module.add_class::<linear::RegulatorCore>()?;
    module.add_class::<planner::IlqrCore>()?;
    module.add_class::<sampler::SamplerCore>()?;
    module.add_class::<planner::AgentCore>()?;
    module.add_class::<identify::LogCore>()?;
    module.add_function(wrap_pyfunction!(linear::_lqr, module)?)?;
    module.add_function(wrap_pyfunction!(task::_tasks, module)?)?;
    module.add_function(wrap_pyfunction!(task::_task_model, module)?)?;
    module.add_function(wrap_pyfunction!(task::_task_run, module)?)?;
    module.add_function(wrap_pyfunction!(identify::_fit, module)?)
}

/// Most numbers that a planner may hold: 2 GiB.
const MOST_NUMBERS: usize = 1 << 28;

/// Raises a `ValueError` if so many rows of numbers are more than memory should hold.
fn check_room(rows: usize, width: usize, about: &str) -> PyResult<()> {
    match rows.checked_mul(width) {
        Some(n) if n <= MOST_NUMBERS => Ok(()),
        _ => {
            Err(PyValueError::new_err(format!("{rows} {about} of {width} numbers are more than 2 GiB: ask for fewer")))
        }
    }
}

/// What a function of the user's raised during a call.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// Locks a mutex that is held for a moment only.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the state of data.
fn state_of(py: Python, model: &Py<ModelCore>, d: &Bound<'_, DataCore>) -> PyResult<State> {
    DataCore::call(d, model.bind(py), Access::Read, |_, d| d.state.clone())
}

/// A planner with its model and its cost, for one call at a time.
struct Planned<T> {
    planner: Mutex<T>,
    cost: Cost,
    raised: Raised,
    model: Py<ModelCore>,
    threads: Threads,
}

impl<T: Send> Planned<T> {
    /// Makes a planner for a cost.
    ///
    /// # Errors
    /// If settings don't fit, or threads can't be started.
    fn new(
        cost: &Bound<'_, CostCore>,
        threads: usize,
        make: impl FnOnce(&Model, &Cost) -> Result<T, ControlError> + Send,
    ) -> PyResult<Self> {
        let (py, core) = (cost.py(), cost.get());
        let (cost, model, threads) = (core.cost(), core.model(py), Threads::new(threads));
        let m = model.get().current(py)?;
        let planner = threads.run(py, |_| make(&m, &cost))?.map_err(error::value)?;
        Ok(Self { planner: Mutex::new(planner), cost, raised: core.raised(), model, threads })
    }

    /// Makes a planner of what is made of this one.
    fn map<R>(&self, py: Python, make: impl FnOnce(&T) -> R) -> PyResult<Planned<R>> {
        let planner = Mutex::new(make(&*self.look(py)?));
        let (model, threads) = (self.model.clone_ref(py), Threads::new(self.threads.count()));
        Ok(Planned { planner, cost: self.cost.clone(), raised: self.raised.clone(), model, threads })
    }

    /// Returns the planner, unless a call is in progress.
    ///
    /// # Errors
    /// If one is.
    fn look(&self, _: Python) -> PyResult<MutexGuard<'_, T>> {
        match self.planner.try_lock() {
            Ok(planner) => Ok(planner),
            Err(TryLockError::Poisoned(e)) => Ok(e.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another call is in progress on this planner: give each thread its own"))
            }
        }
    }

    /// Calls `f` with model, cost, planner and a flag that is set where the call should end, the interpreter released.
    ///
    /// # Errors
    /// Those of `f`, those that functions of the user's raise, and interruptions.
    fn call<R: Send>(
        &self,
        py: Python,
        name: &str,
        f: impl FnOnce(&Model, &Cost, &mut T, &AtomicBool) -> Result<R, ControlError> + Send,
    ) -> PyResult<R> {
        crate::callbacks::refuse(name)?;
        let m = self.model.get().current(py)?;
        let mut guard = self.look(py)?;
        let (planner, cost) = (&mut *guard, &self.cost);
        locked(&self.raised).take();
        let result = self.threads.run(py, |stop| f(&m, cost, planner, stop));
        if let Some(e) = locked(&self.raised).take() {
            return Err(e);
        }
        result?.map_err(error::value)
    }
}
