//! Depth of two shapes that overlap, where an answer is owed whatever their position.
//!
//! Contacts take what the polytope gives at the first attempt, like the reference. A distance is asked for by itself,
//! so it gets more care. Spheres and capsules are taken for the points and segments of which they are inflations: the
//! least overlap of the inflated sets is that of these, plus the radii, and is found in fewer steps. What the polytope
//! gives is checked: no face may be nearer to the origin than the one found, and its plane must touch A − B. Where
//! parallel edges or faces on each other defeat it, the first shape is moved by a billionth of its size, which changes
//! the answer by as little, and the result is measured on the shape where it was.

use mj_math::{DMat3, DVec3};

use super::gjk::{self, Difference, Goal};
use super::polytope::Polytope;
use super::support::{Probe, SupportMap};
use super::{Witness, epa};
use crate::{Placed, Pose, ShapeKind, signed_distance};

/// How many times as many steps as for a contact: a descent over directions, which is what is left after them, stops at
/// the kinks that edges make.
pub(super) const PATIENCE: usize = 4;
/// How often the first shape is moved.
const TRIES: u32 = 6;
/// By how much, in sizes of the shapes.
const NUDGE: f64 = 1e-9;
/// By how much both are inflated in the last attempts, in sizes: what only touches then overlaps.
const INFLATION: f64 = 1e-3;
/// Steps of a descent over directions, in radians.
const FIRST_STEP: f64 = 1e-2;
const LAST_STEP: f64 = 1e-10;
/// Segments at a smaller angle than this count as parallel: the square of its sine.
const PARALLEL: f64 = 1e-16;

/// The deepest points of two shapes of which the skeletons overlap or touch, at the points `nearest`; or, where they
/// are known not to be `overlapping` but it is doubtful by how much, a distance that may be positive.
pub(super) fn deepest(
    a: &Placed,
    b: &Placed,
    nearest: [DVec3; 2],
    overlapping: bool,
    goal: Goal,
    polytope: &mut Polytope,
) -> Option<Witness> {
    if let (Some(u), Some(v)) = (segment(a), segment(b)) {
        return Some(crossing([u, v], [a.shape.size.x, b.shape.size.x], nearest));
    }
    let goal = Goal { iterations: PATIENCE.saturating_mul(goal.iterations).min(gjk::MAX_STEPS), ..goal };
    let size = a.shape.bounding_radius() + b.shape.bounding_radius();
    let mut best: Option<Witness> = None;
    let first = if overlapping { 0 } else { TRIES / 2 + 1 };
    for attempt in first..=TRIES {
        let moved = Placed::new(a.shape, nudged(&a.pose, attempt, size));
        let ((probe_a, radius_a), (probe_b, radius_b)) = (Probe::of_skeleton(&moved), Probe::of_skeleton(b));
        let inflate = if 2 * attempt > TRIES { INFLATION * size } else { 0.0 };
        let set = Difference { a: &probe_a, b: &probe_b, inflate };
        let goal = Goal { exact: goal.exact && inflate == 0.0, cutoff: f64::INFINITY, ..goal };
        let found = gjk::gjk(&set, goal);
        let Some(deep) = epa::epa(&set, &found, goal, polytope) else { continue };
        // On the shapes as they are.
        let n = deep.normal;
        let (radii, overlap) = ([radius_a - inflate, radius_b - inflate], overlap(a, b, n));
        let depth = deep.depth + radii[0] + radii[1];
        let points = [deep.points[0] + n * radii[0], deep.points[1] - n * radii[1]];
        if deep.exhausted {
            return Some(polished(a, b, n, points, goal));
        }
        let witness = if attempt == 0 {
            Witness { dist: -depth, normal: n, points }
        } else {
            Witness { dist: -overlap, normal: n, points: realizing(a, b, n, overlap, points, goal) }
        };
        if (overlap - depth).abs() <= 2.0 * (goal.tolerance + NUDGE * size) {
            return Some(witness);
        }
        best = best.filter(|b| b.dist >= -overlap).or(Some(Witness { dist: -overlap, ..witness }));
    }
    best
}

/// How far the shapes overlap along a unit vector.
pub(super) fn overlap(a: &Placed, b: &Placed, n: DVec3) -> f64 {
    n.dot(a.support(n) - b.support(-n))
}

