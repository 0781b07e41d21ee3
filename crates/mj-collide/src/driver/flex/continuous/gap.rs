//! The distance between the features of a pair, and its derivative by the motion of their vertices.

use super::{Obstacles, Pair};
use mj_math::DVec3;
use mj_math::closest::{on_triangle, point};

/// A distance and its derivative: weight times direction for each vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Distance, metres.
    pub distance: f64,
    /// Unit vector along which the first feature moves away from the second; zero where they meet.
    pub normal: DVec3,
    /// Weights of the vertices that [`Pair::vertices`] lists.
    pub weight: [f64; 4],
}

/// Computes how far the features of a pair are apart, with the vertices at `at`.
///
/// Example: [`advance`](crate::continuous::advance).
pub fn gap(pair: &Pair, obstacles: &Obstacles, at: impl Fn(u32) -> DVec3) -> Gap {
    match *pair {
        Pair::VertexTriangle(v, triangle) => {
            let (normal, distance, [a, b, c]) = of_triangle(at(v), triangle.map(at));
            Gap { distance, normal, weight: [1.0, -a, -b, -c] }
        }
        Pair::EdgeEdge(first, second) => {
            let (normal, distance, [s, t]) = of_edges(first.map(&at), second.map(&at));
            Gap { distance, normal, weight: [1.0 - s, s, t - 1.0, -t] }
        }
        Pair::VertexGeom(v, geom) => {
            let (distance, normal) = obstacles.surface(geom, at(v));
            Gap { distance, normal, weight: [1.0, 0.0, 0.0, 0.0] }
        }
        Pair::CornerTriangle(corner, triangle) => {
            let (corner, geom) = obstacles.corner[corner as usize];
            let (normal, distance, [a, b, c]) = of_triangle(corner, triangle.map(at));
            Gap { distance: distance - obstacles.rounding(geom), normal, weight: [-a, -b, -c, 0.0] }
        }
        Pair::GeomEdgeEdge(edge, other) => {
            let (edge, geom) = obstacles.edge[edge as usize];
            let (normal, distance, [_, t]) = of_edges(edge, other.map(at));
            Gap { distance: distance - obstacles.rounding(geom), normal, weight: [t - 1.0, -t, 0.0, 0.0] }
        }
    }
}

/// Length and direction of a vector; no direction where it has next to no length.
fn direction(out: DVec3) -> (DVec3, f64) {
    let length = out.length();
    (if length < 1e-15 { DVec3::ZERO } else { out / length }, length)
}

/// Direction and distance of a point from a triangle, and the weights of the triangle's corners.
fn of_triangle(p: DVec3, triangle: [DVec3; 3]) -> (DVec3, f64, [f64; 3]) {
    let weights = on_triangle(p, triangle);
    let (normal, distance) = direction(p - point(&weights, &triangle));
    (normal, distance, weights)
}

/// Direction and distance of an edge from another, and how far along each the nearest points are (Ericson, Real-Time
/// Collision Detection, section 5.1.9). Of parallel edges, the first end of the first is nearest where all are.
fn of_edges([p, p2]: [DVec3; 2], [q, q2]: [DVec3; 2]) -> (DVec3, f64, [f64; 2]) {
    const SMALL: f64 = 1e-12;
    let (u, v, between) = (p2 - p, q2 - q, p - q);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (ur, vr) = (u.dot(between), v.dot(between));
    let unit = |x: f64| x.clamp(0.0, 1.0);
    let along = if uu <= SMALL {
        [0.0, if vv <= SMALL { 0.0 } else { unit(vr / vv) }]
    } else if vv <= SMALL {
        [unit(-ur / uu), 0.0]
    } else {
        let square = uu * vv - uv * uv;
        let s = if square > SMALL { unit((uv * vr - ur * vv) / square) } else { 0.0 };
        match (uv * s + vr) / vv {
            t if t < 0.0 => [unit(-ur / uu), 0.0],
            t if t > 1.0 => [unit((uv - ur) / uu), 1.0],
            t => [s, t],
        }
    };
    let (normal, distance) = direction(p + u * along[0] - q - v * along[1]);
    (normal, distance, along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array)
    }

    proptest! {
        /// The weights and the direction are the derivative of the distance.
        #[test]
        fn gaps_have_the_slope_that_they_tell(
            at in prop::array::uniform4(any_point()),
            along in prop::array::uniform4(any_point()),
        ) {
            let none = Obstacles::default();
            for pair in [Pair::VertexTriangle(0, [1, 2, 3]), Pair::EdgeEdge([0, 1], [2, 3])] {
                let g = gap(&pair, &none, |v| at[v as usize]);
                prop_assume!(g.distance > 0.05);
                let h = 1e-6;
                let moved = |h: f64| gap(&pair, &none, |v| at[v as usize] + along[v as usize] * h).distance;
                let slope: f64 = g.weight.iter().zip(along).map(|(w, d)| w * g.normal.dot(d)).sum();
                prop_assert!(((moved(h) - moved(-h)) / (2.0 * h) - slope).abs() < 1e-4);
            }
        }

        /// No other points of two edges are nearer.
        #[test]
        fn nearest_points_of_edges_are_nearest(at in prop::array::uniform4(any_point()), s in 0.0..1.0f64, t in 0.0..1.0f64) {
            let [a, b, c, d] = at;
            let distance = gap(&Pair::EdgeEdge([0, 1], [2, 3]), &Obstacles::default(), |v| at[v as usize]).distance;
            prop_assert!(distance <= (a.lerp(b, s) - c.lerp(d, t)).length() + 1e-9);
        }
    }
}
