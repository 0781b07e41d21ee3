//! Plane and polyhedron: the side that faces the plane around the lowest corner.

use mj_math::DVec3;

use crate::ccd::widest_quad;
use crate::{CcdWorkspace, Hull, Placed, PreContacts, Query};

/// Up to four contacts of a plane and a polyhedron: the lowest corner, then, around the side at that corner that faces
/// the plane most, the other corners within the margin. Of a side with more than four corners, four that span it
/// widely stand for all.
pub(crate) fn plane_mesh(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let Some(hull) = b.shape.hull else { return };
    let normal = a.axis();
    let down = b.pose.local_vector(-normal);
    let lowest = hull.farthest(down);
    let mut add = |corner: u32| {
        let p = b.pose.point(hull.corners()[corner as usize]);
        let dist = normal.dot(p - a.pose.pos);
        if dist <= q.margin {
            out.add(dist, p - normal * (0.5 * dist), normal);
        }
        dist <= q.margin
    };
    if !add(lowest) {
        return;
    }
    let Some(side) = facing(hull, lowest, down) else { return };

    // Once around, from the lowest corner.
    let first = side.iter().position(|&corner| corner == lowest).unwrap_or(0);
    let nth = |k: usize| side[(first + k) % side.len()];
    if side.len() <= 4 {
        (1..side.len()).for_each(|k| _ = add(nth(k)));
        return;
    }
    let widest = widest_quad(side.len(), |k| hull.corners()[nth(k) as usize]);
    widest.into_iter().filter(|&k| k != 0).for_each(|k| _ = add(nth(k)));
}

/// The corners of the side at a corner whose normal is most nearly along a direction, the first of equals.
fn facing(hull: &Hull, corner: u32, direction: DVec3) -> Option<&[u32]> {
    let along = |&side: &u32| hull.normal(side as usize).dot(direction);
    let best = hull.around(corner).iter().reduce(|best, side| if along(side) > along(best) { side } else { best })?;
    Some(hull.side(*best as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Shape};
    use mj_math::DMat3;

    /// Contacts with the floor of a prism over a regular polygon, tilted about the x axis.
    fn contacts(n: u32, tilt: f64, depth: f64) -> PreContacts {
        let corner = |i: u32, z: f64| {
            let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
            DVec3::new(c, s, z)
        };
        let corners: Vec<DVec3> = (0..n).map(|i| corner(i, -1.0)).chain((0..n).map(|i| corner(i, 1.0))).collect();
        let mut sides: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
        sides.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
        let hull = Hull::new(&corners, &sides).unwrap();
        let mat = DMat3::from_axis_angle(DVec3::X, tilt);
        let low = corners.iter().map(|&p| (mat * p).z).fold(f64::INFINITY, f64::min);
        let placed = Placed::new(Shape::mesh(&hull), Pose { pos: DVec3::Z * (-low - depth), mat });
        let floor = Placed::new(Shape::plane(), Pose::IDENTITY);
        let mut out = PreContacts::new();
        plane_mesh(&floor, &placed, &Query::default(), &mut CcdWorkspace::default(), &mut out);
        out
    }

    #[test]
    fn a_standing_prism_has_four_contacts_that_hold_its_axis() {
        for n in [4, 5, 8, 20] {
            let found = contacts(n, 0.0, 0.01);
            assert_eq!(found.len(), 4, "{n}");
            assert!(found.iter().all(|c| (c.dist + 0.01).abs() < 1e-12 && c.normal == DVec3::Z));
            let mean = found.iter().map(|c| c.pos).sum::<DVec3>() / 4.0;
            assert!(mean.length() < 0.4, "{n} {mean}");
        }
    }

    #[test]
    fn only_corners_within_the_margin_count() {
        assert_eq!(contacts(4, 0.1, 0.01).len(), 1);
        assert_eq!(contacts(3, 0.0, 0.01).len(), 3);
        // The deepest comes first.
        let tilted = contacts(20, 0.1, 0.5);
        assert!(tilted.len() == 4 && tilted.iter().all(|c| c.dist >= tilted[0].dist));
    }
}
