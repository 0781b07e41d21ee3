//! Residuals by functions in Python.

use super::shared::{Raised, locked};
use crate::args;
use crate::data::DataCore;
use crate::model::ModelCore;
use mj_control::Residual;
use mj_engine::model::Stage;
use mj_engine::{Data, Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// Function of the user's, with data that it is shown.
struct Function {
    function: Py<PyAny>,
    model: Py<ModelCore>,
    /// Data of calls that have ended: each call takes one, so that threads don't share any.
    free: Mutex<Vec<Py<DataCore>>>,
    raised: Raised,
}

impl Function {
    /// Calls the function with a copy of the data.
    fn call(&self, py: Python, m: &Model, d: &Data, out: &mut [f64]) -> PyResult<()> {
        let free = locked(&self.free).pop();
        let data = match free {
            Some(data) => data,
            None => {
                let class = py.import("mj")?.getattr("MjData")?;
                class.call1((&self.model,))?.cast_into::<DataCore>()?.unbind()
            }
        };
        data.get().show(py, m, d);
        let numbers = self.function.bind(py).call1((&self.model, &data)).and_then(|value| {
            let (_, numbers) = args::numbers::<f64>("residual", &value)?;
            if numbers.len() == out.len() {
                return Ok(numbers);
            }
            let (got, expected) = (numbers.len(), out.len());
            Err(PyValueError::new_err(format!("a residual's function returned {got} numbers; expected {expected}")))
        });
        locked(&self.free).push(data);
        out.copy_from_slice(&numbers?);
        Ok(())
    }
}

/// Makes a residual of a function `f(model, data)` of `dim` numbers. Where it raises, its numbers are NaN, and it is not called
/// again: `raised` has the exception.
pub fn residual(
    py: Python,
    model: &Py<ModelCore>,
    f: Py<PyAny>,
    (dim, stage): (usize, Stage),
    raised: Raised,
) -> Residual {
    let function = Arc::new(Function { function: f, model: model.clone_ref(py), free: Mutex::default(), raised });
    Residual::function(dim, stage, move |m, d, out| {
        if locked(&function.raised).is_none() {
            let Err(e) = Python::attach(|py| function.call(py, m, d, out)) else { return };
            locked(&function.raised).get_or_insert(e);
        }
        out.fill(f64::NAN);
    })
}

impl DataCore {
    /// Shows other data in place of its own.
    fn show(&self, py: Python, m: &Model, d: &Data) {
        let mut inner = self.look(py);
        inner.data.clone_from(d);
        inner.copy_out(m);
    }
}
