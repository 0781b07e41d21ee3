//! Overlap: whether shapes share a point, which needs neither depth nor contacts.

use mj_math::DVec3;

use crate::ccd::shares_point;
use crate::colliders::closed_form;
use crate::pairs::hfield_convex::hfield_convex;
use crate::{CcdWorkspace, Collider, Placed, Pose, PreContacts, Query, Shape, ShapeKind, SupportMap};

impl Placed<'static> {
    /// The box with its least and greatest coordinates at these points, along the world's axes.
    pub fn aabb(min: DVec3, max: DVec3) -> Self {
        let pose = Pose { pos: 0.5 * (min + max), ..Pose::IDENTITY };
        Self::new(Shape::cuboid(0.5 * (max - min)), pose)
    }
}

impl Placed<'_> {
    /// The least box along the world's axes around the shape, from its least to its greatest corner; without end for a
    /// plane.
    pub fn bounds(&self) -> [DVec3; 2] {
        match self.shape.kind {
            ShapeKind::Plane => [DVec3::NEG_INFINITY, DVec3::INFINITY],
            ShapeKind::Hfield => {
                let [x, y, top, base] = self.shape.heights.map_or([0.0; 4], |h| h.size);
                let (centre, half) = (DVec3::Z * (0.5 * (top - base)), DVec3::new(x, y, 0.5 * (top + base)));
                Placed::new(Shape::cuboid(half), Pose { pos: self.pose.point(centre), ..self.pose }).bounds()
            }
            _ => [-1.0, 1.0].map(|side| DVec3::from_array([0, 1, 2].map(|k| self.support(DVec3::AXES[k] * side)[k]))),
        }
    }
}

/// Whether two shapes have a point in common. Where they only touch, rounding decides.
///
/// Example: [`distance`](crate::distance).
pub fn overlap(a: &Placed, b: &Placed, ws: &mut CcdWorkspace) -> bool {
    let radii = [a, b].map(|placed| placed.shape.bounding_radius());
    // A plane has no bounding ball.
    let bounded = radii.iter().all(|&radius| radius > 0.0);
    let reach = radii[0] + radii[1];
    !(bounded && a.pose.pos.distance_squared(b.pose.pos) > reach * reach) && overlap_nearby(a, b, ws)
}

/// Returns whether two shapes overlap, where they are known to be near each other.
pub(crate) fn overlap_nearby(a: &Placed, b: &Placed, ws: &mut CcdWorkspace) -> bool {
    match (a.shape.kind, b.shape.kind) {
        (ShapeKind::Plane, ShapeKind::Plane) => {
            // Half-spaces that look away from each other may have a gap between them.
            let opposite = a.pose.mat.z_axis + b.pose.mat.z_axis == DVec3::ZERO;
            !opposite || a.pose.mat.z_axis.dot(b.pose.pos - a.pose.pos) <= 0.0
        }
        (ShapeKind::Hfield, ShapeKind::Hfield | ShapeKind::Plane) | (ShapeKind::Plane, ShapeKind::Hfield) => {
            let (field, other) = if a.shape.kind == ShapeKind::Hfield { (a, b) } else { (b, a) };
            other.shape.kind == ShapeKind::Plane && field_reaches(field, other)
        }
        (ShapeKind::Plane, _) => lowest(a, b.support(-a.pose.mat.z_axis)) <= 0.0,
        (_, ShapeKind::Plane) => lowest(b, a.support(-b.pose.mat.z_axis)) <= 0.0,
        (ShapeKind::Hfield, _) => touches(hfield_convex, a, b, ws),
        (_, ShapeKind::Hfield) => touches(hfield_convex, b, a, ws),
        (first, second) => {
            let (a, b) = if first <= second { (a, b) } else { (b, a) };
            match closed_form(a.shape.kind, b.shape.kind) {
                Some(function) => touches(function, a, b, ws),
                None => shares_point(a, b),
            }
        }
    }
}

/// Whether the function of a pair finds contacts of it.
fn touches(function: Collider, a: &Placed, b: &Placed, ws: &mut CcdWorkspace) -> bool {
    let mut found = PreContacts::new();
    function(a, b, &Query::default(), ws, &mut found);
    found.iter().any(|contact| contact.dist <= 0.0)
}

/// Height of a point above a plane.
fn lowest(plane: &Placed, point: DVec3) -> f64 {
    plane.pose.mat.z_axis.dot(point - plane.pose.pos)
}

/// Whether any part of a terrain or its base is below a plane: the extreme points are the grid's and the base's.
fn field_reaches(field: &Placed, plane: &Placed) -> bool {
    let Some(h) = field.shape.heights else { return false };
    let below = |p: DVec3| lowest(plane, field.pose.point(p)) <= 0.0;
    let mut grid = (0..h.nrow).flat_map(|row| (0..h.ncol).map(move |column| (row, column)));
    grid.any(|(row, column)| {
        let top = h.point(row, column);
        below(top) || below(top.with_z(-h.size[3]))
    })
}

/// Fills `out` with the numbers of those shapes that overlap a region, in order.
///
/// Example: [`distance`](crate::distance).
pub fn overlapping<'a>(
    region: &Placed,
    shapes: impl IntoIterator<Item = &'a Placed<'a>>,
    ws: &mut CcdWorkspace,
    out: &mut Vec<usize>,
) {
    out.clear();
    let [min, max] = region.bounds();
    out.extend(shapes.into_iter().enumerate().filter_map(|(i, shape)| {
        let [low, high] = shape.bounds();
        let near = low.cmple(max).all() && min.cmple(high).all();
        (near && overlap_nearby(region, shape, ws)).then_some(i)
    }));
}
