//! The general convex routine where it is easily led astray, and the portal method beside it.

use mj_collide::{
    CcdAlgorithm, CcdOptions, CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, Shape, ShapeKind,
};
use mj_math::{DMat3, DVec3};
use proptest::prelude::*;

fn at(shape: Shape<'static>, pos: DVec3) -> Placed<'static> {
    Placed::new(shape, Pose { pos, ..Pose::IDENTITY })
}

fn contacts(a: &Placed, b: &Placed, algorithm: CcdAlgorithm) -> PreContacts {
    let query = Query { ccd: CcdOptions { algorithm, ..CcdOptions::default() }, ..Query::default() };
    let mut out = PreContacts::new();
    Colliders::new().collide(a, b, &query, &mut CcdWorkspace::default(), &mut out);
    out
}

fn deepest(found: &PreContacts) -> f64 {
    found.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min)
}

#[test]
fn shapes_about_the_same_centre_touch() {
    let sizes = DVec3::new(0.3, 0.1, 0.2);
    let all = [
        Shape::sphere(0.1),
        Shape::capsule(0.1, 0.2),
        Shape::ellipsoid(sizes),
        Shape::cylinder(0.1, 0.2),
        Shape::cuboid(sizes),
    ];
    for a in all {
        for b in all {
            let found = contacts(&at(a, DVec3::ZERO), &at(b, DVec3::ZERO), CcdAlgorithm::GjkEpa);
            assert!(deepest(&found) < -0.09, "{:?} {:?}: {found:?}", a.kind, b.kind);
        }
    }
}

#[test]
fn the_end_of_a_capsule_in_the_centre_of_an_ellipsoid_touches() {
    let capsule = at(Shape::capsule(0.05, 0.1), DVec3::Z * 0.1);
    let ellipsoid = at(Shape::ellipsoid(DVec3::new(0.1, 0.15, 0.2)), DVec3::ZERO);
    assert!(deepest(&contacts(&capsule, &ellipsoid, CcdAlgorithm::GjkEpa)) < -0.1);
}

#[test]
fn a_box_meets_its_own_size_at_every_fraction_of_it() {
    // Centres as far apart as the first support point from the origin: distances that stay equal for a step.
    let cube = |pos| at(Shape::cylinder(0.1, 0.1), pos);
    for k in 1..20 {
        let found = contacts(&cube(DVec3::ZERO), &cube(DVec3::Z * 0.01 * f64::from(k)), CcdAlgorithm::GjkEpa);
        assert!((deepest(&found) + 0.2 - 0.01 * f64::from(k)).abs() < 1e-5 || k < 5, "{k}: {found:?}");
        assert!(!found.is_empty());
    }
}

#[test]
fn a_portal_finds_the_corners_of_a_standing_cylinder() {
    let table = at(Shape::cuboid(DVec3::new(1.0, 1.0, 0.1)), DVec3::Z * -0.1);
    let cylinder = at(Shape::cylinder(0.1, 0.2), DVec3::new(0.01, 0.02, 0.199));
    let found = contacts(&cylinder, &table, CcdAlgorithm::Portal);
    assert!(found.len() >= 4, "{found:?}");
    for c in found.iter() {
        assert!((c.dist + 0.001).abs() < 1e-5 && c.normal.z < -0.999);
    }
}

proptest! {
    /// A portal's depth is never less than the least, and near it where the shapes barely overlap.
    #[test]
    fn portals_agree_on_shallow_contacts(
        x in -0.5..0.5f64, y in -0.5..0.5f64, z in -0.5..0.5f64, angle in -3.0..3.0f64, kind in 0..3usize
    ) {
        let along = DVec3::new(x, y, z);
        prop_assume!(along.length() > 0.1);
        let a = Placed::new(
            [Shape::ellipsoid(DVec3::new(0.3, 0.2, 0.25)), Shape::cylinder(0.2, 0.3), Shape::capsule(0.2, 0.2)][kind],
            Pose { pos: DVec3::ZERO, mat: DMat3::from_axis_angle(along.normalize(), angle) },
        );
        let b = at(Shape::ellipsoid(DVec3::new(0.2, 0.3, 0.1)), along);
        let (exact, portal) = (contacts(&a, &b, CcdAlgorithm::GjkEpa), contacts(&a, &b, CcdAlgorithm::Portal));
        if let ([e], [p]) = (&exact[..], &portal[..]) {
            prop_assert!(p.dist < e.dist + 1e-5);
            if e.dist > -1e-3 {
                prop_assert!((p.dist - e.dist).abs() < 1e-4, "{e:?} {p:?}");
            }
        }
    }

    #[test]
    fn portals_end_whatever_the_input(
        kinds in (0..5usize, 0..5usize),
        extents in prop::array::uniform6(prop::sample::select(vec![0.0, 1e-12, 0.1, 1e9, f64::NAN])),
        pos in prop::array::uniform3(prop::sample::select(vec![0.0, 1e-15, 0.2, -1e9, f64::INFINITY, f64::NAN])),
    ) {
        let kind = [ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Ellipsoid, ShapeKind::Cylinder, ShapeKind::Box];
        let make = |k: usize, i: usize| Shape::primitive(kind[k], DVec3::new(extents[i], extents[i + 1], extents[i + 2]));
        let (a, b) = (at(make(kinds.0, 0), DVec3::ZERO), at(make(kinds.1, 3), DVec3::from_array(pos)));
        let finite = extents.iter().chain(&pos).all(|x| x.is_finite());
        for c in contacts(&a, &b, CcdAlgorithm::Portal).iter() {
            prop_assert!(!finite || !(c.dist.is_nan() || c.pos.is_nan() || c.normal.is_nan()), "{a:?} {b:?} {c:?}");
        }
    }
}
