//! Setting and getting callbacks.

use super::{Callback, get, set};
use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;

/// Defines the two functions of each callback.
macro_rules! callbacks {
    ($($which:ident $get:ident $set:ident $doc:literal)*) => {
        $(
            #[doc = concat!("Returns the callback for ", $doc, ", or None.")]
            #[pyfunction]
            fn $get(py: Python) -> Option<Py<PyAny>> {
                get(py, Callback::$which)
            }

            #[doc = concat!("Sets the callback for ", $doc, "; None unsets it.")]
            #[pyfunction]
            fn $set(callback: Option<Bound<'_, PyAny>>) -> PyResult<()> {
                let callback = checked(callback)?;
                drop(set(Callback::$which, callback));
                Ok(())
            }
        )*

        /// Adds all functions to the module.
        pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($get, module)?)?;
                module.add_function(wrap_pyfunction!($set, module)?)?;
            )*
            module.add_function(wrap_pyfunction!(get_mju_user_malloc, module)?)?;
            module.add_function(wrap_pyfunction!(set_mju_user_malloc, module)?)?;
            module.add_function(wrap_pyfunction!(get_mju_user_free, module)?)?;
            module.add_function(wrap_pyfunction!(set_mju_user_free, module)?)
        }
    };
}

callbacks! {
    Passive get_mjcb_passive set_mjcb_passive "passive forces: callback(m, d) adds to d.qfrc_passive"
    Control get_mjcb_control set_mjcb_control "control: callback(m, d) sets d.ctrl"
    ContactFilter get_mjcb_contactfilter set_mjcb_contactfilter
        "contacts: callback(m, d, geom1, geom2) is true for pairs that make none"
    Sensor get_mjcb_sensor set_mjcb_sensor "user sensors: callback(m, d, stage) writes d.sensordata"
    Time get_mjcb_time set_mjcb_time "timers: callback() returns seconds"
    ActDyn get_mjcb_act_dyn set_mjcb_act_dyn "user activations: callback(m, d, id) returns the rate of an activation"
    ActGain get_mjcb_act_gain set_mjcb_act_gain "user gains: callback(m, d, id) returns the gain of an actuator"
    ActBias get_mjcb_act_bias set_mjcb_act_bias "user biases: callback(m, d, id) returns the bias of an actuator"
    Warning get_mju_user_warning set_mju_user_warning "warnings: callback(text)"
}

/// Checks that a callback can be called.
fn checked(callback: Option<Bound<'_, PyAny>>) -> PyResult<Option<Py<PyAny>>> {
    match callback {
        Some(f) if !f.is_callable() => Err(PyTypeError::new_err("callback is not an Optional[Callable]")),
        f => Ok(f.map(Bound::unbind)),
    }
}

/// Refuses a function for memory.
fn refuse(name: &str, callback: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    match callback {
        None => Ok(()),
        Some(_) => {
            Err(PyNotImplementedError::new_err(format!("{name}: memory is Rust's, other allocators can't be set")))
        }
    }
}

/// Returns None: other allocators can't be set.
#[pyfunction]
fn get_mju_user_malloc() {}

/// Refuses to set an allocator; None is accepted.
#[pyfunction]
fn set_mju_user_malloc(callback: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    refuse("set_mju_user_malloc", callback)
}

/// Returns None: other allocators can't be set.
#[pyfunction]
fn get_mju_user_free() {}

/// Refuses to set an allocator; None is accepted.
#[pyfunction]
fn set_mju_user_free(callback: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    refuse("set_mju_user_free", callback)
}
