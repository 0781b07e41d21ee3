//! Batches: many simulations of one model that persist, with their states in one array.

mod call;
mod expanded;
mod inspect;
mod methods;
mod output;
mod queries;
mod record;
mod strict;

use super::threads::Pool;
use crate::error;
use call::{End, Shared, Slot, Work};
use mj_engine::{self as engine, Data, Model};
use mj_model::enable;
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// State that calls on a batch change: one call at a time.
struct Inner {
    shared: Shared,
    slots: Vec<Slot>,
    /// Simulations that failed in their last call, with messages.
    errors: Vec<String>,
    /// Arrays of outputs, by the name of their field.
    arrays: Vec<(String, Py<PyAny>)>,
}

/// Many simulations of a copy of a model.
#[pyclass(name = "Batch", module = "mj._core", frozen)]
pub struct BatchCore {
    inner: Mutex<Inner>,
    pool: Pool,
    /// Number of simulations.
    #[pyo3(get)]
    nsim: usize,
    /// Number of threads.
    #[pyo3(get)]
    nthread: usize,
    /// Numbers in a row of the state.
    #[pyo3(get)]
    nstate: usize,
    /// Whether each simulation has data of its own.
    #[pyo3(get)]
    persistent: bool,
    state: Py<PyAny>,
    warning: Py<PyAny>,
    status: Py<PyAny>,
}

impl BatchCore {
    /// Locks the batch for a call.
    ///
    /// # Errors
    /// If another thread has a call in progress on it.
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(e)) => Ok(e.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another thread has a call in progress on this Batch"))
            }
        }
    }

    /// Checks the number of a simulation.
    fn sim(&self, sim: i64) -> PyResult<usize> {
        let found = usize::try_from(sim).ok().filter(|&i| i < self.nsim);
        found.ok_or_else(|| PyIndexError::new_err(format!("sim must be in [0, {}), got {sim}", self.nsim)))
    }

    /// Does work on simulations; returns how many failed.
    fn call(&self, py: Python, ids: Option<&Bound<'_, PyAny>>, work: &Work) -> PyResult<usize> {
        self.call_sims(py, &strict::ids(ids, self.nsim)?, work)
    }

    /// Does work on simulations by their numbers.
    fn call_sims(&self, py: Python, sims: &[usize], work: &Work) -> PyResult<usize> {
        crate::callbacks::refuse("a batch")?;
        let mut guard = self.lock()?;
        let Inner { shared, slots, errors, .. } = &mut *guard;
        for &sim in sims {
            errors[sim].clear();
        }
        let failed = shared.call(py, &self.pool, slots, sims, work)?;
        let n = failed.len();
        failed.into_iter().for_each(|(sim, e)| errors[sim] = e);
        Ok(n)
    }
}

/// Computes stages of a state that data may have no results of, for results that are shown: all stages, unless data are the
/// simulation's own. What a stage left out would be another simulation's.
fn compute_all(m: &Model, d: &mut Data, stage: i32, own: bool) -> Result<End, engine::StepError> {
    compute(m, d, if own || stage == 0 { stage } else { 3 })?;
    Ok(if stage == 0 { End::KeepState } else { End::Keep })
}

/// Computes the stages of forward dynamics up to one, by its code: 0 none, 1 position, 2 velocity, 3 all.
fn compute(m: &Model, d: &mut Data, stage: i32) -> Result<(), engine::StepError> {
    let energy = m.opt.enabled(enable::ENERGY);
    match stage {
        1 | 2 => {
            engine::fwd_position(m, d)?;
            engine::sensor_pos(m, d)?;
            if energy {
                engine::energy_pos(m, d)?;
            }
            if stage == 2 {
                engine::fwd_velocity(m, d)?;
                engine::sensor_vel(m, d)?;
                if energy {
                    engine::energy_vel(m, d)?;
                }
            }
            Ok(())
        }
        3 => engine::forward(m, d),
        _ => Ok(()),
    }
}

/// Checks the code of a stage.
fn checked_stage(py: Python, function: &str, code: i32) -> PyResult<i32> {
    if (0..=3).contains(&code) {
        return Ok(code);
    }
    Err(error::fatal(py, format!("{function}: `stage` is a member of mjtStage, 0 to 3, not {code}")))
}
