//! Convex hulls of points: those of `mj-collide`, and parry's for what that does not support.

pub use mj_collide::HullError;

use mj_math::DVec3;

/// Triangles of the convex hull, as indices into `points`, counter-clockwise seen from outside, in Qhull's order. With
/// `most`, the hull of at most so many of the points (four at least), each the farthest out of those before it.
///
/// # Errors
/// If the points are too few or flat, or not finite.
pub fn convex_hull(points: &[DVec3], most: Option<usize>) -> Result<Vec<[u32; 3]>, HullError> {
    let found = mj_collide::convex_hull(points, most);
    if !matches!(found, Err(HullError::Failed(_))) {
        return found;
    }
    let faces = parry_backend::hull(points)?;
    match most {
        Some(most) => thinned(points, faces, most),
        None => Ok(faces),
    }
}

/// The hull of at most `most` of the points of a hull, each the farthest out of those before it.
fn thinned(points: &[DVec3], faces: Vec<[u32; 3]>, most: usize) -> Result<Vec<[u32; 3]>, HullError> {
    let mut left: Vec<u32> = faces.iter().flatten().copied().collect();
    left.sort_unstable();
    left.dedup();
    if left.len() <= most {
        return Ok(faces);
    }
    let at = |i: u32| points[i as usize];
    let mut kept: Vec<u32> = Vec::new();
    // The farthest apart, then the farthest from their line, then from their plane.
    let mut take = |measure: &dyn Fn(DVec3) -> f64, left: &mut Vec<u32>| {
        let best = (0..left.len()).max_by(|&i, &j| measure(at(left[i])).total_cmp(&measure(at(left[j]))));
        let vertex = left.swap_remove(best.unwrap_or(0));
        kept.push(vertex);
        at(vertex)
    };
    let a = take(&|p| p.x, &mut left);
    let b = take(&|p| p.distance_squared(a), &mut left);
    let c = take(&|p| (b - a).cross(p - a).length_squared(), &mut left);
    let normal = (b - a).cross(c - a);
    take(&|p| normal.dot(p - a).abs(), &mut left);
    loop {
        let corners: Vec<DVec3> = kept.iter().map(|&i| at(i)).collect();
        let hull: Vec<[u32; 3]> = parry_backend::hull(&corners)?;
        if kept.len() >= most {
            return Ok(hull.into_iter().map(|f| f.map(|i| kept[i as usize])).collect());
        }
        let planes: Vec<(DVec3, DVec3)> = (hull.iter())
            .map(|f| {
                let [a, b, c] = f.map(|i| corners[i as usize]);
                (a, (b - a).cross(c - a).normalize_or_zero())
            })
            .collect();
        let outside = |p: DVec3| planes.iter().map(|(a, n)| n.dot(p - *a)).fold(f64::NEG_INFINITY, f64::max);
        let best = (0..left.len()).max_by(|&i, &j| outside(at(left[i])).total_cmp(&outside(at(left[j]))));
        let Some(best) = best else { continue };
        kept.push(left.swap_remove(best));
    }
}

/// Parry's quickhull.
mod parry_backend {
    use super::HullError;
    use mj_math::DVec3;
    use parry3d_f64::transformation::try_convex_hull;
    use std::collections::HashMap;

    pub fn hull(points: &[DVec3]) -> Result<Vec<[u32; 3]>, HullError> {
        let (vertices, faces) = try_convex_hull(points).map_err(|e| HullError::Failed(e.to_string()))?;
        // Parry numbers the vertices anew; their bits are those of the points.
        let key = |p: &DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
        let number: HashMap<_, u32> = points.iter().enumerate().rev().map(|(i, p)| (key(p), i as u32)).collect();
        let number = |i: u32| number.get(&key(&vertices[i as usize])).copied();
        let faces: Option<Vec<[u32; 3]>> =
            faces.iter().map(|f| Some([number(f[0])?, number(f[1])?, number(f[2])?])).collect();
        faces.ok_or_else(|| HullError::Failed("a vertex is none of the points".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Points of a grid, which lie in planes and lines, off by about as much as rounding.
    fn awkward() -> impl Strategy<Value = DVec3> {
        let off = prop::sample::select(vec![0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12]);
        let grid = (-3..=3i8, -3..=3i8, -3..=3i8);
        let near = (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64);
        (grid, near, off).prop_map(|((x, y, z), (a, b, c), off)| {
            0.1 * DVec3::new(x.into(), y.into(), z.into()) + off * DVec3::new(a, b, c)
        })
    }

    fn volume(points: &[DVec3], faces: &[[u32; 3]]) -> f64 {
        let at = |i: u32| points[i as usize];
        faces.iter().map(|f| at(f[0]).cross(at(f[1])).dot(at(f[2])) / 6.0).sum()
    }

    proptest! {
        #[test]
        fn what_one_hull_builder_does_not_know_the_other_does(points in prop::collection::vec(awkward(), 4..60)) {
            let (Ok(faces), Ok(other)) = (convex_hull(&points, None), parry_backend::hull(&points)) else { return Ok(()) };
            prop_assert!((volume(&points, &faces) - volume(&points, &other)).abs() < 1e-5);
        }

        #[test]
        fn a_hull_of_few_points_has_few(points in prop::collection::vec(awkward(), 20..60), most in 4..10usize) {
            let Ok(faces) = convex_hull(&points, Some(most)) else { return Ok(()) };
            let used: HashSet<u32> = faces.iter().flatten().copied().collect();
            prop_assert!((4..=most).contains(&used.len()));
        }
    }
}
