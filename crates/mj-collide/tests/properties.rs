//! What must hold for any two shapes, and distances against another library.

use mj_collide::{
    CcdOptions, CcdWorkspace, Colliders, Hull, Placed, Pose, PreContact, PreContacts, Query, Shape, ShapeKind, distance,
};
use mj_math::{DMat3, DQuat, DVec3};
use parry3d_f64::query as parry;
use parry3d_f64::shape as solid;
use proptest::prelude::*;

fn shape(kind: usize, size: DVec3) -> Shape<'static> {
    match kind {
        0 => Shape::sphere(size.x),
        1 => Shape::capsule(size.x, size.y),
        2 => Shape::ellipsoid(size),
        3 => Shape::cylinder(size.x, size.y),
        _ => Shape::cuboid(size),
    }
}

prop_compose! {
    fn vector(range: std::ops::Range<f64>)(x in range.clone(), y in range.clone(), z in range) -> DVec3 {
        DVec3::new(x, y, z)
    }
}

prop_compose! {
    fn rotation()(axis in vector(-1.0..1.0), angle in -3.0..3.0f64) -> DQuat {
        DQuat::from_axis_angle(axis.try_normalize().unwrap_or(DVec3::X), angle)
    }
}

prop_compose! {
    fn placed()(kind in 0..5usize, size in vector(0.05..0.5), pos in vector(-0.5..0.5), rot in rotation()) -> Placed<'static> {
        Placed::new(shape(kind, size), Pose { pos, mat: DMat3::from_quat(rot) })
    }
}

/// A box as a polyhedron.
fn block(half: DVec3) -> Hull {
    let corners =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| half * DVec3::from([0, 1, 2].map(|k| f64::from(i >> k & 1) * 2.0 - 1.0)));
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Hull::new(&corners, &sides.map(|s| s.to_vec())).unwrap()
}

fn contacts(a: &Placed, b: &Placed, margin: f64) -> PreContacts {
    let mut out = PreContacts::new();
    Colliders::new().collide(a, b, &Query::with_margin(margin), &mut CcdWorkspace::default(), &mut out);
    out
}

/// A placed shape of the other library, as far as it has one.
fn solid(shape: &Shape) -> Option<Box<dyn solid::Shape>> {
    let s = shape.size;
    Some(match shape.kind {
        ShapeKind::Sphere => Box::new(solid::Ball::new(s.x)),
        ShapeKind::Capsule => Box::new(solid::Capsule::new_z(s.y, s.x)),
        ShapeKind::Box => Box::new(solid::Cuboid::new(s)),
        _ => return None,
    })
}

fn isometry(pose: &Pose) -> parry3d_f64::math::Pose {
    parry3d_f64::math::Pose::from_parts(pose.pos, DQuat::from_mat3(&pose.mat))
}

/// Whether two lists hold the same contacts, in any order, up to what the general routine leaves open.
fn same(one: &[PreContact], other: &[PreContact], tolerance: f64) -> bool {
    let deepest = |list: &[PreContact]| list.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min);
    one.is_empty() == other.is_empty() && (one.is_empty() || (deepest(one) - deepest(other)).abs() < tolerance)
}

