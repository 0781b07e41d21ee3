//! The Python package `mj`: the engine's models, data and functions for Python.
//!
//! This crate is the package's native module, `mj._core`. It holds what must be fast or must reach into the engine; names,
//! views and everything else that users see is Python, beside this folder in `mj/`.
//!
//! - `memory` is what the engine and NumPy share, and the only unsafe code.
//! - `model` and `data` are models and data with the arrays that were taken from them.
//! - `callbacks` are functions of the user's that the pipeline calls.
//! - `spec` is models that programs edit before they are compiled.
//! - `functions` are the `mj_*` and `mju_*` functions.
//! - `extra` is what MuJoCo's interface doesn't have: derivatives, explanations, solvers, velocity stepping, decomposition.
//! - `scene` is what is drawn: scenes, pictures, recordings.
//! - `control` is trajectory optimization, predictive control and identification.
//! - `many` are rollouts and batches: many simulations on many threads.
#![deny(unsafe_code)]

mod args;
mod callbacks;
mod control;
mod data;
mod error;
mod extra;
mod functions;
mod kind;
mod many;
#[allow(unsafe_code)]
mod memory;
mod model;
mod pool;
mod scene;
mod sparse;
mod spec;
mod text;

use pyo3::prelude::*;

/// The native part of the package `mj`.
#[pymodule(gil_used = false)]
#[pyo3(name = "_core")]
fn core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::ModelCore>()?;
    module.add_class::<data::DataCore>()?;
    many::add(module)?;
    control::add(module)?;
    module.add_function(wrap_pyfunction!(model::_model_fields, module)?)?;
    module.add_function(wrap_pyfunction!(data::_data_fields, module)?)?;
    module.add_function(wrap_pyfunction!(data::docs::_data_docs, module)?)?;
    module.add_function(wrap_pyfunction!(data::_state_of_data, module)?)?;
    module.add_function(wrap_pyfunction!(data::_data_of_state, module)?)?;
    module.add_function(wrap_pyfunction!(data::_realloc_con_efc, module)?)?;
    module.add_function(wrap_pyfunction!(data::_realloc_island, module)?)?;
    model::load::add(module)?;
    callbacks::add(module)?;
    spec::add(module)?;
    extra::add(module)?;
    scene::add(module)?;
    functions::add(module)
}
