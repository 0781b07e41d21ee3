//! Convex hulls of points: our own, and parry's for what that does not support.

mod quick;

use mj_math::DVec3;
use std::collections::HashSet;

/// Why there is no hull.
#[derive(Clone, Debug, PartialEq)]
pub enum HullError {
    /// Fewer than four points, or all in one plane (within rounding).
    Flat,
    /// The backend gave up; its words.
    Failed(String),
}

impl std::fmt::Display for HullError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flat => f.write_str("a convex hull needs four points that are not in one plane"),
            Self::Failed(why) => write!(f, "no convex hull: {why}"),
        }
    }
}

impl std::error::Error for HullError {}

/// Triangles of the convex hull, as indices into `points`, counter-clockwise seen from outside, in Qhull's order. With
/// `most`, the hull of at most so many of the points (four at least), each the farthest out of those before it.
///
/// # Errors
/// If the points are too few or flat, or not finite.
pub fn convex_hull(points: &[DVec3], most: Option<usize>) -> Result<Vec<[u32; 3]>, HullError> {
    if points.iter().any(|p| !p.is_finite()) {
        return Err(HullError::Failed("a point is not finite".into()));
    }
    if is_flat(points) {
        return Err(HullError::Flat);
    }
    if let Ok(faces) = quick::hull(points, most)
        && is_closed(&faces)
    {
        return Ok(faces);
    }
    let faces = parry_backend::hull(points)?;
    match most {
        Some(most) => thinned(points, faces, most),
        None => Ok(faces),
    }
}

/// Has every edge a triangle on each side, and no more?
fn is_closed(faces: &[[u32; 3]]) -> bool {
    let mut edges = HashSet::with_capacity(3 * faces.len());
    let around = |f: &[u32; 3]| [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])];
    faces.iter().flat_map(around).all(|edge| edges.insert(edge)) && edges.iter().all(|&(a, b)| edges.contains(&(b, a)))
}

/// Whether all points lie in one plane, within a millionth of a millionth of their extent.
fn is_flat(points: &[DVec3]) -> bool {
    let Some(&a) = points.first() else { return true };
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        points.iter().copied().max_by(|p, q| measure(*p).total_cmp(&measure(*q))).unwrap_or(a)
    };
    let b = farthest(&|p| p.distance_squared(a));
    let line = b - a;
    let c = farthest(&|p| line.cross(p - a).length_squared());
    let normal = line.cross(c - a).normalize_or_zero();
    let height = points.iter().map(|p| normal.dot(*p - a).abs()).fold(0.0, f64::max);
    normal == DVec3::ZERO || height <= 1e-12 * line.length()
}

/// The same with at most `most` of its points, each the farthest out of those before it.
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

/// Qhull itself, to compare with.
#[cfg(all(test, feature = "qhull"))]
mod qhull_backend {
    use super::HullError;
    use mj_math::DVec3;
    use qhull::QhBuilder;

