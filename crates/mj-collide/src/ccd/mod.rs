//! The general convex routine: GJK for sets that are apart, EPA for sets that overlap.

mod clip;
mod deepest;
mod enclosure;
mod epa;
mod gjk;
mod manifold;
mod perturb;
mod polytope;
mod portal;
mod simplex;
pub(crate) mod support;

use mj_math::DVec3;

pub(crate) use self::clip::widest_quad;
pub use self::enclosure::{protrusion, signed_distance};
use self::gjk::{Difference, Goal, Vertex};
pub(crate) use self::manifold::{Patches, facing_plane, manifold};
pub(crate) use self::perturb::{perturbed, surface_normal};
use self::polytope::Polytope;
pub(crate) use self::portal::portal_contact;
use self::support::Probe;
pub use self::support::SupportMap;
use crate::sdf::Starts;
use crate::{CcdOptions, Hull, Placed, PreContact, ShapeKind};

/// Memory of the general convex routine, kept from one call to the next.
#[derive(Clone, Debug, Default)]
pub struct CcdWorkspace {
    polytope: Polytope,
    /// A cell's half of a height field.
    prism: Option<Hull>,
    /// For faces that lie against each other.
    pub(crate) patches: Patches,
    /// For triangles beside signed distance fields.
    pub(crate) starts: Starts,
}

impl CcdWorkspace {
    /// With memory for this many steps, so that no contact needs more.
    pub fn with_capacity(iterations: usize) -> Self {
        let mut patches = Patches::default();
        patches.reserve(0, 0);
        let polytope = Polytope::with_capacity(iterations.min(gjk::MAX_STEPS));
        Self { polytope, prism: Some(Hull::prism()), patches, starts: Starts::default() }
    }

    /// Makes a workspace with memory for distances too.
    pub fn for_distances(iterations: usize) -> Self {
        Self::with_capacity(deepest::PATIENCE.saturating_mul(iterations))
    }

    /// Makes room for a polyhedron's sides, so that no call needs more for them.
    pub fn reserve(&mut self, hull: &Hull) {
        let corners = (0..hull.side_count()).map(|side| hull.side(side).len()).max();
        let sides = (0..hull.corners().len()).map(|corner| hull.around(corner as u32).len()).max();
        self.patches.reserve(corners.unwrap_or(0), sides.unwrap_or(0));
    }

    /// Hands out the prism, to be brought back.
    pub(crate) fn take_prism(&mut self) -> Hull {
        self.prism.take().unwrap_or_else(Hull::prism)
    }

    /// Takes the prism back.
    pub(crate) fn return_prism(&mut self, prism: Hull) {
        self.prism = Some(prism);
    }
}

/// The nearest points of two sets, or the deepest where they overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// Signed distance: that of the points, negative where the sets overlap.
    pub dist: f64,
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// A point of each set.
    pub points: [DVec3; 2],
}

impl Witness {
    /// Returns the result with the sets in the other order.
    fn swapped(self) -> Self {
        Self { dist: self.dist, normal: -self.normal, points: [self.points[1], self.points[0]] }
    }
}

/// How two shapes touch.
pub(crate) struct Touch {
    pub witness: Witness,
    /// The witness points on the shapes inflated by half the margin.
    inflated: [DVec3; 2],
    /// Support points of both shapes about the place.
    support: [[DVec3; 3]; 2],
    /// Their numbers as corners.
    corner: [[u32; 3]; 2],
    count: usize,
}

impl Touch {
    fn new(witness: Witness, vertices: &[Vertex]) -> Self {
        let mut support = [[DVec3::ZERO; 3]; 2];
        let mut corner = [[0; 3]; 2];
        let count = vertices.len().min(3);
        for (i, v) in vertices.iter().take(3).enumerate() {
            support[0][i] = v.a;
            support[1][i] = v.b;
            (corner[0][i], corner[1][i]) = (v.corner[0], v.corner[1]);
        }
        Self { witness, inflated: witness.points, support, corner, count }
    }

    /// The contact at the witness.
    pub fn contact(&self) -> PreContact {
        let Witness { dist, normal, points: [p1, p2] } = self.witness;
        PreContact { dist, pos: 0.5 * (p1 + p2), normal, tangent: DVec3::ZERO }
    }

    /// The support points of the first or second shape, and their numbers as corners.
    fn support(&self, shape: usize) -> impl Iterator<Item = (DVec3, u32)> {
        self.support[shape].into_iter().zip(self.corner[shape]).take(self.count)
    }
}

