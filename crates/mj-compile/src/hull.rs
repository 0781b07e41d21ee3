//! Convex hulls of points: one function, two backends.

use mj_math::DVec3;

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

/// Triangles of the convex hull, as indices into `points`, counter-clockwise seen from outside.
///
/// The backend is parry, or Qhull with the feature `qhull`.
///
/// # Errors
/// If the points are too few or flat, or not finite.
pub fn convex_hull(points: &[DVec3]) -> Result<Vec<[u32; 3]>, HullError> {
    if points.iter().any(|p| !p.is_finite()) {
        return Err(HullError::Failed("a point is not finite".into()));
    }
    if is_flat(points) {
        return Err(HullError::Flat);
    }
    #[cfg(feature = "qhull")]
    return qhull_backend::hull(points);
    #[cfg(not(feature = "qhull"))]
    parry_backend::hull(points)
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

/// Parry's quickhull: no C toolchain needed.
#[cfg(any(not(feature = "qhull"), test))]
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

/// Qhull, whose facets are the reference's.
#[cfg(feature = "qhull")]
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
            faces.push(if outward { [a, b, c] } else { [a, c, b] });
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
        let faces = convex_hull(&cube).unwrap();
        assert_eq!(faces.len(), 12);
        assert!((volume(&cube, &faces) - 1.0).abs() < 1e-12);
        assert!(faces.iter().flatten().all(|&i| i != 8));
    }

    #[test]
    fn flat_points_have_no_hull() {
        let flat: Vec<DVec3> = (0..10).map(|i| DVec3::new(f64::from(i), f64::from(i * i), 1.0)).collect();
        assert_eq!(convex_hull(&flat), Err(HullError::Flat));
        assert_eq!(convex_hull(&[]), Err(HullError::Flat));
        assert_eq!(convex_hull(&[DVec3::ONE; 7]), Err(HullError::Flat));
        assert!(matches!(convex_hull(&[DVec3::NAN; 7]), Err(HullError::Failed(_))));
    }

    proptest! {
        /// Every point is inside every face, every edge has a face on each side, and the backends
        /// enclose the same volume.
        #[test]
        fn hulls_are_convex_and_closed(points in prop::collection::vec(vec3(), 8..60)) {
            let faces = convex_hull(&points).unwrap();
            let mut edges = std::collections::HashSet::new();
            for f in &faces {
                let [a, b, c] = f.map(|i| points[i as usize]);
                let normal = (b - a).cross(c - a).normalize_or_zero();
                for p in &points {
                    prop_assert!(normal.dot(*p - a) < 1e-9);
                }
                for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                    prop_assert!(edges.insert((f[i], f[j])));
                }
            }
            prop_assert!(edges.iter().all(|&(i, j)| edges.contains(&(j, i))));
            let other = parry_backend::hull(&points).unwrap();
            prop_assert!((volume(&points, &faces) - volume(&points, &other)).abs() < 1e-9);
        }
    }
}
