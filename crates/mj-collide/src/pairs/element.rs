//! Elements of flexes: inflated lines, triangles and tetrahedra, with other shapes and each other.

use super::box_box::box_box;
use super::capsule_box::capsule_box;
use super::capsule_capsule::capsule_capsule;
use super::convex::single;
use super::hfield_convex::hfield_convex;
use super::sphere_box::sphere_box;
use super::sphere_capsule::sphere_capsule;
use crate::ccd::{distance_within, surface_normal};
use crate::{CcdAlgorithm, CcdWorkspace, Placed, Pose, PreContact, PreContacts, Query, Shape, ShapeKind, Simplex};
use mj_math::closest::{on_triangle, point};
use mj_math::{DMat3, DVec3, MINVAL};

/// An element by its corners in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    corner: [DVec3; 4],
    /// Corners: 2 to 4.
    number: usize,
    radius: f64,
    /// Half axes of the section of a line that is a box.
    section: Option<[DVec3; 2]>,
    /// The corners about the centre of their box.
    local: Simplex,
    centre: DVec3,
}

impl Element {
    /// Makes an element of its corners, of which there are up to four. A line may have a rectangular section, of half axes
    /// that are perpendicular to it and to each other.
    pub fn new(corners: impl Iterator<Item = DVec3>, radius: f64, section: Option<[DVec3; 2]>) -> Self {
        let (corner, local) = ([DVec3::ZERO; 4], Simplex::default());
        let mut out = Self { corner, number: 0, radius, section, local, centre: DVec3::ZERO };
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for p in corners.take(4) {
            (low, high) = (low.min(p), high.max(p));
            out.corner[out.number] = p;
            out.number += 1;
        }
        out.centre = 0.5 * (low + high);
        out.local = Simplex { corner: out.corner.map(|p| p - out.centre), number: out.number };
        out
    }

    /// The element as a convex shape.
    fn placed(&self) -> Placed<'_> {
        Placed::new(Shape::simplex(&self.local, self.radius), Pose { pos: self.centre, mat: DMat3::IDENTITY })
    }

    /// A line as a capsule, from its second end to its first.
    fn capsule(&self) -> Placed<'static> {
        let [a, b, ..] = self.corner;
        let (axis, length) = ((a - b).normalize_or(DVec3::Z), (a - b).length());
        let (x, y) = axis.any_orthonormal_pair();
        let pose = Pose { pos: 0.5 * (a + b), mat: DMat3::from_cols(x, y, axis) };
        Placed::new(Shape::capsule(self.radius, 0.5 * length), pose)
    }

    /// A line of rectangular section as a box.
    fn cuboid(&self) -> Option<Placed<'static>> {
        let ([x, y], [a, b, ..]) = (self.section?, self.corner);
        let (width, height) = (x.length(), y.length());
        let (x, y) = (x / width, y / height);
        let pose = Pose { pos: self.centre, mat: DMat3::from_cols(x, y, x.cross(y)) };
        Some(Placed::new(Shape::cuboid(DVec3::new(width, height, 0.5 * (a - b).length())), pose))
    }

    fn triangle(&self) -> [DVec3; 3] {
        let [a, b, c, _] = self.corner;
        [a, b, c]
    }
}

/// Appends the contacts of a shape that is no plane and an element; normals point to the element.
pub(crate) fn shape_element(a: &Placed, e: &Element, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    if let Some(b) = e.cuboid() {
        match a.shape.kind {
            ShapeKind::Sphere => return sphere_box(a, &b, q, ws, out),
            ShapeKind::Capsule => return capsule_box(a, &b, q, ws, out),
            ShapeKind::Box => return box_box(a, &b, q, ws, out),
            _ => {}
        }
    }
    match (a.shape.kind, e.number) {
        (ShapeKind::Sphere, 2) => sphere_capsule(a, &e.capsule(), q, ws, out),
        (ShapeKind::Capsule, 2) => capsule_capsule(a, &e.capsule(), q, ws, out),
        (ShapeKind::Box, 2) => box_capsule(a, &e.capsule(), q, ws, out),
        (ShapeKind::Hfield, _) => hfield_convex(a, &e.placed(), q, ws, out),
        (ShapeKind::Sphere, 3) => {
            sphere_triangle(a.pose.pos, a.shape.size.x, e.triangle(), e.radius, q.margin, out);
        }
        (ShapeKind::Capsule, 3) => capsule_triangle(a, e.triangle(), e.radius, q.margin, out),
        (ShapeKind::Box, 3) => box_triangle(a, e.triangle(), e.radius, q.margin, out),
        (ShapeKind::Sphere | ShapeKind::Capsule, 4) => round_tetrahedron(a, e, q, ws, out),
        _ => {
            let b = e.placed();
            let Some(mut found) = single(a, &b, q, ws) else { return };
            // The general method's normals are not precise where a thin triangle touches a round shape.
            if e.number == 3 && q.ccd.algorithm == CcdAlgorithm::GjkEpa {
                found.normal = surface_normal(a, &b, &found);
            }
            out.push(PreContact { tangent: DVec3::ZERO, ..found });
        }
    }
}