/// Distances up to this, in metres, are found again where they are in doubt.
const NEAR: f64 = 1e-4;

/// Signed distance of two shapes, with the points and the direction that realize it: the nearest points where
/// they are apart, the deepest where they overlap. `None` for two planes.
///
/// ```
/// use mj_collide::*;
/// use mj_math::DVec3;
///
/// // Two balls of radius 1, their centres 3 apart.
/// let at = |x: f64| Pose { pos: DVec3::X * x, ..Pose::IDENTITY };
/// let (a, b) = (Placed::new(Shape::sphere(1.0), at(0.0)), Placed::new(Shape::sphere(1.0), at(3.0)));
/// let mut ws = CcdWorkspace::default();
/// let apart = distance(&a, &b, &CcdOptions::default(), &mut ws).unwrap();
/// assert!((apart.dist - 1.0).abs() < 1e-9 && apart.normal.abs_diff_eq(DVec3::X, 1e-9));
/// assert!((protrusion(&b, &a).unwrap() - 3.0).abs() < 1e-9);
/// let near = Placed::new(Shape::sphere(1.0), at(1.5));
/// assert!(overlap(&a, &near, &mut ws) && !overlap(&a, &b, &mut ws));
/// let mut met = Vec::new();
/// overlapping(&near, [&a, &b], &mut ws, &mut met);
/// assert_eq!(met, [0, 1]);
///
/// // Of a point two from the centre.
/// let p = DVec3::X * 2.0;
/// let (dist, normal) = signed_distance(&a.shape, p).unwrap();
/// assert!((dist - 1.0).abs() < 1e-12 && normal == DVec3::X);
/// assert_eq!(shape_distance(&a.shape, p), 1.0);
/// assert!(shape_distance_gradient(&a.shape, p).1.abs_diff_eq(DVec3::X, 1e-9));
///
/// // A ray meets the surface at the nearest point.
/// assert_eq!(ray(&a, p, DVec3::NEG_X), Some(1.0));
/// assert_eq!(surface_normal(&a, DVec3::X), DVec3::X);
/// let above = DVec3::new(0.2, 0.2, 5.0);
/// let (dist, side) = ray_triangle([DVec3::ZERO, DVec3::X, DVec3::Y], above, DVec3::NEG_Z).unwrap();
/// assert!((dist - 5.0).abs() < 1e-12 && side == DVec3::Z);
/// let frame = complete_frame(DVec3::Z, DVec3::X);
/// assert_eq!(frame, [DVec3::Z, DVec3::X, DVec3::Y]);
/// ```
pub fn distance(a: &Placed, b: &Placed, options: &CcdOptions, ws: &mut CcdWorkspace) -> Option<Witness> {
    distance_within(a, b, f64::INFINITY, options, ws)
}

/// Returns the distance of two shapes with its witness points, or `None` where they are at least `cutoff` apart.
pub(crate) fn distance_within(
    a: &Placed,
    b: &Placed,
    cutoff: f64,
    options: &CcdOptions,
    ws: &mut CcdWorkspace,
) -> Option<Witness> {
    let found = match (a.shape.kind, b.shape.kind) {
        (ShapeKind::Plane, ShapeKind::Plane) => None,
        (ShapeKind::Plane, _) => Some(above_plane(a, b)),
        (_, ShapeKind::Plane) => Some(above_plane(b, a).swapped()),
        _ => nearest_points(a, b, cutoff, options, ws),
    };
    found.filter(|w| w.dist < cutoff)
}

/// The nearest points up to the distance `cutoff`, or the deepest ones.
fn nearest_points(a: &Placed, b: &Placed, cutoff: f64, options: &CcdOptions, ws: &mut CcdWorkspace) -> Option<Witness> {
    let ((probe_a, radius_a), (probe_b, radius_b)) = (Probe::of_skeleton(a), Probe::of_skeleton(b));
    let radii = [radius_a, radius_b];
    // A point and a segment have corners too.
    let round = |s: &Placed| matches!(s.shape.kind, ShapeKind::Ellipsoid | ShapeKind::Cylinder);
    let goal = Goal { careful: true, ..Goal::new(options, !round(a) && !round(b)) };
    let set = Difference { a: &probe_a, b: &probe_b, inflate: 0.0 };
    let found = gjk::gjk(&set, Goal { cutoff: radius_a + radius_b + cutoff.max(0.0), ..goal });
    if found.dist > goal.tolerance {
        let witness = apart(&found, radii, cutoff, 0.0)?.witness;
        // Rounding ends the search too soon where curved sides almost touch.
        if found.dist > NEAR || witness.dist + deepest::overlap(a, b, witness.normal) < 2.0 * goal.tolerance {
            return Some(witness);
        }
        return deepest::deepest(a, b, found.points, false, goal, &mut ws.polytope).or(Some(witness));
    }
    deepest::deepest(a, b, found.points, true, goal, &mut ws.polytope)
}

