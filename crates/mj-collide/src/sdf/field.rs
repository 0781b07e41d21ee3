//! The distance function of a shape without a closed form.

use super::octree::Octree;
use mj_math::DVec3;
use mj_model::plugin::SdfPlugin;
use std::sync::Arc;

/// Signed distance field of a geom, in the geom's frame.
#[derive(Clone, Debug)]
pub enum SignedField {
    /// A function.
    Function(Arc<dyn SdfPlugin>),
    /// Interpolation in an octree.
    Octree(Arc<Octree>),
}

impl SignedField {
    /// Computes the distance of a point from the surface, m: negative inside.
    #[inline]
    pub fn distance(&self, p: DVec3) -> f64 {
        match self {
            Self::Function(f) => f.distance(p),
            Self::Octree(tree) => tree.distance(p),
        }
    }

    /// Computes the distance of a point and its gradient.
    #[inline]
    pub fn distance_gradient(&self, p: DVec3) -> (f64, DVec3) {
        match self {
            Self::Function(f) => f.distance_gradient(p),
            Self::Octree(tree) => tree.distance_gradient(p),
        }
    }
}
