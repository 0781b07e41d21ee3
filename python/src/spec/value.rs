//! Values of fields of spec elements, from and to Python.

use crate::args;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

/// Shape of the value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// One integer.
    Integer,
    /// A code of an enumeration, by the name of this.
    Enum(&'static str),
    /// True or false.
    Flag,
    /// Text.
    Text,
    /// So many doubles; 0: any number of them.
    Numbers(usize),
    /// So many floats; 0: any number of them.
    Singles(usize),
    /// So many integers; 0: any number of them.
    Integers(usize),
    /// So many texts; 0: any number of them.
    Texts(usize),
    /// At most so many characters.
    Chars(usize),
    /// Bytes.
    Bytes,
    /// Lists of integers.
    IntegerLists,
    /// Lists of floats.
    SingleLists,
    /// Keys and values.
    Config,
}

impl Shape {
    /// Name of the kind of value, count, and name of the enumeration.
    pub fn describe(self) -> (&'static str, usize, &'static str) {
        match self {
            Self::Number => ("number", 1, ""),
            Self::Integer => ("integer", 1, ""),
            Self::Enum(name) => ("enum", 1, name),
            Self::Flag => ("flag", 1, ""),
            Self::Text => ("text", 1, ""),
            Self::Numbers(n) => ("numbers", n, ""),
            Self::Singles(n) => ("singles", n, ""),
            Self::Integers(n) => ("integers", n, ""),
            Self::Texts(n) => ("texts", n, ""),
            Self::Chars(n) => ("chars", n, ""),
            Self::Bytes => ("bytes", 0, ""),
            Self::IntegerLists => ("integer_lists", 0, ""),
            Self::SingleLists => ("single_lists", 0, ""),
            Self::Config => ("config", 0, ""),
        }
    }
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// One number.
    Number(f64),
    /// One integer, or a code.
    Integer(i64),
    /// True or false.
    Flag(bool),
    /// Text.
    Text(String),
    /// Doubles.
    Numbers(Vec<f64>),
    /// Floats.
    Singles(Vec<f32>),
    /// Integers.
    Integers(Vec<i32>),
    /// Texts.
    Texts(Vec<String>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Lists of integers.
    IntegerLists(Vec<Vec<i32>>),
    /// Lists of floats.
    SingleLists(Vec<Vec<f32>>),
    /// Keys and values.
    Config(Vec<(String, String)>),
}

impl Value {
    /// Makes a Python object; arrays are new.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::Number(x) => x.into_pyobject(py)?.into_any(),
            Self::Integer(x) => x.into_pyobject(py)?.into_any(),
            Self::Flag(x) => x.into_pyobject(py)?.to_owned().into_any(),
            Self::Text(x) => PyString::new(py, x).into_any(),
            Self::Numbers(x) => PyArray1::from_slice(py, x).into_any(),
            Self::Singles(x) => PyArray1::from_slice(py, x).into_any(),
            Self::Integers(x) => PyArray1::from_slice(py, x).into_any(),
            Self::Texts(x) => PyList::new(py, x)?.into_any(),
            Self::Bytes(x) => PyBytes::new(py, x).into_any(),
            Self::IntegerLists(x) => PyList::new(py, x)?.into_any(),
            Self::SingleLists(x) => PyList::new(py, x)?.into_any(),
            Self::Config(x) => PyList::new(py, x)?.into_any(),
        })
    }

    /// Reads what Python gives for a field. `keyword` is whether it is an argument, which may have fewer numbers for some
    /// fields.
    ///
    /// # Errors
    /// If it is nothing that the field can hold.
    pub fn from_python(name: &str, shape: Shape, value: &Bound<'_, PyAny>, keyword: bool) -> PyResult<Self> {
        let wrong = |wants: &str| args::wrong(name, wants, value);
        Ok(match shape {
            Shape::Number => Self::Number(value.extract().map_err(|_| wrong("a number"))?),
            Shape::Integer | Shape::Enum(_) => Self::Integer(integer(value).ok_or_else(|| wrong("an integer"))?.into()),
            Shape::Flag => Self::Flag(flag(value).ok_or_else(|| wrong("true or false"))?),
            Shape::Text => Self::Text(text(value).ok_or_else(|| wrong("a string"))?),
            Shape::Numbers(n) => Self::Numbers(sized(name, numbers::<f64>(name, value)?, n, keyword)?),
            Shape::Singles(n) => Self::Singles(sized(name, numbers::<f32>(name, value)?, n, keyword)?),
            Shape::Integers(n) => Self::Integers(sized(name, numbers::<i32>(name, value)?, n, keyword)?),
            Shape::Texts(n) => Self::Texts(texts(name, value, n)?),
            Shape::Chars(n) => Self::Text(chars(name, value, n)?),
            Shape::Bytes => Self::Bytes(bytes(value).ok_or_else(|| wrong("bytes"))?),
            Shape::IntegerLists => Self::IntegerLists(lists(name, value)?),
            Shape::SingleLists => Self::SingleLists(lists(name, value)?),
            Shape::Config => {
                let pairs = value.call_method0("items").map_err(|_| wrong("a dictionary of strings"))?;
                let pairs: PyResult<Vec<(String, String)>> = pairs.try_iter()?.map(|p| p?.extract()).collect();
                Self::Config(pairs.map_err(|_| wrong("a dictionary of strings"))?)
            }
        })
    }
}