/// The nearby direction of least overlap, by a descent of the support function, whose gradient is the support point,
/// and the points that realize it.
fn polished(a: &Placed, b: &Placed, from: DVec3, points: [DVec3; 2], goal: Goal) -> Witness {
    let (mut here, mut n, mut step) = (overlap(a, b, from), from, FIRST_STEP);
    while step > LAST_STEP {
        let w = a.support(n) - b.support(-n);
        let next = (n - w.reject_from_normalized(n).normalize_or_zero() * step).normalize();
        let there = overlap(a, b, next);
        if there < here {
            (here, n) = (there, next);
            step *= 1.3;
        } else {
            step *= 0.5;
        }
    }
    Witness { dist: -here, normal: n, points: realizing(a, b, n, here, points, goal) }
}

/// The points that realize an overlap along a unit vector: one in each shape, as far from each other along it. Those that
/// are given, or support points where these are better, or the nearest points of the shapes moved apart.
fn realizing(a: &Placed, b: &Placed, n: DVec3, overlap: f64, given: [DVec3; 2], goal: Goal) -> [DVec3; 2] {
    let off = |[p, q]: [DVec3; 2]| outside(a, p).max(outside(b, q)).max((p - n * overlap).distance(q));
    let (p, q) = (a.support(n), b.support(-n));
    let size = a.shape.bounding_radius() + b.shape.bounding_radius();
    let choices: [&dyn Fn() -> [DVec3; 2]; 4] =
        [&|| given, &|| [p, p - n * overlap], &|| [q + n * overlap, q], &|| {
            // By as little as these are off the direction, they share it.
            let [p, q] = parted(a, b, n, size + overlap, goal);
            let share = 0.5 * (p - n * overlap - q);
            [p - share, q + share]
        }];
    let mut best = (given, f64::INFINITY);
    for points in choices.iter().map(|choice| choice()) {
        let off = off(points);
        if off < best.1 {
            best = (points, off);
        }
        if off <= goal.tolerance {
            break;
        }
    }
    best.0
}

/// The nearest points of two shapes after the second moved along a unit vector, and back again.
fn parted(a: &Placed, b: &Placed, n: DVec3, by: f64, goal: Goal) -> [DVec3; 2] {
    let away = n * by;
    let moved = Placed::new(b.shape, Pose { pos: b.pose.pos + away, ..b.pose });
    let ((probe_a, radius_a), (probe_b, radius_b)) = (Probe::of_skeleton(a), Probe::of_skeleton(&moved));
    let goal = Goal { iterations: gjk::MAX_STEPS, ..goal };
    let found = gjk::gjk(&Difference { a: &probe_a, b: &probe_b, inflate: 0.0 }, goal);
    [found.points[0] + n * radius_a, found.points[1] - n * radius_b - away]
}

/// How far a point is outside a shape; zero or less inside.
fn outside(placed: &Placed, point: DVec3) -> f64 {
    let local = placed.pose.local_point(point);
    match placed.shape.hull {
        Some(hull) => hull.height(local),
        None => signed_distance(&placed.shape, local).map_or(f64::INFINITY, |(dist, _)| dist),
    }
}

/// Half of the segment that a shape is an inflation of.
fn segment(placed: &Placed) -> Option<DVec3> {
    match placed.shape.kind {
        ShapeKind::Sphere => Some(DVec3::ZERO),
        ShapeKind::Capsule => Some(placed.axis() * placed.shape.size.y),
        _ => None,
    }
}

/// Two spheres or capsules whose segments meet at these points: across both segments only the radii overlap.
fn crossing([u, v]: [DVec3; 2], radii: [f64; 2], points: [DVec3; 2]) -> Witness {
    let both = u.cross(v);
    let longer = if u.length_squared() > v.length_squared() { u } else { v };
    let normal = if both.length_squared() > PARALLEL * u.length_squared() * v.length_squared() {
        both.normalize_or(DVec3::X)
    } else {
        longer.try_normalize().map_or(DVec3::X, |along| along.any_orthonormal_vector())
    };
    let points = [points[0] + normal * radii[0], points[1] - normal * radii[1]];
    Witness { dist: -radii[0] - radii[1], normal, points }
}

/// A pose a little beside another, in no direction that a model would have.
fn nudged(pose: &Pose, attempt: u32, size: f64) -> Pose {
    if attempt == 0 {
        return *pose;
    }
    let (sin, cos) = mj_math::real::sin_cos(2.399_963 * f64::from(attempt));
    let axis = DVec3::new(0.57 * cos, 0.57 * sin, 0.83).normalize();
    let shift = DVec3::new(0.61 * sin, 0.47, 0.64 * cos) * (NUDGE * size);
    Pose { pos: pose.pos + shift, mat: DMat3::from_axis_angle(axis, NUDGE) * pose.mat }
}
