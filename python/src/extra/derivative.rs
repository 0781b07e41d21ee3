//! Jacobians of a step in closed form.

use crate::data::{Access, DataCore};
use crate::error;
use crate::kind::array_of;
use crate::model::ModelCore;
use mj_engine::{StepDerivative, parameter_derivative, step_differences};
use mj_model::Column;
use mj_model::model::ModelParameter;
use pyo3::prelude::*;

/// Three matrices, the blocks of columns that were found by differences, with the reasons, and whether the column of each
/// parameter was.
type Found<'py> = ([Bound<'py, PyAny>; 3], Vec<(&'static str, &'static str)>, Vec<bool>);

/// Computes the Jacobians of a time step by state and control, in closed form or by differences of inverse dynamics, and by
/// parameters.
#[pyfunction]
pub fn _step_derivative<'py>(
    m: &Bound<'py, ModelCore>,
    d: &Bound<'py, DataCore>,
    differences: bool,
    parameters: Vec<String>,
) -> PyResult<Found<'py>> {
    let py = m.py();
    let model = m.get().current(py)?;
    let (nx, nu) = (2 * model.nv() + model.na, model.nu());
    let parameters = parameters.iter().map(|text| ModelParameter::parse(&model, text)).collect::<Result<Vec<_>, _>>();
    let parameters = parameters.map_err(error::value)?;
    let mut out = StepDerivative::default();
    let found = crate::callbacks::call(d, m, Access::Compute, |m, d| {
        if differences { step_differences(m, d, &mut out) } else { parameter_derivative(m, d, &parameters, &mut out) }
    })?;
    found.map_err(error::value)?;
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
    let np = out.by_differences.len();
    let matrices = [matrix(out.a, nx)?, matrix(out.b, nu)?, matrix(out.p, np)?];
    Ok((matrices, reasons, out.by_differences))
}