    pub fn hull(points: &[DVec3]) -> Result<Vec<[u32; 3]>, HullError> {
        let fail = |e: &dyn std::fmt::Display| HullError::Failed(e.to_string());
        let qh = QhBuilder::default()
            .compute(true)
            .triangulate(true)
            .build_from_iter(points.iter().map(|p| p.to_array()))
            .map_err(|e| fail(&e))?;
        let centre = points.iter().sum::<DVec3>() / points.len() as f64;
        let mut faces = Vec::new();
        for f in qh.facets() {
            let corners: Option<Vec<u32>> =
                f.vertices().map(|v| v.iter().filter_map(|v| v.index(&qh)).map(|i| i as u32).collect());
            let Some(&[a, b, c]) = corners.as_deref() else {
                return Err(HullError::Failed("a facet is not a triangle".into()));
            };
            let [p, q, r] = [a, b, c].map(|i| points[i as usize]);
            let outward = (q - p).cross(r - p).dot(p - centre) > 0.0;
            faces.push(if outward { [a, b, c] } else { [b, a, c] });
        }
        Ok(faces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vec3() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    /// Points of a grid, which lie in planes and lines exactly.
    fn grid() -> impl Strategy<Value = DVec3> {
        (-3..=3i8, -3..=3i8, -3..=3i8).prop_map(|(x, y, z)| 0.1 * DVec3::new(x.into(), y.into(), z.into()))
    }

    /// The same, turned and in single precision.
    #[cfg(feature = "qhull")]
    fn turned() -> impl Strategy<Value = DVec3> {
        let turn = mj_math::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
        grid().prop_map(move |p| (turn * p).as_vec3().as_dvec3())
    }

    fn awkward() -> impl Strategy<Value = DVec3> {
        let off = prop::sample::select(vec![0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12, 1e-8]);
        prop_oneof![grid(), (grid(), vec3(), off).prop_map(|(p, q, off)| p + off * q)]
    }

    fn volume(points: &[DVec3], faces: &[[u32; 3]]) -> f64 {
        let at = |i: u32| points[i as usize];
        faces.iter().map(|f| at(f[0]).cross(at(f[1])).dot(at(f[2])) / 6.0).sum()
    }

    #[test]
    fn a_cube_has_twelve_triangles() {
        let cube: Vec<DVec3> = (0..9)
            .map(|i| {
                if i == 8 {
                    DVec3::splat(0.5)
                } else {
                    DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into())
                }
            })
            .collect();
        let faces = convex_hull(&cube, None).unwrap();
        assert_eq!(faces.len(), 12);
        assert!((volume(&cube, &faces) - 1.0).abs() < 1e-12);
        assert!(faces.iter().flatten().all(|&i| i != 8));
    }

    #[test]
    fn flat_points_have_no_hull() {
        let flat: Vec<DVec3> = (0..10).map(|i| DVec3::new(f64::from(i), f64::from(i * i), 1.0)).collect();
        assert_eq!(convex_hull(&flat, None), Err(HullError::Flat));
        assert_eq!(convex_hull(&[], None), Err(HullError::Flat));
        assert_eq!(convex_hull(&[DVec3::ONE; 7], None), Err(HullError::Flat));
        assert!(matches!(convex_hull(&[DVec3::NAN; 7], None), Err(HullError::Failed(_))));
    }

    proptest! {
        /// Every point is inside every face, every edge has a face on each side, and the backends
        /// enclose the same volume.
        #[test]
        fn hulls_are_convex_and_closed(points in prop::collection::vec(vec3(), 8..60)) {
            let faces = convex_hull(&points, None).unwrap();
            for f in &faces {
                let [a, b, c] = f.map(|i| points[i as usize]);
                let normal = (b - a).cross(c - a).normalize_or_zero();
                for p in &points {
                    prop_assert!(normal.dot(*p - a) < 1e-9);
                }
            }
            prop_assert!(is_closed(&faces));
            let other = parry_backend::hull(&points).unwrap();
            prop_assert!((volume(&points, &faces) - volume(&points, &other)).abs() < 1e-9);
        }

        /// Points in planes, in lines, doubled, and off by a little: no panic, and a hull that encloses what another
        /// backend's does.
        #[test]
        fn awkward_points_have_a_hull(points in prop::collection::vec(awkward(), 4..60)) {
            let (Ok(faces), Ok(other)) = (convex_hull(&points, None), parry_backend::hull(&points)) else { return Ok(()) };
            prop_assert!(is_closed(&faces));
            prop_assert!((volume(&points, &faces) - volume(&points, &other)).abs() < 1e-5, "{} {}", volume(&points, &faces), volume(&points, &other));
        }

        #[test]
        fn any_size_is_borne(points in prop::collection::vec(awkward(), 4..40), power in -320..308) {
            let scale = 10.0f64.powi(power);
            let points: Vec<DVec3> = points.into_iter().map(|p| scale * p).collect();
            let _ = convex_hull(&points, None);
            let _ = convex_hull(&points, Some(7));
        }

        #[test]
        fn a_hull_of_few_points_has_few(points in prop::collection::vec(awkward(), 20..60), most in 4..10usize) {
            let Ok(faces) = convex_hull(&points, Some(most)) else { return Ok(()) };
            let used: HashSet<u32> = faces.iter().flatten().copied().collect();
            prop_assert!((4..=most).contains(&used.len()));
        }

        /// The order of triangles and their corners is Qhull's.
        #[cfg(feature = "qhull")]
        #[test]
        fn the_order_is_qhulls(points in prop::collection::vec(prop_oneof![vec3(), grid(), turned()], 8..80)) {
            prop_assume!(!is_flat(&points));
            if let Ok(faces) = quick::hull(&points, None) {
                prop_assert_eq!(faces, qhull_backend::hull(&points).unwrap());
            }
        }
    }
}
