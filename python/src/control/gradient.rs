//! Simulations as functions of their first state, their controls and parameters, with gradients.

use super::shared::{check_room, state_of};
use super::states::array;
use crate::args::typed::{Argument, Matrix};
use crate::data::DataCore;
use crate::error;
use crate::model::ModelCore;
use mj_control::rollout_gradient;
use mj_engine::{Data, Model, State, set_const, step};
use mj_model::model::ModelParameter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A simulation: its model with values of some parameters, its first state, and the controls of each step.
struct Rollout {
    model: Model,
    parameters: Vec<ModelParameter>,
    start: State,
    steps: usize,
    ctrl: Vec<f64>,
}

/// Parameters by name, each with its value.
type Values = Vec<(String, f64)>;

impl Rollout {
    /// Reads the arguments. `start` has position, velocity and activation; what else a state has is that of data.
    fn new(
        m: &Bound<'_, ModelCore>,
        d: &Bound<'_, DataCore>,
        start: &Bound<'_, PyAny>,
        ctrl: &Bound<'_, PyAny>,
        values: &Values,
    ) -> PyResult<Self> {
        let py = m.py();
        let mut state = state_of(py, m.as_unbound(), d)?;
        let mut model = (*m.get().current(py)?).clone();
        let mut parameters = Vec::new();
        for (name, value) in values {
            let parameter = ModelParameter::parse(&model, name).map_err(error::value)?;
            parameter.set(&mut model, *value).map_err(error::value)?;
            parameters.push(parameter);
        }
        if !values.is_empty() {
            set_const(&mut model).map_err(error::value)?;
        }
        let start = Vec::<f64>::read("start", start)?;
        let (nq, nv, na, nu) = (model.nq(), model.nv(), model.na, model.nu());
        if start.len() != nq + nv + na {
            let told = format!("array `start` has {} numbers; expected nq + nv + na = {}", start.len(), nq + nv + na);
            return Err(PyValueError::new_err(told));
        }
        state.qpos.copy_from_slice(&start[..nq]);
        state.qvel.copy_from_slice(&start[nq..nq + nv]);
        state.act.copy_from_slice(&start[nq + nv..]);
        let ctrl = Matrix::<f64>::read("ctrl", ctrl)?;
        if ctrl.columns != nu {
            let told = format!("array `ctrl` has {} columns; expected nu = {nu}", ctrl.columns);
            return Err(PyValueError::new_err(told));
        }
        check_room(ctrl.rows + 1, nq + nv + na, "states")?;
        Ok(Self { model, parameters, start: state, steps: ctrl.rows, ctrl: ctrl.values })
    }

    /// Simulates; position, velocity and activation of all states.
    fn states(&self) -> Result<Vec<f64>, String> {
        let m = &self.model;
        let mut d = Data::new(m).map_err(|e| e.to_string())?;
        d.state.clone_from(&self.start);
        let mut all = Vec::new();
        let mut record = |s: &State| [&s.qpos, &s.qvel, &s.act].iter().for_each(|x| all.extend_from_slice(x));
        record(&d.state);
        for n in 0..self.steps {
            d.state.ctrl.copy_from_slice(&self.ctrl[n * m.nu()..(n + 1) * m.nu()]);
            step(m, &mut d).map_err(|e| format!("step {n}: {e}"))?;
            record(&d.state);
        }
        Ok(all)
    }
}

/// Simulates with the controls of each step, and returns all states.
#[pyfunction]
pub fn _simulate<'py>(
    m: &Bound<'py, ModelCore>,
    d: &Bound<'py, DataCore>,
    start: &Bound<'py, PyAny>,
    ctrl: &Bound<'py, PyAny>,
    values: Values,
) -> PyResult<Bound<'py, PyAny>> {
    crate::callbacks::refuse("simulate")?;
    let py = m.py();
    let rollout = Rollout::new(m, d, start, ctrl, &values)?;
    let states = py.detach(|| rollout.states()).map_err(PyValueError::new_err)?;
    let m = &rollout.model;
    array(py, states, &[rollout.steps + 1, m.nq() + m.nv() + m.na])
}

/// Returns the gradient of a function of a simulation's states, by the first of them, the controls and the parameters.
#[pyfunction]
pub fn _simulation_gradient<'py>(
    m: &Bound<'py, ModelCore>,
    d: &Bound<'py, DataCore>,
    start: &Bound<'py, PyAny>,
    ctrl: &Bound<'py, PyAny>,
    values: Values,
    by_states: &Bound<'py, PyAny>,
) -> PyResult<[Bound<'py, PyAny>; 3]> {
    crate::callbacks::refuse("simulation_gradient")?;
    let py = m.py();
    let rollout = Rollout::new(m, d, start, ctrl, &values)?;
    let Rollout { model: m, parameters, start, steps, ctrl } = &rollout;
    let by_states = Matrix::<f64>::read("by_states", by_states)?;
    let nx = 2 * m.nv() + m.na;
    if [by_states.rows, by_states.columns] != [steps + 1, nx] {
        let (rows, columns) = (by_states.rows, by_states.columns);
        let told = format!("array `by_states` has shape ({rows}, {columns}); expected ({}, {nx})", steps + 1);
        return Err(PyValueError::new_err(told));
    }
    let found = py.detach(|| rollout_gradient(m, start, ctrl, &by_states.values, parameters)).map_err(error::value)?;
    Ok([
        array(py, found.start, &[nx])?,
        array(py, found.ctrl, &[*steps, m.nu()])?,
        array(py, found.parameters, &[parameters.len()])?,
    ])
}
