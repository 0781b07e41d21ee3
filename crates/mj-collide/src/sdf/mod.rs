//! Signed distance fields: shapes of any form that collide by gradient descent.

mod descent;
mod faces;
mod field;
mod octree;
mod primitive;
mod ray;

pub(crate) use descent::{mesh_sdf, shape_sdf};
pub use faces::FaceTree;
pub use field::SignedField;
pub use octree::{Octree, OctreeNode};
pub use primitive::{shape_distance, shape_distance_gradient};
pub(crate) use ray::march;

/// How collisions of signed distance fields search for contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdfOptions {
    /// Most steps of gradient descent from one starting point.
    pub iterations: usize,
    /// Number of starting points.
    pub initpoints: usize,
}

impl Default for SdfOptions {
    fn default() -> Self {
        Self { iterations: 10, initpoints: 40 }
    }
}

/// Element `index` of the van der Corput sequence of a base: its digits behind the point, in reverse (Halton 1960).
pub(crate) fn halton(index: usize, base: usize) -> f64 {
    let (mut rest, mut fraction, mut sum) = (index, 1.0 / base as f64, 0.0);
    while rest > 0 {
        sum += fraction * (rest % base) as f64;
        fraction /= base as f64;
        rest /= base;
    }
    sum
}

#[cfg(test)]
mod tests;
