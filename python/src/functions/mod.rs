//! The functions of the module.
#![allow(non_snake_case)] // names are the reference's

mod constants;
mod contacts;
mod coordinates;
mod derivatives;
mod inertia;
mod jacobians;
mod language;
pub mod mju;
mod rays;
mod state;
mod step;

use crate::data::{Access, DataCore};
use crate::error;
use crate::model::ModelCore;
use mj_engine::{Data, Model};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::fmt::Display;

/// A model as an argument.
type M<'a, 'py> = &'a Bound<'py, ModelCore>;
/// Data as an argument.
type D<'a, 'py> = &'a Bound<'py, DataCore>;
/// Any object as an argument.
type Any<'a, 'py> = &'a Bound<'py, PyAny>;

/// Registers functions.
macro_rules! register {
    ($($f:ident)*) => {
        /// Adds the functions of this file.
        pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($f, module)?)?;)*
            Ok(())
        }
    };
}
use register;

/// Calls a function that changes data.
fn change<R: Send, E: Display + Send>(
    m: M,
    d: D,
    access: Access,
    f: impl FnOnce(&Model, &mut Data) -> Result<R, E> + Send,
) -> PyResult<R> {
    crate::callbacks::call(d, m, access, f)?.map_err(error::value)
}

/// Calls a function that reads data.
fn read<R: Send, E: Display + Send>(
    m: M,
    d: D,
    f: impl FnOnce(&Model, &mut Data) -> Result<R, E> + Send,
) -> PyResult<R> {
    crate::callbacks::call(d, m, Access::Read, f)?.map_err(error::value)
}

/// Checks a row number.
fn row(what: &str, id: i64, n: usize) -> PyResult<usize> {
    match usize::try_from(id) {
        Ok(i) if i < n => Ok(i),
        _ if n == 0 => Err(PyIndexError::new_err(format!("there is no {what} {id}: the model has none"))),
        _ => Err(PyIndexError::new_err(format!("there is no {what} {id}: {what}s are numbered from 0 to {}", n - 1))),
    }
}

/// Adds all functions to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    constants::add(module)?;
    contacts::add(module)?;
    coordinates::add(module)?;
    derivatives::add(module)?;
    inertia::add(module)?;
    jacobians::add(module)?;
    language::add(module)?;
    mju::add(module)?;
    rays::add(module)?;
    state::add(module)?;
    step::add(module)
}
