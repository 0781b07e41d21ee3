//! Types of arguments: how each is read, with errors that name the argument.
//!
//! Arrays with one axis are accepted as columns of shape `(n, 1)`, and columns as arrays with one axis.

use super::{Out, numbers, wrong};
use crate::kind::HasKind;
use crate::memory::Shareable;
use mj_math::{DMat3, DQuat, DVec3, quat};
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Types of arguments of functions.
pub trait Argument<'py>: Sized {
    /// Reads an argument of that name.
    ///
    /// # Errors
    /// If it is of another type or size: a `TypeError` that says what was wanted and what was given.
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self>;
}

/// Raises a `TypeError` with a sentence unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $($sentence:tt)+) => {
        if !$holds {
            return Err(pyo3::exceptions::PyTypeError::new_err(format!($($sentence)+)));
        }
    };
}
pub(crate) use ensure;

/// Number of numbers in a vector of this shape.
fn vector_length(shape: &[usize]) -> Option<usize> {
    match *shape {
        [n] | [n, 1] => Some(n),
        _ => None,
    }
}

/// Rows and columns of a matrix of this shape.
fn matrix_size(shape: &[usize]) -> Option<(usize, usize)> {
    match *shape {
        [n] => Some((n, 1)),
        [rows, columns] => Some((rows, columns)),
        _ => None,
    }
}

impl<'py> Argument<'py> for f64 {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        value.extract().map_err(|_| wrong(name, "a number", value))
    }
}

impl<'py> Argument<'py> for i32 {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        value.extract().map_err(|_| wrong(name, "an integer from -2^31 to 2^31 - 1", value))
    }
}

impl<'py> Argument<'py> for u64 {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        value.extract().map_err(|_| wrong(name, "an integer from 0 to 2^64 - 1", value))
    }
}

impl<'py> Argument<'py> for bool {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        value.is_truthy().map_err(|_| wrong(name, "True or False", value))
    }
}

impl<'py> Argument<'py> for String {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        super::text(name, value)
    }
}

impl<'py, T: Argument<'py>> Argument<'py> for Option<T> {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if value.is_none() { Ok(None) } else { T::read(name, value).map(Some) }
    }
}

impl<'py, T> Argument<'py> for Vec<T>
where
    T: Shareable + HasKind + for<'a, 'p> FromPyObject<'a, 'p>,
{
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (shape, vector) = numbers(name, value)?;
        vector_length(&shape).map(|_| vector).ok_or_else(|| wrong(name, "an array of shape (n,) or (n, 1)", value))
    }
}

impl<'py, const N: usize> Argument<'py> for [f64; N] {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (shape, vector) = numbers(name, value)?;
        let vector = vector_length(&shape).and_then(|_| vector.try_into().ok());
        vector.ok_or_else(|| wrong(name, &format!("an array of {N} numbers, of shape ({N},) or ({N}, 1)"), value))
    }
}

impl<'py> Argument<'py> for DVec3 {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        <[f64; 3]>::read(name, value).map(Self::from_array)
    }
}

/// A quaternion is four numbers, w first.
impl<'py> Argument<'py> for DQuat {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        <[f64; 4]>::read(name, value).map(quat::from_wxyz)
    }
}

/// A matrix of three rows is nine numbers, row-major.
impl<'py> Argument<'py> for DMat3 {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        <[f64; 9]>::read(name, value).map(|m| Self::from_cols_array(&m).transpose())
    }
}

/// A matrix that a function reads.
pub struct Matrix<T = f64> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Numbers, row-major.
    pub values: Vec<T>,
}

impl<T> Matrix<T> {
    /// Numbers of a row.
    pub fn row(&self, i: usize) -> &[T] {
        &self.values[i * self.columns..][..self.columns]
    }
}

impl<'py, T> Argument<'py> for Matrix<T>
where
    T: Shareable + HasKind + for<'a, 'p> FromPyObject<'a, 'p>,
{
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (shape, values) = numbers(name, value)?;
        let (rows, columns) = matrix_size(&shape).ok_or_else(|| wrong(name, "an array with two axes", value))?;
        Ok(Self { rows, columns, values })
    }
}

