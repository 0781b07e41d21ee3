//! Rollouts: many trajectories from given states, with given controls.

use super::threads::{MAX_THREADS, Pool, Pulse, chunk_of, share};
use crate::args::{Out, numbers};
use crate::data::{Access, DataCore, Inner};
use crate::error;
use crate::memory::{Block, try_array};
use crate::model::ModelCore;
use mj_engine::{self as engine, Data, Model, Signature, StepError};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Threads for rollouts.
#[pyclass(name = "Rollout", module = "mj._core", frozen)]
pub struct RolloutCore {
    nthread: usize,
    pool: Pool,
}

/// Numbers that rollouts read: one row for each step of each, or one for several.
struct Rows {
    values: Vec<f64>,
    roll: usize,
    step: usize,
    width: usize,
}

impl Rows {
    /// Reads an argument for so many rollouts of so many steps. An axis of one row is for all.
    fn of(name: &str, value: &Bound<'_, PyAny>, [nroll, nstep, width]: [usize; 3]) -> PyResult<Self> {
        let (shape, values) = numbers::<f64>(name, value)?;
        let size = nroll.checked_mul(nstep).and_then(|n| n.checked_mul(width));
        if size == Some(values.len()) {
            return Ok(Self { values, roll: nstep * width, step: width, width });
        }
        let (b, s) = match shape[..] {
            [b, s, w] if w == width => (b, s),
            [b, w] if w == width && nstep == 1 => (b, 1),
            _ => (0, 0),
        };
        if (b == 1 || b == nroll) && (s == 1 || s == nstep) && values.len() == b * s * width {
            let (roll, step) = (if b == 1 { 0 } else { s * width }, if s == 1 { 0 } else { width });
            return Ok(Self { values, roll, step, width });
        }
        let wants = size.map_or_else(|| "more than memory holds".into(), |n| n.to_string());
        Err(PyValueError::new_err(format!("{name}.size should be {wants}, got {}", values.len())))
    }

    fn row(&self, roll: usize, step: usize) -> &[f64] {
        &self.values[roll * self.roll + step * self.step..][..self.width]
    }
}

/// Numbers that rollouts write, and the caller's array that gets them at the end.
struct Output<'py> {
    block: Arc<Block>,
    array: Bound<'py, PyAny>,
    given: Option<Out<'py, f64>>,
}

impl<'py> Output<'py> {
    /// Takes the caller's array, or makes one if `allocate` is true.
    fn of(
        py: Python<'py>,
        name: &str,
        value: Option<&Bound<'py, PyAny>>,
        shape: [usize; 3],
        allocate: bool,
    ) -> PyResult<Option<Self>> {
        let size = shape.iter().try_fold(1usize, |n, &k| n.checked_mul(k));
        let Some(value) = value else {
            if !allocate {
                return Ok(None);
            }
            if size == Some(0) {
                let array = numpy::PyArrayDyn::<f64>::zeros(py, &shape[..], false).into_any();
                let block =
                    Block::try_new::<f64>(0).map(Arc::new).ok_or_else(|| PyMemoryError::new_err("no memory"))?;
                return Ok(Some(Self { block, array, given: None }));
            }
            let (block, array) = try_array::<f64>(py, &shape)?;
            return Ok(Some(Self { block, array: array.into_any(), given: None }));
        };
        let out = Out::<f64>::of(name, value)?;
        if size != Some(out.len()) {
            let wants = size.map_or_else(|| "more than memory holds".into(), |n| n.to_string());
            return Err(PyValueError::new_err(format!("{name}.size should be {wants}, got {}", out.len())));
        }
        let block = Block::try_new::<f64>(out.len())
            .ok_or_else(|| PyMemoryError::new_err(format!("there is no memory for a copy of `{name}`")))?;
        Ok(Some(Self { block: Arc::new(block), array: value.clone(), given: Some(out) }))
    }

