//! Sampling planners.

use super::cost::{CostCore, by_name};
use super::planned::Planned;
use super::shared::{check_room, state_of};
use super::states::{array, arrays};
use crate::args::vector;
use crate::data::DataCore;
use mj_control::{Interpolation, Method, Sampler, SamplerOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::Ordering;

/// Planner that tries random controls.
#[pyclass(name = "Sampler", module = "mj._core", frozen)]
pub struct SamplerCore(pub Planned<Sampler>);

#[pymethods]
impl SamplerCore {
    /// Makes a planner; `counts` are steps, knots, samples, elites and threads, `numbers` noise, least noise, penalty and
    /// temperature.
    #[new]
    fn new(
        cost: &Bound<'_, CostCore>,
        kinds: [String; 2],
        counts: [usize; 5],
        numbers: [f64; 4],
        seed: u64,
    ) -> PyResult<Self> {
        let [method, interpolation] = kinds;
        let [steps, knots, samples, elites, threads] = counts;
        let [noise, least_noise, penalty, temperature] = numbers;
        let methods = [
            ("predictive", Method::Predictive),
            ("cem", Method::Cem { elites }),
            ("mppi", Method::Mppi { temperature }),
        ];
        let kinds = [("zero", Interpolation::Zero), ("linear", Interpolation::Linear), ("cubic", Interpolation::Cubic)];
        let method = by_name("method", &method, &methods)?;
        let interpolation = by_name("interpolation", &interpolation, &kinds)?;
        if !(least_noise >= 0.0 && least_noise.is_finite()) {
            let told = format!("`least_noise` is {least_noise}; expected a finite number that is not negative");
            return Err(PyValueError::new_err(told));
        }
        let core = cost.get();
        let m = core.model(cost.py()).get().current(cost.py())?;
        let width = m.nq() + 4 * m.nv() + m.na + 2 * m.nu() + 6 * m.body.len() + core.cost().dim() + 32;
        let results = 64 * (m.body.len() + m.geom.len() + m.site.len() + m.nv()) + m.nv() * m.nv();
        let of_one = steps.saturating_add(1).saturating_mul(width).saturating_add(results);
        check_room(samples, of_one, "samples")?;
        let options =
            SamplerOptions { method, steps, knots, interpolation, samples, noise, least_noise, penalty, seed };
        Planned::new(cost, threads, |m, cost| Sampler::new(m, cost, options)).map(Self)
    }

    /// Improves the plan from the state of data so many times; returns the least cost of the last.
    fn _improve(&self, d: &Bound<'_, DataCore>, iterations: usize) -> PyResult<f64> {
        let py = d.py();
        let state = state_of(py, &self.0.model, d)?;
        self.0.call(py, "Sampler.improve", |m, cost, sampler, stop| {
            let mut least = f64::INFINITY;
            for _ in 0..iterations {
                least = sampler.improve(m, cost, &state)?;
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
            Ok(least)
        })
    }

    /// Sets all knots to some controls.
    fn _start(&self, py: Python, controls: &Bound<'_, PyAny>) -> PyResult<()> {
        let m = self.0.model.get().current(py)?;
        let ctrl = vector::<f64>("controls", controls, m.nu())?;
        if let Some(x) = ctrl.iter().find(|x| !x.is_finite()) {
            return Err(PyValueError::new_err(format!("`controls` has the number {x}; expected finite numbers")));
        }
        self.0.look(py)?.start(&m, &ctrl).map_err(crate::error::value)
    }

    /// Moves the plan on by some steps.
    fn _shift(&self, py: Python, steps: usize) -> PyResult<()> {
        let m = self.0.model.get().current(py)?;
        self.0.look(py)?.shift(&m, steps);
        Ok(())
    }

    /// Returns the planned controls of a step.
    fn _control<'py>(&self, py: Python<'py>, step: usize) -> PyResult<Bound<'py, PyAny>> {
        let m = self.0.model.get().current(py)?;
        let mut ctrl = vec![0.0; m.nu()];
        self.0.look(py)?.control(&m, step, &mut ctrl);
        array(py, ctrl, &[m.nu()])
    }

    /// Returns the knots of the controls.
    fn _knots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let m = self.0.model.get().current(py)?;
        let planner = self.0.look(py)?;
        array(py, planner.knots.clone(), &[planner.options.knots, m.nu()])
    }

    /// Returns the best trajectory of the last improvement; nothing before.
    fn _best<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let m = self.0.model.get().current(py)?;
        let planner = self.0.look(py)?;
        let best = &planner.best;
        if best.states.is_empty() {
            return Ok(None);
        }
        let out = arrays(py, &m, &best.states)?;
        out.set_item("costs", array(py, best.costs.clone(), &[best.costs.len()])?)?;
        out.set_item("cost", best.cost)?;
        Ok(Some(out))
    }
}
