//! What lies in a region, against distances and sampled points.

use mj_collide::{
    CcdOptions, CcdWorkspace, Heights, Hull, Placed, Pose, Shape, distance, overlap, overlapping, signed_distance,
};
use mj_math::{DMat3, DVec3};
use proptest::prelude::*;

fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
    (range.clone(), range.clone(), range).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

prop_compose! {
    fn placed()(kind in 0..5usize, size in vector(0.05..0.5), pos in vector(-0.7..0.7), axis in vector(-1.0..1.0), angle in -3.0..3.0f64) -> Placed<'static> {
        let shape = [
            Shape::sphere(size.x), Shape::capsule(size.x, size.y), Shape::ellipsoid(size),
            Shape::cylinder(size.x, size.y), Shape::cuboid(size),
        ][kind];
        Placed::new(shape, Pose { pos, mat: DMat3::from_axis_angle(axis.normalize_or(DVec3::X), angle) })
    }
}

proptest! {
    /// Two shapes overlap where their distance is negative, in either order.
    #[test]
    fn overlap_is_negative_distance(a in placed(), b in placed()) {
        let mut ws = CcdWorkspace::default();
        let dist = distance(&a, &b, &CcdOptions::default(), &mut ws).unwrap().dist;
        prop_assume!(dist.abs() > 1e-5);
        prop_assert_eq!(overlap(&a, &b, &mut ws), dist < 0.0);
        prop_assert_eq!(overlap(&b, &a, &mut ws), dist < 0.0);
    }

    /// A ball overlaps a shape that it is nearer to than its radius, by the closed form of the distance of a point.
    #[test]
    fn balls_find_what_is_within_their_radius(
        shapes in prop::collection::vec(placed(), 0..12), centre in vector(-1.0..1.0), radius in 0.0..0.6f64,
    ) {
        let ball = Placed::new(Shape::sphere(radius), Pose { pos: centre, ..Pose::IDENTITY });
        let reach: Vec<f64> =
            shapes.iter().map(|s| signed_distance(&s.shape, s.pose.local_point(centre)).unwrap().0 - radius).collect();
        prop_assume!(reach.iter().all(|d| d.abs() > 1e-5));
        let expected: Vec<usize> = (0..shapes.len()).filter(|&i| reach[i] < 0.0).collect();
        let mut found = Vec::new();
        overlapping(&ball, &shapes, &mut CcdWorkspace::default(), &mut found);
        prop_assert_eq!(found, expected);
    }

    /// A point that is in the region and in a shape proves an overlap; and the box around a shape holds it.
    #[test]
    fn points_in_both_prove_an_overlap(shape in placed(), min in vector(-1.0..0.5), size in vector(0.01..1.0), at in vector(0.0..1.0)) {
        let region = Placed::aabb(min, min + size);
        let point = min + size * at;
        let inside = signed_distance(&shape.shape, shape.pose.local_point(point)).unwrap().0 < -1e-6;
        if inside {
            prop_assert!(overlap(&region, &shape, &mut CcdWorkspace::default()));
            let [low, high] = shape.bounds();
            prop_assert!(low.cmple(point).all() && point.cmple(high).all());
        }
    }

    #[test]
    fn any_numbers_have_an_answer(
        kinds in (0..6usize, 0..6usize),
        extents in prop::array::uniform6(prop::sample::select(vec![0.0, 1e-12, 0.1, 1e9, f64::NAN])),
        pos in prop::array::uniform3(prop::sample::select(vec![0.0, 1e-15, 0.2, -1e9, f64::INFINITY, f64::NAN])),
    ) {
        let make = |kind: usize, i: usize| {
            let size = DVec3::new(extents[i], extents[i + 1], extents[i + 2]);
            [Shape::sphere(size.x), Shape::capsule(size.x, size.y), Shape::ellipsoid(size),
             Shape::cylinder(size.x, size.y), Shape::cuboid(size), Shape::plane()][kind]
        };
        let a = Placed::new(make(kinds.0, 0), Pose::IDENTITY);
        let b = Placed::new(make(kinds.1, 3), Pose { pos: DVec3::from_array(pos), ..Pose::IDENTITY });
        overlap(&a, &b, &mut CcdWorkspace::default());
    }
}

#[test]
fn planes_terrains_and_meshes_are_met_too() {
    let data = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    // A pyramid one metre high on a square of four by four, on a base of 0.2.
    let field = Heights { size: [2.0, 2.0, 1.0, 0.2], nrow: 3, ncol: 3, data: &data };
    let tetrahedron = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let hull = Hull::new(&tetrahedron, &[vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]]).unwrap();
    let up = |z: f64| Pose { pos: DVec3::Z * z, ..Pose::IDENTITY };
    let shapes = [
        Placed::new(Shape::plane(), up(-0.5)),
        Placed::new(Shape::hfield(field), Pose::IDENTITY),
        Placed::new(Shape::mesh(&hull), up(3.0)),
    ];
    let mut ws = CcdWorkspace::default();
    let mut found = Vec::new();
    let mut within = |min: [f64; 3], max: [f64; 3]| {
        overlapping(&Placed::aabb(DVec3::from(min), DVec3::from(max)), &shapes, &mut ws, &mut found);
        found.clone()
    };
    assert_eq!(within([-0.1, -0.1, 0.85], [0.1, 0.1, 0.95]), [1]);
    assert_eq!(within([1.4, 1.4, 0.85], [1.6, 1.6, 0.95]), []);
    assert_eq!(within([1.4, 1.4, -0.6], [1.6, 1.6, -0.1]), [0, 1]);
    assert_eq!(within([5.0, 5.0, -0.9], [6.0, 6.0, -0.8]), [0]);
    assert_eq!(within([0.2, 0.2, 3.2], [0.3, 0.3, 3.3]), [2]);
    assert_eq!(within([0.5, 0.5, 3.5], [0.9, 0.9, 3.9]), []);
    assert_eq!(within([-9.0, -9.0, -9.0], [9.0, 9.0, 9.0]), [0, 1, 2]);
    // A plane as the region: what is below it.
    for (height, expected) in [(-0.3, vec![0]), (0.5, vec![0, 1]), (3.5, vec![0, 1, 2])] {
        overlapping(&Placed::new(Shape::plane(), up(height)), &shapes, &mut ws, &mut found);
        assert_eq!(found, expected);
    }
}
