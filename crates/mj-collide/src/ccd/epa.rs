//! Depth of two overlapping convex sets: the expanding polytope algorithm (van den Bergen 2001). The depth is the
//! distance of the origin from the surface of the Minkowski difference A − B; a polytope inside A − B grows
//! toward that surface where it is nearest.

use mj_math::{DMat3, DVec3};

use super::gjk::{Difference, Goal, Nearest, Vertex, combine};
use super::polytope::Polytope;
use super::simplex::barycentric;
use super::support::SupportMap;
use crate::frame::TINY;

/// The deepest points.
pub(super) struct Depth {
    /// Positive.
    pub depth: f64,
    /// The point of A deepest in B, and the reverse.
    pub points: [DVec3; 2],
    /// The face of the polytope that they come from, and its unit normal, from A to B.
    pub face: [Vertex; 3],
    pub normal: DVec3,
    /// Whether it ended because steps ran out.
    pub exhausted: bool,
}

/// Expands the simplex that GJK ended with; `None` where the sets only touch or rounding defeats it.
pub(super) fn epa<A: SupportMap, B: SupportMap>(
    set: &Difference<A, B>,
    start: &Nearest,
    goal: Goal,
    polytope: &mut Polytope,
) -> Option<Depth> {
    let simplex = &start.simplex;
    polytope.careful = goal.careful;
    match start.n {
        2 => from_segment(polytope, set, [simplex[0], simplex[1]]),
        3 => from_triangle(polytope, set, [simplex[0], simplex[1], simplex[2]]),
        4 => from_tetrahedron(polytope, set, *simplex),
        _ => None,
    }?;
    if goal.careful && polytope.faces.iter().any(|face| face.doubtful) {
        return None;
    }
    let (face, exhausted) = expand(polytope, set, goal)?;
    let face = if goal.careful { around_foot(polytope, face, goal.tolerance) } else { face };

    let face = &polytope.faces[face as usize];
    let corners = polytope.corners(face);
    let weights = barycentric(corners.map(|v| v.w), face.foot);
    let points = [combine(&corners, &weights, |v| v.a), combine(&corners, &weights, |v| v.b)];
    Some(Depth { depth: face.dist2.sqrt(), points, face: corners, normal: polytope.normal(face), exhausted })
}

/// Of faces as near as this one the one that has the foot of the origin inside: a flat side may be several triangles.
fn around_foot(polytope: &Polytope, face: u32, tolerance: f64) -> u32 {
    let least = |face: u32| {
        let face = &polytope.faces[face as usize];
        barycentric(polytope.corners(face).map(|v| v.w), face.foot).into_iter().fold(f64::INFINITY, f64::min)
    };
    let farthest = polytope.faces[face as usize].dist2.sqrt() + tolerance;
    polytope
        .candidates_within(farthest * farthest)
        .fold((face, least(face)), |best, other| {
            let inside = if best.1 < -INSIDE { least(other) } else { f64::NEG_INFINITY };
            if inside > best.1 { (other, inside) } else { best }
        })
        .0
}

/// Barycentric coordinates that are negative by less than this are rounding.
const INSIDE: f64 = 1e-9;

/// Grows the polytope at its face nearest to the origin until that is on the surface; returns the face, and whether it
/// came so far only because steps ran out.
fn expand<A: SupportMap, B: SupportMap>(
    polytope: &mut Polytope,
    set: &Difference<A, B>,
    goal: Goal,
) -> Option<(u32, bool)> {
    let mut upper = f64::INFINITY;
    let mut last = None;
    let tolerance = if goal.exact { TINY } else { goal.tolerance };
    for step in 0..goal.iterations {
        let Some(face) = polytope.nearest() else { break };
        let lower2 = polytope.faces[face as usize].dist2;
        if lower2 > upper * upper && !goal.careful {
            return Some((last?, false));
        }
        last = Some(face);
        let lower = lower2.sqrt();
        let normal = polytope.normal(&polytope.faces[face as usize]);
        let vertex = set.support(normal);
        let here = normal.dot(vertex.w);
        upper = upper.min(here);
        if here - lower < tolerance {
            // A support point inside the polytope on the very first step: it never held the origin.
            let inside = step == 0 && here < lower - goal.tolerance;
            return (!inside).then_some((face, false));
        }

        if goal.exact && polytope.verts.iter().any(|v| v.corner == vertex.corner) {
            return Some((face, false));
        }

        let nearer = |dist2: f64| goal.careful || dist2 >= lower2 && dist2 <= upper * upper;
        let first = polytope.faces.len();
        if !polytope.grow(face, vertex, nearer) {
            return None;
        }
        if goal.careful && polytope.faces[first..].iter().any(|face| face.doubtful) {
            return None;
        }
        if polytope.has_no_candidates() {
            return Some((face, false));
        }
    }
    last.map(|face| (face, true))
}