/// A vector that a function writes.
pub struct OutVector<'py, T: Shareable = f64>(Out<'py, T>);

impl<'py, T: Shareable + HasKind> OutVector<'py, T> {
    /// Number of numbers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Numbers as they are.
    pub fn values(&self) -> Vec<T> {
        self.0.to_vec()
    }

    /// Writes numbers, as many as it holds.
    ///
    /// # Errors
    /// Fails as [`Out::write`] does.
    pub fn write(&self, values: impl IntoIterator<Item = T>) -> PyResult<()> {
        self.0.write(values)
    }
}

impl<'py, T: Shareable + HasKind> Argument<'py> for OutVector<'py, T> {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let out = Out::of(name, value)?;
        if vector_length(out.0.shape()).is_none() {
            return Err(wrong(name, "an array of shape (n,) or (n, 1)", value));
        }
        Ok(Self(out))
    }
}

/// `N` numbers that a function writes.
pub struct OutFixed<'py, const N: usize>(Out<'py, f64>);

impl<'py, const N: usize> OutFixed<'py, N> {
    /// Numbers as they are.
    pub fn values(&self) -> [f64; N] {
        let mut values = [0.0; N];
        values.iter_mut().zip(self.0.to_vec()).for_each(|(to, from)| *to = from);
        values
    }

    /// Writes all numbers.
    ///
    /// # Errors
    /// Fails as [`Out::write`] does.
    pub fn write(&self, values: [f64; N]) -> PyResult<()> {
        self.0.write(values)
    }
}

impl OutFixed<'_, 3> {
    /// The vector as it is.
    pub fn vector(&self) -> DVec3 {
        DVec3::from_array(self.values())
    }

    /// Writes a vector.
    ///
    /// # Errors
    /// Fails as [`Out::write`] does.
    pub fn set(&self, v: DVec3) -> PyResult<()> {
        self.write(v.to_array())
    }
}

impl OutFixed<'_, 4> {
    /// The quaternion as it is.
    pub fn quat(&self) -> DQuat {
        quat::from_wxyz(self.values())
    }

    /// Writes a quaternion, w first.
    ///
    /// # Errors
    /// Fails as [`Out::write`] does.
    pub fn set(&self, q: DQuat) -> PyResult<()> {
        self.write(quat::to_wxyz(q))
    }
}

impl OutFixed<'_, 9> {
    /// Writes a matrix, row-major.
    ///
    /// # Errors
    /// Fails as [`Out::write`] does.
    pub fn set(&self, m: DMat3) -> PyResult<()> {
        self.write(m.transpose().to_cols_array())
    }
}

impl<'py, const N: usize> Argument<'py> for OutFixed<'py, N> {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let out = Out::of(name, value)?;
        if vector_length(out.0.shape()) != Some(N) {
            return Err(wrong(name, &format!("an array of {N} numbers, of shape ({N},) or ({N}, 1)"), value));
        }
        Ok(Self(out))
    }
}

/// A matrix that a function writes.
pub struct OutMatrix<'py> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    out: Out<'py, f64>,
}

impl OutMatrix<'_> {
    /// Numbers as they are, row-major.
    pub fn values(&self) -> Vec<f64> {
        self.out.to_vec()
    }

    /// Writes numbers, row-major, as many as it holds.
    ///
    /// # Errors
    /// Fails as [`Out::write`] does.
    pub fn write(&self, values: impl IntoIterator<Item = f64>) -> PyResult<()> {
        self.out.write(values)
    }

    /// Raises a `TypeError` unless it has so many rows and columns.
    ///
    /// # Errors
    /// If it has more or fewer.
    pub fn expect(&self, name: &str, rows: usize, columns: usize) -> PyResult<()> {
        if (self.rows, self.columns) == (rows, columns) {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!(
            "`{name}` must be an array of shape ({rows}, {columns}), not ({}, {})",
            self.rows, self.columns
        )))
    }
}

impl<'py> Argument<'py> for OutMatrix<'py> {
    fn read(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let out = Out::of(name, value)?;
        let (rows, columns) = matrix_size(out.0.shape()).ok_or_else(|| wrong(name, "an array with two axes", value))?;
        Ok(Self { rows, columns, out })
    }
}
