//! Support maps: all that the general convex routine knows of a set.

use std::cell::Cell;

use mj_math::DVec3;

use crate::frame::TINY;
use crate::{Placed, Pose, ShapeKind};

/// A convex set known by its farthest point in every direction.
pub trait SupportMap {
    /// A farthest point along the unit vector `direction`, in the world.
    fn support(&self, direction: DVec3) -> DVec3;

    /// Returns the support point with the number of its corner, where corners have numbers.
    fn corner(&self, direction: DVec3) -> (DVec3, u32) {
        (self.support(direction), 0)
    }

    /// A point inside.
    fn center(&self) -> DVec3;
}

/// `size` with the sign of `direction`; positive at zero.
fn toward(direction: f64, size: f64) -> f64 {
    if direction >= 0.0 { size } else { -size }
}

/// The corner of a box that is farthest along a direction, in its frame.
fn toward_corner(direction: DVec3, size: DVec3) -> DVec3 {
    DVec3::new(toward(direction.x, size.x), toward(direction.y, size.y), toward(direction.z, size.z))
}

impl SupportMap for Placed<'_> {
    fn corner(&self, direction: DVec3) -> (DVec3, u32) {
        match self.shape.hull {
            Some(hull) => {
                let corner = hull.farthest(self.pose.local_vector(direction));
                (self.pose.point(hull.corners().get(corner as usize).copied().unwrap_or_default()), corner)
            }
            None => (self.support(direction), 0),
        }
    }

    /// The support point of the shape. Planes and height fields, which have none, answer with their origin.
    fn support(&self, direction: DVec3) -> DVec3 {
        let Pose { pos, .. } = self.pose;
        let size = self.shape.size;
        let local = self.pose.local_vector(direction);
        match self.shape.kind {
            ShapeKind::Plane | ShapeKind::Hfield => pos,
            ShapeKind::Mesh => self.corner(direction).0,
            // Without a hull, its box.
            ShapeKind::Sdf if self.shape.hull.is_none() => self.pose.point(toward_corner(local, size)),
            ShapeKind::Sdf => self.corner(direction).0,
            ShapeKind::Sphere => pos + direction * size.x,
            ShapeKind::Capsule => self.pose.point(local * size.x + DVec3::new(0.0, 0.0, toward(local.z, size.y))),
            ShapeKind::Ellipsoid => {
                // The gradient of the support function |S d|, with S the diagonal of semi-axes: S² d / |S d|.
                let scaled = local * size;
                let length = scaled.length();
                let top = if length < TINY { DVec3::X * size.x } else { scaled * ((1.0 / length) * size) };
                self.pose.point(top)
            }
            ShapeKind::Cylinder => {
                let radial = local.truncate().length();
                let scale = if radial >= TINY { size.x / radial } else { 0.0 };
                self.pose.point(DVec3::new(scale * local.x, scale * local.y, toward(local.z, size.y)))
            }
            ShapeKind::Box => self.pose.point(toward_corner(local, size)),
            ShapeKind::Simplex => {
                let Some(simplex) = self.shape.simplex else { return pos };
                self.pose.point(simplex.corner[simplex.farthest(local)]) + direction * size.x
            }
        }
    }

    fn center(&self) -> DVec3 {
        self.pose.pos
    }
}

/// A shape, or its skeleton, under repeated search: the corner found last is where the next search begins.
///
/// The skeleton is the point or segment of which a sphere or a capsule is an inflation; any other shape is its own.
pub(super) struct Probe<'a> {
    placed: &'a Placed<'a>,
    /// Half the length of the segment.
    skeleton: Option<f64>,
    last: Cell<Option<u32>>,
}

impl<'a> Probe<'a> {
    /// The whole shape.
    pub(super) fn new(placed: &'a Placed<'a>) -> Self {
        Self { placed, skeleton: None, last: Cell::new(None) }
    }

    /// The skeleton, and by how much the shape is an inflation of it.
    pub(super) fn of_skeleton(placed: &'a Placed<'a>) -> (Self, f64) {
        let size = placed.shape.size;
        let (skeleton, radius) = match placed.shape.kind {
            ShapeKind::Sphere => (Some(0.0), size.x),
            ShapeKind::Capsule => (Some(size.y), size.x),
            _ => (None, 0.0),
        };
        (Self { skeleton, ..Self::new(placed) }, radius)
    }

    /// The whole shape, where the search went before.
    pub(super) fn whole(self) -> Self {
        Self { skeleton: None, ..self }
    }
}

impl SupportMap for Probe<'_> {
    #[inline(always)]
    fn corner(&self, direction: DVec3) -> (DVec3, u32) {
        let Placed { shape, pose } = self.placed;
        match shape.hull {
            Some(hull) => {
                let direction = pose.local_vector(direction);
                let corner = if hull.is_prism() {
                    hull.farthest_of_prism(direction)
                } else {
                    hull.farthest_from(self.last.get(), direction)
                };
                self.last.set(Some(corner));
                // The corners of a terrain's prism count as one, so that a search is over where the other shape's comes
                // again: depths of terrains are the reference's, which are never deeper than the true ones.
                let number = if hull.is_prism() { 0 } else { corner };
                (pose.point(hull.corners().get(corner as usize).copied().unwrap_or_default()), number)
            }
            None if shape.kind == ShapeKind::Box => {
                let (local, size) = (pose.local_vector(direction), shape.size);
                let positive =
                    u32::from(local.x >= 0.0) | u32::from(local.y >= 0.0) << 1 | u32::from(local.z >= 0.0) << 2;
                (pose.point(toward_corner(local, size)), positive)
            }
            None => match shape.simplex.filter(|_| shape.size.x == 0.0) {
                Some(simplex) => {
                    let i = simplex.farthest(pose.local_vector(direction));
                    (pose.point(simplex.corner[i]), i as u32)
                }
                None => (self.support(direction), u32::from(self.placed.axis().dot(direction) >= 0.0)),
            },
        }
    }

    #[inline(always)]
    fn support(&self, direction: DVec3) -> DVec3 {
        match self.skeleton {
            None => self.placed.support(direction),
            Some(half) => {
                let axis = self.placed.axis();
                self.placed.pose.pos + axis * toward(axis.dot(direction), half)
            }
        }
    }

    fn center(&self) -> DVec3 {
        self.placed.pose.pos
    }
}
