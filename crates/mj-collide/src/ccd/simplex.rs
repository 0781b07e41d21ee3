//! The point of a simplex nearest to the origin, by signed volumes (Montanari, Petrinic and Barbieri 2017).
//!
//! Each function returns barycentric coordinates. A coordinate of zero means that its vertex isn't needed.

use mj_math::DVec3;

use crate::frame::TINY;

/// The nearest point of the first `n` of four vertices.
pub(super) fn nearest(n: usize, s: &[DVec3; 4]) -> [f64; 4] {
    match n {
        4 => on_tetrahedron(s),
        3 => {
            let l = on_triangle([s[0], s[1], s[2]]);
            [l[0], l[1], l[2], 0.0]
        }
        2 => {
            let l = on_segment(s[0], s[1]);
            [l[0], l[1], 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

fn on_segment(s1: DVec3, s2: DVec3) -> [f64; 2] {
    let edge = s2 - s1;
    let length2 = edge.length_squared();
    let (from2, from1) = (s2.dot(edge), -s1.dot(edge));
    if from2 > 0.0 && from1 > 0.0 {
        [from2 / length2, from1 / length2]
    } else if from2 > 0.0 {
        [1.0, 0.0]
    } else {
        [0.0, 1.0]
    }
}

fn on_triangle(s: [DVec3; 3]) -> [f64; 3] {
    let Some(foot) = foot_on_plane(s[0], s[1], s[2]) else {
        let l = on_segment(s[0], s[1]);
        return [l[0], l[1], 0.0];
    };
    let (area, parts) = areas(s, foot);
    let inside = parts.map(|part| same_sign(area, part));
    if inside == [true; 3] {
        return parts.map(|part| part / area);
    }

    // Otherwise it is on one of the edges beyond which the foot lies.
    let mut best = [0.0; 3];
    let mut best_distance2 = f64::INFINITY;
    for k in (0..3).filter(|&k| !inside[k]) {
        let (i, j) = [(1, 2), (0, 2), (0, 1)][k];
        let l = on_segment(s[i], s[j]);
        let distance2 = (s[i] * l[0] + s[j] * l[1]).length_squared();
        if distance2 < best_distance2 {
            best_distance2 = distance2;
            best = [0.0; 3];
            (best[i], best[j]) = (l[0], l[1]);
        }
    }
    best
}

fn on_tetrahedron(s: &[DVec3; 4]) -> [f64; 4] {
    // Volumes relative to a vertex: the simplex may be small and far away.
    let volume = |a: DVec3, b: DVec3, c: DVec3| a.dot((b - a).cross(c - a));
    let parts =
        [-volume(s[1], s[2], s[3]), volume(s[0], s[2], s[3]), -volume(s[0], s[1], s[3]), volume(s[0], s[1], s[2])];
    let total = parts[0] + parts[1] + parts[2] + parts[3];
    let inside = parts.map(|part| same_sign(total, part));
    if inside == [true; 4] {
        return parts.map(|part| part / total);
    }

    let mut best = [0.0; 4];
    let mut best_distance2 = f64::INFINITY;
    for k in (0..4).filter(|&k| !inside[k]) {
        let face = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][k];
        let l = on_triangle(face.map(|i| s[i]));
        let distance2 = (s[face[0]] * l[0] + s[face[1]] * l[1] + s[face[2]] * l[2]).length_squared();
        if distance2 < best_distance2 {
            best_distance2 = distance2;
            best = [0.0; 4];
            for (i, weight) in face.into_iter().zip(l) {
                best[i] = weight;
            }
        }
    }
    best
}

/// Barycentric coordinates of a point of the triangle's plane.
pub(super) fn barycentric(s: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let (area, parts) = areas(s, point);
    parts.map(|part| part / area)
}

/// Twice the signed area of a triangle and of the parts that `point` cuts it into, all projected along the
/// coordinate that leaves the most area. Part k is opposite vertex k.
fn areas(s: [DVec3; 3], p: DVec3) -> (f64, [f64; 3]) {
    let normal = (s[1] - s[0]).cross(s[2] - s[0]);
    let size = normal.abs();
    let k = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let [a, b, c] = s.map(|v| v - p);
    (normal[k], [b.cross(c)[k], c.cross(a)[k], a.cross(b)[k]])
}

/// The point nearest to the origin of the plane through three points; `None` where they are on a line.
///
/// The normal is taken at each vertex in turn until one is usable.
pub(super) fn foot_on_plane(v1: DVec3, v2: DVec3, v3: DVec3) -> Option<DVec3> {
    let (d21, d31, d32) = (v2 - v1, v3 - v1, v3 - v2);
    for (normal, vertex) in [(d32.cross(d21), v2), (d21.cross(d31), v1)] {
        let (height, length2) = (normal.dot(vertex), normal.length_squared());
        if length2 == 0.0 {
            return None;
        }
        if height != 0.0 && length2 > TINY {
            return Some(normal * (height / length2));
        }
    }
    let normal = d31.cross(d32);
    let length2 = normal.length_squared();
    (length2 > 0.0).then(|| normal * (normal.dot(v3) / length2))
}

fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(s: &[DVec3; 4], l: &[f64; 4]) -> DVec3 {
        (0..4).map(|i| s[i] * l[i]).sum()
    }

    /// The nearest point x of a convex set satisfies x·(v − x) ≥ 0 for all its vertices v.
    fn check(n: usize, s: &[DVec3; 4]) -> Result<(), TestCaseError> {
        let l = nearest(n, s);
        prop_assert!((l.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(l.iter().all(|&x| x >= 0.0));
        let x = point(s, &l);
        for v in &s[..n] {
            prop_assert!(x.dot(*v - x) > -1e-9);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn segments_and_tetrahedra_around_the_origin(c in prop::array::uniform12(-1.0..1.0f64)) {
            let s: [DVec3; 4] = std::array::from_fn(|i| DVec3::new(c[3 * i], c[3 * i + 1], c[3 * i + 2]));
            check(2, &s)?;
            // The search grows a simplex by a vertex on the near side of its nearest point x: beyond the plane
            // through x orthogonal to x.
            let l = nearest(2, &s);
            let x = s[0] * l[0] + s[1] * l[1];
            if l[0] > 0.0 && l[1] > 0.0 {
                let mut grown = s;
                grown[2] = s[2] - x * ((s[2].dot(x) / x.length_squared()).max(0.0) + 0.1);
                check(3, &grown)?;
            }
        }
    }
}
