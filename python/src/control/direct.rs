//! Direct optimization through inverse dynamics.

use super::cost::CostCore;
use super::planned::Planned;
use super::shared::{check_room, goes_on, locked, state_of};
use super::states::array;
use crate::args::vector;
use crate::data::DataCore;
use mj_control::{Direct, DirectOptions, Effort};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Optimizer of trajectories by their positions.
#[pyclass(name = "Direct", module = "mj._core", frozen)]
pub struct DirectCore(Planned<Direct>);

#[pymethods]
impl DirectCore {
    /// Makes an optimizer; `counts` are steps, iterations, updates of multipliers and threads, `numbers` tolerance,
    /// the penalties of constraints and of forces, and the violations of both that are small enough.
    #[new]
    fn new(cost: &Bound<'_, CostCore>, counts: [usize; 4], numbers: [f64; 5]) -> PyResult<Self> {
        let [steps, iterations, updates, threads] = counts;
        let [tolerance, penalty, force_penalty, violation, force_violation] = numbers;
        let options = DirectOptions {
            steps,
            iterations,
            updates,
            tolerance,
            penalty: [penalty, force_penalty],
            violation: [violation, force_violation],
            ..DirectOptions::default()
        };
        let core = cost.get();
        let m = core.model(cost.py()).get().current(cost.py())?;
        let width = m.nq() + (4 * m.nv()).saturating_mul(m.nv() + core.cost().dim() + 8);
        check_room(steps.saturating_add(1), width.max(64), "steps")?;
        Planned::new(cost, threads, |m, cost| Direct::new(m, cost, options)).map(Self)
    }

    /// Returns weights and limits of the forces, (nv, 3).
    fn _efforts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let direct = self.0.look(py)?;
        let rows = direct.efforts.iter().flat_map(|e| [e.weight, e.range[0], e.range[1]]).collect();
        array(py, rows, &[direct.efforts.len(), 3])
    }

    /// Sets weights and limits of the forces, (nv, 3).
    fn _set_efforts(&self, py: Python, efforts: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut direct = self.0.look(py)?;
        let rows = vector::<f64>("efforts", efforts, 3 * direct.efforts.len())?;
        for (i, row) in rows.chunks_exact(3).enumerate() {
            let &[weight, lower, upper] = row else { continue };
            if !(weight >= 0.0 && weight.is_finite()) || lower.is_nan() || upper.is_nan() || lower > upper {
                let told = format!(
                    "dof {i} has the weight {weight} and the limits {lower} and {upper}; expected a finite weight that is not \
                     negative, and limits in order"
                );
                return Err(PyValueError::new_err(told));
            }
        }
        let effort = |row: &[f64]| Effort { weight: row[0], range: [row[1], row[2]] };
        direct.efforts = rows.chunks_exact(3).map(effort).collect();
        Ok(())
    }

    /// Optimizes from the state of data, along positions to begin with or rest.
    #[pyo3(signature = (d, qpos = None, watch = None))]
    fn _solve<'py>(
        &self,
        d: &Bound<'py, DataCore>,
        qpos: Option<&Bound<'py, PyAny>>,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = d.py();
        let state = state_of(py, &self.0.model, d)?;
        let m = self.0.model.get().current(py)?;
        let (nq, nv) = (m.nq(), m.nv());
        let steps = self.0.look(py)?.options.steps;
        let qpos = qpos.map(|qpos| vector::<f64>("qpos", qpos, (steps + 1) * nq)).transpose()?;
        let failed = Mutex::new(None);
        let summary = self.0.call(py, "Direct.solve", |m, cost, direct, stop| {
            direct.start(m, cost, &state, qpos.as_deref())?;
            direct
                .solve(m, cost, |n, cost| goes_on(watch.as_ref(), &failed, (n, cost)) && !stop.load(Ordering::Relaxed))
        });
        if let Some(e) = locked(&failed).take() {
            return Err(e);
        }
        let summary = summary?;
        let direct = self.0.look(py)?;
        let forces = (0..steps).flat_map(|t| direct.force(t)).copied().collect();
        let out = PyDict::new(py);
        out.set_item("qpos", array(py, direct.path.qpos.clone(), &[steps + 1, nq])?)?;
        out.set_item("qvel", array(py, direct.path.qvel.clone(), &[steps + 1, nv])?)?;
        out.set_item("qacc", array(py, direct.path.qacc.clone(), &[steps, nv])?)?;
        out.set_item("forces", array(py, forces, &[steps, nv])?)?;
        out.set_item("cost", summary.cost)?;
        out.set_item("violation", summary.violation)?;
        out.set_item("force_violation", summary.force)?;
        out.set_item("converged", summary.converged)?;
        out.set_item("iterations", summary.iterations)?;
        Ok(out)
    }

    /// Returns the controls that come next to the forces of the last solution, (steps, nu).
    fn _controls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (steps, nu) = (self.0.look(py)?.options.steps, self.0.model.get().current(py)?.nu());
        let controls = self.0.call(py, "Direct.controls", |m, _, direct, _| {
            let mut all = Vec::with_capacity(steps * nu);
            for t in 0..steps {
                all.extend(direct.control(m, t)?);
            }
            Ok(all)
        })?;
        array(py, controls, &[steps, nu])
    }
}
