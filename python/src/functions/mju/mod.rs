//! Mathematics: vectors, matrices, quaternions, poses, factorizations, and small things besides (`mju_*`).
//!
//! Functions read all of their arguments before they write results, so that a result may be written into an argument.

mod banded;
mod boxqp;
mod cholesky;
mod derivatives;
mod forces;
mod matrices;
mod poses;
mod print;
mod quaternions;
mod ray;
mod rotation;
mod scalars;
mod skin;
mod small;
mod sparse;
pub mod text;
mod vectors;

use crate::args::typed::Argument;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Defines functions of the module, whose arguments are of types that implement
/// [`Argument`](crate::args::typed::Argument), and `add`, which adds them.
macro_rules! functions {
    ($(
        $(#[$meta:meta])*
        fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $return:ty $body:block
    )*) => {
        $(
            #[pyo3::pyfunction]
            $(#[$meta])*
            #[allow(clippy::too_many_arguments, reason = "as many as the Python interface has")]
            fn $name($($arg: &pyo3::Bound<'_, pyo3::PyAny>),*) -> $return {
                $(let $arg = $crate::functions::mju::read::<$type>(stringify!($arg), $arg)?;)*
                $body
            }
        )*

        /// Adds the functions of this file.
        pub fn add(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
            use pyo3::types::PyModuleMethods as _;
            $(module.add_function(pyo3::wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}
use functions;

/// Adds all functions to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    vectors::add(module)?;
    small::add(module)?;
    matrices::add(module)?;
    quaternions::add(module)?;
    rotation::add(module)?;
    derivatives::add(module)?;
    poses::add(module)?;
    print::add(module)?;
    cholesky::add(module)?;
    banded::add(module)?;
    boxqp::add(module)?;
    sparse::add(module)?;
    forces::add(module)?;
    ray::add(module)?;
    skin::add(module)?;
    scalars::add(module)?;
    text::add(module)
}

/// Reads an argument, whose name has a prefix where it is a keyword of Rust.
fn read<'py, T: Argument<'py>>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<T> {
    T::read(name.strip_prefix("r#").unwrap_or(name), value)
}

/// Raises a `TypeError` unless two arguments are of one size.
fn same_size(name: &str, n: usize, other: &str, m: usize) -> PyResult<()> {
    if n == m {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("`{name}` has {n} numbers, `{other}` has {m}; they must be of one size")))
}
