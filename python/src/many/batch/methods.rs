//! Methods of a batch that Python sees.

use super::call::{End, Shared, Slot, WARNINGS};
use super::expanded::Expanded;
use super::output::{Output, What};
use super::{BatchCore, Inner, checked_stage, compute, compute_all, expanded, output, queries, record, strict};
use crate::data::DataCore;
use crate::error;
use crate::kind::Kind;
use crate::many::threads::{MAX_THREADS, Pool, Pulse};
use crate::model::ModelCore;
use mj_engine::{self as engine, Data, Signature};
use mj_model::{KeyId, enable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

#[pymethods]
impl BatchCore {
    /// Makes simulations of a model on so many threads, as many as there are processors with 0.
    #[new]
    #[pyo3(signature = (model, nsim, nthread = 0, persistent = false))]
    fn new(model: &Bound<'_, ModelCore>, nsim: i64, nthread: i64, persistent: bool) -> PyResult<Self> {
        crate::callbacks::refuse("a batch")?;
        let py = model.py();
        let n = usize::try_from(nsim).ok().filter(|&n| n > 0);
        let nsim = n.ok_or_else(|| PyValueError::new_err("nsim must be positive"))?;
        let threads = usize::try_from(nthread).ok().filter(|&n| n <= MAX_THREADS);
        let threads = threads
            .ok_or_else(|| PyValueError::new_err(format!("`nthread` is from 0 to {MAX_THREADS}, not {nthread}")))?;
        let all = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let nthread = if threads == 0 { all() } else { threads };
        let m = model.get().current(py)?;
        if m.opt.enabled(enable::SLEEP) && !persistent {
            return Err(PyValueError::new_err(
                "a model with sleeping enabled needs a batch with persistent=True: which trees sleep is kept with the data",
            ));
        }
        let first = py.detach(|| Data::new(&m)).map_err(error::value)?;
        let nstate = engine::state_size(&m, Signature::INTEGRATION).map_err(error::value)?;
        let (state, states) = output::array(py, Kind::F64, &[nsim, nstate])?;
        let (warning, warnings) = output::array(py, Kind::I32, &[nsim, WARNINGS, 2])?;
        let (status, statuses) = output::array(py, Kind::I32, &[nsim])?;
        let mut row = vec![0.0; nstate];
        first.state.get(&m, Signature::INTEGRATION, &mut row).map_err(error::value)?;
        (0..nsim).for_each(|sim| state.write_at(sim * nstate, &row));
        let own = if persistent { nsim } else { 0 };
        let persistent_data = (0..own).map(|_| Mutex::new(first.clone())).collect();
        let slots = (0..nthread.min(nsim)).map(|_| Slot::new(first.clone(), nstate)).collect();
        let shared = Shared {
            model: m,
            given: Vec::new(),
            expanded: Vec::new(),
            outputs: Vec::new(),
            persistent: persistent_data,
            state,
            warning,
            status,
            nstate,
        };
        let inner = Inner { shared, slots, errors: vec![String::new(); nsim], arrays: Vec::new() };
        Ok(Self {
            inner: Mutex::new(inner),
            pool: Pool::new(nthread),
            nsim,
            nthread,
            nstate,
            persistent,
            state: states.unbind(),
            warning: warnings.unbind(),
            status: statuses.unbind(),
        })
    }

    /// Returns the states: an array of shape (nsim, nstate).
    fn state(&self, py: Python) -> Py<PyAny> {
        self.state.clone_ref(py)
    }

    /// Returns counts of warnings: an array of shape (nsim, 7, 2), with what the last was about and their number.
    fn warning(&self, py: Python) -> Py<PyAny> {
        self.warning.clone_ref(py)
    }

    /// Returns which simulations failed in their last call: an array of shape (nsim,).
    fn status(&self, py: Python) -> Py<PyAny> {
        self.status.clone_ref(py)
    }

    /// Returns the message of the error in a simulation's last call; empty if there was none.
    fn error(&self, sim: i64) -> PyResult<String> {
        let sim = self.sim(sim)?;
        Ok(self.lock()?.errors[sim].clone())
    }

    /// Returns where a component of the state lies in a row: first number and count.
    fn state_component(&self, component: i64) -> PyResult<(usize, usize)> {
        let inner = self.lock()?;
        let m = &inner.shared.model;
        let bits = u32::try_from(component).ok().filter(|b| b.count_ones() == 1 && Signature::INTEGRATION.0 & b == *b);
        let bit = bits.ok_or_else(|| PyValueError::new_err(format!("{component} is no component of the state")))?;
        let size = |bits| engine::state_size(m, Signature(bits)).map_err(error::value);
        Ok((size(bit - 1)?, size(bit)?))
    }

    /// Returns the array of a result, filled by calls from now on; none if there is no such field.
    fn output<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut guard = self.lock()?;
        let Inner { shared, slots, arrays, .. } = &mut *guard;
        if let Some((_, array)) = arrays.iter().find(|(known, _)| known == name) {
            return Ok(Some(array.bind(py).clone()));
        }
        let Some(what) = What::find(name) else { return Ok(None) };
        let m = shared.model.clone();
        let (output, array) = Output::new(py, what, &m, slots[0].data(), &[self.nsim])?;
        for (sim, d) in shared.persistent.iter().enumerate() {
            let scratch = output.scratch();
            output.write(&m, &d.lock().unwrap_or_else(PoisonError::into_inner), sim, &scratch);
        }
        shared.outputs.push(output);
        arrays.push((name.into(), array.clone().unbind()));
        Ok(Some(array))
    }

    /// Takes simulations on by steps, then computes stages at the new state; returns how many simulations failed.
    #[pyo3(signature = (ids = None, nstep = 1, stage = 0))]
    fn step(&self, py: Python, ids: Option<&Bound<'_, PyAny>>, nstep: i64, stage: i32) -> PyResult<usize> {
        if nstep <= 0 {
            return Err(error::fatal(py, format!("step: `nstep` must be positive, not {nstep}")));
        }
        let stage = checked_stage(py, "step", stage)?;
        self.call(py, ids, &|_, _, m, d, pulse: &Pulse| {
            for _ in 0..nstep {
                if pulse.stopped() {
                    return Ok(End::Leave);
                }
                engine::step(m, d).map_err(|e| e.to_string())?;
            }
            compute(m, d, stage).map(|()| End::Keep).map_err(|e| e.to_string())
        })
    }

    /// Computes stages at the present states; returns how many simulations failed.
    #[pyo3(signature = (ids = None, stage = 3))]
    fn forward(&self, py: Python, ids: Option<&Bound<'_, PyAny>>, stage: i32) -> PyResult<usize> {
        let stage = checked_stage(py, "forward", stage)?;
        self.call(py, ids, &|_, _, m, d, _| compute_all(m, d, stage, self.persistent).map_err(|e| e.to_string()))
    }

    /// Resets simulations to keyframes, or to the reset state with −1, then computes stages; returns how many failed.
    #[pyo3(signature = (ids = None, keyframe = None, stage = 3))]
    fn reset(
        &self,
        py: Python,
        ids: Option<&Bound<'_, PyAny>>,
        keyframe: Option<&Bound<'_, PyAny>>,
        stage: i32,
    ) -> PyResult<usize> {
        let stage = checked_stage(py, "reset", stage)?;
        let sims = strict::ids(ids, self.nsim)?;
        let keys = keyframe.map(|k| strict::read::<i32>("keyframe", k, &[sims.len()])).transpose()?;
        self.call_sims(py, &sims, &|k, _, m, d, _| {
            let key = keys.as_ref().map_or(-1, |keys| keys[k]);
            d.reset(m);
            d.warnings = Default::default();
            if key >= 0 {
                let key = usize::try_from(key).ok().filter(|&key| key < m.key.len());
                let key = key.ok_or_else(|| format!("there is no such keyframe: the model has {}", m.key.len()))?;
                engine::reset_to_key(m, d, KeyId::new(key)).map_err(|e| e.to_string())?;
            }
            compute_all(m, d, stage, self.persistent).map_err(|e| e.to_string())
        })
    }

    /// Returns the array of a model's field with a value for each simulation; none if there can't be one.
    fn expand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut inner = self.lock()?;
        let shared = &mut inner.shared;
        if let Some(field) = shared.expanded.iter().find(|e| e.name == name) {
            return Ok(Some(field.array.bind(py).clone()));
        }
        let Some(field) = expanded::find(&shared.model, name) else { return Ok(None) };
        if !shared.given.is_empty() {
            return Err(error::fatal(py, "expand: the batch runs on caller models (set_models)"));
        }
        let field = Expanded::new(py, &shared.model.clone(), field, self.nsim)?;
        let array = field.array.bind(py).clone();
        shared.expanded.push(field);
        Ok(Some(array))
    }

    /// Returns the array of a model's field if it has a value for each simulation already.
    fn expanded<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let inner = self.lock()?;
        let field = inner.shared.expanded.iter().find(|e| e.name == name);
        Ok(field.map(|e| e.array.bind(py).clone()))
    }

    /// Makes a model that of a simulation.
    fn get_model(&self, sim: i64, model: &Bound<'_, ModelCore>) -> PyResult<()> {
        self.do_get_model(sim, model)
    }

    /// Makes data that of a simulation: its state, and its results if the batch is persistent.
    fn get_data(&self, sim: i64, data: &Bound<'_, DataCore>) -> PyResult<()> {
        self.do_get_data(sim, data)
    }

    /// Runs each simulation on a model of the user's: one for each, one for all, or with None the batch's.
    fn set_models(&self, py: Python, models: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.do_set_models(py, models)
    }

    /// Computes what models derive from their parameters, for simulations; returns how many failed.
    #[pyo3(signature = (ids = None))]
    fn set_const(&self, py: Python, ids: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        self.do_set_const(py, ids)
    }

    /// Computes the Jacobians of a point of a body in each simulation, each 3 × nv; either may be None. Returns how many
    /// simulations failed.
    fn jac(
        &self,
        py: Python,
        ids: Option<&Bound<'_, PyAny>>,
        body: &Bound<'_, PyAny>,
        point: &Bound<'_, PyAny>,
        jacp: Option<&Bound<'_, PyAny>>,
        jacr: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        self.do_jac(py, ids, [body, point], [jacp, jacr])
    }

    /// Finds where rays meet geoms in each simulation: distance, geom and, unless it is None, normal. Returns how many
    /// simulations failed.
    #[allow(clippy::too_many_arguments)] // the reference's signature
    fn ray(
        &self,
        py: Python,
        ids: Option<&Bound<'_, PyAny>>,
        pnt: &Bound<'_, PyAny>,
        vec: &Bound<'_, PyAny>,
        geomgroup: Option<&Bound<'_, PyAny>>,
        flg_static: bool,
        bodyexclude: &Bound<'_, PyAny>,
        dist: &Bound<'_, PyAny>,
        geomid: &Bound<'_, PyAny>,
        normal: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let rays = queries::Rays { pnt, vec, geomgroup, flg_static, bodyexclude };
        self.do_ray(py, ids, &rays, [dist, geomid], normal)
    }

    /// Takes simulations on by steps, with controls before each and records after each: (field, 0, array) or
    /// (None, components of the state, array). A simulation in which a warning is raised ends there, and its last record is
    /// repeated. Returns how many simulations failed.
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        ids: Option<&Bound<'py, PyAny>>,
        nstep: i64,
        control: Option<&Bound<'py, PyAny>>,
        control_spec: i64,
        records: Vec<record::Wanted<'py>>,
    ) -> PyResult<usize> {
        self.do_rollout(py, ids, nstep, (control, control_spec), &records)
    }
}