/// An integer that is no text and no fraction.
fn integer(value: &Bound<'_, PyAny>) -> Option<i32> {
    value.extract::<i32>().ok().or_else(|| {
        let number = value.call_method0("__index__").ok()?;
        number.extract::<i32>().ok()
    })
}

/// A truth value of a number.
fn flag(value: &Bound<'_, PyAny>) -> Option<bool> {
    if value.is_none() || value.cast::<PyString>().is_ok() {
        return None;
    }
    value.extract::<bool>().ok().or_else(|| value.extract::<f64>().ok().map(|x| x != 0.0))
}

/// Text that Rust can hold.
fn text(value: &Bound<'_, PyAny>) -> Option<String> {
    let text: String = value.cast::<PyString>().ok()?.extract().ok()?;
    // A zero ends strings elsewhere.
    (!text.contains('\0')).then_some(text)
}

fn bytes(value: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if value.cast::<PyString>().is_ok() {
        return None;
    }
    value.extract::<Vec<u8>>().ok()
}

/// Numbers of a list, an array of whatever shape, or one number.
fn numbers<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<T>>
where
    T: crate::memory::Shareable + crate::kind::HasKind + for<'a, 'py> FromPyObject<'a, 'py>,
{
    if value.cast::<PyString>().is_ok() || value.cast::<PyBytes>().is_ok() {
        return Err(args::wrong(name, "numbers", value));
    }
    // Vectors of this package keep their numbers in an array.
    let value = value.getattr("_numbers").unwrap_or_else(|_| value.clone());
    args::numbers::<T>(name, &value).map(|(_, numbers)| numbers)
}

/// Fields of which an argument may give the first numbers.
const SHORT: &[&str] = &["size", "stiffness", "damping"];

/// Checks the count of numbers; 0: any.
fn sized<T: Clone + Default>(name: &str, mut numbers: Vec<T>, n: usize, keyword: bool) -> PyResult<Vec<T>> {
    if n == 0 || numbers.len() == n {
        return Ok(numbers);
    }
    let short = keyword && n == 3 && SHORT.contains(&name);
    if short && (1..=3).contains(&numbers.len()) {
        numbers.resize(n, T::default());
        return Ok(numbers);
    }
    if name == "scale" && numbers.len() == 1 {
        return Ok(vec![numbers[0].clone(); n]);
    }
    let wants = if short { format!("1 to {n}") } else { n.to_string() };
    let message = format!("{name} should be a list/array of size {wants}.");
    Err(if keyword || name == "scale" { PyValueError::new_err(message) } else { PyTypeError::new_err(message) })
}

fn texts(name: &str, value: &Bound<'_, PyAny>, n: usize) -> PyResult<Vec<String>> {
    let wrong = || args::wrong(name, "a sequence of strings", value);
    if let Some(one) = text(value) {
        if n == 0 {
            return Ok(if one.is_empty() { Vec::new() } else { vec![one] });
        }
        return Err(wrong());
    }
    let list = value.try_iter().map_err(|_| wrong())?.map(|item| text(&item?).ok_or_else(wrong));
    let list: Vec<String> = list.collect::<PyResult<_>>()?;
    if n != 0 && list.len() != n {
        return Err(PyValueError::new_err(format!("{name} must have exactly {n} elements, got {}", list.len())));
    }
    Ok(list)
}

/// Characters of a string or of a sequence of single ones.
fn chars(name: &str, value: &Bound<'_, PyAny>, n: usize) -> PyResult<String> {
    let wrong = || args::wrong(name, "a string or a sequence of characters", value);
    let mut all = String::new();
    for item in value.try_iter().map_err(|_| wrong())? {
        let item: String = item?.extract().map_err(|_| wrong())?;
        if item.len() != 1 {
            return Err(PyValueError::new_err(format!("{name} list elements must be single characters")));
        }
        all.push_str(&item);
    }
    if all.len() > n {
        return Err(PyValueError::new_err(format!("{name} may have at most {n} characters")));
    }
    Ok(all)
}

fn lists<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<T>>>
where
    T: crate::memory::Shareable + crate::kind::HasKind + for<'a, 'py> FromPyObject<'a, 'py>,
{
    let wrong = || args::wrong(name, "a sequence of lists of numbers", value);
    value.try_iter().map_err(|_| wrong())?.map(|list| numbers::<T>(name, &list?)).collect()
}
