//! Arrays as arguments: what is read is accepted in any form, what is written must be an array of the right type and size.

pub mod typed;

use crate::kind::{HasKind, Kind};
use crate::memory::Shareable;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

/// Name of a type of numbers, as NumPy has it.
fn name_of<T: HasKind>() -> &'static str {
    match T::KIND {
        Kind::F64 => "float64",
        Kind::F32 => "float32",
        Kind::I32 => "int32",
        Kind::U8 => "uint8",
        Kind::Bool => "bool",
    }
}

/// Says what an argument is: its type, and its shape if it is an array.
fn told(value: &Bound<'_, PyAny>) -> String {
    let kind = value.get_type().name().map(|n| n.to_string()).unwrap_or_default();
    match (value.getattr("dtype"), value.getattr("shape")) {
        (Ok(dtype), Ok(shape)) => format!("{kind} of {dtype}, shape {shape}"),
        _ => kind,
    }
}

/// An argument is of no use.
pub fn wrong(name: &str, wants: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("`{name}` must be {wants}, not {}", told(value)))
}

/// Reads numbers from any array, list or number.
///
/// # Errors
/// If it holds no numbers of the type.
pub fn numbers<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<T>)>
where
    T: Shareable + HasKind + for<'a, 'py> FromPyObject<'a, 'py>,
{
    let py = value.py();
    if let Ok(array) = value.cast::<PyArrayDyn<T>>()
        && is_regular(array)
    {
        return Ok((array.shape().to_vec(), contiguous(array)));
    }
    let numpy = py.import("numpy")?;
    let converted = numpy.call_method1("asarray", (value,)).and_then(|array| {
        let safe: bool = {
            let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
            match T::KIND {
                Kind::F64 | Kind::F32 => "fiub".contains(&kind),
                _ => "iub".contains(&kind),
            }
        };
        let empty = array.getattr("size")?.extract::<usize>()? == 0;
        if !(safe || empty) {
            return Err(PyTypeError::new_err("not numbers"));
        }
        array.call_method1("astype", (name_of::<T>(),))
    });
    let wants = format!("an array of {}", name_of::<T>());
    let converted = converted.map_err(|_| wrong(name, &wants, value))?;
    let array = converted.cast::<PyArrayDyn<T>>().map_err(|_| wrong(name, &wants, value))?;
    Ok((array.shape().to_vec(), contiguous(array)))
}

/// Most dimensions of an array that can be read or written in place.
const MAX_DIMENSIONS: usize = 32;

/// Whether the numbers of an array lie where numbers of the type can be read: aligned, and whole numbers apart.
fn is_regular<T: Shareable>(array: &Bound<'_, PyArrayDyn<T>>) -> bool {
    let whole = |stride: &isize| stride % size_of::<T>().cast_signed() == 0;
    array.is_aligned() && array.ndim() <= MAX_DIMENSIONS && array.strides().iter().all(whole)
}

/// Whether no two places of a regular array are one number in memory.
fn is_disjoint<T: Shareable>(array: &Bound<'_, PyArrayDyn<T>>) -> bool {
    if array.is_c_contiguous() || array.is_empty() {
        return true;
    }
    let mut axes: Vec<(usize, usize)> =
        array.strides().iter().map(|s| s.unsigned_abs()).zip(array.shape().iter().copied()).collect();
    axes.retain(|&(_, n)| n > 1);
    axes.sort_unstable();
    // Each axis steps over all that the axes of smaller strides span.
    let mut span = size_of::<T>();
    axes.into_iter().all(|(stride, n)| {
        let steps_over = stride >= span;
        span = stride.saturating_mul(n);
        steps_over
    })
}

/// Numbers of a regular array in row-major order.
fn contiguous<T: Shareable>(array: &Bound<'_, PyArrayDyn<T>>) -> Vec<T> {
    if array.is_empty() {
        return Vec::new();
    }
    if array.is_c_contiguous()
        && let Ok(numbers) = array.to_vec()
    {
        return numbers;
    }
    array.to_owned_array().into_iter().collect()
}

