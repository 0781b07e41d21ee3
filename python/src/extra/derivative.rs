//! Jacobians of a step and of inverse dynamics in closed form.

use crate::data::{Access, DataCore};
use crate::error;
use crate::kind::array_of;
use crate::model::ModelCore;
use mj_engine::{
    Differences, InverseDerivative, StepDerivative, inverse_derivative, parameter_derivative, sensor_derivative,
    step_differences,
};
use mj_model::model::ModelParameter;
use mj_model::{Column, Model};
use pyo3::prelude::*;

/// Matrices, the blocks of columns that were found by differences, with the reasons, and whether the column of each
/// parameter was.
type Found<'py> = (Vec<Bound<'py, PyAny>>, Vec<(&'static str, &'static str)>, Vec<bool>);

/// Computes the Jacobians of a time step by state and control, in closed form or by differences of inverse dynamics, and by
/// parameters; with sensors or without.
#[pyfunction]
pub fn _step_derivative<'py>(
    m: &Bound<'py, ModelCore>,
    d: &Bound<'py, DataCore>,
    differences: bool,
    sensors: bool,
    parameters: Vec<String>,
) -> PyResult<Found<'py>> {
    let py = m.py();
    let model = m.get().current(py)?;
    let (nx, nu, ns) = (2 * model.nv() + model.na, model.nu(), model.nsensordata);
    let parameters = parse(&model, &parameters)?;
    let mut out = StepDerivative::default();
    let found = crate::callbacks::call(d, m, Access::Compute, |m, d| {
        if differences {
            step_differences(m, d, &mut out)
        } else if sensors {
            sensor_derivative(m, d, &parameters, &mut out)
        } else {
            parameter_derivative(m, d, &parameters, &mut out)
        }
    })?;
    found.map_err(error::value)?;
    let np = out.by_differences.len();
    let mut matrices = vec![(out.a, nx, nx), (out.b, nx, nu), (out.p, nx, np)];
    if sensors {
        matrices.extend([(out.c, ns, nx), (out.d, ns, nu), (out.s, ns, np)]);
    }
    Ok((arrays(py, matrices)?, reasons(&out.differences), out.by_differences))
}

/// Computes the Jacobians of inverse dynamics by position, velocity, acceleration and parameters.
#[pyfunction]
pub fn _inverse_derivative<'py>(
    m: &Bound<'py, ModelCore>,
    d: &Bound<'py, DataCore>,
    actuation: bool,
    parameters: Vec<String>,
) -> PyResult<Found<'py>> {
    let py = m.py();
    let model = m.get().current(py)?;
    let nv = model.nv();
    let parameters = parse(&model, &parameters)?;
    let mut out = InverseDerivative::default();
    let found = crate::callbacks::call(d, m, Access::Compute, |m, d| {
        inverse_derivative(m, d, actuation, &parameters, &mut out)
    })?;
    found.map_err(error::value)?;
    let np = out.by_differences.len();
    let matrices = vec![(out.f_q, nv, nv), (out.f_v, nv, nv), (out.f_a, nv, nv), (out.p, nv, np)];
    Ok((arrays(py, matrices)?, reasons(&out.differences), out.by_differences))
}

fn parse(m: &Model, texts: &[String]) -> PyResult<Vec<ModelParameter>> {
    texts.iter().map(|text| ModelParameter::parse(m, text)).collect::<Result<_, _>>().map_err(error::value)
}

fn arrays(py: Python<'_>, matrices: Vec<(Vec<f64>, usize, usize)>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    matrices.into_iter().map(|(x, rows, columns)| array_of(py, &Column::F64(x), &[rows, columns])).collect()
}

fn reasons(by: &Differences) -> Vec<(&'static str, &'static str)> {
    let blocks = [
        ("step", by.step),
        ("position", by.position),
        ("velocity", by.velocity),
        ("activation", by.activation),
        ("control", by.control),
    ];
    blocks.into_iter().filter_map(|(block, why)| Some((block, why?))).collect()
}
