//! State as a whole: reset, keyframes, vectors, copies, histories; constants of the model.

use super::{Any, D, M, change, register, row};
use crate::args::{Out, numbers, vector, wrong};
use crate::data::{Access, DataCore};
use crate::error;
use mj_engine::{self as engine, Data, Model, Signature};
use mj_model::spec::LengthRange;
use mj_model::{LengthRangeMode, history};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The reset state, without contacts and constraint rows.
fn reset(m: &Model, d: &mut Data) -> Result<(), engine::StepError> {
    engine::check_data(m, d)?;
    d.reset(m);
    d.contacts.list.clear();
    d.rows.clear(m);
    d.solution.efc_force.clear();
    d.solution.efc_state.clear();
    d.solution.islands.clear();
    d.solution.stats.clear();
    d.warnings = Default::default();
    // No step computes them, unless a sensor reads them.
    d.body_forces.cacc.as_mut_slice().fill(Default::default());
    d.body_forces.cfrc_int.as_mut_slice().fill(Default::default());
    d.body_forces.cfrc_ext.as_mut_slice().fill(Default::default());
    Ok(())
}

/// Resets data to the model's reset state.
#[pyfunction]
#[pyo3(name = "mj_resetData")]
fn mj_reset_data(m: M, d: D) -> PyResult<()> {
    change(m, d, Access::Compute, reset)
}

/// Resets data, as mj_resetData does; nothing is left to fill with `debug_value`.
#[pyfunction]
#[pyo3(name = "mj_resetDataDebug")]
fn mj_reset_data_debug(m: M, d: D, debug_value: i64) -> PyResult<()> {
    let _ = debug_value;
    change(m, d, Access::Compute, reset)
}

/// Resets data to a keyframe; to the reset state if there is no such keyframe.
#[pyfunction]
#[pyo3(name = "mj_resetDataKeyframe")]
fn mj_reset_data_keyframe(m: M, d: D, key: i64) -> PyResult<()> {
    let n = m.get().current(m.py())?.key.len();
    let key = row("keyframe", key, n)?;
    change(m, d, Access::Compute, |m, d| {
        reset(m, d)?;
        engine::reset_to_key(m, d, key)
    })
}

/// Sets controls to those of the reset state.
#[pyfunction]
#[pyo3(name = "mj_resetCtrl")]
fn mj_reset_ctrl(m: M, d: D) -> PyResult<()> {
    change(m, d, Access::Change, |m, d| {
        engine::check_data(m, d)?;
        m.initial_ctrl(&mut d.state.ctrl);
        Ok::<_, engine::StepError>(())
    })
}

/// Stores the present state as keyframe `k` of the model.
#[pyfunction]
#[pyo3(name = "mj_setKeyframe")]
fn mj_set_keyframe(m: M, d: D, k: i64) -> PyResult<()> {
    let n = m.get().current(m.py())?.key.len();
    let Some(key) = usize::try_from(k).ok().filter(|&k| k < n) else {
        let wants = if k < 0 { "not be negative".into() } else { format!("be smaller than {n}") };
        let told = format!("mj_setKeyframe: index must {wants} (keyframes allocated in model)");
        return Err(error::fatal(m.py(), told));
    };
    let state = d.get().with(m.py(), |_, d| d.state.clone())?;
    let fits = engine::check_state(&*m.get().current(m.py())?, &state);
    fits.map_err(error::value)?;
    m.get().change(|m| {
        m.set_keyframe(&state, mj_model::Id::new(key));
        Ok(())
    })
}

/// Reads a signature of components of the state.
fn signature(m: M, function: &str, sig: i64) -> PyResult<Signature> {
    let bits = u32::try_from(sig);
    if bits.is_err() && sig < 0 {
        return Err(error::fatal(m.py(), format!("{function}: invalid state signature {sig} < 0")));
    }
    let model = m.get().current(m.py())?;
    let valid = bits.ok().map(Signature).filter(|&s| engine::state_size(&model, s).is_ok());
    valid.ok_or_else(|| error::fatal(m.py(), format!("{function}: invalid state signature {sig} >= 2^mjNSTATE")))
}

/// Returns the number of numbers of components of the state; `sig` is a combination of mjtState.
#[pyfunction]
#[pyo3(name = "mj_stateSize")]
fn mj_state_size(m: M, sig: i64) -> PyResult<usize> {
    let signature = signature(m, "mj_stateSize", sig)?;
    engine::state_size(&*m.get().current(m.py())?, signature).map_err(error::value)
}

/// Size of a vector of components, checked.
fn sized(m: M, signature: Signature, len: usize) -> PyResult<()> {
    let n = engine::state_size(&*m.get().current(m.py())?, signature).map_err(error::value)?;
    if len == n { Ok(()) } else { Err(PyTypeError::new_err("state size should equal mj_stateSize(m, sig)")) }
}