/// Reads a string, or bytes in UTF-8.
///
/// # Errors
/// If it is neither.
pub fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(bytes) = value.cast::<pyo3::types::PyBytes>() {
        return Ok(String::from_utf8_lossy(bytes.as_bytes()).into_owned());
    }
    value.extract().map_err(|_| wrong(name, "a string", value))
}

/// Reads so many numbers.
///
/// # Errors
/// If there are more or fewer.
pub fn vector<T>(name: &str, value: &Bound<'_, PyAny>, n: usize) -> PyResult<Vec<T>>
where
    T: Shareable + HasKind + for<'a, 'py> FromPyObject<'a, 'py>,
{
    let (_, v) = numbers::<T>(name, value)?;
    if v.len() != n {
        return Err(wrong(name, &format!("{n} numbers ({})", name_of::<T>()), value));
    }
    Ok(v)
}

/// Reads exactly `N` doubles.
///
/// # Errors
/// If there are more or fewer.
pub fn fixed<const N: usize>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; N]> {
    let v = vector::<f64>(name, value, N)?;
    let mut out = [0.0; N];
    out.copy_from_slice(&v);
    Ok(out)
}

/// An array that a function writes: of its type, writable, of any layout.
pub struct Out<'py, T: Shareable>(Bound<'py, PyArrayDyn<T>>);

impl<'py, T: Shareable + HasKind> Out<'py, T> {
    /// Takes an argument as an array to be written.
    ///
    /// # Errors
    /// If it is no array of the type, or read-only.
    pub fn of(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let wants = format!("a writable array of {}", name_of::<T>());
        let array = value.cast::<PyArrayDyn<T>>().map_err(|_| wrong(name, &wants, value))?;
        let py = value.py();
        let writable: bool = array.getattr(intern!(py, "flags"))?.getattr(intern!(py, "writeable"))?.extract()?;
        if !writable {
            return Err(PyTypeError::new_err(format!("`{name}` must be {wants}, not a read-only one")));
        }
        if !is_regular(array) || !is_disjoint(array) {
            return Err(PyTypeError::new_err(format!(
                "`{name}` must be {wants} whose numbers are aligned and lie apart, not one of strides {:?}",
                array.strides()
            )));
        }
        Ok(Self(array.clone()))
    }

    /// Takes an argument as an array of so many numbers, in whatever shape.
    ///
    /// # Errors
    /// If it has more or fewer, or as [`of`](Self::of).
    pub fn sized(name: &str, value: &Bound<'py, PyAny>, n: usize) -> PyResult<Self> {
        let out = Self::of(name, value)?;
        if out.len() != n {
            return Err(wrong(name, &format!("an array of {n} numbers ({})", name_of::<T>()), value));
        }
        Ok(out)
    }

    /// Takes an argument as a matrix, or as so many numbers in one row.
    ///
    /// # Errors
    /// If it has another shape, or as [`of`](Self::of).
    pub fn matrix(name: &str, value: &Bound<'py, PyAny>, rows: usize, columns: usize) -> PyResult<Self> {
        let out = Self::of(name, value)?;
        let shape = out.0.shape();
        let fits = shape == [rows, columns] || (shape.len() != 2 && out.len() == rows * columns);
        if !fits {
            return Err(wrong(name, &format!("an array of shape ({rows}, {columns})"), value));
        }
        Ok(out)
    }

    /// Number of numbers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Numbers as they are, row-major.
    pub fn to_vec(&self) -> Vec<T> {
        contiguous(&self.0)
    }

    /// Writes numbers, row-major, as many as it holds.
    ///
    /// # Errors
    /// If another borrow of the array is in progress.
    pub fn write(&self, numbers: impl IntoIterator<Item = T>) -> PyResult<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut array = self.0.try_readwrite().map_err(|e| PyTypeError::new_err(e.to_string()))?;
        array.as_array_mut().iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
        Ok(())
    }
}
