use super::*;
use crate::sdf::{Starts, march};
use crate::{FaceTree, Octree, OctreeNode, SdfOptions, SignedField, Solid};
use mj_math::closest::{on_triangle, point};
use mj_math::{DMat3, DVec3};
use mj_model::plugin::SdfPlugin;
use proptest::prelude::*;
use std::sync::Arc;

/// A ball as a field.
#[derive(Debug)]
struct Ball(f64);

impl SdfPlugin for Ball {
    fn distance(&self, p: DVec3) -> f64 {
        p.length() - self.0
    }
    fn bounds(&self) -> DVec3 {
        DVec3::splat(self.0)
    }
}

fn ball(r: f64) -> Solid {
    Solid {
        field: Some(SignedField::Function(Arc::new(Ball(r)))),
        bounds: [DVec3::splat(-r), DVec3::splat(r)],
        faces: None,
    }
}

fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// The octree of a box of half sizes 1, 2, 3 whose samples are a plane's distances.
fn sloped(slope: DVec3) -> Octree {
    let corner = |j: usize, low: DVec3, high: DVec3| {
        DVec3::from_array([0, 1, 2].map(|k| if j >> k & 1 == 1 { high[k] } else { low[k] }))
    };
    let node = |low: DVec3, high: DVec3, children| OctreeNode {
        centre: (low + high) / 2.0,
        half: (high - low) / 2.0,
        children,
        corners: std::array::from_fn(|j| corner(j, low, high).dot(slope)),
    };
    let high = DVec3::new(1.0, 2.0, 3.0);
    let low = -high;
    let mut nodes = vec![node(low, high, Some(std::array::from_fn(|j| j as u32 + 1)))];
    nodes.extend((0..8).map(|j| {
        let outer = corner(j, low, high);
        node(outer.min(DVec3::ZERO), outer.max(DVec3::ZERO), None)
    }));
    Octree::new(nodes).unwrap()
}

