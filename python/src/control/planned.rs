//! Planners with their model and cost, called with the interpreter released.

use super::cost::CostCore;
use super::shared::{Raised, locked};
use super::threads::Threads;
use crate::error;
use crate::model::ModelCore;
use mj_control::{ControlError, Cost};
use mj_engine::Model;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A planner with its model and its cost, for one call at a time.
pub struct Planned<T> {
    planner: Mutex<T>,
    cost: Cost,
    raised: Raised,
    /// Model that it plans for.
    pub model: Py<ModelCore>,
    threads: Threads,
}

impl<T: Send> Planned<T> {
    /// Makes a planner for a cost.
    ///
    /// # Errors
    /// If settings don't fit, or threads can't be started.
    pub fn new(
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
    pub fn map<R>(&self, py: Python, make: impl FnOnce(&T) -> R) -> PyResult<Planned<R>> {
        let planner = Mutex::new(make(&*self.look(py)?));
        let (model, threads) = (self.model.clone_ref(py), Threads::new(self.threads.count()));
        Ok(Planned { planner, cost: self.cost.clone(), raised: self.raised.clone(), model, threads })
    }

    /// Borrows the cost.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// Returns where functions of the cost put what they raise.
    pub fn raised(&self) -> Raised {
        self.raised.clone()
    }

    /// Takes the planner out.
    pub fn take(self) -> T {
        self.planner.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the planner, unless a call is in progress.
    ///
    /// # Errors
    /// If one is.
    pub fn look(&self, _: Python) -> PyResult<MutexGuard<'_, T>> {
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
    pub fn call<R: Send>(
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