/// `v` over its length; the x axis where that is too small.
fn unit(v: DVec3, length: f64) -> DVec3 {
    if length > TINY { v / length } else { DVec3::X }
}

/// Two tetrahedra on a common base around a segment through the origin.
fn from_segment<A: SupportMap, B: SupportMap>(
    polytope: &mut Polytope,
    set: &Difference<A, B>,
    segment: [Vertex; 2],
) -> Option<()> {
    let [v1, v2] = segment;
    polytope.restart(0.5 * (v1.w + v2.w));

    // Three directions around the segment, 120° apart.
    let along = v2.w - v1.w;
    let mut k = 0;
    for axis in 1..3 {
        if along[axis].abs() < along[k].abs() {
            k = axis;
        }
    }
    let around = third_of_a_turn(along);
    let d1 = DVec3::AXES[k].cross(along);
    let d2 = around * d1;
    let d3 = around * d2;

    let segment = segment.map(|v| polytope.add_vertex(v));
    let ring = [d1, d2, d3].map(|d| polytope.add_vertex(set.support(unit(d, d.length()))));
    if !polytope.begin(&hexahedron(segment, ring)) {
        let triangle = polytope.last_face()?;
        return from_triangle(polytope, set, triangle);
    }

    // The segment must pass through the ring, or the two halves overlap.
    if beyond_edge([v1.w, v2.w], ring.map(|i| polytope.verts[i as usize].w)).is_some() {
        return None;
    }
    (0..6).for_each(|face| polytope.make_candidate(face));
    Some(())
}

/// The six faces of two tetrahedra whose common base is a ring around a segment, with their neighbours.
fn hexahedron([i1, i2]: [u32; 2], [i3, i4, i5]: [u32; 3]) -> [([u32; 3], [u32; 3]); 6] {
    [
        ([i1, i3, i4], [1, 3, 2]),
        ([i1, i5, i3], [2, 4, 0]),
        ([i1, i4, i5], [0, 5, 1]),
        ([i2, i4, i3], [5, 0, 4]),
        ([i2, i3, i5], [3, 1, 5]),
        ([i2, i5, i4], [4, 2, 3]),
    ]
}

/// Beyond which edge of a triangle (that from the corner of this number to the next) the line through two points on
/// either side passes it by; `None` where it goes through.
fn beyond_edge([from, to]: [DVec3; 2], triangle: [DVec3; 3]) -> Option<usize> {
    let [p1, p2, p3] = triangle.map(|p| p - from);
    let along = to - from;
    let side = [p1.dot(p2.cross(along)), p2.dot(p3.cross(along)), p3.dot(p1.cross(along))];
    if side.iter().all(|&s| s >= 0.0) || side.iter().all(|&s| s <= 0.0) {
        return None;
    }
    // That whose side differs from both others'.
    let sign = if side.iter().filter(|&&s| s > 0.0).count() == 1 { 1.0 } else { -1.0 };
    side.iter().position(|&s| s * sign > 0.0)
}

/// The rotation by 120° about an axis (Rodrigues' formula), with the sine rounded to as many digits as the reference's:
/// polytopes that start a hair apart can end at different faces.
#[allow(clippy::approx_constant)]
fn third_of_a_turn(axis: DVec3) -> DMat3 {
    let (sin, cos) = (0.86602540378, -0.5);
    let DVec3 { x, y, z } = axis / axis.length();
    let versine = 1.0 - cos;
    let (xy, xz, yz) = (x * y * versine, x * z * versine, y * z * versine);
    DMat3::from_cols(
        DVec3::new(cos + x * x * versine, xy + z * sin, xz - y * sin),
        DVec3::new(xy - z * sin, cos + y * y * versine, yz + x * sin),
        DVec3::new(xz + y * sin, yz - x * sin, cos + z * z * versine),
    )
}

