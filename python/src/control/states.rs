//! Trajectories as arrays.

use crate::kind::array_of;
use mj_engine::{Model, State};
use mj_model::Column;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Makes an array of numbers.
pub fn array<'py>(py: Python<'py>, numbers: Vec<f64>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    array_of(py, &Column::F64(numbers), shape)
}

/// Makes arrays of states: `time`, `qpos`, `qvel`, `act` with a row a state, and `controls` with a row a step.
pub fn arrays<'py>(py: Python<'py>, m: &Model, states: &[State]) -> PyResult<Bound<'py, PyDict>> {
    let (n, out) = (states.len(), PyDict::new(py));
    let put = |name, rows: usize, width: usize, of: fn(&State) -> &[f64]| {
        let numbers: Vec<f64> = states[..rows].iter().flat_map(of).copied().collect();
        out.set_item(name, array(py, numbers, &[rows, width])?)
    };
    put("qpos", n, m.nq(), |s| &s.qpos)?;
    put("qvel", n, m.nv(), |s| &s.qvel)?;
    put("act", n, m.na, |s| &s.act)?;
    put("controls", n.saturating_sub(1), m.nu(), |s| &s.ctrl)?;
    out.set_item("time", array(py, states.iter().map(|s| s.time).collect(), &[n])?)?;
    Ok(out)
}
