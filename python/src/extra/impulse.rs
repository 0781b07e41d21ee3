//! Velocity stepping: impulses where the pipeline of `mj_step` has forces.

use crate::data::{Access, DataCore};
use crate::error;
use crate::kind::array_of;
use crate::model::ModelCore;
use mj_impulse::{Equality, Integrator, Options, Pipeline};
use mj_model::Column;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, TryLockError};

/// Buffers and results of velocity stepping.
#[pyclass(name = "Impulse", module = "mj._core", subclass, frozen)]
pub struct ImpulseCore {
    pipeline: Mutex<Pipeline>,
    model: Py<ModelCore>,
}

/// Raises a `ValueError` unless a setting is positive and finite.
fn positive(name: &str, x: f64) -> PyResult<f64> {
    let told = || PyValueError::new_err(format!("`{name}` must be positive and finite, not {x}"));
    Some(x).filter(|x| x.is_finite() && *x > 0.0).ok_or_else(told)
}

#[pymethods]
impl ImpulseCore {
    /// Makes the pipeline for a model.
    #[new]
    fn new(
        model: &Bound<'_, ModelCore>,
        integrator: &str,
        hard_equalities: bool,
        epsilon: f64,
        kappa: f64,
        iterations: u32,
        tolerance: f64,
    ) -> PyResult<Self> {
        let found = Integrator::BY_NAME.iter().find(|(name, _)| *name == integrator).map(|(_, i)| *i);
        let known = Integrator::BY_NAME.map(|(name, _)| name).join(", ");
        let told = || PyValueError::new_err(format!("`integrator` must be one of {known}, not {integrator:?}"));
        let options = Options {
            integrator: found.ok_or_else(told)?,
            equality: if hard_equalities { Equality::Hard } else { Equality::Soft },
            epsilon: positive("epsilon", epsilon)?,
            kappa: positive("kappa", kappa)?,
            iterations,
            tolerance: positive("tolerance", tolerance)?,
            ..Options::default()
        };
        let m = model.get().current(model.py())?;
        let pipeline = Pipeline::new(&m, options).map_err(error::value)?;
        Ok(Self { pipeline: Mutex::new(pipeline), model: model.clone().unbind() })
    }

    /// Takes the state of data so many steps on; stops with an error at a number that is not finite.
    fn _step(&self, d: &Bound<'_, DataCore>, nstep: i64) -> PyResult<()> {
        let mut pipeline = self.look(d.py())?;
        let p = &mut *pipeline;
        let bad = crate::callbacks::call(d, self.model.bind(d.py()), Access::Change, |m, d| {
            for _ in 0..nstep {
                p.step(m, &mut d.state);
                let s = &d.state;
                if !s.qpos.iter().chain(&s.qvel).chain(&s.act).all(|x| x.is_finite()) {
                    return Some(s.time);
                }
            }
            None
        })?;
        let told =
            |t| error::value(format!("the state is not finite at time {t} s: reset the data, and shorten the step"));
        bad.map_or(Ok(()), |t| Err(told(t)))
    }

    /// Returns the impulses of the last step: N s or N m s, a number for each row.
    fn _impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.look(py)?.solution.efc_force.clone();
        let shape = [numbers.len()];
        array_of(py, &Column::F64(numbers), &shape)
    }

    /// Counts contacts, rows, and sweeps of the solver in the last step.
    fn _counts(&self, py: Python) -> PyResult<(usize, usize, u32)> {
        let p = self.look(py)?;
        Ok((p.contacts.list.len(), p.rows.nefc(), p.sweeps))
    }
}

impl ImpulseCore {
    /// Returns the pipeline, unless a call is in progress.
    fn look(&self, _: Python) -> PyResult<std::sync::MutexGuard<'_, Pipeline>> {
        match self.pipeline.try_lock() {
            Ok(pipeline) => Ok(pipeline),
            Err(TryLockError::Poisoned(e)) => Ok(e.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another thread has a call in progress on this pipeline"))
            }
        }
    }
}
