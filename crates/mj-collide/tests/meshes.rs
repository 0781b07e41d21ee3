//! Polyhedra and height fields against what they imitate.

use mj_collide::*;
use mj_math::{DMat3, DVec3};
use proptest::prelude::*;

/// A box as a polyhedron.
fn block(half: DVec3) -> Hull {
    let corners: Vec<DVec3> = (0..8)
        .map(|i| half * DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)).map(|x| 2.0 * x - 1.0))
        .collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Hull::new(&corners, &sides.map(|s| s.to_vec())).unwrap()
}

fn contacts(a: &Placed, b: &Placed, margin: f64) -> Vec<PreContact> {
    let mut out = PreContacts::new();
    Colliders::new().collide(a, b, &Query::with_margin(margin), &mut CcdWorkspace::default(), &mut out);
    out.to_vec()
}

fn deepest(list: &[PreContact]) -> f64 {
    list.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min)
}

fn vec3(r: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
    (r.clone(), r.clone(), r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

proptest! {
    /// The signed distance to a block is that to a box.
    #[test]
    fn a_block_is_a_box(size in vec3(0.1..0.5), pos in vec3(-0.9..0.9), axis in vec3(-1.0..1.0), angle in -3.0..3.0f64) {
        prop_assume!(axis.length() > 0.1);
        let hull = block(size);
        let pose = Pose { pos, mat: DMat3::from_axis_angle(axis.normalize(), angle) };
        let (mesh, cuboid) = (Placed::new(Shape::mesh(&hull), pose), Placed::new(Shape::cuboid(size), pose));
        for other in [
            Shape::sphere(0.2), Shape::capsule(0.1, 0.3), Shape::ellipsoid(DVec3::new(0.1, 0.2, 0.3)),
            Shape::cylinder(0.2, 0.1), Shape::plane(),
        ] {
            let other = Placed::new(other, Pose::IDENTITY);
            let (mut ws, options) = (CcdWorkspace::default(), CcdOptions { iterations: 200, ..CcdOptions::default() });
            let of = |p: &Placed, ws: &mut CcdWorkspace| distance(&other, p, &options, ws).map(|w| w.dist);
            let (got, want) = (of(&mesh, &mut ws), of(&cuboid, &mut ws));
            prop_assert!(got.zip(want).is_some_and(|(a, b)| (a - b).abs() < 1e-5), "{:?}: {got:?} {want:?}", other.shape.kind);
        }
    }

    /// The hull of a box's corners, some of them given twice, and of points inside, collides as the box that has its sides
    /// given, and rays meet it as they meet a box.
    #[test]
    fn the_hull_of_points_is_the_block(
        size in vec3(0.1..0.5), inside in prop::collection::vec(vec3(-0.9..0.9), 0..6), pos in vec3(-0.4..0.4),
        axis in vec3(-1.0..1.0), angle in -3.0..3.0f64, way in vec3(-1.0..1.0),
    ) {
        prop_assume!(axis.length() > 0.1 && way.length() > 0.1);
        let given = block(size);
        let points: Vec<DVec3> = inside.iter().map(|p| *p * size).chain(given.corners().iter().copied()).collect();
        let found = Hull::from_points(&[&points[..], &given.corners()[3..6]].concat()).unwrap();
        prop_assert_eq!((found.corners().len(), found.side_count()), (8, 6));
        let pose = Pose { pos, mat: DMat3::from_axis_angle(axis.normalize(), angle) };
        let placed = |shape| Placed::new(shape, pose);
        let cuboid = placed(Shape::cuboid(size));
        for other in [Shape::plane(), Shape::sphere(0.2), Shape::capsule(0.1, 0.3), Shape::cylinder(0.2, 0.1)] {
            let other = Placed::new(other, Pose::IDENTITY);
            let (mut ws, options) = (CcdWorkspace::default(), CcdOptions { iterations: 200, ..CcdOptions::default() });
            let of = |p: &Placed, ws: &mut CcdWorkspace| distance(&other, p, &options, ws).map(|w| w.dist);
            let (got, want) = (of(&placed(Shape::mesh(&found)), &mut ws), of(&cuboid, &mut ws));
            prop_assert!(got.zip(want).is_some_and(|(a, b)| (a - b).abs() < 1e-5), "{:?}: {got:?} {want:?}", other.shape.kind);
        }
        for origin in [pos - 2.0 * way.normalize(), pos, DVec3::splat(1.0)] {
            let (met, expected) = (ray(&placed(Shape::mesh(&found)), origin, way), ray(&cuboid, origin, way));
            prop_assert_eq!(met.is_some(), expected.is_some());
            prop_assert!(met.zip(expected).is_none_or(|(a, b)| (a - b).abs() < 1e-9));
        }
    }

    /// Flat ground as a height field is a box with its top at the ground: as deep, wherever a body stands on it.
    #[test]
    fn flat_ground_is_a_box(x in -0.8..0.8f64, y in -0.8..0.8f64, depth in 0.001..0.02f64, turn in -3.0..3.0f64) {
        let data = [0.0; 30];
        let field = Heights { size: [1.0, 1.0, 0.5, 0.5], nrow: 5, ncol: 6, data: &data };
        let ground = Placed::new(Shape::hfield(field), Pose::IDENTITY);
        let hull = block(DVec3::splat(0.1));
        for (shape, half) in [
            (Shape::sphere(0.1), 0.1), (Shape::cuboid(DVec3::splat(0.1)), 0.1), (Shape::mesh(&hull), 0.1),
            (Shape::capsule(0.1, 0.2), 0.3), (Shape::cylinder(0.1, 0.2), 0.2),
        ] {
            let pose = Pose { pos: DVec3::new(x, y, half - depth), mat: DMat3::from_rotation_z(turn) };
            let found = contacts(&ground, &Placed::new(shape, pose), 0.0);
            prop_assert!((deepest(&found) + depth).abs() < 1e-6, "{:?}: {found:?}", shape.kind);
            prop_assert!(found.iter().all(|c| c.dist < 0.0));
        }
    }
}

#[test]
fn a_resting_block_has_four_contacts() {
    let hull = block(DVec3::new(0.1, 0.2, 0.3));
    let mesh = Placed::new(Shape::mesh(&hull), Pose { pos: DVec3::Z * 0.299, ..Pose::IDENTITY });
    let table = Placed::new(Shape::cuboid(DVec3::new(1.0, 1.0, 0.1)), Pose { pos: DVec3::Z * -0.1, ..Pose::IDENTITY });
    let ground = block(DVec3::new(1.0, 1.0, 0.1));
    let slab = Placed::new(Shape::mesh(&ground), table.pose);
    for below in [&table, &slab] {
        let found = contacts(below, &mesh, 0.0);
        assert_eq!(found.len(), 4);
        for c in &found {
            assert!((c.dist + 0.001).abs() < 1e-12 && (c.normal - DVec3::Z).length() < 1e-12);
            assert!((c.pos.x.abs() - 0.1).abs() < 1e-9 && (c.pos.y.abs() - 0.2).abs() < 1e-9);
        }
    }
    // A plane sees the corners of the side that faces it.
    let plane = Placed::new(Shape::plane(), Pose::IDENTITY);
    let found = contacts(&plane, &mesh, 0.0);
    assert!(found.len() == 4 && found.iter().all(|c| (c.dist + 0.001).abs() < 1e-12));
}

#[test]
fn rays_meet_a_block_as_they_meet_a_box() {
    let hull = block(DVec3::new(0.1, 0.2, 0.3));
    let mesh = Placed::new(Shape::mesh(&hull), Pose::IDENTITY);
    let t = ray(&mesh, DVec3::new(0.05, 0.1, 2.0), DVec3::NEG_Z).unwrap();
    assert!((t - 1.7).abs() < 1e-12);
    assert!((surface_normal(&mesh, DVec3::new(0.05, 0.1, 0.3)) - DVec3::Z).length() < 1e-12);
    assert_eq!(ray(&mesh, DVec3::new(0.15, 0.1, 2.0), DVec3::NEG_Z), None);
}

#[test]
fn a_nearly_round_foot_stands_on_four_points() {
    let n = 300u32;
    let ring = |z: f64| (0..n).map(move |i| (std::f64::consts::TAU * f64::from(i) / f64::from(n), z));
    let corners: Vec<DVec3> =
        ring(-0.1).chain(ring(0.1)).map(|(a, z)| DVec3::new(0.2 * a.cos(), 0.2 * a.sin(), z)).collect();
    let mut sides: Vec<Vec<u32>> = (0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]).collect();
    sides.push((0..n).rev().collect());
    sides.push((n..2 * n).collect());
    let hull = Hull::new(&corners, &sides).unwrap();
    let foot = Placed::new(Shape::mesh(&hull), Pose { pos: DVec3::Z * 0.099, ..Pose::IDENTITY });
    let table = Placed::new(Shape::cuboid(DVec3::new(1.0, 1.0, 0.1)), Pose { pos: DVec3::Z * -0.1, ..Pose::IDENTITY });
    for ground in [table, Placed::new(Shape::plane(), Pose::IDENTITY)] {
        let found = contacts(&ground, &foot, 0.0);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found.iter().all(|c| (c.dist + 0.001).abs() < 1e-9 && c.pos.truncate().length() > 0.19));
    }
}

