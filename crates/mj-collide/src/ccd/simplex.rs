//! The point of a simplex nearest to the origin, by signed volumes (Montanari, Petrinic and Barbieri 2017).

use mj_math::DVec3;

use crate::frame::TINY;

/// The point of a simplex nearest to the origin.
#[derive(Clone, Copy)]
pub(super) struct Foot {
    /// Barycentric coordinates; zero means that the vertex isn't needed.
    pub weights: [f64; 4],
    /// The point: the projection itself, which is more accurate than the weighted sum of the vertices.
    pub point: DVec3,
    /// Its squared distance from the origin.
    pub length2: f64,
}

impl Foot {
    #[inline(always)]
    fn new(weights: [f64; 4], point: DVec3) -> Self {
        Self { weights, point, length2: point.length_squared() }
    }
}

/// The nearest point of the first `n` of four vertices.
#[inline(always)]
pub(super) fn nearest(n: usize, s: &[DVec3; 4]) -> Foot {
    match n {
        4 => on_tetrahedron(s),
        3 => on_triangle(s, [0, 1, 2]),
        2 => on_segment(s, [0, 1]),
        _ => at_vertex(s, 0),
    }
}

/// The nearest point of the edges from the last of the first `n` of four vertices to the others.
pub(super) fn on_new_edges(n: usize, s: &[DVec3; 4]) -> Foot {
    closest(s, (0..n - 1).map(|i| on_segment(s, [i, n - 1])))
}

#[inline(always)]
fn at_vertex(s: &[DVec3; 4], i: usize) -> Foot {
    let mut weights = [0.0; 4];
    weights[i] = 1.0;
    Foot::new(weights, s[i])
}

/// On the segment between two of the vertices.
fn on_segment(s: &[DVec3; 4], [i, j]: [usize; 2]) -> Foot {
    let edge = s[j] - s[i];
    let point = s[j] + edge * -(s[j].dot(edge) / edge.length_squared());
    // Along the coordinate in which the segment is longest.
    let length = s[i] - s[j];
    let k = (1..3).fold(0, |k, c| if length[c].abs() >= length[k].abs() { c } else { k });
    let parts = [point[k] - s[j][k], s[i][k] - point[k]];
    if !parts.iter().all(|&part| same_sign(length[k], part)) {
        return at_vertex(s, if s[i].dot(edge) > 0.0 { i } else { j });
    }
    let mut weights = [0.0; 4];
    (weights[i], weights[j]) = (parts[0] / length[k], parts[1] / length[k]);
    Foot::new(weights, point)
}

/// On the triangle of three of the vertices.
fn on_triangle(s: &[DVec3; 4], corners: [usize; 3]) -> Foot {
    let triangle = corners.map(|i| s[i]);
    let [i, j, k] = corners;
    let Some(point) = foot_on_plane(triangle[0], triangle[1], triangle[2]) else {
        return on_segment(s, [i, j]);
    };
    let (area, parts) = areas(triangle, point);
    let inside = parts.map(|part| same_sign(area, part));
    if inside == [true; 3] {
        let mut weights = [0.0; 4];
        let whole: f64 = parts.iter().sum();
        corners.into_iter().zip(parts).for_each(|(i, part)| weights[i] = part / whole);
        return Foot::new(weights, point);
    }
    // Otherwise it is on one of the edges beyond which the foot lies.
    closest(
        s,
        [[j, k], [i, k], [i, j]].into_iter().zip(inside).filter(|(_, inside)| !inside).map(|(e, _)| on_segment(s, e)),
    )
}

fn on_tetrahedron(s: &[DVec3; 4]) -> Foot {
    let (over, left, right) = (s[2].cross(s[3]), s[1].cross(s[3]), s[1].cross(s[2]));
    let parts = [-s[1].dot(over), s[0].dot(over), -s[0].dot(left), s[0].dot(right)];
    let total = parts[0] + parts[1] + parts[2] + parts[3];
    let inside = parts.map(|part| same_sign(total, part));
    if inside == [true; 4] {
        return Foot::new(parts.map(|part| part / total), DVec3::ZERO);
    }
    let faces = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    closest(s, faces.into_iter().zip(inside).filter(|(_, inside)| !inside).map(|(f, _)| on_triangle(s, f)))
}

