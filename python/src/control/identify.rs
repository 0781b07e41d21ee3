//! Parameters of a model from logs.

use super::shared::{check_room, locked, state_of};
use super::states::array;
use super::threads::Threads;
use crate::args::numbers;
use crate::data::DataCore;
use crate::error;
use crate::model::ModelCore;
use mj_engine::Model;
use mj_identify::{Estimate, Fit, Identification, Iteration, Log, LogBuilder, Options, Unknown, report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Controls and measurements over time.
#[pyclass(name = "Log", module = "mj._core", frozen)]
pub struct LogCore {
    log: Log,
    timestep: f64,
}

/// Most samples of a log.
const MOST_SAMPLES: usize = 1 << 24;

/// Reads an array of a log: a row of `width` numbers a sample.
fn rows(name: &str, value: Option<&Bound<'_, PyAny>>, width: usize) -> PyResult<Option<Vec<f64>>> {
    let Some(value) = value else { return Ok(None) };
    let (shape, numbers) = numbers::<f64>(name, value)?;
    let fits = match shape[..] {
        [n] => (width == 1 || n == 0).then_some(n),
        [n, w] => (w == width).then_some(n),
        _ => None,
    };
    match fits {
        Some(n) if n <= MOST_SAMPLES => Ok(Some(numbers).filter(|_| width > 0)),
        Some(n) => Err(PyValueError::new_err(format!("array `{name}` has {n} rows; expected at most {MOST_SAMPLES}"))),
        None => Err(PyValueError::new_err(format!("array `{name}` has shape {shape:?}; expected (samples, {width})"))),
    }
}

#[pymethods]
impl LogCore {
    /// Makes a log of arrays: time, controls, positions, velocities, sensors.
    #[new]
    #[pyo3(signature = (model, time = None, ctrl = None, qpos = None, qvel = None, sensors = None))]
    fn new(
        model: &Bound<'_, ModelCore>,
        time: Option<&Bound<'_, PyAny>>,
        ctrl: Option<&Bound<'_, PyAny>>,
        qpos: Option<&Bound<'_, PyAny>>,
        qvel: Option<&Bound<'_, PyAny>>,
        sensors: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let m = model.get().current(model.py())?;
        let builder = LogBuilder {
            time: rows("time", time, 1)?,
            ctrl: rows("ctrl", ctrl, m.nu())?,
            qpos: rows("qpos", qpos, m.nq())?,
            qvel: rows("qvel", qvel, m.nv())?,
            sensordata: rows("sensors", sensors, m.nsensordata)?,
        };
        let arrays = [&builder.time, &builder.ctrl, &builder.qpos, &builder.qvel, &builder.sensordata];
        let samples = arrays.into_iter().flatten().map(Vec::len).max().unwrap_or(0);
        check_room(samples, m.nq() + m.nv() + m.nu() + m.nsensordata, "samples")?;
        Ok(Self { log: builder.build(&m).map_err(error::value)?, timestep: m.opt.timestep })
    }

    /// Reads a log of the text of a CSV file.
    #[staticmethod]
    fn _of_csv(model: &Bound<'_, ModelCore>, text: &str) -> PyResult<Self> {
        let m = model.get().current(model.py())?;
        let log = model.py().detach(|| Log::from_csv(&m, text)).map_err(error::value)?;
        Ok(Self { log, timestep: m.opt.timestep })
    }

    /// Returns the number of samples, and the time from one to the next.
    fn _size(&self) -> (usize, f64) {
        (self.log.samples, self.log.substeps as f64 * self.timestep)
    }

    /// Returns the arrays by name; numbers that were not measured are NaN.
    fn _arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (out, n) = (PyDict::new(py), self.log.samples);
        let log = &self.log;
        for (name, numbers) in
            [("ctrl", &log.ctrl), ("qpos", &log.qpos), ("qvel", &log.qvel), ("sensors", &log.sensordata)]
        {
            out.set_item(name, array(py, numbers.clone(), &[n, numbers.len() / n.max(1)])?)?;
        }
        Ok(out)
    }
}

/// Checks that a log has the widths of a model.
fn check_widths(m: &Model, log: &Log) -> PyResult<()> {
    let arrays = [
        ("ctrl", log.ctrl.len(), m.nu()),
        ("qpos", log.qpos.len(), m.nq()),
        ("qvel", log.qvel.len(), m.nv()),
        ("sensors", log.sensordata.len(), m.nsensordata),
    ];
    match arrays.into_iter().find(|(_, got, width)| *got != log.samples * width) {
        Some((name, got, width)) => Err(PyValueError::new_err(format!(
            "the log is of another model: its array `{name}` has {} numbers a sample; expected {width}",
            got / log.samples.max(1)
        ))),
        None => Ok(()),
    }
}

