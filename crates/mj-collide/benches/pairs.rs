//! Every pair of kinds that parry3d-f64 has too: contacts, distance and overlap, ours and theirs, on the same placements.
//!
//!     cargo bench -p mj-collide
//!
//! A sample is one pass over the placements: a time divided by their number is that of a pair. Contacts are sought up
//! to a small margin, as a simulation does, of pairs about half of which touch; parry's are its manifolds, which have
//! several points as ours do. Distances are of pairs that are apart; how far off they are is printed too, and a second
//! time of ours is that of a tolerance with which the points are about as exact as theirs.

#[path = "../tests/common/random.rs"]
mod random;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mj_collide::{
    CcdOptions, CcdWorkspace, Colliders, Hull, Placed, Pose, PreContacts, Query, Shape, ShapeKind, distance, overlap,
};
use mj_math::{DMat3, DQuat, DVec3};
use parry3d_f64::query::{self, ClosestPoints, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape;
use random::Random;

/// How many placements a pass goes over.
const PLACEMENTS: usize = 256;
/// Contacts are wanted where surfaces are nearer than this, metres.
const MARGIN: f64 = 0.005;

/// The tolerance of distances that are as exact as theirs, metres.
const LOOSE: f64 = 1e-4;

const KINDS: [ShapeKind; 5] =
    [ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Cylinder, ShapeKind::Box, ShapeKind::Mesh];

impl Random {
    fn direction(&mut self) -> DVec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = (std::f64::consts::TAU * self.unit()).sin_cos();
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z)
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), std::f64::consts::TAU * self.unit())
    }
}

/// A polyhedron of 40 corners on an ellipsoid, for both.
fn polyhedron() -> (Hull, shape::ConvexPolyhedron) {
    let mut random = Random(5);
    let points: Vec<DVec3> = (0..40).map(|_| random.direction() * DVec3::new(0.1, 0.15, 0.2)).collect();
    let (corners, triangles) = parry3d_f64::transformation::convex_hull(&points);
    let sides: Vec<Vec<u32>> = triangles.iter().map(|t| t.to_vec()).collect();
    let theirs = shape::ConvexPolyhedron::from_convex_mesh(corners.clone(), &triangles);
    (Hull::new(&corners, &sides).unwrap(), theirs.expect("a hull is convex"))
}

/// A shape of a kind, and parry's of the same size.
fn make<'a>(kind: ShapeKind, hull: &'a Hull, theirs: &shape::ConvexPolyhedron) -> (Shape<'a>, Box<dyn shape::Shape>) {
    let size = DVec3::new(0.1, 0.15, 0.2);
    match kind {
        ShapeKind::Sphere => (Shape::sphere(size.x), Box::new(shape::Ball::new(size.x))),
        ShapeKind::Capsule => (Shape::capsule(size.x, size.y), Box::new(shape::Capsule::new_z(size.y, size.x))),
        // Theirs is along y: a quarter turn brings it along z.
        ShapeKind::Cylinder => (Shape::cylinder(size.x, size.y), Box::new(shape::Cylinder::new(size.y, size.x))),
        ShapeKind::Box => (Shape::cuboid(size), Box::new(shape::Cuboid::new(size))),
        _ => (Shape::mesh(hull), Box::new(theirs.clone())),
    }
}

/// The pose that puts parry's shape where ours is.
fn pose_of(kind: ShapeKind, pos: DVec3, turn: DQuat) -> parry3d_f64::math::Pose {
    let onto =
        if kind == ShapeKind::Cylinder { DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) } else { DQuat::IDENTITY };
    parry3d_f64::math::Pose::from_parts(pos, turn * onto)
}

/// A pair placed for us and for them.
struct Pair<'a> {
    ours: [Placed<'a>; 2],
    theirs: [parry3d_f64::math::Pose; 2],
}

/// Pairs at random directions from each other, with gaps between the surfaces in a range.
fn placements<'a>(kinds: [ShapeKind; 2], shapes: [Shape<'a>; 2], gaps: [f64; 2]) -> Vec<Pair<'a>> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut ws = CcdWorkspace::default();
    let mut pair = || {
        let (turns, along) = ([random.rotation(), random.rotation()], random.direction());
        let gap = gaps[0] + (gaps[1] - gaps[0]) * random.unit();
        let place = |k: usize, pos: DVec3| Placed::new(shapes[k], Pose { pos, mat: DMat3::from_quat(turns[k]) });
        // From far away, along a line, until the gap is right: distances that shrink as fast as the centres at most.
        let first = place(0, DVec3::ZERO);
        let mut second = place(1, along * 2.0);
        for _ in 0..100 {
            let found = distance(&first, &second, &CcdOptions::default(), &mut ws);
            let off = found.map_or(0.0, |w| w.dist) - gap;
            second.pose.pos -= along * off;
            if off.abs() < 1e-6 {
                break;
            }
        }
        let theirs = [pose_of(kinds[0], DVec3::ZERO, turns[0]), pose_of(kinds[1], second.pose.pos, turns[1])];
        Pair { ours: [first, second], theirs }
    };
    (0..PLACEMENTS).map(|_| pair()).collect()
}

