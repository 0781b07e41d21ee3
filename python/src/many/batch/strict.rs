//! Arrays as arguments that must be of the right type already: nothing is converted.

use crate::args::{Out, wrong};
use crate::kind::HasKind;
use crate::memory::Shareable;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Shape as Python writes it.
fn told(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if let [n] = &numbers[..] { format!("({n},)") } else { format!("({})", numbers.join(", ")) }
}

/// Checks a shape.
fn check(name: &str, shape: &[usize], got: &[usize]) -> PyResult<()> {
    if shape == got {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("`{name}` must have shape {}, got {}", told(shape), told(got))))
}

/// An array of a type, contiguous in C order.
fn array<'a, 'py, T: Shareable + HasKind>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = value.cast::<PyArrayDyn<T>>().ok().filter(|a| a.is_c_contiguous() && a.is_aligned());
    array.ok_or_else(|| wrong(name, &format!("a contiguous array of {:?}", T::KIND).to_lowercase(), value))
}

/// Reads an array of a shape.
///
/// # Errors
/// `TypeError` if it is no contiguous array of the type, `ValueError` if it has another shape.
pub fn read<T: Shareable + HasKind>(name: &str, value: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<T>> {
    let array = array::<T>(name, value)?;
    check(name, shape, array.shape())?;
    if array.is_empty() { Ok(Vec::new()) } else { Ok(array.to_vec()?) }
}

/// Takes an array of a shape to be written.
///
/// # Errors
/// Fails as [`read`] does, and with `TypeError` if it is read-only.
pub fn write<'py, T: Shareable + HasKind>(
    name: &str,
    value: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Out<'py, T>> {
    check(name, shape, array::<T>(name, value)?.shape())?;
    Out::of(name, value)
}

/// Reads the numbers of simulations, all if none are given.
///
/// # Errors
/// Fails as [`read`] does, and with `ValueError` if one is not there, or they don't ascend.
pub fn ids(value: Option<&Bound<'_, PyAny>>, nsim: usize) -> PyResult<Vec<usize>> {
    let Some(value) = value else { return Ok((0..nsim).collect()) };
    let n = array::<i32>("ids", value)?.len();
    let ids = read::<i32>("ids", value, &[n])?;
    let sims: Vec<usize> = ids.iter().filter_map(|&i| usize::try_from(i).ok().filter(|&i| i < nsim)).collect();
    if let Some(i) = ids.iter().find(|&&i| usize::try_from(i).is_ok_and(|i| i < nsim).eq(&false)) {
        return Err(PyValueError::new_err(format!("ids must be in [0, {nsim}), got {i}")));
    }
    if let Some(pair) = sims.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(PyValueError::new_err(format!(
            "ids must be sorted and unique, got {} before {}",
            pair[0], pair[1]
        )));
    }
    Ok(sims)
}
