//! Linear-quadratic regulators.

use super::cost::CostCore;
use super::shared::{locked, state_of};
use super::states::array;
use crate::args::typed::{Argument, Matrix};
use crate::data::DataCore;
use crate::error;
use crate::model::ModelCore;
use mj_control::{Lqr, Regulator, lqr};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Gain and Hessian of the cost.
type Solution<'py> = [Bound<'py, PyAny>; 2];

fn solution<'py>(py: Python<'py>, found: Lqr, nx: usize, nu: usize) -> PyResult<Solution<'py>> {
    Ok([array(py, found.gain, &[nu, nx])?, array(py, found.value, &[nx, nx])?])
}

/// Solves the discrete linear-quadratic problem over all time.
#[pyfunction]
pub fn _lqr<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    q: &Bound<'py, PyAny>,
    r: &Bound<'py, PyAny>,
) -> PyResult<Solution<'py>> {
    let py = a.py();
    let read = |name: &str, value| Matrix::<f64>::read(name, value);
    let (a, b, q, r) = (read("A", a)?, read("B", b)?, read("Q", q)?, read("R", r)?);
    let (nx, nu) = (a.rows, b.columns);
    for (name, matrix, expected) in [("A", &a, [nx, nx]), ("B", &b, [nx, nu]), ("Q", &q, [nx, nx]), ("R", &r, [nu, nu])]
    {
        let [rows, columns] = expected;
        if [matrix.rows, matrix.columns] != expected || rows * columns == 0 {
            let (m, n) = (matrix.rows, matrix.columns);
            let told = format!("array `{name}` has shape ({m}, {n}); expected ({rows}, {columns}) with no zero");
            return Err(PyValueError::new_err(told));
        }
    }
    let found = py.detach(|| lqr(&a.values, &b.values, &q.values, &r.values)).map_err(error::value)?;
    solution(py, found, nx, nu)
}

/// Regulator that holds a model at a state.
#[pyclass(name = "Regulator", module = "mj._core", frozen)]
pub struct RegulatorCore {
    regulator: Regulator,
    model: Py<ModelCore>,
}

#[pymethods]
impl RegulatorCore {
    /// Makes the regulator around the state of data.
    #[new]
    fn new(cost: &Bound<'_, CostCore>, d: &Bound<'_, DataCore>) -> PyResult<Self> {
        crate::callbacks::refuse("Regulator")?;
        let (py, core) = (cost.py(), cost.get());
        let (cost, model, raised) = (core.cost(), core.model(py), core.raised());
        let state = state_of(py, &model, d)?;
        let m = model.get().current(py)?;
        if m.nu() == 0 || 2 * m.nv() + m.na == 0 {
            return Err(PyValueError::new_err("the model has no controls or no state: there is nothing to regulate"));
        }
        locked(&raised).take();
        let regulator = py.detach(|| Regulator::new(&m, &cost, &state));
        if let Some(e) = locked(&raised).take() {
            return Err(e);
        }
        Ok(Self { regulator: regulator.map_err(error::value)?, model })
    }

    /// Returns the gain and the Hessian of the cost.
    fn _solution<'py>(&self, py: Python<'py>) -> PyResult<Solution<'py>> {
        let m = self.model.get().current(py)?;
        solution(py, self.regulator.lqr.clone(), 2 * m.nv() + m.na, m.nu())
    }

    /// Returns the controls at the state of data.
    fn _control<'py>(&self, py: Python<'py>, d: &Bound<'_, DataCore>) -> PyResult<Bound<'py, PyAny>> {
        let state = state_of(py, &self.model, d)?;
        let m = self.model.get().current(py)?;
        let mut ctrl = vec![0.0; m.nu()];
        self.regulator.control(&m, &state, &mut ctrl);
        array(py, ctrl, &[m.nu()])
    }
}