/// Two tetrahedra on both sides of a triangle near the origin.
fn from_triangle<A: SupportMap, B: SupportMap>(
    polytope: &mut Polytope,
    set: &Difference<A, B>,
    triangle: [Vertex; 3],
) -> Option<()> {
    let [p1, p2, p3] = triangle.map(|v| v.w);
    polytope.restart((p1 + p2 + p3) * (1.0 / 3.0));
    let normal = (p2 - p1).cross(p3 - p1);
    let length = normal.length();
    if length < TINY {
        return None;
    }
    let [i1, i2, i3] = triangle.map(|v| polytope.add_vertex(v));
    let below = set.support(-normal / length);
    let above = set.support(normal / length);
    let i5 = polytope.add_vertex(below);
    let i4 = polytope.add_vertex(above);

    // Both must leave the triangle.
    let triangle = [p1, p2, p3];
    if holds(triangle, above.w) || holds(triangle, below.w) {
        return None;
    }
    let faces = match beyond_edge([above.w, below.w], triangle) {
        None => [
            ([i4, i1, i2], [1, 3, 2]),
            ([i4, i3, i1], [2, 4, 0]),
            ([i4, i2, i3], [0, 5, 1]),
            ([i5, i2, i1], [5, 0, 4]),
            ([i5, i1, i3], [3, 1, 5]),
            ([i5, i3, i2], [4, 2, 3]),
        ],
        // Of five corners on a convex surface, another two are then on both sides of the other three.
        Some(edge) => {
            let [i, j, k] = [0, 1, 2].map(|n| [i1, i2, i3][(edge + n) % 3]);
            hexahedron([i, j], [k, i5, i4])
        }
    };
    if !polytope.begin(&faces) {
        return None;
    }
    (0..6).for_each(|face| polytope.make_candidate(face));
    Some(())
}

/// The tetrahedron itself, or its face that holds the origin.
fn from_tetrahedron<A: SupportMap, B: SupportMap>(
    polytope: &mut Polytope,
    set: &Difference<A, B>,
    tetrahedron: [Vertex; 4],
) -> Option<()> {
    let [p1, p2, p3, p4] = tetrahedron.map(|v| v.w);
    polytope.restart(0.25 * (p1 + p2 + p3 + p4));
    let [i1, i2, i3, i4] = tetrahedron.map(|v| polytope.add_vertex(v));
    let faces =
        [([i1, i2, i3], [1, 3, 2]), ([i1, i4, i2], [2, 3, 0]), ([i1, i3, i4], [0, 3, 1]), ([i4, i3, i2], [2, 0, 1])];
    if !polytope.begin(&faces) {
        let triangle = polytope.last_face()?;
        return from_triangle(polytope, set, triangle);
    }
    if !encloses(p1, p2, p3, p4) {
        return None;
    }
    (0..4).for_each(|face| polytope.make_candidate(face));
    Some(())
}

/// Whether the tetrahedron has the origin strictly inside.
fn encloses(p1: DVec3, p2: DVec3, p3: DVec3, p4: DVec3) -> bool {
    let same_side = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| {
        let normal = (b - a).cross(c - a);
        let (to_vertex, to_origin) = (normal.dot(d - a), -normal.dot(a));
        (to_vertex > 0.0 && to_origin > 0.0) || (to_vertex < 0.0 && to_origin < 0.0)
    };
    same_side(p1, p2, p3, p4) && same_side(p2, p3, p4, p1) && same_side(p3, p4, p1, p2) && same_side(p4, p1, p2, p3)
}

/// Whether the triangle holds a point.
fn holds(triangle: [DVec3; 3], point: DVec3) -> bool {
    let weights = barycentric(triangle, point);
    let on_plane = triangle[0] * weights[0] + triangle[1] * weights[1] + triangle[2] * weights[2];
    weights.iter().all(|&w| w >= 0.0) && on_plane.distance(point) < TINY
}
