//! Functions of numbers, and sequences of them.

use crate::args::typed::ensure;
use mj_dynamics::muscle;
use mj_math::{MAXVAL, real};
use pyo3::PyResult;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

super::functions! {
    /// Returns the smaller of two numbers.
    fn mju_min(a: f64, b: f64) -> PyResult<f64> {
        Ok(if a <= b { a } else { b })
    }

    /// Returns the larger of two numbers.
    fn mju_max(a: f64, b: f64) -> PyResult<f64> {
        Ok(if a >= b { a } else { b })
    }

    /// Clips a number to the range from `min` to `max`.
    fn mju_clip(x: f64, min: f64, max: f64) -> PyResult<f64> {
        Ok(if x < min { min } else if x > max { max } else { x })
    }

    /// Returns the sign of a number: 1, -1, or 0 for zero and for NaN.
    fn mju_sign(x: f64) -> PyResult<f64> {
        Ok(if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 })
    }

    /// Rounds a number to the nearest integer of 32 bits, halves away from zero. NaN gives the least.
    fn mju_round(x: f64) -> PyResult<i32> {
        Ok(if x.is_nan() { i32::MIN } else { x.round() as i32 })
    }

    /// Returns 1 if a number is NaN or larger than 1e10 in magnitude, and 0 otherwise.
    fn mju_isBad(x: f64) -> PyResult<i32> {
        Ok((x.is_nan() || x.abs() > MAXVAL).into())
    }

    /// Returns the quintic polynomial that rises from 0 at 0 to 1 at 1 with two vanishing derivatives at both; 0 below
    /// and 1 above.
    fn mju_sigmoid(x: f64) -> PyResult<f64> {
        Ok(muscle::sigmoid(x))
    }

    /// Returns a member of the van der Corput sequence, whose terms in several prime bases are a Halton sequence: the
    /// digits of `index` in a base, mirrored at the point. Indices below 1 give 0.
    fn mju_Halton(index: i32, base: i32) -> PyResult<f64> {
        ensure!(base >= 2, "`base` must be at least 2, not {base}");
        Ok(halton(index, base))
    }

    /// Returns a random number of the standard normal distribution.
    ///
    /// `num2` is not used. The numbers of a process begin with the first of the sequence, and all threads share it.
    fn mju_standardNormal(num2: Option<f64>) -> PyResult<f64> {
        let _ = num2;
        Ok(standard_normal())
    }
}

/// Sum of the digits of `index` in a base, from the last on, each weighted by one more power of 1 / base.
fn halton(index: i32, base: i32) -> f64 {
    let (mut rest, mut weight, mut sum) = (index, 1.0 / f64::from(base), 0.0);
    while rest > 0 {
        sum += weight * f64::from(rest % base);
        rest /= base;
        weight /= f64::from(base);
    }
    sum
}

/// State of the random numbers: a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// The next random number, uniform in (0, 1].
fn uniform() -> f64 {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut z = COUNTER.fetch_add(STEP, Relaxed).wrapping_add(STEP);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    ((z >> 11) + 1) as f64 * f64::EPSILON * 0.5
}

/// A random number of the standard normal distribution, by the Box-Muller transform.
fn standard_normal() -> f64 {
    let radius = (-2.0 * uniform().ln()).sqrt();
    radius * real::cos(std::f64::consts::TAU * uniform())
}
