//! Draws what the narrow phase returns: run it to make `contacts.svg`, the picture of the README.
//!
//!     cargo run -p mj-collide --example picture > crates/mj-collide/contacts.svg

use mj_collide::{CcdOptions, CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, Shape, distance, ray};
use mj_math::{DMat3, DVec3};

/// Pixels a metre, and where the origin is.
const SCALE: f64 = 400.0;
const ORIGIN: [f64; 2] = [230.0, 200.0];

fn pixel(p: DVec3) -> [f64; 2] {
    [ORIGIN[0] + SCALE * p.x, ORIGIN[1] - SCALE * p.z]
}

fn line(a: DVec3, b: DVec3, class: &str) {
    let ([x1, y1], [x2, y2]) = (pixel(a), pixel(b));
    println!(r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#);
}

fn dot(p: DVec3, class: &str) {
    let [x, y] = pixel(p);
    println!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" class="{class}"/>"#);
}

fn label(p: DVec3, text: &str) {
    let [x, y] = pixel(p);
    println!(r#"<text x="{x:.1}" y="{y:.1}">{text}</text>"#);
}

/// A box or capsule of which the x-z plane is a plane of symmetry.
fn outline(placed: &Placed) {
    let ([x, y], size) = (pixel(placed.pose.pos), placed.shape.size * SCALE);
    let x_axis = placed.pose.mat.x_axis;
    let angle = -x_axis.z.atan2(x_axis.x).to_degrees();
    let (w, h, r) = if size.z > 0.0 { (size.x, size.z, 0.0) } else { (size.x, size.y + size.x, size.x) };
    println!(
        r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{r:.1}" transform="translate({x:.1} {y:.1}) rotate({angle:.2})"/>"#,
        -w,
        -h,
        2.0 * w,
        2.0 * h
    );
}

fn main() {
    let about_y = |angle: f64| DMat3::from_rotation_y(angle);
    let table =
        Placed::new(Shape::cuboid(DVec3::new(0.4, 0.2, 0.1)), Pose { pos: DVec3::Z * -0.1, mat: DMat3::IDENTITY });
    let cube =
        Placed::new(Shape::cuboid(DVec3::splat(0.12)), Pose { pos: DVec3::new(-0.2, 0.0, 0.105), mat: about_y(0.06) });
    let capsule = Placed::new(Shape::capsule(0.05, 0.12), Pose { pos: DVec3::new(0.22, 0.0, 0.2), mat: about_y(-0.7) });

    println!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 300" font-family="sans-serif" font-size="12">"#
    );
    println!("<style>rect{{fill:#8ab4d8;fill-opacity:.35;stroke:#2b5c85}} .normal{{stroke:#c33;stroke-width:2}}");
    println!(
        ".at{{fill:#c33}} .gap{{stroke:#283;stroke-width:2}} .near{{fill:#283}} .ray{{stroke:#b80;stroke-width:2}}"
    );
    println!(".met{{fill:#b80}} text{{fill:#777}}</style>");
    [&table, &cube, &capsule].into_iter().for_each(outline);

    // Contacts: a point and a normal each; the depth is where the surfaces overlap.
    let mut ws = CcdWorkspace::default();
    let mut contacts = PreContacts::new();
    Colliders::new().collide(&table, &cube, &Query::with_margin(0.02), &mut ws, &mut contacts);
    for c in contacts.iter() {
        line(c.pos, c.pos + c.normal * 0.1, "normal");
        dot(c.pos, "at");
        label(c.pos + DVec3::new(-0.03, 0.0, -0.05), &format!("{:.1} mm", 1000.0 * c.dist));
    }

    // The distance and the points that realize it.
    if let Some(gap) = distance(&cube, &capsule, &CcdOptions::default(), &mut ws) {
        line(gap.points[0], gap.points[1], "gap");
        gap.points.into_iter().for_each(|p| dot(p, "near"));
        label(0.5 * (gap.points[0] + gap.points[1]) + DVec3::Z * 0.03, &format!("{:.0} mm", 1000.0 * gap.dist));
    }

    // A ray.
    let (from, along) = (DVec3::new(0.45, 0.0, 0.42), DVec3::new(-0.5, 0.0, -0.5));
    if let Some(t) = ray(&capsule, from, along) {
        line(from, from + along * t, "ray");
        dot(from + along * t, "met");
    }
    println!("</svg>");
}