proptest! {
    /// Gradients of primitives are slopes of their distances, where these are exact.
    #[test]
    fn gradients_of_primitives_are_slopes(p in vec3(1.5)) {
        for shape in [
            Shape::sphere(0.4), Shape::capsule(0.3, 0.4), Shape::cylinder(0.4, 0.5), Shape::cuboid(DVec3::new(0.3, 0.4, 0.5)),
            Shape::plane(),
        ] {
            let slope = |h: f64| DVec3::from_array([0, 1, 2].map(|k| {
                let step = DVec3::AXES[k] * h;
                (shape_distance(&shape, p + step) - shape_distance(&shape, p - step)) / (2.0 * h)
            }));
            let (d, gradient) = shape_distance_gradient(&shape, p);
            prop_assert_eq!(d, shape_distance(&shape, p));
            let inside_box = shape.kind == ShapeKind::Box && d < 0.0;
            if !inside_box && (slope(1e-4) - slope(1e-5)).length() < 1e-6 {
                prop_assert!((gradient - slope(1e-5)).length() < 1e-4, "{shape:?} {p}");
            }
            if inside_box {
                // Along the direction the way out is the distance.
                prop_assert!(shape_distance(&shape, p - gradient * d).abs() < 1e-12 && gradient.dot(p) >= 0.0);
            }
        }
    }

    /// Linear fields are interpolated without error, and outside the way to the box is added.
    #[test]
    fn an_octree_interpolates(slope in vec3(1.0), p in vec3(0.99), out in 0.1..2.0f64) {
        let tree = sloped(slope);
        prop_assert!((tree.distance(p) - slope.dot(p)).abs() < 1e-12);
        prop_assert!((tree.distance_gradient(p).1 - slope).length() < 1e-12);
        let above = p.with_z(3.0 + out);
        prop_assert!((tree.distance(above) - slope.dot(p.with_z(3.0)) - out).abs() < 1e-5);
    }

    /// The contacts of a ball and a field of a ball lie in both, between the centres.
    #[test]
    fn a_field_of_a_ball_collides_as_a_ball(direction in vec3(1.0), depth in 0.01..0.3f64, axis in vec3(1.0), angle in -3.0..3.0f64) {
        prop_assume!(direction.length() > 0.1 && axis.length() > 0.1);
        let (own, direction) = (ball(0.5), direction.normalize());
        let mat = DMat3::from_axis_angle(axis.normalize(), angle);
        let a = Placed::new(Shape::sphere(0.4), Pose { pos: DVec3::new(0.1, 0.2, 0.3), mat });
        let b = Placed::new(Shape::sdf(&own), Pose { pos: a.pose.pos + direction * (0.9 - depth), mat: mat.transpose() });
        let mut out = PreContacts::new();
        shape_sdf(&a, &b, &Query::default(), &mut CcdWorkspace::default(), &mut out);
        prop_assert!(!out.is_empty());
        // They lie in both, no deeper than the balls do.
        for c in out.iter() {
            prop_assert!(c.dist <= 0.0 && c.dist >= -depth, "{} {depth}", c.dist);
            let x = c.pos + c.normal * (0.5 * c.dist);
            prop_assert!((x - a.pose.pos).length() <= 0.4 + 1e-9 && (x - b.pose.pos).length() <= 0.5 + 1e-9);
            prop_assert!(c.normal.dot(direction) > 0.3);
        }
    }

    /// A triangle touches a field of a ball at the point of it that is nearest to the centre, and the normal points to it.
    #[test]
    fn a_triangle_touches_a_field_of_a_ball(
        corners in [vec3(1.0), vec3(1.0), vec3(1.0)],
        shift in vec3(0.3),
        axis in vec3(1.0),
        angle in -3.0..3.0f64,
    ) {
        prop_assume!(axis.length() > 0.1 && (corners[1] - corners[0]).cross(corners[2] - corners[0]).length() > 0.1);
        let own = ball(0.5);
        let pose = Pose { pos: shift, mat: DMat3::from_axis_angle(axis.normalize(), angle) };
        let a = Placed::new(Shape::sdf(&own), pose);
        let mut found = Vec::new();
        let sdf = SdfOptions { iterations: 2000, initpoints: 3 };
        flex_sdf(&a, &sdf, &mut Starts::default(), |near, visit| {
            let [low, high] = corners.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[a, b], &c| [a.min(c), b.max(c)]);
            if near(0.5 * (low + high), 0.5 * (high - low)) {
                visit(7, corners);
            }
        }, |number, c| found.push((number, c)));
        let nearest = point(&on_triangle(shift, corners), &corners);
        let depth = (nearest - shift).length() - 0.5;
        prop_assume!(depth.abs() > 1e-3 && depth > -0.45);
        prop_assert_eq!(found.len(), usize::from(depth < 0.0));
        for (number, c) in found {
            prop_assert_eq!(number, 7);
            prop_assert!((c.dist - depth).abs() < 1e-3, "{} {depth}", c.dist);
            let out = (nearest - shift).normalize();
            prop_assert!((c.normal - out).length() < 0.1);
            prop_assert!(((c.pos - shift).length() - (0.5 + 0.5 * c.dist)).abs() < 1e-9);
        }
    }

    /// The tree finds what a search through all triangles finds.
    #[test]
    fn the_nearest_face_is_found(corners in proptest::collection::vec([vec3(1.0), vec3(1.0), vec3(1.0)], 1..60), p in vec3(2.0)) {
        let least = |faces: &[[DVec3; 3]]| faces.iter()
            .map(|f| FaceTree::new(vec![*f]).signed_distance(p).abs()).fold(f64::INFINITY, f64::min);
        prop_assert!((FaceTree::new(corners.clone()).signed_distance(p).abs() - least(&corners)).abs() < 1e-12);
    }

    /// A ray meets a field where it meets the ball.
    #[test]
    fn rays_meet_fields(p in vec3(2.0), to in vec3(0.2), scale in 0.1..5.0f64) {
        prop_assume!(p.length() > 0.6);
        let field = SignedField::Function(Arc::new(Ball(0.5)));
        let v = (to - p) * scale;
        let (dist, normal) = march(&field, p, v).unwrap();
        let at = p + v * dist;
        prop_assert!((at.length() - 0.5).abs() < 1e-6 && (normal - at.normalize()).length() < 1e-6);
    }
}

#[test]
fn a_box_of_faces_has_an_inside() {
    let corner = |j: usize| DVec3::from_array([0, 1, 2].map(|k| if j >> k & 1 == 1 { 1.0 } else { -1.0 }));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|f| f.map(corner)).collect();
    let tree = FaceTree::new(faces);
    assert_eq!(tree.signed_distance(DVec3::ZERO), -1.0);
    assert_eq!(tree.signed_distance(DVec3::new(0.2, 0.9, 0.1)), -0.09999999999999998);
    assert_eq!(tree.signed_distance(DVec3::new(0.0, 0.0, 3.0)), 2.0);
}

#[test]
fn low_discrepancy_sequences_begin_as_they_should() {
    assert_eq!([0, 1, 2, 3, 4].map(|i| halton(i, 2)), [0.0, 0.5, 0.25, 0.75, 0.125]);
    assert!((halton(5, 3) - 7.0 / 9.0).abs() < 1e-15);
}