/// Appends the contacts of two elements; normals point from the first to the second.
pub(crate) fn element_element(a: &Element, b: &Element, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    if a.number == 2 && b.number == 2 {
        return match (a.cuboid(), b.cuboid()) {
            (Some(a), Some(b)) => box_box(&a, &b, q, ws, out),
            (Some(a), None) => box_capsule(&a, &b.capsule(), q, ws, out),
            (None, Some(b)) => capsule_box(&a.capsule(), &b, q, ws, out),
            (None, None) => capsule_capsule(&a.capsule(), &b.capsule(), q, ws, out),
        };
    }
    if let Some(found) = single(&a.placed(), &b.placed(), q, ws) {
        out.push(PreContact { tangent: DVec3::ZERO, ..found });
    }
}

/// A box and a capsule.
fn box_capsule(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    let first = out.len();
    capsule_box(b, a, q, ws, out);
    out.as_mut_slice()[first..].iter_mut().for_each(|c| c.normal = -c.normal);
}

/// A sphere or capsule and an inflated tetrahedron: the nearest points of the tetrahedron and of the point or segment that
/// the shape is an inflation of, or the deepest.
fn round_tetrahedron(a: &Placed, e: &Element, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    let b = Placed::new(Shape::simplex(&e.local, 0.0), Pose { pos: e.centre, mat: DMat3::IDENTITY });
    let Some(found) = distance_within(a, &b, q.margin + e.radius, &q.ccd, ws) else { return };
    let dist = found.dist - e.radius;
    out.add(dist, found.points[0] + found.normal * (0.5 * dist), found.normal);
}

/// A ball and an inflated triangle: the nearest point of the triangle to the centre.
fn sphere_triangle(
    centre: DVec3,
    radius: f64,
    triangle: [DVec3; 3],
    inflation: f64,
    margin: f64,
    out: &mut PreContacts,
) {
    let nearest = point(&on_triangle(centre, triangle), &triangle);
    let between = nearest - centre;
    let length = between.length();
    if length > margin + radius + inflation {
        return;
    }
    let normal = if length < MINVAL { DVec3::X } else { between / length };
    let dist = length - radius - inflation;
    out.add(dist, centre + normal * (radius + 0.5 * dist), normal);
}

/// A capsule and an inflated triangle: the capsule's ends with the triangle, then the triangle's corners with the axis
/// between.
fn capsule_triangle(a: &Placed, triangle: [DVec3; 3], inflation: f64, margin: f64, out: &mut PreContacts) {
    let (radius, half) = (a.shape.size.x, a.axis() * a.shape.size.y);
    let ends = [a.pose.pos - half, a.pose.pos + half];
    for end in ends {
        sphere_triangle(end, radius, triangle, inflation, margin, out);
    }
    let along = ends[1] - ends[0];
    for corner in triangle {
        let t = (corner - ends[0]).dot(along) / along.length_squared();
        if t <= MINVAL || t >= 1.0 - MINVAL || t.is_nan() {
            continue;
        }
        let nearest = ends[0] + along * t;
        let (between, length) = (corner - nearest, (corner - nearest).length());
        if length > radius + inflation + margin {
            continue;
        }
        let normal = if length < MINVAL { DVec3::X } else { between / length };
        let pos = 0.5 * (nearest + corner + normal * (radius - inflation));
        out.add(length - radius - inflation, pos, normal);
    }
}

/// A box and an inflated triangle: the triangle's corners with the nearest face, then the box's corners with the triangle.
fn box_triangle(a: &Placed, triangle: [DVec3; 3], inflation: f64, margin: f64, out: &mut PreContacts) {
    let size = a.shape.size;
    for corner in triangle {
        let local = a.pose.local_point(corner);
        let over = local.abs() - size;
        let mut axis = 0;
        for k in 1..3 {
            if over[k] > over[axis] {
                axis = k;
            }
        }
        if over[axis] - inflation > margin || over.max_element() > margin + inflation {
            continue;
        }
        let normal = a.pose.mat.col(axis) * if local[axis] > 0.0 { 1.0 } else { -1.0 };
        let dist = over[axis] - inflation;
        out.add(dist, corner - normal * (inflation + 0.5 * dist), normal);
    }
    for i in 0..8 {
        let sign = |k: usize| if i >> k & 1 == 1 { size[k] } else { -size[k] };
        let corner = a.pose.point(DVec3::new(sign(0), sign(1), sign(2)));
        sphere_triangle(corner, 0.0, triangle, inflation, margin, out);
    }
}
