//! Reads the lines of recorded results.

use mj_math::DVec3;

/// Numbers between spaces.
pub fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// The first three as a vector.
pub fn vector(v: &[f64]) -> DVec3 {
    DVec3::new(v[0], v[1], v[2])
}