/// A plane and the lowest point of a shape.
fn above_plane(plane: &Placed, shape: &Placed) -> Witness {
    let normal = plane.axis();
    let lowest = shape.support(-normal);
    let dist = normal.dot(lowest - plane.pose.pos);
    Witness { dist, normal, points: [lowest - normal * dist, lowest] }
}

/// Whether two compact convex shapes have a point in common.
pub(crate) fn shares_point(a: &Placed, b: &Placed) -> bool {
    let ((probe_a, radius_a), (probe_b, radius_b)) = (Probe::of_skeleton(a), Probe::of_skeleton(b));
    let options = CcdOptions { iterations: gjk::MAX_STEPS, tolerance: 1e-9, ..CcdOptions::default() };
    let goal = Goal { cutoff: radius_a + radius_b, careful: true, ..Goal::new(&options, false) };
    let found = gjk::gjk(&Difference { a: &probe_a, b: &probe_b, inflate: 0.0 }, goal);
    found.dist <= goal.cutoff.max(goal.tolerance)
}

/// Where two shapes touch; `None` where they are farther apart than `margin`.
pub(crate) fn touch(a: &Placed, b: &Placed, margin: f64, options: &CcdOptions, ws: &mut CcdWorkspace) -> Option<Touch> {
    nearest(a, b, margin, 0.5 * margin.max(0.0), options, ws)
}

/// The nearest points up to the distance `margin`, or the deepest ones, then of the shapes inflated by `inflate`.
fn nearest(
    a: &Placed,
    b: &Placed,
    margin: f64,
    inflate: f64,
    options: &CcdOptions,
    ws: &mut CcdWorkspace,
) -> Option<Touch> {
    let exact = inflate == 0.0 && [a, b].iter().all(|s| matches!(s.shape.kind, ShapeKind::Box | ShapeKind::Mesh));
    let goal = Goal::new(options, exact);

    // Where only skeletons or margins overlap there is a distance to find, which is cheaper and more accurate
    // than a depth. A sphere is an inflated point, a capsule an inflated segment.
    let ((a, radius_a), (b, radius_b)) = (Probe::of_skeleton(a), Probe::of_skeleton(b));
    let radii = [radius_a, radius_b];
    let cutoff = radii[0] + radii[1] + margin.max(0.0);
    if cutoff > 0.0 {
        let set = Difference { a: &a, b: &b, inflate: 0.0 };
        let found = gjk::gjk(&set, Goal { cutoff, ..goal });
        if found.dist > goal.tolerance {
            return apart(&found, radii, margin, inflate);
        }
    }

    let set = Difference { a: &a.whole(), b: &b.whole(), inflate };
    let found = gjk::gjk(&set, goal);
    if found.dist > goal.tolerance || found.n < 2 || found.separated {
        return None;
    }
    let deepest = epa::epa(&set, &found, goal, &mut ws.polytope)?;
    let normal = (deepest.points[0] - deepest.points[1]).normalize_or(DVec3::X);
    let witness = Witness { dist: 2.0 * inflate - deepest.depth, normal, points: deepest.points };
    Some(Touch::new(witness, &deepest.face))
}

/// From the nearest points of two skeletons to those of the shapes with these radii.
fn apart(found: &gjk::Nearest, radii: [f64; 2], margin: f64, inflate: f64) -> Option<Touch> {
    let dist = found.dist - radii[0] - radii[1];
    let toward = (found.points[1] - found.points[0]).normalize_or(DVec3::X);
    let points = [found.points[0] + toward * radii[0], found.points[1] - toward * radii[1]];
    let witness = Witness { dist, normal: toward, points };
    let mut touch = Touch::new(witness, &found.simplex[..found.n]);
    // Out to the surface of the inflated shapes too.
    for (shape, sign) in [(0, 1.0), (1, -1.0)] {
        if radii[shape] > 0.0 {
            let out = toward * (sign * (radii[shape] + inflate));
            touch.support[shape].iter_mut().for_each(|p| *p += out);
            touch.inflated[shape] += toward * (sign * inflate);
        }
    }
    (dist <= margin).then_some(touch)
}