    /// Copies what was computed to the caller's array.
    fn finish(self) -> PyResult<Bound<'py, PyAny>> {
        if let Some(out) = self.given {
            out.write((0..self.block.len::<f64>()).map(|i| self.block.get(i)))?;
        }
        Ok(self.array)
    }
}

/// States and sensor readings.
type Pair<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// Arguments of a call, shared by its threads.
struct Job<'a> {
    models: &'a [Arc<Model>],
    nstep: usize,
    spec: Signature,
    state0: Rows,
    warmstart0: Option<Rows>,
    control: Option<Rows>,
    state: Option<(&'a Block, usize)>,
    sensordata: Option<(&'a Block, usize)>,
}

/// Workspace of one thread.
struct Slot<'a> {
    data: &'a mut Data,
    /// State after a step.
    row: Vec<f64>,
    /// Number of the last rollout.
    last: usize,
}

impl Job<'_> {
    fn model(&self, roll: usize) -> &Model {
        &self.models[if self.models.len() == 1 { 0 } else { roll }]
    }

    /// Puts data in the state from which a rollout starts: inputs that the controls leave alone are those of the reset
    /// state, but user data, and controls where none are given.
    fn start(&self, m: &Model, d: &mut Data, roll: usize) -> Result<(), StepError> {
        engine::check_data(m, d)?;
        let ctrl = self.spec.contains(Signature::CTRL).then(|| d.state.ctrl.clone());
        let userdata = std::mem::take(&mut d.state.userdata);
        d.reset(m);
        d.state.userdata = userdata;
        if let Some(ctrl) = ctrl {
            d.state.ctrl = ctrl;
        }
        // Sizes were checked before: these succeed.
        let _ = d.state.set(m, Signature::FULLPHYSICS, self.state0.row(roll, 0));
        if let Some(warmstart) = &self.warmstart0 {
            d.state.qacc_warmstart.copy_from_slice(warmstart.row(roll, 0));
        }
        d.warnings = Default::default();
        Ok(())
    }

    /// Simulates one rollout. After a warning, the rows that remain repeat the last.
    fn run(&self, slot: &mut Slot, roll: usize, pulse: &Pulse) -> Result<(), (usize, StepError)> {
        let m = self.model(roll);
        let d = &mut *slot.data;
        slot.last = roll;
        self.start(m, d, roll).map_err(|e| (0, e))?;
        let mut bad = false;
        for step in 0..self.nstep {
            if !bad {
                if pulse.stopped() {
                    return Ok(());
                }
                if let Some(control) = &self.control {
                    let _ = d.state.set(m, self.spec, control.row(roll, step));
                }
                engine::step(m, d).map_err(|e| (step, e))?;
                bad = d.warnings.iter().any(|w| w.number > 0);
            }
            let n = roll * self.nstep + step;
            if let Some((block, width)) = self.state {
                let _ = d.state.get(m, Signature::FULLPHYSICS, &mut slot.row);
                block.write_at(n * width, &slot.row);
            }
            if let Some((block, width)) = self.sensordata {
                block.write_at(n * width, &d.sensordata);
            }
        }
        Ok(())
    }
}

/// Length of the first axis of an array.
fn first_length(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let shape = value.getattr("shape").and_then(|shape| shape.extract::<Vec<usize>>());
    let length = shape.ok().and_then(|shape| shape.first().copied());
    length.ok_or_else(|| crate::args::wrong(name, "an array with two axes", value))
}

