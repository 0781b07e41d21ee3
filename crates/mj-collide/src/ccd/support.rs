//! Support maps: all that the general convex routine knows of a shape.

use mj_math::DVec3;

use crate::frame::TINY;
use crate::{Placed, Pose, Shape, ShapeKind};

/// A farthest point of a shape, and which of the shape's vertices it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// The point, in the world.
    pub point: DVec3,
    /// Which vertex of the shape it is; −1 on a smooth part.
    pub vertex: i32,
}

/// A convex set known by its farthest point in every direction.
pub trait SupportMap {
    /// The farthest point along the unit vector `direction`.
    fn support(&self, direction: DVec3) -> Support;
    /// A point inside.
    fn center(&self) -> DVec3;
}

/// A placed primitive as a support map.
#[derive(Clone, Copy, Debug)]
pub struct Convex {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
}

impl Convex {
    /// The support map of a placed shape; a plane counts as its origin.
    pub fn new(placed: &Placed) -> Self {
        Self { shape: placed.shape, pose: placed.pose }
    }
}

/// `size` with the sign of `direction`; positive at zero.
fn toward(direction: f64, size: f64) -> f64 {
    if direction >= 0.0 { size } else { -size }
}

impl SupportMap for Convex {
    fn support(&self, direction: DVec3) -> Support {
        let size = self.shape.size;
        let local = self.pose.local_vector(direction);
        let smooth = |p| Support { point: self.pose.point(p), vertex: -1 };
        match self.shape.kind {
            ShapeKind::Plane => Support { point: self.pose.pos, vertex: -1 },
            ShapeKind::Sphere => Support { point: self.pose.pos + direction * size.x, vertex: -1 },
            ShapeKind::Capsule => smooth(local * size.x + DVec3::new(0.0, 0.0, toward(local.z, size.y))),
            ShapeKind::Ellipsoid => {
                // The gradient of the unit ball's support function, in coordinates scaled by the semi-axes.
                let scaled = local * size;
                let length = scaled.length();
                smooth(if length < TINY { DVec3::new(size.x, 0.0, 0.0) } else { scaled * size / length })
            }
            ShapeKind::Cylinder => {
                let radial = local.x.hypot(local.y);
                let scale = if radial >= TINY { size.x / radial } else { 0.0 };
                smooth(DVec3::new(scale * local.x, scale * local.y, toward(local.z, size.y)))
            }
            ShapeKind::Box => {
                let corner = DVec3::new(toward(local.x, size.x), toward(local.y, size.y), toward(local.z, size.z));
                let bit = |c: f64, bit: i32| if c >= 0.0 { bit } else { 0 };
                Support { point: self.pose.point(corner), vertex: bit(local.x, 1) | bit(local.y, 2) | bit(local.z, 4) }
            }
        }
    }

    fn center(&self) -> DVec3 {
        self.pose.pos
    }
}
