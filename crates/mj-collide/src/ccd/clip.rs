//! Polygons in space cut by the sides of a prism, and the corners that span the most of what is left.

use mj_math::DVec3;

use crate::frame::TINY;

/// Cuts a polygon with the planes through the edges of another along that one's normal (Sutherland and Hodgman 1974). With
/// each, it then starts with the end of its first edge. An edge that starts or ends on a plane leaves a corner there
/// twice.
pub(super) fn clip(
    patch: &mut Vec<DVec3>,
    (spare, heights): (&mut Vec<DVec3>, &mut Vec<f64>),
    window: &[DVec3],
    along: DVec3,
) {
    // Where the polygon starts in its list: planes that leave it whole move nothing. Most are beyond a ball around it.
    let mut first = 0;
    let (mut centre, mut radius2) = ball(patch);
    for (k, &v) in window.iter().enumerate() {
        let n = patch.len();
        let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
        if n == 0 {
            return;
        }
        let edge = window[(k + 1) % window.len()] - v;
        let normal = edge.cross((v + along) - v);
        // A plane well beyond the ball, without a root.
        let height = normal.dot(centre - v);
        if height > 0.0 && height * height > radius2 * normal.length_squared() {
            first = next(first);
            continue;
        }
        let normal = normal.normalize_or_zero();
        heights.clear();
        heights.extend(patch.iter().map(|&p| normal.dot(p - v)));
        let inside = |h: f64| h > -TINY;
        if heights.iter().all(|&h| inside(h)) {
            first = next(first);
            continue;
        }
        spare.clear();
        let mut i = first;
        for _ in 0..n {
            let j = next(i);
            let (p, q, hp, hq) = (patch[i], patch[j], heights[i], heights[j]);
            if inside(hp) != inside(hq) {
                let t = hp / (hp - hq);
                if (0.0..=1.0).contains(&t) {
                    spare.push(p + (q - p) * t);
                }
            }
            if inside(hq) {
                spare.push(q);
            }
            i = j;
        }
        std::mem::swap(patch, spare);
        first = 0;
        (centre, radius2) = ball(patch);
    }
    patch.rotate_left(first);
}

/// A ball that holds some points, with room for rounding: its centre, and the square of its radius.
fn ball(points: &[DVec3]) -> (DVec3, f64) {
    let centre = points.iter().sum::<DVec3>() / points.len() as f64;
    let radius2 = points.iter().fold(0.0, |most: f64, p| most.max(p.distance_squared(centre)));
    (centre, radius2 * (1.0 + 1e-9))
}

/// Four corners of a convex polygon that span a large area, by rotating calipers.
pub(crate) fn widest_quad(n: usize, p: impl Fn(usize) -> DVec3) -> [usize; 4] {
    let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
    let area = |[a, b, c, d]: [usize; 4]| 0.5 * (p(c) - p(a)).cross(p(d) - p(b)).length();
    let [mut b, mut c, mut d] = [1, 2, 3];
    let mut best = [0, 1, 2, 3];
    let mut most = area(best);
    for a in 0..n {
        // Move each of the other corners on as long as the area grows.
        loop {
            let wider = area([a, b, c, next(d)]);
            if wider <= most {
                break;
            }
            most = wider;
            d = next(d);
            best = [a, b, c, d];
            loop {
                let wider = area([a, b, next(c), d]);
                if wider <= most {
                    break;
                }
                most = wider;
                c = next(c);
                best = [a, b, c, d];
            }
            loop {
                let wider = area([a, next(b), c, d]);
                if wider <= most {
                    break;
                }
                most = wider;
                b = next(b);
                best = [a, b, c, d];
            }
        }
        if b == a {
            b = next(b);
            if c == b {
                c = next(c);
                if d == c {
                    d = next(d);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A regular polygon of radius 1 about a centre, in the plane z = `height`.
    fn polygon(n: usize, centre: [f64; 2], height: f64) -> Vec<DVec3> {
        let corner = |i: usize| {
            let (sin, cos) = (-std::f64::consts::TAU * (i as f64 + 0.5) / n as f64).sin_cos();
            DVec3::new(centre[0] + cos, centre[1] + sin, height)
        };
        (0..n).map(corner).collect()
    }

    fn area(patch: &[DVec3]) -> f64 {
        (1..patch.len() - 1).map(|k| 0.5 * (patch[k] - patch[0]).cross(patch[k + 1] - patch[0]).length()).sum()
    }

    #[test]
    fn what_lies_over_another_is_left() {
        let (mut spare, mut heights) = (Vec::new(), Vec::new());
        let window = polygon(4, [0.0, 0.0], 0.0);
        // Squares with sides √2: half of one over the other, all of it, nothing.
        for (shift, left) in [(0.5 * 2f64.sqrt(), 1.0), (0.0, 2.0), (1.5, 0.0)] {
            let mut patch = polygon(4, [shift, 0.0], 0.3);
            clip(&mut patch, (&mut spare, &mut heights), &window, DVec3::Z);
            let found = if patch.len() < 3 { 0.0 } else { area(&patch) };
            assert!((found - left).abs() < 1e-9, "{shift}: {patch:?}");
            assert!(patch.iter().all(|p| p.z == 0.3));
        }
        // A small one well inside stays as it is, but starts elsewhere: one corner on for each side of the window.
        let small: Vec<DVec3> = polygon(5, [0.0, 0.0], 0.0).into_iter().map(|p| p * 0.1).collect();
        let mut patch = small.clone();
        clip(&mut patch, (&mut spare, &mut heights), &window, DVec3::Z);
        patch.rotate_right(4);
        assert_eq!(patch, small);
    }

    #[test]
    fn four_corners_span_the_most_or_nearly() {
        for n in 4..40 {
            let round = polygon(n, [0.0, 0.0], 0.0);
            let found = area(&widest_quad(n, |i| round[i]).map(|i| round[i]));
            // No four corners on a circle of radius 1 span more than 2.
            assert!(found <= 2.0 + 1e-12 && found > 1.6, "{n}: {found}");
        }
    }
}
