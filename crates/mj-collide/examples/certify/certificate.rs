//! Signed distances of random convex shapes, certified without the algorithms that found them.
//!
//! Apart: the two points are in their shapes, so the distance is at most theirs; and the plane across them keeps the
//! shapes as far apart, so it is at least that. Overlapping: moving one shape by the depth along the normal parts
//! them, so the depth is at most that; and no other direction parts them sooner. For two polyhedra that is decided
//! exactly, by the normals of all sides and the cross products of all edges; for others by a search over directions
//! that knows nothing but the support functions.

#[path = "../../tests/common/random.rs"]
mod random;

use mj_collide::{
    CcdOptions, CcdWorkspace, Hull, Placed, Pose, Shape, ShapeKind, SupportMap, Witness, distance, signed_distance,
};
use mj_math::{DMat3, DQuat, DVec3};
use random::Random;

/// What a distance may be wrong by, in sizes of the shapes.
const ERROR: f64 = 1e-6;
/// Directions from which the search for a shorter way out starts: the best of these many.
const DIRECTIONS: usize = 64;
const DESCENTS: usize = 4;

/// The kinds that are certified.
pub const KINDS: [ShapeKind; 6] =
    [ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Ellipsoid, ShapeKind::Cylinder, ShapeKind::Box, ShapeKind::Mesh];

/// How random pairs are placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placing {
    /// Sizes, places and orientations at random: about half of the pairs overlap, many of them deeply.
    Free,
    /// Sizes and places on a coarse grid, orientations by quarter turns: parallel edges, faces that lie on each
    /// other, centres that coincide.
    Aligned,
}

/// What came of many pairs of two kinds.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many pairs were looked at, and how many of them were apart.
    pub pairs: usize,
    pub apart: usize,
    /// The largest error, in sizes of the shapes.
    pub worst: f64,
    /// How many were not certified, and the first of them.
    pub failed: usize,
    pub example: String,
}

impl Random {
    fn vector(&mut self, from: f64, to: f64) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * (to - from) + DVec3::splat(from)
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(-1.0, 1.0);
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    fn pose(&mut self, placing: Placing) -> Pose {
        match placing {
            Placing::Free => {
                let turn = DQuat::from_axis_angle(self.direction(), std::f64::consts::TAU * self.unit());
                Pose { pos: self.vector(-1.0, 1.0), mat: DMat3::from_quat(turn) }
            }
            Placing::Aligned => {
                let axis = (3.0 * self.unit()) as usize % 3;
                let axes = [0, 1, 2].map(|k| DVec3::AXES[(axis + k) % 3]);
                let pos = (self.vector(-1.0, 1.0) * 4.0).round() / 4.0;
                Pose { pos, mat: DMat3::from_cols(axes[0], axes[1], axes[2]) }
            }
        }
    }

    fn size(&mut self, placing: Placing) -> DVec3 {
        match placing {
            Placing::Free => self.vector(0.1, 1.0),
            Placing::Aligned => (self.vector(0.2, 1.0) * 4.0).ceil() / 4.0,
        }
    }
}

/// Polyhedra over random points of a sphere, from a tetrahedron to more corners than are ever all tried.
struct Polyhedra(Vec<(Vec<DVec3>, Vec<Vec<u32>>)>);

impl Polyhedra {
    fn new(random: &mut Random) -> Self {
        let one = |count: usize, random: &mut Random| {
            let points: Vec<DVec3> = (0..count).map(|_| random.direction()).collect();
            let (corners, triangles) = parry3d_f64::transformation::convex_hull(&points);
            (corners, triangles.iter().map(|t| t.to_vec()).collect())
        };
        Self((0..40).map(|k| one(4 + k, random)).collect())
    }

    /// One of them, stretched; on the coarse grid a box instead.
    fn pick(&self, random: &mut Random, placing: Placing, size: DVec3) -> Hull {
        if placing == Placing::Aligned {
            let corners = [0, 1, 2, 3, 4, 5, 6, 7]
                .map(|i| size * DVec3::from([0, 1, 2].map(|k| f64::from(i >> k & 1) * 2.0 - 1.0)));
            let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            return Hull::new(&corners, &sides.map(|s| s.to_vec())).unwrap();
        }
        let (corners, sides) = &self.0[(random.unit() * self.0.len() as f64) as usize];
        let corners: Vec<DVec3> = corners.iter().map(|&c| c * size).collect();
        Hull::new(&corners, sides).unwrap()
    }
}

/// How far the shapes overlap along a unit vector; negative where a plane across it parts them.
fn overlap(a: &Placed, b: &Placed, n: DVec3) -> f64 {
    n.dot(a.support(n) - b.support(-n))
}

/// How far a point is outside a shape; zero or less inside.
fn outside(placed: &Placed, point: DVec3) -> f64 {
    let local = placed.pose.local_point(point);
    match placed.shape.hull {
        Some(hull) => {
            let beyond = |side: usize| hull.normal(side).dot(local - hull.corners()[hull.side(side)[0] as usize]);
            (0..hull.side_count()).map(beyond).fold(f64::NEG_INFINITY, f64::max)
        }
        None => signed_distance(&placed.shape, local).map_or(f64::INFINITY, |(dist, _)| dist),
    }
}

