//! Vectors in single precision, and of unit length.

use mj_math::{DVec3, MINVAL};

/// Returns a vector in single precision.
pub(crate) fn single(v: DVec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

/// Returns the unit vector, or the x axis for a vector without length.
pub(crate) fn unit(v: DVec3) -> DVec3 {
    let length = v.length();
    if length < MINVAL { DVec3::X } else { v / length }
}