/// The first of the points that are nearest to the origin; there is at least one. Two may differ by rounding only: they
/// are compared as weighted sums of the vertices, as the reference does.
fn closest(s: &[DVec3; 4], mut feet: impl Iterator<Item = Foot>) -> Foot {
    let distance2 = |foot: &Foot| {
        let [x, y, z, w] = foot.weights;
        (s[0] * x + s[1] * y + s[2] * z + s[3] * w).length_squared()
    };
    let nothing = Foot::new([0.0; 4], DVec3::INFINITY);
    let Some(mut best) = feet.next() else { return nothing };
    let mut least = None;
    for foot in feet {
        let (old, new) = (least.unwrap_or_else(|| distance2(&best)), distance2(&foot));
        if new < old {
            best = foot;
        }
        least = Some(old.min(new));
    }
    best
}

/// Barycentric coordinates of a point of the triangle's plane.
pub(super) fn barycentric(s: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let (_, parts) = areas(s, point);
    let whole: f64 = parts.iter().sum();
    parts.map(|part| part / whole)
}

/// Twice the signed area of a triangle and of the parts that `point` cuts it into, all projected along the
/// coordinate that leaves the most area. Part k is opposite vertex k.
fn areas([a, b, c]: [DVec3; 3], p: DVec3) -> (f64, [f64; 3]) {
    let area = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i] - a[i] * c[j] + a[j] * c[i] + a[i] * b[j] - a[j] * b[i];
    // About the point, so that a tiny triangle far from the origin loses no digits.
    let part = |v: DVec3, w: DVec3, i: usize, j: usize| {
        let (v, w) = (v - p, w - p);
        v[i] * w[j] - v[j] * w[i]
    };
    let projected = [area(1, 2), area(0, 2), area(0, 1)];
    let size = projected.map(f64::abs);
    let (k, i, j) = if size[0] >= size[1] && size[0] >= size[2] {
        (0, 1, 2)
    } else if size[1] >= size[2] {
        (1, 0, 2)
    } else {
        (2, 0, 1)
    };
    (projected[k], [part(b, c, i, j), part(c, a, i, j), part(a, b, i, j)])
}

/// The point nearest to the origin of the plane through three points; `None` where they are on a line.
///
/// The normal is taken at each vertex in turn until one is usable.
#[inline(always)]
pub(super) fn foot_on_plane(v1: DVec3, v2: DVec3, v3: DVec3) -> Option<DVec3> {
    let (d21, d32) = (v2 - v1, v3 - v2);
    let normal = d32.cross(d21);
    let (height, length2) = (normal.dot(v2), normal.length_squared());
    if height != 0.0 && length2 > TINY {
        return Some(normal * (height / length2));
    }
    if length2 == 0.0 { None } else { foot_on_sliver(v1, v2, v3) }
}

/// Finds the closest point of a triangle that is tiny, or whose plane holds the origin within rounding at its second vertex.
#[cold]
fn foot_on_sliver(v1: DVec3, v2: DVec3, v3: DVec3) -> Option<DVec3> {
    let (d21, d31, d32) = (v2 - v1, v3 - v1, v3 - v2);
    let normal = d21.cross(d31);
    let (height, length2) = (normal.dot(v1), normal.length_squared());
    if height != 0.0 && length2 > TINY {
        return Some(normal * (height / length2));
    }
    if length2 == 0.0 {
        return None;
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

    /// The nearest point x of a convex set satisfies x·(v − x) ≥ 0 for all its vertices v.
    fn check(n: usize, s: &[DVec3; 4]) -> Result<(), TestCaseError> {
        let Foot { weights: l, point: x, .. } = nearest(n, s);
        prop_assert!((l.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(l.iter().all(|&x| x >= 0.0));
        prop_assert!(((0..4).map(|i| s[i] * l[i]).sum::<DVec3>() - x).length() < 1e-9);
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
            let Foot { weights: l, point: x, .. } = nearest(2, &s);
            if l[0] > 0.0 && l[1] > 0.0 {
                let mut grown = s;
                grown[2] = s[2] - x * ((s[2].dot(x) / x.length_squared()).max(0.0) + 0.1);
                check(3, &grown)?;
            }
        }
    }
}
