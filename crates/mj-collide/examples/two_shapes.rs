//! Contacts of two boxes and the distance of a capsule and an ellipsoid: shapes and poses in, numbers out.

use mj_collide::{CcdOptions, CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, Shape, distance};
use mj_math::{DMat3, DVec3};

fn main() {
    let colliders = Colliders::new();
    let mut workspace = CcdWorkspace::default();
    let mut contacts = PreContacts::new();

    // A box on another, turned by 45° about the vertical and 1 mm too deep.
    let lower = Placed::new(Shape::cuboid(DVec3::splat(0.1)), Pose::IDENTITY);
    let turned = DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let upper = Placed::new(Shape::cuboid(DVec3::splat(0.1)), Pose { pos: DVec3::new(0.0, 0.0, 0.199), mat: turned });
    colliders.collide(&lower, &upper, &Query::default(), &mut workspace, &mut contacts);
    println!("{} contacts of the boxes:", contacts.len());
    for contact in contacts.iter() {
        println!("  dist {:.4} m at {:.4}, normal {:.1}", contact.dist, contact.pos, contact.normal);
    }

    // Two smooth shapes, apart.
    let capsule = Placed::new(Shape::capsule(0.05, 0.2), Pose::IDENTITY);
    let ellipsoid = Placed::new(
        Shape::ellipsoid(DVec3::new(0.1, 0.2, 0.3)),
        Pose { pos: DVec3::new(0.4, 0.1, 0.0), mat: DMat3::IDENTITY },
    );
    if let Some(gap) = distance(&capsule, &ellipsoid, &CcdOptions::default(), &mut workspace) {
        println!("capsule to ellipsoid: {:.6} m, from {:.4} to {:.4}", gap.dist, gap.points[0], gap.points[1]);
    }
}