/// Writes components of the state to a vector.
#[pyfunction]
#[pyo3(name = "mj_getState")]
fn mj_get_state(m: M, d: D, state: Any, sig: i64) -> PyResult<()> {
    let signature = signature(m, "mj_getState", sig)?;
    let out = Out::<f64>::of("state", state)?;
    sized(m, signature, out.len())?;
    let mut numbers = vec![0.0; out.len()];
    super::read(m, d, |m, d| engine::get_state(m, d, signature, &mut numbers))?;
    out.write(numbers)
}

/// Sets components of the state from a vector.
#[pyfunction]
#[pyo3(name = "mj_setState")]
fn mj_set_state(m: M, d: D, state: Any, sig: i64) -> PyResult<()> {
    let signature = signature(m, "mj_setState", sig)?;
    let (_, v) = numbers::<f64>("state", state)?;
    sized(m, signature, v.len())?;
    change(m, d, Access::Change, |m, d| engine::set_state(m, d, signature, &v))
}

/// Takes components out of a vector of more components of the state.
#[pyfunction]
#[pyo3(name = "mj_extractState")]
fn mj_extract_state(m: M, src: Any, srcsig: i64, dst: Any, dstsig: i64) -> PyResult<()> {
    let [from, to] = [signature(m, "mj_extractState", srcsig)?, signature(m, "mj_extractState", dstsig)?];
    let model = m.get().current(m.py())?;
    let (_, numbers) = numbers::<f64>("src", src)?;
    let out = Out::<f64>::of("dst", dst)?;
    let size = |s| engine::state_size(&model, s).map_err(error::value);
    if numbers.len() != size(from)? {
        return Err(PyTypeError::new_err("src size should equal mj_stateSize(m, srcsig)"));
    }
    if out.len() != size(to)? {
        return Err(PyTypeError::new_err("dst size should equal mj_stateSize(m, dstsig)"));
    }
    let mut part = vec![0.0; out.len()];
    mj_model::extract_state(&model, &numbers, from, &mut part, to).map_err(error::value)?;
    out.write(part)
}

/// Copies components of the state from one data to another.
#[pyfunction]
#[pyo3(name = "mj_copyState")]
fn mj_copy_state(m: M, src: D, dst: D, sig: i64) -> PyResult<()> {
    let signature = signature(m, "mj_copyState", sig)?;
    let state = src.get().with(m.py(), |_, d| d.state.clone())?;
    engine::check_state(&*m.get().current(m.py())?, &state).map_err(error::value)?;
    change(m, dst, Access::Change, |m, d| {
        engine::check_data(m, d).map_err(|e| e.to_string())?;
        d.state.copy(&state, signature).map_err(|e| e.to_string())
    })
}

/// Copies all data, results included; returns the destination.
#[pyfunction]
#[pyo3(name = "mj_copyData")]
fn mj_copy_data<'py>(dest: D<'_, 'py>, m: M, src: D) -> PyResult<Bound<'py, DataCore>> {
    let copy = src.get().with(m.py(), |_, d| d.clone())?;
    change(m, dest, Access::Change, |m, d| {
        engine::check_data(m, &copy)?;
        engine::check_data(m, d)?;
        *d = copy;
        Ok::<_, engine::StepError>(())
    })?;
    Ok(dest.clone())
}

/// Computes what the model derives from its parameters, after they were edited.
#[pyfunction]
#[pyo3(name = "mj_setConst")]
fn mj_set_const(m: M, d: D) -> PyResult<()> {
    m.get().change(|m| engine::set_const(m).map_err(error::value))?;
    change(m, d, Access::Change, |m, d| engine::check_data(m, d))
}

/// Finds the range of lengths of an actuator output and enters it into the model; returns 1 if there is one.
#[pyfunction]
#[pyo3(name = "mj_setLengthRange")]
fn mj_set_length_range(m: M, d: D, index: i64, opt: Any) -> PyResult<()> {
    let _ = d;
    let number = |name: &str| -> PyResult<f64> { opt.getattr(name)?.extract() };
    let truth = |name: &str| -> PyResult<bool> { opt.getattr(name)?.is_truthy() };
    let settings = LengthRange {
        mode: LengthRangeMode::from_code(opt.getattr("mode")?.extract()?).unwrap_or(LengthRangeMode::Muscle),
        useexisting: truth("useexisting")?,
        uselimit: truth("uselimit")?,
        accel: number("accel")?,
        maxforce: number("maxforce")?,
        timeconst: number("timeconst")?,
        timestep: number("timestep")?,
        inttotal: number("inttotal")?,
        interval: number("interval")?,
        tolrange: number("tolrange")?,
    };
    let index = row("actuator", index, m.get().current(m.py())?.actuator.len())?;
    m.get().change(|m| engine::set_length_range(m, index, &settings).map_err(error::value))?;
    Ok(())
}

