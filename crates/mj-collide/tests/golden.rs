//! Contacts of every pair of shapes against numbers recorded from the reference (`golden.txt`).

#[path = "common/recorded.rs"]
mod recorded;

use mj_collide::{CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, Shape, ShapeKind};
use mj_math::{DMat3, DQuat};
use recorded::{assert_same, numbers, vector};

fn kind(word: &str) -> ShapeKind {
    match word {
        "plane" => ShapeKind::Plane,
        "sphere" => ShapeKind::Sphere,
        "capsule" => ShapeKind::Capsule,
        "ellipsoid" => ShapeKind::Ellipsoid,
        "cylinder" => ShapeKind::Cylinder,
        "box" => ShapeKind::Box,
        other => panic!("unknown kind {other}"),
    }
}

#[test]
fn every_pair_has_the_reference_s_contacts() {
    let (table, mut ws, mut out) = (Colliders::new(), CcdWorkspace::default(), PreContacts::new());
    let mut pairs = std::collections::BTreeSet::new();
    for line in include_str!("golden.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('|');
        let words: Vec<&str> = parts.next().unwrap().split_whitespace().collect();
        let rest = numbers(&words[8..].join(" "));
        let size = |at: usize| vector(&numbers(&words[at..at + 3].join(" ")));
        let orientation = DQuat::from_xyzw(rest[5], rest[6], rest[7], rest[4]).normalize();
        let pose = Pose { pos: vector(&rest[1..4]), mat: DMat3::from_quat(orientation) };
        let a = Placed::new(Shape::primitive(kind(words[0]), size(1)), Pose::IDENTITY);
        let b = Placed::new(Shape::primitive(kind(words[4]), size(5)), pose);
        pairs.insert((a.shape.kind, b.shape.kind));

        table.collide(&a, &b, &Query::with_margin(rest[0]), &mut ws, &mut out);
        let wanted: Vec<Vec<f64>> = parts.map(numbers).collect();
        assert_same(&out, &wanted, line);
    }
    assert_eq!(pairs.len(), 20, "all pairs but plane and plane");
}

/// Another way through equally short ways out, or other rounding in the first polytope, would show as another answer.
#[test]
fn the_general_routine_ends_at_the_reference_s_face() {
    let (table, mut ws, mut out) = (Colliders::new(), CcdWorkspace::default(), PreContacts::new());
    for line in include_str!("convex.txt").lines().filter(|line| !line.starts_with('#')) {
        let (shapes, wanted) = line.split_once('|').unwrap();
        let words: Vec<&str> = shapes.split_whitespace().collect();
        let placed = |at: usize| {
            let v = numbers(&words[at + 1..at + 16].join(" "));
            let mat = DMat3::from_cols(vector(&v[6..]), vector(&v[9..]), vector(&v[12..])).transpose();
            Placed::new(Shape::primitive(kind(words[at]), vector(&v)), Pose { pos: vector(&v[3..]), mat })
        };
        let mut query = Query::with_margin(words[0].parse().unwrap());
        query.ccd.multi_contact = false;
        table.collide(&placed(1), &placed(17), &query, &mut ws, &mut out);
        let w = numbers(wanted);
        let [c] = &out[..] else { panic!("{} contacts: {line}", out.len()) };
        let off = [(c.dist - w[0]).abs(), c.pos.distance(vector(&w[1..])), c.normal.distance(vector(&w[4..]))];
        assert!(off.iter().all(|&e| e < 1e-10), "{off:?}: {line}\n{c:?}");
    }
}
