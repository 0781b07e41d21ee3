//! Which shapes lie in a region, drawn: the picture of the README.
//!
//!     cargo run -p mj-collide --example region > crates/mj-collide/region.svg

use mj_collide::{CcdWorkspace, Placed, Pose, Shape, ShapeKind, overlapping};
use mj_math::{DMat3, DVec3};

fn main() {
    let at = |shape, x: f64, z: f64, turn: f64| {
        Placed::new(shape, Pose { pos: DVec3::new(x, 0.0, z), mat: DMat3::from_rotation_y(turn) })
    };
    let shapes = [
        at(Shape::capsule(0.04, 0.12), -0.32, 0.13, 0.5),
        at(Shape::cuboid(DVec3::new(0.08, 0.1, 0.05)), -0.12, -0.05, 0.3),
        at(Shape::sphere(0.07), 0.08, 0.11, 0.0),
        at(Shape::cuboid(DVec3::splat(0.06)), 0.2, -0.15, 0.785),
        at(Shape::capsule(0.03, 0.1), 0.36, 0.05, -0.4),
    ];
    let region = Placed::aabb(DVec3::new(-0.2, -0.1, -0.1), DVec3::new(0.15, 0.1, 0.1));
    let mut inside = Vec::new();
    overlapping(&region, &shapes, &mut CcdWorkspace::default(), &mut inside);

    println!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 240" font-family="sans-serif" font-size="12">"#
    );
    println!("<style>.out{{fill:#8ab4d8;stroke:#2b5c85}} .in{{fill:#e0907a;stroke:#a33}} .out,.in{{fill-opacity:.5}}");
    println!(".region{{fill:none;stroke:#283;stroke-width:2;stroke-dasharray:6 4}} text{{fill:#777}}</style>");
    outline(&region, "region");
    for (i, shape) in shapes.iter().enumerate() {
        outline(shape, if inside.contains(&i) { "in" } else { "out" });
        let [x, y] = pixel(shape.pose.pos);
        println!(r#"<text x="{:.1}" y="{:.1}">{i}</text>"#, x - 4.0, y + 4.0);
    }
    println!("</svg>");
}

/// Pixels of a point of the x-z plane.
fn pixel(p: DVec3) -> [f64; 2] {
    [230.0 + 500.0 * p.x, 110.0 - 500.0 * p.z]
}

/// A shape's section with the x-z plane.
fn outline(placed: &Placed, class: &str) {
    let ([x, y], size, x_axis) = (pixel(placed.pose.pos), placed.shape.size * 500.0, placed.pose.mat.x_axis);
    let (w, h, r) = match placed.shape.kind {
        ShapeKind::Box => (size.x, size.z, 0.0),
        _ => (size.x, size.x + size.y, size.x),
    };
    let angle = -x_axis.z.atan2(x_axis.x).to_degrees();
    let (width, height) = (2.0 * w, 2.0 * h);
    println!(
        r#"<rect x="{:.1}" y="{:.1}" width="{width:.1}" height="{height:.1}" rx="{r:.1}" transform="translate({x:.1} {y:.1}) rotate({angle:.2})" class="{class}"/>"#,
        -w, -h
    );
}
