//! A call of a function while callbacks are set.

use super::hooks::{Failure, Lent};
use super::warnings::first_raised;
use super::{Callback, Callbacks, any, get};
use crate::data::{Access, DataCore};
use crate::error;
use crate::model::ModelCore;
use mj_engine::{Data, Model};
use pyo3::exceptions::{PyRecursionError, PyTypeError};
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// How deep callbacks may call functions that call callbacks, on copies of the data.
const DEPTH: usize = 16;

thread_local! {
    static DEEP: Cell<usize> = const { Cell::new(0) };
}

/// Counts the calls in progress on this thread.
struct Deep;

impl Deep {
    fn enter() -> PyResult<Self> {
        let depth = DEEP.get();
        if depth == DEPTH {
            return Err(PyRecursionError::new_err(format!(
                "callbacks call functions that call callbacks, {DEPTH} deep: unset the callback before, or skip it inside"
            )));
        }
        DEEP.set(depth + 1);
        Ok(Self)
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        DEEP.set(DEEP.get().saturating_sub(1));
    }
}

/// Returns data of an empty model, which stands where the data of a call was.
fn empty() -> PyResult<Data> {
    static EMPTY: OnceLock<Data> = OnceLock::new();
    if let Some(d) = EMPTY.get() {
        return Ok(d.clone());
    }
    let m = mj_engine::load_str("<mujoco/>").map_err(error::value)?;
    let d = Data::new(&m).map_err(error::value)?;
    Ok(EMPTY.get_or_init(|| d).clone())
}

/// Asks the callback for the time, seconds.
fn time(clock: &Bound<'_, PyAny>) -> PyResult<f64> {
    clock.call0()?.extract().map_err(|_| PyTypeError::new_err("mjcb_time callback did not return a number"))
}

/// Calls the callback for warnings. Functions of `ctypes` take text as bytes.
fn warn(callback: &Bound<'_, PyAny>, text: &str) -> PyResult<()> {
    if callback.hasattr("argtypes")? {
        return callback.call1((pyo3::types::PyBytes::new(callback.py(), text.as_bytes()),)).map(drop);
    }
    callback.call1((text,)).map(drop)
}

/// Calls `f` with model and data, as [`DataCore::call`] does, with the callbacks that are set where it may change them.
///
/// # Errors
/// Fails as [`DataCore::call`] does, and raises what a callback raises: the state is then as it was when it raised.
pub fn call<R: Send>(
    this: &Bound<'_, DataCore>,
    m: &Bound<'_, ModelCore>,
    access: Access,
    f: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    if access == Access::Read || !any() {
        return DataCore::call(this, m, access, f);
    }
    let (py, core) = (this.py(), this.get());
    let _deep = Deep::enter()?;
    let model = m.get().current(py)?;
    let callbacks = Callbacks::now(py);
    let (clock, on_warning) = (get(py, Callback::Time), get(py, Callback::Warning));
    if let Some(f) = &clock {
        time(f.bind(py))?;
    }
    let filters = callbacks.get(Callback::ContactFilter).is_some();

    let mut data = empty()?;
    // A call inside a callback of a call on the same data calls none.
    let nested = core.give(&model, &mut data, access, filters)?;
    let before = data.warnings;
    let lent = Arc::new(Lent::new(callbacks, m.clone().unbind(), this.clone().unbind()));
    data.timing.resume();
    if !nested {
        mj_engine::allow_hooks(&mut data);
        data.hooks = Some(lent.clone());
        data.set_contact_filter(lent.filter());
    }
    // Timers, which know the system's clock alone, stand still while the user has another.
    let timing = clock.as_ref().map(|_| std::mem::take(&mut data.timing));
    let result = py.detach(|| f(&model, &mut data));
    if let Some(timing) = timing {
        data.timing = timing;
    }
    if !nested {
        data.hooks = None;
        data.set_contact_filter(None);
    }
    let texts = if on_warning.is_some() { first_raised(&before, &data) } else { Vec::new() };
    let failure = lent.take_failure();
    if let Some(Failure { state: Some(state), .. }) = &failure {
        data.state.clone_from(state);
    }
    core.take_back(py, &model, &mut data, nested);
    if let Some(f) = on_warning {
        texts.into_iter().try_for_each(|text| warn(f.bind(py), &text))?;
    }
    if let Some(Failure { error, .. }) = failure {
        return Err(error);
    }
    if let Some(f) = &clock {
        time(f.bind(py))?;
    }
    Ok(result)
}