/// Locks the data of all threads.
fn lock_all<'a>(data: &'a [Bound<'_, DataCore>]) -> PyResult<Vec<MutexGuard<'a, Inner>>> {
    for (i, d) in data.iter().enumerate() {
        if let Some(k) = data[..i].iter().position(|other| other.is(d)) {
            return Err(PyValueError::new_err(format!(
                "data[{k}] and data[{i}] are the same MjData: give each thread one of its own"
            )));
        }
    }
    data.iter().map(|d| d.get().lock()).collect()
}

/// Elements of a list that are of one class.
fn elements<'py, T: PyTypeCheckOf>(name: &str, class: &str, list: &Bound<'py, PyList>) -> PyResult<Vec<Bound<'py, T>>> {
    list.iter()
        .enumerate()
        .map(|(i, x)| {
            x.cast_into::<T>().map_err(|e| {
                let kind = e.into_inner().get_type();
                PyTypeError::new_err(format!("`{name}[{i}]` must be an {class}, not {kind}"))
            })
        })
        .collect()
}

/// A class that lists are checked for.
trait PyTypeCheckOf: pyo3::PyTypeCheck {}
impl PyTypeCheckOf for ModelCore {}
impl PyTypeCheckOf for DataCore {}

#[pymethods]
impl RolloutCore {
    /// Makes threads for rollouts; with 0, the calling thread does them.
    #[new]
    #[pyo3(signature = (*, nthread))]
    fn new(nthread: i64) -> PyResult<Self> {
        let n = usize::try_from(nthread).ok().filter(|&n| n <= MAX_THREADS);
        let n =
            n.ok_or_else(|| PyValueError::new_err(format!("`nthread` is from 0 to {MAX_THREADS}, not {nthread}")))?;
        Ok(Self { nthread: n, pool: Pool::new(n) })
    }

    /// Simulates rollouts: from `state0`, with `control`, into `state` and `sensordata`. Returns these two arrays; with
    /// `allocate`, those that are None are made. `nroll` is the number of rollouts where it isn't the length of `state0`.
    #[pyo3(signature = (
        model, data, nstep, control_spec, state0, warmstart0 = None, control = None, state = None, sensordata = None,
        chunk_size = None, *, nroll = None, allocate = false
    ))]
    #[allow(clippy::too_many_arguments)] // the reference's signature
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, PyList>,
        data: &Bound<'py, PyList>,
        nstep: i64,
        control_spec: i64,
        state0: &Bound<'py, PyAny>,
        warmstart0: Option<&Bound<'py, PyAny>>,
        control: Option<&Bound<'py, PyAny>>,
        state: Option<&Bound<'py, PyAny>>,
        sensordata: Option<&Bound<'py, PyAny>>,
        chunk_size: Option<i64>,
        nroll: Option<usize>,
        allocate: bool,
    ) -> PyResult<Pair<'py>> {
        crate::callbacks::refuse("rollout")?;
        let nstep = usize::try_from(nstep).map_err(|_| PyValueError::new_err("nstep must be non-negative"))?;
        let chunk = chunk_size.map(|n| usize::try_from(n).ok().filter(|&n| n > 0));
        if chunk == Some(None) {
            return Err(PyValueError::new_err("chunk_size must be a positive integer"));
        }
        let models = elements::<ModelCore>("model", "MjModel", model)?;
        let data = elements::<DataCore>("data", "MjData", data)?;
        self.check_lists(models.len(), data.len())?;
        let models = models.iter().map(|m| m.get().current(py)).collect::<PyResult<Vec<_>>>()?;
        let nroll = nroll.map_or_else(|| first_length("state0", state0), Ok)?;
        if models.len() > 1 && models.len() < nroll {
            return Err(PyValueError::new_err(format!(
                "{nroll} rollouts need as many models, or 1, not {}",
                models.len()
            )));
        }
        let chunk = chunk.flatten().unwrap_or_else(|| chunk_of(nroll, self.nthread));

        let m = &*models[0];
        let spec = u32::try_from(control_spec).ok().map(Signature).filter(|&s| Signature::USER.contains(s));
        let spec = spec.ok_or_else(|| PyValueError::new_err("control_spec can only contain bits in mjSTATE_USER"))?;
        let nstate = engine::state_size(m, Signature::FULLPHYSICS).map_err(error::value)?;
        let ncontrol = engine::state_size(m, spec).map_err(error::value)?;
        let state = Output::of(py, "state", state, [nroll, nstep, nstate], allocate)?;
        let sensordata = Output::of(py, "sensordata", sensordata, [nroll, nstep, m.nsensordata], allocate)?;
        let warmstart0 = warmstart0.map(|w| Rows::of("warmstart0", w, [nroll, 1, m.nv()])).transpose()?;
        let control = control.map(|c| Rows::of("control", c, [nroll, nstep, ncontrol])).transpose()?;
        let job = Job {
            models: &models,
            nstep,
            spec,
            state0: Rows::of("state0", state0, [nroll, 1, nstate])?,
            warmstart0,
            control,
            state: state.as_ref().map(|o| (&*o.block, nstate)),
            sensordata: sensordata.as_ref().map(|o| (&*o.block, m.nsensordata)),
        };
        run(py, &self.pool, &job, &data, (nroll, chunk))?;
        let arrays = [state, sensordata].map(|o| o.map(Output::finish).transpose());
        let [state, sensordata] = arrays;
        Ok((state?, sensordata?))
    }
}

