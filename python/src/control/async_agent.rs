//! Receding-horizon control with a planner on a thread of its own.

use super::planner::planner_of;
use super::shared::{Raised, locked, state_of};
use super::states::array;
use crate::data::DataCore;
use crate::error;
use crate::model::ModelCore;
use mj_control::AsyncAgent;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Mutex;

/// Controller whose planner runs beside the simulation.
#[pyclass(name = "AsyncAgent", module = "mj._core", frozen)]
pub struct AsyncAgentCore {
    /// None once it is closed.
    agent: Mutex<Option<AsyncAgent>>,
    raised: Raised,
    model: Py<ModelCore>,
}

#[pymethods]
impl AsyncAgentCore {
    /// Starts a thread with a copy of a planner.
    #[new]
    fn new(planner: &Bound<'_, PyAny>, iterations: usize) -> PyResult<Self> {
        let planned = planner_of(planner)?;
        let (py, raised, model) = (planner.py(), planned.raised(), planned.model.clone_ref(planner.py()));
        let (cost, m) = (planned.cost().clone(), model.get().current(py)?);
        let agent = AsyncAgent::start(m.clone(), cost, planned.take(), iterations)
            .map_err(|e| PyRuntimeError::new_err(format!("no thread for the planner can be started: {e}")))?;
        Ok(Self { agent: Mutex::new(Some(agent)), raised, model })
    }

    /// Returns the controls of the next step at the state of data; waits for the first plan alone.
    fn _control<'py>(&self, d: &Bound<'py, DataCore>) -> PyResult<Bound<'py, PyAny>> {
        let py = d.py();
        crate::callbacks::refuse("AsyncAgent.control")?;
        let state = state_of(py, &self.model, d)?;
        let mut ctrl = vec![0.0; self.model.get().current(py)?.nu()];
        let result = py.detach(|| match &mut *locked(&self.agent) {
            Some(agent) => Ok(agent.control(&state, &mut ctrl)),
            None => Err(()),
        });
        if let Some(e) = locked(&self.raised).take() {
            return Err(e);
        }
        result.map_err(|()| closed())?.map_err(error::value)?;
        let shape = [ctrl.len()];
        array(py, ctrl, &shape)
    }

    /// Returns the number of plans, their time in seconds, and how many steps old the plan is that is followed.
    fn _rate(&self, py: Python) -> PyResult<(usize, f64, usize)> {
        let found = py.detach(|| locked(&self.agent).as_ref().map(|agent| (agent.rate(), agent.age())));
        let (rate, age) = found.ok_or_else(closed)?;
        Ok((rate.plans, rate.seconds, age))
    }

    /// Ends the thread after the plan that it is at.
    fn _close(&self, py: Python) {
        py.detach(|| drop(locked(&self.agent).take()));
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the agent is closed: make another")
}

impl Drop for AsyncAgentCore {
    /// Ends the thread with the interpreter released, which functions of a cost may wait for. Where the interpreter ends, they would
    /// wait for ever: the thread is left alone.
    fn drop(&mut self) {
        let Some(agent) = locked(&self.agent).take() else { return };
        let mut agent = Some(agent);
        Python::try_attach(|py| py.detach(|| drop(agent.take())));
        std::mem::forget(agent);
    }
}