/// Reads a delayed control at a time: returns the number.
#[pyfunction]
#[pyo3(name = "mj_readCtrl")]
fn mj_read_ctrl<'py>(m: M, d: D, id: i64, time: f64, result: Any<'_, 'py>, interp: i32) -> PyResult<Bound<'py, PyAny>> {
    let model = m.get().current(m.py())?;
    let a = mj_model::Id::new(row("actuator", id, model.actuator.len())?);
    let out = Out::<f64>::sized("result", result, model.actuator.ctrlnum[a] as usize)?;
    let now = usize::try_from(model.actuator.ctrladr[a]).unwrap_or(0);
    let Some(ring) = history::Ring::of_actuator(&model, a) else {
        let n = model.actuator.ctrlnum[a] as usize;
        let v = super::read(m, d, |m, d| engine::check_data(m, d).map(|()| d.state.ctrl[now..now + n].to_vec()))?;
        out.write(v)?;
        return Ok(result.clone());
    };
    delayed(m, d, ring, time - model.actuator.delay[a], way(interp, model.actuator.history[a][1]), out)?;
    Ok(result.clone())
}

/// Reads a delayed sensor at a time.
#[pyfunction]
#[pyo3(name = "mj_readSensor")]
fn mj_read_sensor<'py>(
    m: M,
    d: D,
    id: i64,
    time: f64,
    result: Any<'_, 'py>,
    interp: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let model = m.get().current(m.py())?;
    let s = mj_model::Id::new(row("sensor", id, model.sensor.len())?);
    let out = Out::<f64>::sized("result", result, model.sensor.dim[s] as usize)?;
    let at = model.sensor.adr[s] as usize;
    let Some(ring) = history::Ring::of_sensor(&model, s) else {
        let n = out.len();
        let v = super::read(m, d, |m, d| engine::check_data(m, d).map(|()| d.sensordata[at..at + n].to_vec()))?;
        out.write(v)?;
        return Ok(result.clone());
    };
    delayed(m, d, ring, time - model.sensor.delay[s], way(interp, model.sensor.history[s][1]), out)?;
    Ok(result.clone())
}

/// Interpolation asked for, or the model's if it is negative.
fn way(interp: i32, of_model: i32) -> i32 {
    if interp < 0 { of_model } else { interp }
}

fn delayed(m: M, d: D, ring: history::Ring, time: f64, interp: i32, out: Out<f64>) -> PyResult<()> {
    let mut v = vec![0.0; ring.dim];
    super::read(m, d, |m, d| engine::check_data(m, d).map(|()| ring.read(&d.state.history, time, interp, &mut v)))?;
    out.write(v)
}

/// Fills a ring of samples.
fn fill(m: M, d: D, ring: history::Ring, times: Option<Any>, values: Any, mark: Option<f64>) -> PyResult<()> {
    let times = times.map(|t| vector::<f64>("times", t, ring.nsample)).transpose()?;
    if times.as_ref().is_some_and(|t| t.windows(2).any(|w| w[0].partial_cmp(&w[1]) != Some(std::cmp::Ordering::Less))) {
        return Err(pyo3::exceptions::PyValueError::new_err("`times` must ascend"));
    }
    let (_, samples) = numbers::<f64>("values", values)?;
    if samples.len() != ring.nsample * ring.dim {
        return Err(wrong("values", &format!("an array of {} samples of {} numbers", ring.nsample, ring.dim), values));
    }
    change(m, d, Access::Change, |m, d| {
        engine::check_data(m, d)?;
        ring.fill(&mut d.state.history, mark, times.as_deref(), &samples);
        Ok::<_, engine::StepError>(())
    })
}

/// Fills the history of an actuator's control with samples, oldest first; without `times`, the present times stay.
#[pyfunction]
#[pyo3(name = "mj_initCtrlHistory")]
fn mj_init_ctrl_history(m: M, d: D, id: i64, times: Option<Any>, values: Any) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let a = mj_model::Id::new(row("actuator", id, model.actuator.len())?);
    let ring = history::Ring::of_actuator(&model, a)
        .ok_or_else(|| error::fatal(m.py(), format!("mj_initCtrlHistory: actuator {id} has no history buffer")))?;
    fill(m, d, ring, times, values, None)
}

/// Fills the history of a sensor with samples, oldest first; `phase` is the time of its last reading.
#[pyfunction]
#[pyo3(name = "mj_initSensorHistory")]
fn mj_init_sensor_history(m: M, d: D, id: i64, times: Option<Any>, values: Any, phase: f64) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let s = mj_model::Id::new(row("sensor", id, model.sensor.len())?);
    let ring = history::Ring::of_sensor(&model, s)
        .ok_or_else(|| error::fatal(m.py(), format!("mj_initSensorHistory: sensor {id} has no history buffer")))?;
    fill(m, d, ring, times, values, Some(phase))
}

register! {
    mj_reset_data mj_reset_data_debug mj_reset_data_keyframe mj_reset_ctrl mj_set_keyframe mj_state_size mj_get_state
    mj_set_state mj_extract_state mj_copy_state mj_copy_data mj_set_const mj_set_length_range mj_read_ctrl mj_read_sensor
    mj_init_ctrl_history mj_init_sensor_history
}