/// A box that lies flat on a plane or a box touches it with all four corners, made of points or not.
#[test]
fn the_hull_of_points_rests_on_four_corners() {
    let hull = Hull::from_points(block(DVec3::splat(0.1)).corners()).unwrap();
    let lying = Placed::new(Shape::mesh(&hull), Pose { pos: DVec3::new(0.0, 0.0, 0.099), mat: DMat3::IDENTITY });
    let ground = Pose { pos: DVec3::new(0.0, 0.0, -1.0), mat: DMat3::IDENTITY };
    let below = [Placed::new(Shape::plane(), Pose::IDENTITY), Placed::new(Shape::cuboid(DVec3::ONE), ground)];
    for ground in &below {
        let found = contacts(ground, &lying, 0.0);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|c| (c.dist + 0.001).abs() < 1e-6));
    }
}

#[test]
fn polyhedra_that_cannot_be_are_refused() {
    let told = |corners: &[DVec3], sides: &[Vec<u32>]| Hull::new(corners, sides).unwrap_err().to_string();
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    assert_eq!(told(&[], &[]), "a convex hull needs four points that are not in one plane; there are 0");
    assert_eq!(told(&corners, &[]), "a polyhedron needs sides; `Hull::from_points` finds those of points");
    assert_eq!(told(&corners, &[vec![0, 1, 4]]), "side 0 needs three corners or more, each among the 4");
    assert_eq!(told(&[DVec3::NAN; 4], &[vec![0, 1, 2]]), "point 0 is not finite");
}
