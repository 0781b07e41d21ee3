//! A body at rest trembles by a little at every step: its contacts must neither come and go nor jump.

#[path = "common/random.rs"]
mod random;

use mj_collide::{CcdWorkspace, Colliders, Heights, Hull, Placed, Pose, PreContact, PreContacts, Query, Shape};
use mj_math::{DMat3, DVec3};
use random::Random;

/// Steps of trembling.
const STEPS: usize = 1000;
/// How far points move between steps, metres, and how deep the body sinks.
const TREMBLING: f64 = 1e-6;
const DEPTH: f64 = 1e-3;

impl Random {
    /// A number in −1..1.
    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// An upright prism over a regular polygon of radius 0.1, 0.1 high.
fn prism(corners: u32) -> Hull {
    let n = corners;
    let corner = |i: u32, z: f64| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
        DVec3::new(0.1 * cos, 0.1 * sin, z)
    };
    let points: Vec<DVec3> = (0..2 * n).map(|i| corner(i % n, if i < n { -0.05 } else { 0.05 })).collect();
    let mut sides: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    sides.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
    Hull::new(&points, &sides).unwrap()
}

/// The contacts of every step.
fn tremble(ground: &Placed, body: Shape, rest: Pose) -> Vec<Vec<PreContact>> {
    let (colliders, query) = (Colliders::new(), Query::default());
    let (mut ws, mut found) = (CcdWorkspace::default(), PreContacts::new());
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut step = || {
        let turn = DMat3::from_axis_angle(random.vector().normalize_or(DVec3::Z), 10.0 * TREMBLING * random.signed());
        let pose = Pose { pos: rest.pos + random.vector() * TREMBLING, mat: turn * rest.mat };
        colliders.collide(ground, &Placed::new(body, pose), &query, &mut ws, &mut found);
        found.to_vec()
    };
    (0..STEPS).map(|_| step()).collect()
}

/// As many contacts at every step, as deep as the body was put, with upright normals; and each in its place, where
/// there is no choice of places.
fn check(what: &str, steps: &[Vec<PreContact>], count: usize, in_place: bool) {
    for (i, contacts) in steps.iter().enumerate() {
        assert_eq!(contacts.len(), count, "{what}, step {i}");
        for (contact, first) in contacts.iter().zip(&steps[0]) {
            assert!((contact.dist + DEPTH).abs() < 1e-5, "{what}, step {i}: {contact:?}");
            assert!((contact.normal - DVec3::Z).length() < 1e-4, "{what}, step {i}: {contact:?}");
            assert!(!in_place || contact.pos.distance(first.pos) < 1e-4, "{what}, step {i}: {contact:?} {first:?}");
        }
    }
}

#[test]
fn resting_polyhedra_keep_their_contacts() {
    let on_top = |shape: Shape<'static>, top: f64| Placed::new(shape, Pose { pos: DVec3::Z * -top, ..Pose::IDENTITY });
    let slab = prism(4);
    let table = on_top(Shape::cuboid(DVec3::new(0.5, 0.5, 0.1)), 0.1);
    let floor = on_top(Shape::plane(), 0.0);
    // The four-sided prism, ten times as wide.
    let corners: Vec<DVec3> = slab.corners().iter().map(|p| *p * DVec3::new(10.0, 10.0, 1.0)).collect();
    let sides: Vec<Vec<u32>> = (0..slab.side_count()).map(|i| slab.side(i).to_vec()).collect();
    let wide = Hull::new(&corners, &sides).unwrap();
    let block = Placed::new(Shape::mesh(&wide), Pose { pos: DVec3::Z * -0.05, ..Pose::IDENTITY });

    for corners in [3, 4, 6] {
        let hull = prism(corners);
        for turn in [0.0, 0.3] {
            let rest = Pose { pos: DVec3::new(0.013, 0.027, 0.05 - DEPTH), mat: DMat3::from_rotation_z(turn) };
            let count = corners.min(4) as usize;
            for (what, ground) in [("table", &table), ("block", &block)] {
                let what = format!("{corners} corners, turned by {turn}, on a {what}");
                check(&what, &tremble(ground, Shape::mesh(&hull), rest), count, corners <= 4);
            }
            let steps = tremble(&floor, Shape::mesh(&hull), rest);
            assert!(steps.iter().all(|contacts| contacts.len() == steps[0].len() && contacts.len() >= 3));
        }
    }
}

#[test]
fn a_ball_and_a_capsule_stay_where_they_touch() {
    let hull = prism(12);
    let block = Placed::new(Shape::mesh(&hull), Pose { pos: DVec3::Z * -0.05, ..Pose::IDENTITY });
    let ball = tremble(&block, Shape::sphere(0.03), Pose { pos: DVec3::Z * (0.03 - DEPTH), ..Pose::IDENTITY });
    check("ball", &ball, 1, true);
    let lying = Pose { pos: DVec3::Z * (0.02 - DEPTH), mat: DMat3::from_rotation_y(std::f64::consts::FRAC_PI_2) };
    check("capsule", &tremble(&block, Shape::capsule(0.02, 0.05), lying), 2, true);

    let data = [0.0; 36];
    let field = Heights { size: [0.5, 0.5, 0.1, 0.1], nrow: 6, ncol: 6, data: &data };
    let ground = Placed::new(Shape::hfield(field), Pose::IDENTITY);
    let inside_a_cell = Pose { pos: DVec3::new(0.03, 0.07, 0.03 - DEPTH), ..Pose::IDENTITY };
    let steps = tremble(&ground, Shape::sphere(0.03), inside_a_cell);
    assert!(steps.iter().all(|contacts| contacts.len() == steps[0].len() && !contacts.is_empty()));
}