/// Normals of the sides and directions of the edges of a polyhedron.
fn facets(placed: &Placed) -> Option<(Vec<DVec3>, Vec<DVec3>)> {
    let mat = placed.pose.mat;
    match placed.shape.kind {
        ShapeKind::Box => Some((vec![mat.x_axis, mat.y_axis, mat.z_axis], vec![mat.x_axis, mat.y_axis, mat.z_axis])),
        ShapeKind::Mesh => placed.shape.hull.map(|hull| {
            let edge = |corner: u32, other: &u32| {
                (corner < *other).then(|| mat * (hull.corners()[*other as usize] - hull.corners()[corner as usize]))
            };
            let edges = (0..hull.corners().len() as u32)
                .flat_map(|corner| hull.neighbours(corner).iter().filter_map(move |other| edge(corner, other)));
            ((0..hull.side_count()).map(|side| mat * hull.normal(side)).collect(), edges.collect())
        }),
        _ => None,
    }
}

/// The least overlap over all directions: exact for two polyhedra, otherwise from above.
fn shortest_way_out(a: &Placed, b: &Placed, starts: &[DVec3]) -> f64 {
    if let (Some((sides, edges)), Some((other_sides, other_edges))) = (facets(a), facets(b)) {
        let crossed = edges.iter().flat_map(|e| other_edges.iter().map(|f| e.cross(*f)));
        let crossed = crossed.filter(|n| n.length_squared() > 1e-12).map(|n| n.normalize());
        let both = |n: DVec3| overlap(a, b, n).min(overlap(a, b, -n));
        return sides.iter().chain(&other_sides).copied().chain(crossed).map(both).fold(f64::INFINITY, f64::min);
    }
    let mut order: Vec<(f64, DVec3)> = starts.iter().map(|&d| (overlap(a, b, d), d)).collect();
    order.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut least = f64::INFINITY;
    for (mut here, mut n) in order.into_iter().take(DESCENTS) {
        let mut step = 0.3;
        while step > 1e-7 {
            // The gradient of the support function is the support point.
            let w = a.support(n) - b.support(-n);
            let next = (n - (w - n * n.dot(w)).normalize_or_zero() * step).normalize();
            let there = overlap(a, b, next);
            if there < here {
                (here, n) = (there, next);
                step *= 1.3;
            } else {
                step *= 0.5;
            }
        }
        least = least.min(here);
    }
    least
}

/// By how much a signed distance is off at most, as far as the checks can tell.
fn error(a: &Placed, b: &Placed, w: &Witness, directions: &[DVec3]) -> f64 {
    let [p, q] = w.points;
    let along = overlap(a, b, w.normal);
    let bounds = [(along + w.dist).abs(), (p + w.normal * w.dist).distance(q), outside(a, p), outside(b, q)];
    let shorter = if w.dist > 0.0 { 0.0 } else { -w.dist - shortest_way_out(a, b, directions) };
    // A number that is none must not be lost.
    bounds.into_iter().chain([shorter]).fold(0.0, |worst, e| if e <= worst { worst } else { e })
}

/// Certifies `count` random pairs of two kinds, the same ones for the same `seed`.
pub fn certify(kinds: [ShapeKind; 2], placing: Placing, count: usize, seed: u64) -> Tally {
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0xD1B5_4A32_D192_ED03));
    let directions: Vec<DVec3> = (0..DIRECTIONS).map(|_| random.direction()).collect();
    let options = CcdOptions { tolerance: 1e-7, iterations: 1000, ..CcdOptions::default() };
    let mut ws = CcdWorkspace::default();
    let polyhedra = Polyhedra::new(&mut random);
    let mut tally = Tally { pairs: count, ..Tally::default() };
    for _ in 0..count {
        let sizes = [(); 2].map(|()| random.size(placing));
        let hulls = [0, 1].map(|k| match kinds[k] {
            ShapeKind::Mesh => Some(polyhedra.pick(&mut random, placing, sizes[k])),
            _ => None,
        });
        let mut place = |k: usize| {
            let shape = match &hulls[k] {
                Some(hull) => Shape::mesh(hull),
                None => Shape::primitive(kinds[k], sizes[k]),
            };
            Placed::new(shape, random.pose(placing))
        };
        let (a, b) = (place(0), place(1));
        let size = a.shape.bounding_radius() + b.shape.bounding_radius();
        let found = distance(&a, &b, &options, &mut ws);
        tally.apart += usize::from(found.is_some_and(|w| w.dist > 0.0));
        let off = found.map_or(f64::INFINITY, |w| error(&a, &b, &w, &directions)) / size;
        // A number that is none is as bad as any.
        let off = if off.is_nan() { f64::INFINITY } else { off };
        tally.worst = tally.worst.max(off);
        if off > ERROR {
            tally.failed += 1;
            if tally.example.is_empty() {
                tally.example = format!("off by {off:e} of their size: {found:?}\n{a:?}\n{b:?}");
            }
        }
    }
    tally
}