proptest! {
    #[test]
    fn contacts_are_well_formed(a in placed(), b in placed(), margin in 0.0..0.1f64) {
        for c in contacts(&a, &b, margin).iter() {
            prop_assert!(c.dist <= margin + 1e-9 && c.pos.is_finite());
            prop_assert!((c.normal.length() - 1.0).abs() < 1e-9);
        }
    }

    /// Contacts in closed form and the general routine find the same distance, and points of both surfaces with it.
    #[test]
    fn distances_agree(a in placed(), b in placed(), cutoff in 0.0..0.5f64) {
        let (options, mut ws, mut found) = (CcdOptions::default(), CcdWorkspace::default(), PreContacts::new());
        let query = Query { ccd: options, ..Query::with_margin(cutoff) };
        let closed = Colliders::new().distance(&a, &b, &query, &mut ws, &mut found);
        let general = distance(&a, &b, &options, &mut ws);
        if let (Some(w), Some(g)) = (closed, general) {
            prop_assert!(w.dist < cutoff);
            prop_assert!(g.dist < 0.0 || (w.dist - g.dist).abs() < 1e-5, "{a:?} {b:?}: {} {}", w.dist, g.dist);
            prop_assert!((w.points[0] + w.normal * w.dist - w.points[1]).length() < 1e-5);
            if w.dist > 0.0 {
                let swapped = Colliders::new().distance(&b, &a, &query, &mut ws, &mut found).unwrap();
                prop_assert!((swapped.normal + w.normal).length() < 1e-2);
            }
        } else {
            prop_assert!(general.is_none_or(|g| g.dist > cutoff - 1e-5), "{a:?} {b:?}: {general:?}");
        }
    }

    #[test]
    fn swapping_the_shapes_turns_the_normals(a in placed(), b in placed()) {
        prop_assume!(a.shape.kind != b.shape.kind);
        let (one, other) = (contacts(&a, &b, 0.0), contacts(&b, &a, 0.0));
        prop_assert_eq!(one.len(), other.len());
        for (c, d) in one.iter().zip(other.iter()) {
            prop_assert_eq!((c.dist, c.pos, c.normal), (d.dist, d.pos, -d.normal));
        }
    }

    /// Of two shapes, polyhedra too, either may come first: the same distance, the other way round.
    #[test]
    fn distances_are_the_same_from_both_sides(a in placed(), b in placed(), meshes in 0..4usize) {
        let hulls = [block(a.shape.size), block(b.shape.size)];
        let solid = |i: usize, p: Placed<'static>| if meshes >> i & 1 == 1 { Placed::new(Shape::mesh(&hulls[i]), p.pose) } else { p };
        let (a, b) = (solid(0, a), solid(1, b));
        let mut ws = CcdWorkspace::default();
        let mut of = |a: &Placed, b: &Placed| distance(a, b, &CcdOptions::default(), &mut ws).unwrap();
        let (one, other) = (of(&a, &b), of(&b, &a));
        prop_assert!((one.dist - other.dist).abs() < 1e-5, "{one:?} {other:?}");
        // Nearest points are unique but for parallel faces, and then their difference is; of overlapping shapes two ways
        // out may be as short.
        if one.dist > 1e-3 {
            prop_assert!((one.normal + other.normal).length() < 1e-2, "{one:?} {other:?}");
        }
    }

    /// Everything larger or smaller alike: as many contacts, and all lengths in proportion. By powers of two, so that
    /// only what the library itself takes for small can make a difference.
    #[test]
    fn contacts_and_distances_grow_with_the_shapes(a in placed(), b in placed(), margin in 0.0..0.1f64, power in -6..7i32) {
        let scale = 2f64.powi(power);
        let larger = |p: &Placed<'static>| {
            let shape = Shape::primitive(p.shape.kind, p.shape.size * scale);
            Placed::new(shape, Pose { pos: p.pose.pos * scale, ..p.pose })
        };
        let query = |scale: f64| {
            let ccd = CcdOptions::default();
            Query { margin: margin * scale, ccd: CcdOptions { tolerance: ccd.tolerance * scale, ..ccd }, ..Query::default() }
        };
        let (mut ws, mut one, mut other) = (CcdWorkspace::default(), PreContacts::new(), PreContacts::new());
        Colliders::new().collide(&a, &b, &query(1.0), &mut ws, &mut one);
        Colliders::new().collide(&larger(&a), &larger(&b), &query(scale), &mut ws, &mut other);
        let general = |p: &Placed| matches!(p.shape.kind, ShapeKind::Ellipsoid | ShapeKind::Cylinder);
        if !general(&a) && !general(&b) {
            prop_assert_eq!(one.len(), other.len(), "{:?} {:?}", &*one, &*other);
            for (c, d) in one.iter().zip(other.iter()) {
                prop_assert!((c.dist * scale - d.dist).abs() < 1e-9 * scale, "{c:?} {d:?}");
                prop_assert!((c.pos * scale - d.pos).length() < 1e-8 * scale && (c.normal - d.normal).length() < 1e-8);
            }
        }
        let (one, other) = (
            distance(&a, &b, &query(1.0).ccd, &mut ws).unwrap(),
            distance(&larger(&a), &larger(&b), &query(scale).ccd, &mut ws).unwrap(),
        );
        prop_assert!((one.dist * scale - other.dist).abs() < 4e-6 * scale, "{one:?} {other:?}");
    }

    #[test]
    fn the_deepest_contact_does_not_depend_on_the_frame(
        a in placed(), b in placed(), shift in vector(-3.0..3.0), turn in rotation(),
    ) {
        let turn = DMat3::from_quat(turn);
        let moved = |p: &Placed<'static>| Placed::new(p.shape, Pose { pos: turn * p.pose.pos + shift, mat: turn * p.pose.mat });
        let (one, other) = (contacts(&a, &b, 0.0), contacts(&moved(&a), &moved(&b), 0.0));
        // Shapes that only just touch may be told apart by rounding.
        let touching = |list: &[PreContact]| list.iter().all(|c| c.dist > -1e-4);
        // Deep inside, the general routine ends where its bounds meet first, like the reference's: not always in the
        // direction of least depth. There only whether the shapes overlap is theirs to say.
        let general = |p: &Placed| matches!(p.shape.kind, ShapeKind::Ellipsoid | ShapeKind::Cylinder);
        let tolerance = if general(&a) || general(&b) { f64::INFINITY } else { 1e-4 };
        prop_assert!(touching(&one) && touching(&other) || same(&one, &other, tolerance));
    }

    #[test]
    fn distances_agree_with_parry(a in placed(), b in placed()) {
        let (Some(sa), Some(sb)) = (solid(&a.shape), solid(&b.shape)) else { return Ok(()) };
        let wanted = parry::distance(&isometry(&a.pose), &*sa, &isometry(&b.pose), &*sb).unwrap().distance;
        let found = distance(&a, &b, &CcdOptions::default(), &mut CcdWorkspace::default()).unwrap();
        if wanted > 1e-4 {
            prop_assert!((found.dist - wanted).abs() < 1e-5, "{} {}", found.dist, wanted);
            prop_assert!((found.points[0].distance(found.points[1]) - wanted).abs() < 1e-5);
        } else {
            prop_assert!(found.dist < 1e-3);
        }
    }

    #[test]
    fn moving_apart_by_the_depth_separates(a in placed(), b in placed()) {
        let mut ws = CcdWorkspace::default();
        let options = CcdOptions { tolerance: 1e-8, iterations: 200, ..CcdOptions::default() };
        let Some(w) = distance(&a, &b, &options, &mut ws) else { return Ok(()) };
        if w.dist < -1e-3 {
            let mut b = b;
            b.pose.pos += w.normal * (1e-3 - w.dist);
            let after = distance(&a, &b, &options, &mut ws).unwrap();
            prop_assert!(after.dist > 0.0, "{} then {}", w.dist, after.dist);
        }
    }

    #[test]
    fn degenerate_input_neither_panics_nor_hangs(
        kinds in (0..5usize, 0..5usize),
        extents in prop::array::uniform6(prop::sample::select(vec![0.0, 1e-12, 0.1, 1e9, f64::NAN])),
        pos in prop::array::uniform3(prop::sample::select(vec![0.0, 1e-15, 0.2, -1e9, f64::INFINITY, f64::NAN])),
    ) {
        let size = |i: usize| DVec3::new(extents[i], extents[i + 1], extents[i + 2]);
        let a = Placed::new(shape(kinds.0, size(0)), Pose::IDENTITY);
        let b = Placed::new(shape(kinds.1, size(3)), Pose { pos: DVec3::from_array(pos), ..Pose::IDENTITY });
        let finite = extents.iter().chain(&pos).all(|x| x.is_finite());
        for c in contacts(&a, &b, 0.01).iter() {
            prop_assert!(!finite || !(c.dist.is_nan() || c.pos.is_nan() || c.normal.is_nan()), "{:?} {:?} {:?}", a, b, c);
        }
        for shape in [&a, &b] {
            contacts(&Placed::new(Shape::plane(), Pose::IDENTITY), shape, 0.01);
        }
    }
}
