//! Oriented bounding boxes: two shapes are apart where an axis tells their boxes apart (Gottschalk, Lin and Manocha 1996).

use mj_math::DVec3;

use crate::{Placed, ShapeKind};

/// Room for rounding, as a part of the sizes.
const SLACK: f64 = 1e-9;

/// Centre and half-sizes of the least box around a shape along its own axes; `None` for those that have none or that no
/// box bounds well.
fn local_box(placed: &Placed) -> Option<[DVec3; 2]> {
    let size = placed.shape.size;
    let half = match placed.shape.kind {
        ShapeKind::Sphere => DVec3::splat(size.x),
        ShapeKind::Capsule => DVec3::new(size.x, size.x, size.x + size.y),
        ShapeKind::Cylinder => DVec3::new(size.x, size.x, size.y),
        ShapeKind::Ellipsoid | ShapeKind::Box => size,
        ShapeKind::Mesh => return placed.shape.hull.map(|hull| hull.bounding_box()),
        ShapeKind::Plane | ShapeKind::Hfield | ShapeKind::Sdf | ShapeKind::Simplex => return None,
    };
    Some([DVec3::ZERO, half])
}

/// Whether the boxes around two shapes are farther apart than a distance along an axis of either: then so are the shapes.
/// False where it isn't known.
pub(crate) fn boxes_apart(a: &Placed, b: &Placed, distance: f64) -> bool {
    let (Some([centre_a, half_a]), Some([centre_b, half_b])) = (local_box(a), local_box(b)) else { return false };
    let within = distance + SLACK * (half_a + half_b).element_sum();
    let between = b.pose.point(centre_b) - a.pose.point(centre_a);
    // The axes of the second box in the frame of the first.
    let [x, y, z] = [b.pose.mat.x_axis, b.pose.mat.y_axis, b.pose.mat.z_axis].map(|axis| a.pose.local_vector(axis));
    let reach = half_a + x.abs() * half_b.x + y.abs() * half_b.y + z.abs() * half_b.z;
    let along_a = a.pose.local_vector(between);
    if (along_a.abs() - reach).max_element() > within {
        return true;
    }
    let along_b = DVec3::new(x.dot(along_a), y.dot(along_a), z.dot(along_a));
    let reach = half_b + DVec3::new(x.abs().dot(half_a), y.abs().dot(half_a), z.abs().dot(half_a));
    (along_b.abs() - reach).max_element() > within
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CcdOptions, CcdWorkspace, Hull, Pose, Shape, distance};
    use mj_math::{DMat3, DQuat};
    use proptest::prelude::*;

    fn pose() -> impl Strategy<Value = Pose> {
        let turn = prop::array::uniform4(-1.0..1.0f64).prop_filter("no axis", |q| q.iter().any(|x| x.abs() > 0.1));
        let at = prop::array::uniform3(-1.0..1.0f64);
        (at, turn).prop_map(|(at, turn)| Pose {
            pos: DVec3::from(at),
            mat: DMat3::from_quat(DQuat::from_array(turn).normalize()),
        })
    }

    const KINDS: [ShapeKind; 5] =
        [ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Cylinder, ShapeKind::Ellipsoid, ShapeKind::Box];

    proptest! {
        /// Shapes whose boxes are apart are farther apart than the distance.
        #[test]
        fn shapes_in_boxes_that_are_apart_are_apart(
            kinds in prop::array::uniform2(0..KINDS.len() + 1),
            sizes in prop::array::uniform2(prop::array::uniform3(0.05..0.5f64)),
            poses in (pose(), pose()),
            margin in 0.0..0.2f64,
        ) {
            // A tetrahedron that does not hold its origin.
            let corners = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
            let hull = Hull::from_points(&corners).unwrap();
            let shape = |i: usize| match KINDS.get(kinds[i]) {
                Some(&kind) => Shape::primitive(kind, DVec3::from(sizes[i])),
                None => Shape::mesh(&hull),
            };
            let [a, b] = [Placed::new(shape(0), poses.0), Placed::new(shape(1), poses.1)];
            let found = distance(&a, &b, &CcdOptions::default(), &mut CcdWorkspace::for_distances(50)).unwrap();
            prop_assert!(!boxes_apart(&a, &b, margin) || found.dist > margin - 1e-6, "{found:?}");
        }
    }

    #[test]
    fn either_box_tells_them_apart() {
        let cube = Shape::cuboid(DVec3::splat(0.5));
        let turned = Pose { pos: DVec3::X * 1.25, mat: DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4) };
        let [a, b] = [Placed::new(cube, Pose::IDENTITY), Placed::new(cube, turned)];
        // The gap along x is 1.25 − 0.5 − √½.
        let gap = 0.75 - 0.5_f64.sqrt();
        assert!(boxes_apart(&a, &b, gap - 1e-6) && boxes_apart(&b, &a, gap - 1e-6));
        assert!(!boxes_apart(&a, &b, gap + 1e-6) && !boxes_apart(&b, &a, gap + 1e-6));
        let plane = Placed::new(Shape::plane(), Pose::IDENTITY);
        assert!(!boxes_apart(&plane, &a, 0.0));
    }
}
