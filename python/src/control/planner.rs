//! Trajectories by iterative LQR, and receding-horizon control.

use super::cost::CostCore;
use super::planned::Planned;
use super::sampler::SamplerCore;
use super::shared::{check_room, goes_on, locked, state_of};
use super::states::{array, arrays};
use crate::args::vector;
use crate::data::DataCore;
use mj_control::{Agent, Ilqr, IlqrOptions, Iteration, Planner, Summary};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Optimizer of trajectories.
#[pyclass(name = "Ilqr", module = "mj._core", frozen)]
pub struct IlqrCore(Planned<Ilqr>);

/// Cost, decrease, length, regularization, whether it converged.
pub(super) type Row = (f64, f64, f64, f64, bool);

pub(super) fn row(i: &Iteration) -> Row {
    (i.cost, i.decrease, i.length, i.regularization, i.converged)
}

#[pymethods]
impl IlqrCore {
    /// Makes an optimizer; `counts` are steps, iterations, updates of multipliers and threads, `numbers` tolerance,
    /// regularization, penalty and violation.
    #[new]
    fn new(cost: &Bound<'_, CostCore>, counts: [usize; 4], numbers: [f64; 4]) -> PyResult<Self> {
        let [steps, iterations, updates, threads] = counts;
        let [tolerance, regularization, penalty, violation] = numbers;
        let parallel = threads != 1;
        let options = IlqrOptions {
            steps,
            iterations,
            updates,
            tolerance,
            regularization,
            penalty,
            violation,
            parallel,
            ..IlqrOptions::default()
        };
        for (name, x) in [("tolerance", tolerance), ("regularization", regularization), ("violation", violation)] {
            if !(x >= 0.0 && x.is_finite()) {
                let told = format!("`{name}` is {x}; expected a finite number that is not negative");
                return Err(PyValueError::new_err(told));
            }
        }
        let core = cost.get();
        let m = core.model(cost.py()).get().current(cost.py())?;
        let width = m.nq() + 2 * m.nv() + m.na + m.nu() * (2 * m.nv() + m.na) + core.cost().dim();
        check_room(steps.saturating_add(1), width.max(64), "steps")?;
        Planned::new(cost, threads, |m, cost| Ilqr::new(m, cost, options)).map(Self)
    }

    /// Optimizes from the state of data; begins with its controls at every step, or with others.
    #[pyo3(signature = (d, controls = None, watch = None))]
    fn _solve<'py>(
        &self,
        d: &Bound<'py, DataCore>,
        controls: Option<&Bound<'py, PyAny>>,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Vec<Row>)> {
        let py = d.py();
        let state = state_of(py, &self.0.model, d)?;
        let m = self.0.model.get().current(py)?;
        let steps = self.0.look(py)?.options.steps;
        let ctrl = match controls {
            Some(controls) => vector::<f64>("controls", controls, steps * m.nu())?,
            None => state.ctrl.repeat(steps),
        };
        if let Some(x) = ctrl.iter().find(|x| !x.is_finite()) {
            return Err(PyValueError::new_err(format!("`controls` has the number {x}; expected finite numbers")));
        }
        let (mut rows, failed) = (Vec::new(), Mutex::new(None));
        let summary = self.0.call(py, "Ilqr.solve", |m, cost, ilqr, stop| {
            ilqr.reset();
            ilqr.start(m, cost, &state, &ctrl)?;
            ilqr.solve(m, cost, |n, i| {
                rows.push(row(i));
                goes_on(watch.as_ref(), &failed, (n, row(i))) && !stop.load(Ordering::Relaxed)
            })
        });
        if let Some(e) = locked(&failed).take() {
            return Err(e);
        }
        let Summary { cost, violation, converged, .. } = summary?;
        let planner = self.0.look(py)?;
        let out = arrays(py, &m, &planner.best.states)?;
        let gains: Vec<f64> = (0..steps).flat_map(|n| planner.gain(n)).copied().collect();
        out.set_item("gains", array(py, gains, &[steps, m.nu(), 2 * m.nv() + m.na])?)?;
        out.set_item("costs", array(py, planner.best.costs.clone(), &[steps + 1])?)?;
        out.set_item("cost", cost)?;
        out.set_item("violation", violation)?;
        out.set_item("converged", converged)?;
        Ok((out, rows))
    }
}

/// Copies a planner of either kind, with its model and cost.
pub(super) fn planner_of(planner: &Bound<'_, PyAny>) -> PyResult<Planned<Planner>> {
    let py = planner.py();
    if let Ok(ilqr) = planner.cast::<IlqrCore>() {
        return ilqr.get().0.map(py, |p| Planner::Ilqr(Box::new(p.clone())));
    }
    planner.cast::<SamplerCore>()?.get().0.map(py, |p| Planner::Sampler(Box::new(p.clone())))
}

/// Receding-horizon controller.
#[pyclass(name = "Agent", module = "mj._core", frozen)]
pub struct AgentCore(Planned<Agent>);

#[pymethods]
impl AgentCore {
    /// Makes an agent of a copy of a planner.
    #[new]
    fn new(planner: &Bound<'_, PyAny>, every: usize, iterations: usize) -> PyResult<Self> {
        planner_of(planner)?.map(planner.py(), |p| Agent::new(p.clone(), every, iterations)).map(Self)
    }

    /// Returns the controls of the next step at the state of data; plans first if it is time to.
    fn _control<'py>(&self, d: &Bound<'py, DataCore>) -> PyResult<Bound<'py, PyAny>> {
        let py = d.py();
        let state = state_of(py, &self.0.model, d)?;
        let ctrl = self.0.call(py, "Agent.control", |m, cost, agent, _| {
            let mut ctrl = vec![0.0; m.nu()];
            agent.control(m, cost, &state, &mut ctrl)?;
            Ok(ctrl)
        })?;
        let shape = [ctrl.len()];
        array(py, ctrl, &shape)
    }

    /// Returns the number of plans, and their time in seconds.
    fn _rate(&self, py: Python) -> PyResult<(usize, f64)> {
        let rate = self.0.look(py)?.rate();
        Ok((rate.plans, rate.seconds))
    }
}
