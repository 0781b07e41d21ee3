//! Stepping, forward and inverse dynamics, and their stages.

use crate::data::{Access, DataCore};
use crate::error;
use crate::model::ModelCore;
use mj_engine as engine;
use pyo3::prelude::*;

type M<'a, 'py> = &'a Bound<'py, ModelCore>;
type D<'a, 'py> = &'a Bound<'py, DataCore>;

/// Takes the simulation one time step on, or `nstep` of them.
#[pyfunction]
#[pyo3(signature = (m, d, nstep = 1))]
fn mj_step(m: M, d: D, nstep: usize) -> PyResult<()> {
    let steps = |m: &engine::Model, d: &mut engine::Data| (0..nstep).try_for_each(|_| engine::step(m, d));
    DataCore::call(d, m, Access::Compute, steps)?.map_err(error::value)
}

/// Computes everything up to the acceleration.
#[pyfunction]
fn mj_forward(m: M, d: D) -> PyResult<()> {
    DataCore::call(d, m, Access::Compute, engine::forward)?.map_err(error::value)
}

/// Adds the functions of this file.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_step, module)?)?;
    module.add_function(wrap_pyfunction!(mj_forward, module)?)
}
