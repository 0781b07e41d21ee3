//! Nearest points of segments, triangles and tetrahedra, by the weights of their corners.

use glam::DVec3;

/// Returns the weights of two points for the nearest point of the segment between them.
pub fn on_segment(p: DVec3, [a, b]: [DVec3; 2]) -> [f64; 2] {
    let along = b - a;
    let square = along.length_squared();
    let t = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - t, t]
}

/// Returns the weights of a triangle's corners for its nearest point: of the interior, an edge or a corner, whichever region
/// the point projects into (Ericson, Real-Time Collision Detection, section 5.1.5).
pub fn on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let [u, v] = on_segment(p, [a, b]);
        return [u, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let [u, v] = on_segment(p, [a, c]);
        return [u, 0.0, v];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let [u, v] = on_segment(p, [b, c]);
        return [0.0, u, v];
    }
    let scale = 1.0 / (va + vb + vc);
    [va * scale, vb * scale, vc * scale]
}

/// Returns the weights of a tetrahedron's corners for its nearest point, which is the point itself inside.
pub fn on_tetrahedron(p: DVec3, corner: [DVec3; 4]) -> [f64; 4] {
    if let Some(inside) = in_tetrahedron(p, corner).filter(|w| w.iter().all(|&w| w >= 0.0)) {
        return inside;
    }
    let mut best = ([0.25; 4], f64::INFINITY);
    for face in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]] {
        let w = on_triangle(p, face.map(|i| corner[i]));
        let mut weights = [0.0; 4];
        for (i, w) in face.into_iter().zip(w) {
            weights[i] = w;
        }
        let distance = (point(&weights, &corner) - p).length_squared();
        if distance < best.1 {
            best = (weights, distance);
        }
    }
    best.0
}

/// Returns the coordinates of a point by the corners of a tetrahedron; none if that is flat.
pub fn in_tetrahedron(p: DVec3, [a, b, c, d]: [DVec3; 4]) -> Option<[f64; 4]> {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let all = volume(a, b, c, d);
    if all == 0.0 {
        return None;
    }
    let [u, v, w] = [volume(p, b, c, d), volume(a, p, c, d), volume(a, b, p, d)].map(|x| x / all);
    Some([u, v, w, 1.0 - u - v - w])
}

/// Returns the sum of points by weights.
pub fn point(weights: &[f64], corners: &[DVec3]) -> DVec3 {
    weights.iter().zip(corners).fold(DVec3::ZERO, |sum, (&w, &c)| sum + c * w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array)
    }

    proptest! {
        /// No other point of the simplex is nearer: the way there makes no acute angle with the way to any corner.
        #[test]
        fn nearest_points_are_nearest(p in any_point(), corner in prop::array::uniform4(any_point())) {
            let [a, b, c, _] = corner;
            let found: [(Vec<f64>, Vec<DVec3>); 3] = [
                (on_segment(p, [a, b]).to_vec(), vec![a, b]),
                (on_triangle(p, [a, b, c]).to_vec(), vec![a, b, c]),
                (on_tetrahedron(p, corner).to_vec(), corner.to_vec()),
            ];
            for (w, corners) in found {
                prop_assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-9 && w.iter().all(|&w| w > -1e-9), "{w:?}");
                let x = point(&w, &corners);
                for c in corners {
                    prop_assert!((c - x).dot(p - x) < 1e-9, "{w:?}");
                }
            }
        }
    }
}
