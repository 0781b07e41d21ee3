//! Signed distances of random convex shapes, certified without the algorithms that found them.
//!
//! Apart: the two points are in their shapes, so the distance is at most theirs; and the plane across them keeps the
//! shapes as far apart, so it is at least that. Overlapping: moving one shape by the depth along the normal parts
//! them, so the depth is at most that; and no other direction parts them sooner, by a search over directions that
//! knows nothing but the support function.

use mj_collide::{CcdOptions, CcdWorkspace, Hull, Placed, Pose, Shape, ShapeKind, SupportMap, Witness, distance};
use mj_math::{DMat3, DQuat, DVec3};

/// What a distance may be wrong by, in sizes of the shapes.
const ERROR: f64 = 1e-6;
/// Directions from which the search for a shorter way out starts.
const DIRECTIONS: usize = 64;
const KINDS: [ShapeKind; 6] =
    [ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Ellipsoid, ShapeKind::Cylinder, ShapeKind::Box, ShapeKind::Mesh];

/// Numbers in 0..1 (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

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
}

/// A wedge, whose corners no symmetry makes easy.
fn wedge(size: DVec3) -> Hull {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * size;
    let corners = [
        corner(-1.0, -1.0, -1.0),
        corner(1.0, -0.8, -1.0),
        corner(0.9, 1.0, -1.0),
        corner(-0.7, -0.5, 1.0),
        corner(0.6, -0.4, 0.8),
        corner(0.5, 0.7, 0.9),
    ];
    let sides = [[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];
    Hull::new(&corners, &sides.map(|s| s.to_vec()))
}

fn shape<'a>(kind: ShapeKind, size: DVec3, hull: &'a Hull) -> Shape<'a> {
    match kind {
        ShapeKind::Mesh => Shape::mesh(hull),
        _ => Shape::primitive(kind, size),
    }
}

/// How far the shapes overlap along a unit vector; negative where a plane across it parts them.
fn overlap(a: &Placed, b: &Placed, n: DVec3) -> f64 {
    n.dot(a.support(n) - b.support(-n))
}

/// Whether a point is in a shape: no direction, of those tried, has it farther out than the shape.
fn holds(shape: &Placed, point: DVec3, directions: &[DVec3], slack: f64) -> bool {
    directions.iter().all(|&d| d.dot(point - shape.support(d)) <= slack)
}

/// The least overlap over all directions, from above: descent of the support function over the sphere.
fn shortest_way_out(a: &Placed, b: &Placed, starts: &[DVec3]) -> f64 {
    let mut order: Vec<(f64, DVec3)> = starts.iter().map(|&d| (overlap(a, b, d), d)).collect();
    order.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut least = f64::INFINITY;
    for (mut here, mut n) in order.into_iter().take(8) {
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

fn certify(a: &Placed, b: &Placed, w: &Witness, directions: &[DVec3], size: f64) -> Result<(), String> {
    let slack = ERROR * size;
    let along = overlap(a, b, w.normal);
    if w.dist > 0.0 {
        let [p, q] = w.points;
        if !holds(a, p, directions, slack) || !holds(b, q, directions, slack) {
            return Err(format!("a point outside its shape {w:?}"));
        }
        if (p.distance(q) - w.dist).abs() > slack || (along + w.dist).abs() > slack {
            return Err(format!("points {} apart, parted by {}: {w:?}", p.distance(q), -along));
        }
    } else {
        if (along + w.dist).abs() > slack {
            return Err(format!("overlap {along} along the normal: {w:?}"));
        }
        let least = shortest_way_out(a, b, directions);
        if least < -w.dist - slack {
            return Err(format!("a way out of {least}: {w:?}"));
        }
    }
    Ok(())
}

/// Certifies `count` random pairs of each two kinds; prints and returns the number of failures.
fn run(count: usize) -> usize {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let directions: Vec<DVec3> = (0..DIRECTIONS).map(|_| random.direction()).collect();
    let options = CcdOptions { tolerance: 1e-7, iterations: 1000, ..CcdOptions::default() };
    let mut ws = CcdWorkspace::default();
    let mut failures = 0;
    for (i, &first) in KINDS.iter().enumerate() {
        for &second in &KINDS[i..] {
            let (mut failed, mut apart, mut example) = (0, 0, String::new());
            for _ in 0..count {
                let sizes = [random.vector(0.1, 1.0), random.vector(0.1, 1.0)];
                let hulls = sizes.map(wedge);
                let mut place = |kind, k: usize| {
                    let turn = DQuat::from_axis_angle(random.direction(), std::f64::consts::TAU * random.unit());
                    let pose = Pose { pos: random.vector(-1.0, 1.0), mat: DMat3::from_quat(turn) };
                    Placed::new(shape(kind, sizes[k], &hulls[k]), pose)
                };
                let (a, b) = (place(first, 0), place(second, 1));
                let size = a.shape.bounding_radius() + b.shape.bounding_radius();
                let outcome = match distance(&a, &b, &options, &mut ws) {
                    Some(w) => {
                        apart += usize::from(w.dist > 0.0);
                        certify(&a, &b, &w, &directions, size)
                    }
                    None => Err("no distance".into()),
                };
                if let Err(why) = outcome {
                    failed += 1;
                    if example.is_empty() {
                        example = format!("{why}\n{a:?}\n{b:?}");
                    }
                }
            }
            println!("{first:?}-{second:?}: {count} pairs, {apart} apart, {failed} failed {example}");
            failures += failed;
        }
    }
    failures
}

#[test]
fn a_sample_is_certified() {
    assert_eq!(run(60), 0);
}

/// `PAIRS=1000000 cargo test --release -p mj-collide --test certificate -- --ignored --nocapture`
#[test]
#[ignore = "minutes; PAIRS says how many of each two kinds"]
fn many_are_certified() {
    let count = std::env::var("PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    assert_eq!(run(count), 0);
}
