//! Jacobians of a step in closed form.

use crate::data::{Access, DataCore};
use crate::error;
use crate::kind::array_of;
use crate::model::ModelCore;
use mj_engine::{StepDerivative, step_derivative, step_differences};
use mj_model::Column;
use pyo3::prelude::*;

/// Two matrices, and the blocks of columns that were found by differences, with the reasons.
type Found<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<(&'static str, &'static str)>);

/// Computes the Jacobians of a time step by state and control, in closed form or by differences of inverse dynamics.
#[pyfunction]
pub fn _step_derivative<'py>(
    m: &Bound<'py, ModelCore>,
    d: &Bound<'py, DataCore>,
    differences: bool,
) -> PyResult<Found<'py>> {
    let py = m.py();
    let model = m.get().current(py)?;
    let (nx, nu) = (2 * model.nv() + model.na, model.nu());
    let find = if differences { step_differences } else { step_derivative };
    let mut out = StepDerivative::default();
    crate::callbacks::call(d, m, Access::Compute, |m, d| find(m, d, &mut out))?.map_err(error::value)?;
    let by = out.differences;
    let blocks = [
        ("step", by.step),
        ("position", by.position),
        ("velocity", by.velocity),
        ("activation", by.activation),
        ("control", by.control),
    ];
    let reasons = blocks.into_iter().filter_map(|(block, why)| Some((block, why?))).collect();
    let matrix = |numbers: Vec<f64>, columns| array_of(py, &Column::F64(numbers), &[nx, columns]);
    Ok((matrix(std::mem::take(&mut out.a), nx)?, matrix(std::mem::take(&mut out.b), nu)?, reasons))
}
