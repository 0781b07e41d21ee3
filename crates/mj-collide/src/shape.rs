//! Shapes and their placement: the whole input of the narrow phase.

use mj_math::{DMat3, DVec3};

/// The kinds of convex shape, in the order in which pairs are arranged: the first shape of a pair is
/// never of a later kind than the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeKind {
    /// A half-space: the local x-y plane, solid below it. Rays meet a rectangle with the half-sizes `size[0]` and
    /// `size[1]` where those are positive; otherwise the size plays no part.
    Plane,
    /// `size[0]`: radius.
    Sphere,
    /// `size[0]`: radius, `size[1]`: half-length of the straight part, along local z.
    Capsule,
    /// `size`: the three semi-axes.
    Ellipsoid,
    /// `size[0]`: radius, `size[1]`: half-length, along local z.
    Cylinder,
    /// `size`: the three half-sizes.
    Box,
}

impl ShapeKind {
    /// How many kinds there are.
    pub const COUNT: usize = 6;

    /// Position in the pair table.
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A convex shape in its own frame. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// What it is.
    pub kind: ShapeKind,
    /// Its dimensions, as `kind` documents them; unused entries are zero.
    pub size: DVec3,
}

impl Shape {
    /// The half-space z ≤ 0.
    pub fn plane() -> Self {
        Self { kind: ShapeKind::Plane, size: DVec3::ZERO }
    }

    /// A ball.
    pub fn sphere(radius: f64) -> Self {
        Self { kind: ShapeKind::Sphere, size: DVec3::new(radius, 0.0, 0.0) }
    }

    /// A cylinder along z with half-spheres on its ends.
    pub fn capsule(radius: f64, half_length: f64) -> Self {
        Self { kind: ShapeKind::Capsule, size: DVec3::new(radius, half_length, 0.0) }
    }

    /// An ellipsoid with these semi-axes.
    pub fn ellipsoid(semi_axes: DVec3) -> Self {
        Self { kind: ShapeKind::Ellipsoid, size: semi_axes }
    }

    /// A cylinder along z.
    pub fn cylinder(radius: f64, half_length: f64) -> Self {
        Self { kind: ShapeKind::Cylinder, size: DVec3::new(radius, half_length, 0.0) }
    }

    /// A box with these half-sizes.
    pub fn cuboid(half_sizes: DVec3) -> Self {
        Self { kind: ShapeKind::Box, size: half_sizes }
    }

    /// Radius of the smallest ball about the shape's origin that holds it; zero for a plane, which has none.
    pub fn bounding_radius(&self) -> f64 {
        let s = self.size;
        match self.kind {
            ShapeKind::Plane => 0.0,
            ShapeKind::Sphere => s.x,
            ShapeKind::Capsule => s.x + s.y,
            ShapeKind::Ellipsoid => s.max_element(),
            ShapeKind::Cylinder => s.x.hypot(s.y),
            ShapeKind::Box => s.length(),
        }
    }
}

/// Where a shape is: the position of its origin and its axes (the columns of `mat`) in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the shape's origin.
    pub pos: DVec3,
    /// Orientation; columns are the local axes. Must be a rotation.
    pub mat: DMat3,
}

impl Pose {
    /// At the origin, axes aligned with the world's.
    pub const IDENTITY: Self = Self { pos: DVec3::ZERO, mat: DMat3::IDENTITY };

    /// The point with local coordinates `p`, in world coordinates.
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.mat * p + self.pos
    }

    /// The world vector `v` in local coordinates.
    pub fn local_vector(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.mat.x_axis.dot(v), self.mat.y_axis.dot(v), self.mat.z_axis.dot(v))
    }

    /// The world point `p` in local coordinates.
    pub fn local_point(&self, p: DVec3) -> DVec3 {
        self.local_vector(p - self.pos)
    }
}

/// A shape and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The shape.
    pub shape: Shape,
    /// Its pose.
    pub pose: Pose,
}

impl Placed {
    /// Puts `shape` at `pose`.
    pub fn new(shape: Shape, pose: Pose) -> Self {
        Self { shape, pose }
    }

    /// The local z axis in the world: a plane's normal, the axis of a capsule or a cylinder.
    pub(crate) fn axis(&self) -> DVec3 {
        self.pose.mat.z_axis
    }
}