fn pairs(c: &mut Criterion) {
    let (hull, polyhedron) = polyhedron();
    for (i, &first) in KINDS.iter().enumerate() {
        for &second in &KINDS[i..] {
            let kinds = [first, second];
            let [(a, solid_a), (b, solid_b)] = kinds.map(|kind| make(kind, &hull, &polyhedron));
            let name = format!("{first:?}-{second:?}");
            contacts(c, &name, &placements(kinds, [a, b], [-0.01, 0.01]), [&*solid_a, &*solid_b]);
            distances(c, &name, &placements(kinds, [a, b], [0.01, 0.5]), [&*solid_a, &*solid_b]);
            overlaps(c, &name, &placements(kinds, [a, b], [-0.01, 0.01]), [&*solid_a, &*solid_b]);
        }
    }
}

fn contacts(c: &mut Criterion, name: &str, pairs: &[Pair], solids: [&dyn shape::Shape; 2]) {
    let mut group = c.benchmark_group("contacts");
    let (colliders, query) = (Colliders::new(), Query::with_margin(MARGIN));
    let (mut ws, mut found) = (CcdWorkspace::with_capacity(35), PreContacts::new());
    group.bench_function(BenchmarkId::new("ours", name), |bench| {
        bench.iter(|| {
            for pair in pairs {
                colliders.collide(&pair.ours[0], &pair.ours[1], &query, &mut ws, &mut found);
                black_box(&found);
            }
        })
    });
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    let mut workspace = None;
    group.bench_function(BenchmarkId::new("parry", name), |bench| {
        bench.iter(|| {
            for pair in pairs {
                // Nothing is carried over from the pair before, which was another.
                manifolds.clear();
                let between = pair.theirs[0].inv_mul(&pair.theirs[1]);
                let [a, b] = solids;
                let _ =
                    DefaultQueryDispatcher.contact_manifolds(&between, a, b, MARGIN, &mut manifolds, &mut workspace);
                black_box(&manifolds);
            }
        })
    });
}

fn distances(c: &mut Criterion, name: &str, pairs: &[Pair], solids: [&dyn shape::Shape; 2]) {
    let mut group = c.benchmark_group("distance");
    let (colliders, options) = (Colliders::new(), CcdOptions::default());
    let (mut ws, mut found) = (CcdWorkspace::for_distances(35), PreContacts::new());
    for (whose, tolerance) in [("ours", options.tolerance), ("ours, loose", LOOSE)] {
        let query = Query { margin: f64::INFINITY, ccd: CcdOptions { tolerance, ..options }, ..Query::default() };
        let mut of = |pair: &Pair| {
            let [a, b] = &pair.ours;
            colliders.distance(a, b, &query, &mut ws, &mut found)
        };
        let off = error(pairs, |pair| of(pair).map(|w| w.points));
        eprintln!("distance/{whose}/{name}: off by up to {:.1e} m, points by {:.1e} m", off[0], off[1]);
        group.bench_function(BenchmarkId::new(whose, name), |bench| {
            bench.iter(|| {
                for pair in pairs {
                    black_box(of(pair));
                }
            })
        });
    }
    let off = error(pairs, |pair| {
        match query::closest_points(&pair.theirs[0], solids[0], &pair.theirs[1], solids[1], f64::MAX) {
            Ok(ClosestPoints::WithinMargin(p, q)) => Some([p, q]),
            _ => None,
        }
    });
    eprintln!("distance/parry/{name}: off by up to {:.1e} m, points by {:.1e} m", off[0], off[1]);
    group.bench_function(BenchmarkId::new("parry", name), |bench| {
        bench.iter(|| {
            for pair in pairs {
                // Their query with witness points, as ours has.
                let _ =
                    black_box(query::closest_points(&pair.theirs[0], solids[0], &pair.theirs[1], solids[1], f64::MAX));
            }
        })
    });
}

/// By how much distances are off at most, and the vectors between the points: against the general method, run until
/// rounding ends it.
fn error(pairs: &[Pair], mut points: impl FnMut(&Pair) -> Option<[DVec3; 2]>) -> [f64; 2] {
    let exact = CcdOptions { tolerance: 1e-10, iterations: 1000, ..CcdOptions::default() };
    let mut ws = CcdWorkspace::default();
    pairs.iter().fold([0.0, 0.0], |worst, pair| {
        let Some(wanted) = distance(&pair.ours[0], &pair.ours[1], &exact, &mut ws) else { return worst };
        let Some([p, q]) = points(pair) else { return [f64::INFINITY; 2] };
        let off = (q - p) - (wanted.points[1] - wanted.points[0]);
        [worst[0].max(((q - p).length() - wanted.dist).abs()), worst[1].max(off.length())]
    })
}

fn overlaps(c: &mut Criterion, name: &str, pairs: &[Pair], solids: [&dyn shape::Shape; 2]) {
    let mut group = c.benchmark_group("overlap");
    let mut ws = CcdWorkspace::default();
    group.bench_function(BenchmarkId::new("ours", name), |bench| {
        bench.iter(|| pairs.iter().filter(|pair| overlap(&pair.ours[0], &pair.ours[1], &mut ws)).count())
    });
    group.bench_function(BenchmarkId::new("parry", name), |bench| {
        bench.iter(|| {
            let touch = |pair: &&Pair| {
                query::intersection_test(&pair.theirs[0], solids[0], &pair.theirs[1], solids[1])
                    .is_ok_and(|found| found.intersecting)
            };
            pairs.iter().filter(touch).count()
        })
    });
}

fn quick() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .sample_size(20)
        .without_plots()
}

criterion_group! { name = benches; config = quick(); targets = pairs }
criterion_main!(benches);