/// Reads the unknowns with their bounds and priors, by the names in `parameters`, and returns their names, too: as they were
/// given, or of each number where a row was named.
fn unknowns(
    m: &Model,
    parameters: &[String],
    mut bounds: HashMap<String, [f64; 2]>,
    mut priors: HashMap<String, [f64; 2]>,
) -> PyResult<(Vec<Unknown>, Vec<String>)> {
    let (mut out, mut names): (Vec<Unknown>, _) = (Vec::new(), Vec::new());
    for text in parameters {
        let row = Unknown::parse_row(m, text).map_err(error::value)?;
        let (bounds, prior, alone) = (bounds.remove(text), priors.remove(text), row.len() == 1);
        for mut unknown in row {
            if out.iter().any(|u| u.parameter == unknown.parameter) {
                return Err(PyValueError::new_err(format!("parameter `{text}` is named twice; expected each once")));
            }
            if let Some([lower, upper]) = bounds {
                (unknown.lower, unknown.upper) = (lower, upper);
            }
            unknown.prior = prior;
            names.push(if alone { text.clone() } else { unknown.parameter.describe(m) });
            out.push(unknown);
        }
    }
    for (what, left) in [("bounds", bounds), ("priors", priors)] {
        if let Some(name) = left.keys().next() {
            let told = format!("`{what}` has `{name}`; expected names of `parameters`: {}", parameters.join(", "));
            return Err(PyValueError::new_err(told));
        }
    }
    Ok((out, names))
}

/// Makes Python's objects of a fit.
fn told<'py>(py: Python<'py>, fit: Fit, names: Vec<String>, page: String) -> PyResult<Bound<'py, PyDict>> {
    let (out, n) = (PyDict::new(py), fit.estimates.len());
    let row = |e: &Estimate| (e.name.clone(), e.start, e.value, e.std, e.bounds);
    let estimates: Vec<_> = fit.estimates.iter().map(row).collect();
    let inertias: Vec<_> = fit.inertias.iter().map(row).collect();
    let combinations: Vec<_> = fit.combinations.iter().map(|c| (c.std, c.parts.clone())).collect();
    let iterations: Vec<_> = fit.iterations.iter().map(|i| (i.cost, i.change)).collect();
    out.set_item("estimates", estimates)?;
    out.set_item("inertias", inertias)?;
    out.set_item("names", names)?;
    out.set_item("combinations", combinations)?;
    out.set_item("iterations", iterations)?;
    out.set_item("correlation", array(py, fit.correlation, &[n, n])?)?;
    let channels = fit.noise.len();
    out.set_item("noise", array(py, fit.noise, &[channels])?)?;
    out.set_item("windows", fit.windows)?;
    out.set_item("fits", fit.fits)?;
    out.set_item("page", page)?;
    out.set_item("model", ModelCore::wrap(py, fit.model)?)?;
    Ok(out)
}

/// Fits parameters to a log; `counts` are the window, iterations, rounds of noise and threads, `reals` tolerance, noise and the
/// relative deviation of what counts as unknown.
#[pyfunction]
#[pyo3(signature = (model, log, parameters, bounds, priors, counts, reals, start = None, watch = None))]
#[expect(clippy::too_many_arguments, reason = "as many as the Python function has")]
pub fn _fit<'py>(
    model: &Bound<'py, ModelCore>,
    log: &Bound<'py, LogCore>,
    parameters: Vec<String>,
    bounds: HashMap<String, [f64; 2]>,
    priors: HashMap<String, [f64; 2]>,
    counts: [usize; 4],
    reals: [f64; 3],
    start: Option<&Bound<'py, DataCore>>,
    watch: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    crate::callbacks::refuse("identify.fit")?;
    let (py, log) = (model.py(), &log.get().log);
    let m = model.get().current(py)?;
    check_widths(&m, log)?;
    let [window, iterations, noise_rounds, threads] = counts;
    let [tolerance, noise, unknown] = reals;
    let (unknowns, names) = unknowns(&m, &parameters, bounds, priors)?;
    let problem = Identification {
        unknowns,
        start: start.map(|d| state_of(py, &model.clone().unbind(), d)).transpose()?,
        options: Options { window, iterations, tolerance, noise_rounds, noise, unknown },
        model: (*m).clone(),
    };
    let failed = Mutex::new(None);
    let see = |i: &Iteration| {
        let Some(watch) = &watch else { return true };
        let answer = Python::attach(|py| {
            let answer = watch.bind(py).call1(((i.cost, i.change),))?;
            Ok::<_, PyErr>(answer.is_none() || answer.is_truthy()?)
        });
        answer.unwrap_or_else(|e| {
            *locked(&failed) = Some(e);
            false
        })
    };
    let found = Threads::new(threads).run(py, |stop| {
        let fit = problem.fit(log, |i| see(i) && !stop.load(Ordering::Relaxed))?;
        let page = report(&fit, log);
        Ok::<_, mj_identify::IdentifyError>((fit, page))
    });
    if let Some(e) = locked(&failed).take() {
        return Err(e);
    }
    let (fit, page) = found?.map_err(error::value)?;
    told(py, fit, names, page)
}
