//! Vectors of any length.

use super::same_size;
use crate::args::typed::OutVector;
use mj_math::{MINVAL, dense};
use pyo3::PyResult;

super::functions! {
    /// Sets all numbers of `res` to 0.
    fn mju_zero(res: OutVector) -> PyResult<()> {
        res.write(std::iter::repeat(0.0))
    }

    /// Sets all numbers of `res` to `val`.
    fn mju_fill(res: OutVector, val: f64) -> PyResult<()> {
        res.write(std::iter::repeat(val))
    }

    /// Copies a vector: res = vec.
    fn mju_copy(res: OutVector, vec: Vec<f64>) -> PyResult<()> {
        map(&res, &vec, |x| x)
    }

    /// Copies a vector: res = vec.
    fn mju_n2d(res: OutVector, vec: Vec<f64>) -> PyResult<()> {
        map(&res, &vec, |x| x)
    }

    /// Copies a vector: res = vec.
    fn mju_d2n(res: OutVector, vec: Vec<f64>) -> PyResult<()> {
        map(&res, &vec, |x| x)
    }

    /// Converts numbers of single precision to double precision.
    fn mju_f2n(res: OutVector, vec: Vec<f32>) -> PyResult<()> {
        same_size("res", res.len(), "vec", vec.len())?;
        res.write(vec.into_iter().map(f64::from))
    }

    /// Rounds numbers of double precision to single precision.
    fn mju_n2f(res: OutVector<f32>, vec: Vec<f64>) -> PyResult<()> {
        same_size("res", res.len(), "vec", vec.len())?;
        res.write(vec.into_iter().map(|x| x as f32))
    }

    /// Scales a vector: res = scl * vec.
    fn mju_scl(res: OutVector, vec: Vec<f64>, scl: f64) -> PyResult<()> {
        map(&res, &vec, |x| x * scl)
    }

    /// Adds two vectors: res = vec1 + vec2.
    fn mju_add(res: OutVector, vec1: Vec<f64>, vec2: Vec<f64>) -> PyResult<()> {
        combine(&res, &vec1, &vec2, |a, b| a + b)
    }

    /// Subtracts a vector from another: res = vec1 - vec2.
    fn mju_sub(res: OutVector, vec1: Vec<f64>, vec2: Vec<f64>) -> PyResult<()> {
        combine(&res, &vec1, &vec2, |a, b| a - b)
    }

    /// Adds a scaled vector to another: res = vec1 + scl * vec2.
    fn mju_addScl(res: OutVector, vec1: Vec<f64>, vec2: Vec<f64>, scl: f64) -> PyResult<()> {
        combine(&res, &vec1, &vec2, |a, b| a + b * scl)
    }

    /// Adds a vector in place: res = res + vec.
    fn mju_addTo(res: OutVector, vec: Vec<f64>) -> PyResult<()> {
        change(&res, &vec, |a, b| a + b)
    }

    /// Subtracts a vector in place: res = res - vec.
    fn mju_subFrom(res: OutVector, vec: Vec<f64>) -> PyResult<()> {
        change(&res, &vec, |a, b| a - b)
    }

    /// Adds a scaled vector in place: res = res + scl * vec.
    fn mju_addToScl(res: OutVector, vec: Vec<f64>, scl: f64) -> PyResult<()> {
        change(&res, &vec, |a, b| a + b * scl)
    }

    /// Returns the sum of a vector's numbers.
    fn mju_sum(vec: Vec<f64>) -> PyResult<f64> {
        Ok(vec.iter().fold(0.0, |sum, x| sum + x))
    }

    /// Returns the sum of the magnitudes of a vector's numbers.
    fn mju_L1(vec: Vec<f64>) -> PyResult<f64> {
        Ok(vec.iter().fold(0.0, |sum, x| sum + x.abs()))
    }

    /// Returns the Euclidean length of a vector.
    fn mju_norm(res: Vec<f64>) -> PyResult<f64> {
        Ok(dense::norm(&res))
    }

    /// Scales a vector to unit length in place and returns its length before. A vector shorter than 1e-15 becomes
    /// (1, 0, 0, ...).
    fn mju_normalize(res: OutVector) -> PyResult<f64> {
        let mut vec = res.values();
        let length = dense::norm(&vec);
        if length < MINVAL {
            vec.fill(0.0);
            vec.iter_mut().take(1).for_each(|x| *x = 1.0);
        } else {
            let scale = 1.0 / length;
            vec.iter_mut().for_each(|x| *x *= scale);
        }
        res.write(vec)?;
        Ok(length)
    }

    /// Returns the dot product of two vectors.
    fn mju_dot(vec1: Vec<f64>, vec2: Vec<f64>) -> PyResult<f64> {
        same_size("vec1", vec1.len(), "vec2", vec2.len())?;
        Ok(dense::dot(&vec1, &vec2))
    }

    /// Returns 1 if all numbers of a vector are 0, and 0 otherwise.
    fn mju_isZero(vec: Vec<f64>) -> PyResult<i32> {
        Ok(vec.iter().all(|&x| x == 0.0).into())
    }

    /// Sorts numbers in place, in increasing order. Numbers don't move past a NaN.
    fn mju_insertionSort(list: OutVector) -> PyResult<()> {
        let mut values = list.values();
        for run in values.split_mut(|x| x.is_nan()) {
            // Without NaN, numbers compare. Zeros of either sign are equal and keep their order.
            run.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        }
        list.write(values)
    }

    /// Sorts integers in place, in increasing order.
    fn mju_insertionSortInt(list: OutVector<i32>) -> PyResult<()> {
        let mut values = list.values();
        values.sort_unstable();
        list.write(values)
    }
}

fn map(res: &OutVector, vec: &[f64], f: impl Fn(f64) -> f64) -> PyResult<()> {
    same_size("res", res.len(), "vec", vec.len())?;
    res.write(vec.iter().map(|&x| f(x)))
}

fn change(res: &OutVector, vec: &[f64], f: impl Fn(f64, f64) -> f64) -> PyResult<()> {
    same_size("res", res.len(), "vec", vec.len())?;
    let old = res.values();
    res.write(old.iter().zip(vec).map(|(&a, &b)| f(a, b)))
}

fn combine(res: &OutVector, vec1: &[f64], vec2: &[f64], f: impl Fn(f64, f64) -> f64) -> PyResult<()> {
    same_size("res", res.len(), "vec1", vec1.len())?;
    same_size("res", res.len(), "vec2", vec2.len())?;
    res.write(vec1.iter().zip(vec2).map(|(&a, &b)| f(a, b)))
}
