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
