//! Shapes and their placement: the whole input of the narrow phase.

use mj_math::{DMat3, DVec3};

use crate::{FaceTree, Heights, Hull, SignedField};

/// The kinds of shape, in the order in which pairs are arranged: the first shape of a pair is
/// never of a later kind than the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeKind {
    /// A half-space: the local x-y plane, solid below it. Rays meet a rectangle with the half-sizes `size[0]` and
    /// `size[1]` where those are positive; otherwise the size plays no part.
    Plane,
    /// A terrain: [`Shape::heights`]. The size plays no part.
    Hfield,
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
    /// A convex polyhedron: [`Shape::hull`]. `size`: how far it reaches from the origin along each axis.
    Mesh,
    /// A point, line, triangle or tetrahedron, inflated: [`Shape::simplex`]. `size[0]`: radius of the inflation.
    Simplex,
    /// A body of any form, given by its distance function: [`Shape::solid`]. `size`: how far it reaches from the origin
    /// along each axis.
    Sdf,
}

impl ShapeKind {
    /// How many kinds there are.
    pub const COUNT: usize = Self::Sdf as usize + 1;

    /// Position in the pair table.
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A shape in its own frame. Lengths in metres.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Kind of shape.
    pub kind: ShapeKind,
    /// Its dimensions, as `kind` documents them; unused entries are zero.
    pub size: DVec3,
    /// The polyhedron, of a mesh.
    pub hull: Option<&'a Hull>,
    /// The elevations, of a height field.
    pub heights: Option<Heights<'a>>,
    /// The corners, of a simplex.
    pub simplex: Option<&'a Simplex>,
    /// The form itself, of a distance function, or of a mesh that meets one.
    pub solid: Option<&'a Solid>,
}

/// Corners of a point, line, triangle or tetrahedron.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simplex {
    /// The corners, as many as there are.
    pub corner: [DVec3; 4],
    /// Number of corners: 1 to 4.
    pub number: usize,
}

impl Simplex {
    /// The corners.
    pub fn corners(&self) -> &[DVec3] {
        &self.corner[..self.number.min(4)]
    }

    /// The first corner that is farthest along a direction.
    #[inline]
    pub(crate) fn farthest(&self, direction: DVec3) -> usize {
        let mut best = (0, direction.dot(self.corner[0]));
        for i in 1..self.number.min(4) {
            let along = direction.dot(self.corner[i]);
            if along > best.1 {
                best = (i, along);
            }
        }
        best.0
    }
}

/// A body that need not be convex: its distance function, or its triangles, or both.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Distance function.
    pub field: Option<SignedField>,
    /// Corners of a box that holds it: in it contacts are searched for.
    pub bounds: [DVec3; 2],
    /// Triangles of its surface.
    pub faces: Option<FaceTree>,
}

impl<'a> Shape<'a> {
    /// A primitive: any kind but a mesh or a height field.
    pub fn primitive(kind: ShapeKind, size: DVec3) -> Self {
        Self { kind, size, hull: None, heights: None, simplex: None, solid: None }
    }

    /// A convex polyhedron.
    pub fn mesh(hull: &'a Hull) -> Self {
        let size = hull.corners().iter().fold(DVec3::ZERO, |size, p| size.max(p.abs()));
        Self { hull: Some(hull), ..Self::primitive(ShapeKind::Mesh, size) }
    }

    /// A body with a distance function. Without a hull it does not touch planes.
    pub fn sdf(solid: &'a Solid) -> Self {
        let [low, high] = solid.bounds;
        Self { solid: Some(solid), ..Self::primitive(ShapeKind::Sdf, low.abs().max(high.abs())) }
    }

    /// The distance function, of a shape that has one.
    pub fn field(&self) -> Option<&'a SignedField> {
        self.solid?.field.as_ref()
    }

    /// A terrain.
    pub fn hfield(heights: Heights<'a>) -> Self {
        Self { heights: Some(heights), ..Self::primitive(ShapeKind::Hfield, DVec3::ZERO) }
    }

    /// An inflated simplex.
    pub fn simplex(simplex: &'a Simplex, radius: f64) -> Self {
        Self { simplex: Some(simplex), ..Self::primitive(ShapeKind::Simplex, DVec3::X * radius) }
    }

    /// The half-space z ≤ 0.
    pub fn plane() -> Self {
        Self::primitive(ShapeKind::Plane, DVec3::ZERO)
    }

    /// A ball.
    pub fn sphere(radius: f64) -> Self {
        Self::primitive(ShapeKind::Sphere, DVec3::new(radius, 0.0, 0.0))
    }

    /// A cylinder along z with half-spheres on its ends.
    pub fn capsule(radius: f64, half_length: f64) -> Self {
        Self::primitive(ShapeKind::Capsule, DVec3::new(radius, half_length, 0.0))
    }

    /// An ellipsoid with these semi-axes.
    pub fn ellipsoid(semi_axes: DVec3) -> Self {
        Self::primitive(ShapeKind::Ellipsoid, semi_axes)
    }

    /// A cylinder along z.
    pub fn cylinder(radius: f64, half_length: f64) -> Self {
        Self::primitive(ShapeKind::Cylinder, DVec3::new(radius, half_length, 0.0))
    }

    /// A box with these half-sizes.
    pub fn cuboid(half_sizes: DVec3) -> Self {
        Self::primitive(ShapeKind::Box, half_sizes)
    }

    /// Radius of a ball about the shape's origin that holds it; zero for a plane, which has none.
    pub fn bounding_radius(&self) -> f64 {
        let s = self.size;
        match self.kind {
            ShapeKind::Plane => 0.0,
            ShapeKind::Hfield => {
                self.heights.map_or(0.0, |h| DVec3::new(h.size[0], h.size[1], h.size[2].max(h.size[3])).length())
            }
            ShapeKind::Sphere => s.x,
            ShapeKind::Capsule => s.x + s.y,
            ShapeKind::Ellipsoid => s.max_element(),
            ShapeKind::Cylinder => mj_math::real::hypot(s.x, s.y),
            ShapeKind::Box | ShapeKind::Mesh | ShapeKind::Sdf => s.length(),
            ShapeKind::Simplex => {
                let corners = self.simplex.map_or(&[][..], Simplex::corners);
                s.x + corners.iter().map(|c| c.length()).fold(0.0, f64::max)
            }
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
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The shape.
    pub shape: Shape<'a>,
    /// Its pose.
    pub pose: Pose,
}

impl<'a> Placed<'a> {
    /// Puts `shape` at `pose`.
    pub fn new(shape: Shape<'a>, pose: Pose) -> Self {
        Self { shape, pose }
    }

    /// The local z axis in the world: a plane's normal, the axis of a capsule or a cylinder.
    pub(crate) fn axis(&self) -> DVec3 {
        self.pose.mat.z_axis
    }
}