impl RolloutCore {
    /// Checks the numbers of models and data.
    fn check_lists(&self, nmodel: usize, ndata: usize) -> PyResult<()> {
        let wrong = |told: String| Err(PyValueError::new_err(told));
        if ndata == 0 {
            return wrong("The list of data instances is empty".into());
        }
        if nmodel == 0 {
            return wrong("The list of models is empty".into());
        }
        if self.nthread == 0 && ndata > 1 {
            return wrong("More than one data instance passed but rollout is configured to run on main thread".into());
        }
        if self.nthread > 0 && ndata != self.nthread {
            return wrong(format!("Length of data: {ndata} not equal to nthread: {}", self.nthread));
        }
        Ok(())
    }
}

/// Runs a job with the data of all threads locked.
fn run(py: Python, pool: &Pool, job: &Job, data: &[Bound<'_, DataCore>], items: (usize, usize)) -> PyResult<()> {
    let m = &*job.models[0];
    let mut guards = lock_all(data)?;
    for (i, guard) in guards.iter_mut().enumerate() {
        if guard.data.solver_threads > 0 {
            return Err(PyValueError::new_err(format!(
                "data[{i}] has a thread pool: take it away by mju_threadpool(data, 0)"
            )));
        }
        engine::check_data(m, &guard.data).map_err(|e| PyValueError::new_err(format!("data[{i}]: {e}")))?;
        guard.copy_in(m, Access::Compute);
    }
    if let Some(i) = job.models.iter().position(|other| other.structure.signature() != m.structure.signature()) {
        return Err(PyValueError::new_err(format!("model[{i}] has another structure than model[0]")));
    }
    let nstate = job.state.map_or(0, |(_, width)| width);
    let slot = |guard| {
        let inner: &mut Inner = guard;
        Slot { data: &mut inner.data, row: vec![0.0; nstate], last: 0 }
    };
    let mut slots: Vec<Slot> = guards.iter_mut().map(|guard| slot(&mut **guard)).collect();
    let failed: Mutex<Option<(usize, usize, StepError)>> = Mutex::new(None);
    let done = share(py, pool, &mut slots, items, |slot, roll, pulse| {
        if let Err((step, e)) = job.run(slot, roll, pulse) {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            // The first rollout's error, whatever the order in which threads met them.
            if failed.as_ref().is_none_or(|(first, ..)| roll < *first) {
                *failed = Some((roll, step, e));
            }
        }
    });
    let last: Vec<usize> = slots.iter().map(|slot| slot.last).collect();
    for (guard, roll) in guards.iter_mut().zip(last) {
        guard.copy_out(job.model(roll));
    }
    done?;
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((roll, step, e)) => Err(PyValueError::new_err(format!("rollout {roll}, step {step}: {e}"))),
        None => Ok(()),
    }
}
