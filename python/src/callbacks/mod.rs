//! Callbacks that the user sets for all simulations of the process (`set_mjcb_*`, `set_mju_user_warning`).
//!
//! While a callback runs, the data is with its Python object again: arrays show what the step has computed so far, and
//! what the callback writes to them is what the step goes on with.

mod call;
mod hooks;
mod register;
mod warnings;

pub use call::call;
pub use register::add;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A place where the pipeline calls a function of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Callback {
    /// `mjcb_passive(m, d)` adds to `d.qfrc_passive`.
    Passive,
    /// `mjcb_control(m, d)` sets `d.ctrl`.
    Control,
    /// `mjcb_contactfilter(m, d, geom1, geom2)` is true for pairs that make no contact.
    ContactFilter,
    /// `mjcb_sensor(m, d, stage)` writes `d.sensordata`.
    Sensor,
    /// `mjcb_time()` is the time in seconds.
    Time,
    /// `mjcb_act_dyn(m, d, id)` is the rate of an activation.
    ActDyn,
    /// `mjcb_act_gain(m, d, id)` is the gain of an actuator.
    ActGain,
    /// `mjcb_act_bias(m, d, id)` is the bias of an actuator.
    ActBias,
    /// `mju_user_warning(text)` gets the text of a warning.
    Warning,
}

/// The number of callbacks.
const COUNT: usize = Callback::Warning as usize + 1;

static SET: Mutex<[Option<Py<PyAny>>; COUNT]> = Mutex::new([const { None }; COUNT]);
static HOW_MANY: AtomicUsize = AtomicUsize::new(0);

/// Tells whether any callback is set.
#[inline]
pub fn any() -> bool {
    HOW_MANY.load(Ordering::Relaxed) != 0
}

/// Refuses a call of a function that simulates on threads of its own, where callbacks of the simulation are set.
///
/// # Errors
/// If one is: which.
pub fn refuse(function: &str) -> PyResult<()> {
    use Callback::*;
    const OF_SIMULATION: [(Callback, &str); 7] = [
        (Passive, "mjcb_passive"),
        (Control, "mjcb_control"),
        (ContactFilter, "mjcb_contactfilter"),
        (Sensor, "mjcb_sensor"),
        (ActDyn, "mjcb_act_dyn"),
        (ActGain, "mjcb_act_gain"),
        (ActBias, "mjcb_act_bias"),
    ];
    let set = SET.lock().unwrap_or_else(PoisonError::into_inner);
    match OF_SIMULATION.iter().find(|(which, _)| set[*which as usize].is_some()) {
        None => Ok(()),
        Some((_, name)) => Err(PyValueError::new_err(format!(
            "{function} calls no Python callbacks, but `{name}` is set: unset it, or step the simulations one by one"
        ))),
    }
}

/// The callbacks of a call.
#[derive(Debug)]
struct Callbacks([Option<Py<PyAny>>; COUNT]);

impl Callbacks {
    /// Takes those that are set now.
    fn now(py: Python) -> Self {
        let set = SET.lock().unwrap_or_else(PoisonError::into_inner);
        Self(std::array::from_fn(|i| set[i].as_ref().map(|f| f.clone_ref(py))))
    }

    /// Returns a callback.
    fn get(&self, which: Callback) -> Option<&Py<PyAny>> {
        self.0[which as usize].as_ref()
    }
}

/// Returns a callback.
fn get(py: Python, which: Callback) -> Option<Py<PyAny>> {
    let set = SET.lock().unwrap_or_else(PoisonError::into_inner);
    set[which as usize].as_ref().map(|f| f.clone_ref(py))
}

/// Sets a callback, and returns the one before: dropping it may run Python code, which the lock must not wait for.
fn set(which: Callback, f: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    let mut set = SET.lock().unwrap_or_else(PoisonError::into_inner);
    let before = std::mem::replace(&mut set[which as usize], f);
    HOW_MANY.store(set.iter().flatten().count(), Ordering::Relaxed);
    before
}
