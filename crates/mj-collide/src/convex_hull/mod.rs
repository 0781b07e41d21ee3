//! Convex hulls of points.
//!
//! Triangles, their order and their first corners are Qhull's, which programs that use it have in common.

mod polygons;
mod quick;

pub use polygons::unite;

use crate::{Hull, HullError};
use mj_math::DVec3;
use std::collections::{HashMap, HashSet};

/// Triangles of the convex hull, as indices into `points`, counter-clockwise seen from outside, in Qhull's order. With
/// `most`, the hull of at most so many of the points (four at least), each the farthest out of those before it.
///
/// ```
/// use mj_collide::{convex_hull, unite};
/// use mj_math::DVec3;
///
/// let corner = |c: usize| DVec3::new((c & 1) as f64, (c >> 1 & 1) as f64, (c >> 2) as f64);
/// let points: Vec<DVec3> = (0..8).map(corner).collect();
/// let triangles = convex_hull(&points, None)?;
/// assert_eq!(triangles.len(), 12);
/// // Triangles with one normal are one side of the cube.
/// let normal = |t: usize| {
///     let [a, b, c] = triangles[t].map(|p| points[p as usize]);
///     (b - a).cross(c - a).normalize()
/// };
/// let sides = unite(&triangles, 0..12, |a, b| normal(a).dot(normal(b)) > 0.99);
/// assert!(sides.len() == 6 && sides.iter().all(|(_, corners)| corners.len() == 4));
/// # Ok::<(), mj_collide::HullError>(())
/// ```
///
/// Where rounding asks for repairs that are not known here (in one of some thousand sets in use, in a few of a hundred made
/// to be awkward), the hull is that of the points moved to a grid, by a millionth of their extent at most.
///
/// # Errors
/// If the points are too few, flat or not finite, or have no hull on any of the grids ([`HullError::Failed`]).
pub fn convex_hull(points: &[DVec3], most: Option<usize>) -> Result<Vec<[u32; 3]>, HullError> {
    snapped_hull(points, most).map(|found| found.faces)
}

/// Triangles of a hull, and the points of which it is the hull.
struct Found {
    faces: Vec<[u32; 3]>,
    /// Cell of the grid in units of the extent of all points, and the points on it, where the exact ones have no hull.
    moved: Option<(f64, Vec<DVec3>)>,
}

/// Finds the hull of the points, or of these on the finest grid on which they have one.
fn snapped_hull(points: &[DVec3], most: Option<usize>) -> Result<Found, HullError> {
    let mut found = exact_hull(points, most).map(|faces| Found { faces, moved: None });
    for snap in SNAPS {
        if !matches!(found, Err(HullError::Failed(_))) {
            break;
        }
        let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        let cell = snap * (high - low).max_element();
        if !cell.is_normal() {
            break;
        }
        let moved = snapped(points, cell);
        let mut seen = HashSet::new();
        let first = |&i: &usize| seen.insert(moved[i].to_array().map(f64::to_bits));
        let numbers: Vec<usize> = (0..moved.len()).filter(first).collect();
        let once: Vec<DVec3> = numbers.iter().map(|&i| moved[i]).collect();
        found = exact_hull(&once, most).map(|faces| {
            let faces = faces.into_iter().map(|f| f.map(|i| numbers[i as usize] as u32)).collect();
            Found { faces, moved: Some((snap, moved)) }
        });
    }
    found
}

/// Finds the hull of the points as they are.
fn exact_hull(points: &[DVec3], most: Option<usize>) -> Result<Vec<[u32; 3]>, HullError> {
    if let Some(i) = points.iter().position(|p| !p.is_finite()) {
        return Err(HullError::NotFinite(i));
    }
    if points.len() < 4 {
        return Err(HullError::Few(points.len()));
    }
    if is_flat(points) {
        return Err(HullError::Flat);
    }
    match quick::hull(points, most) {
        Ok(faces) if is_closed(&faces) => Ok(faces),
        Ok(_) => Err(HullError::Failed("the triangles are not closed".into())),
        Err(quick::Unsupported(why)) => Err(HullError::Failed(why.into())),
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

/// Cells of the grids, in units of the extent of all points, on which points are moved where the exact ones have no
/// hull.
const SNAPS: [f64; 4] = [1e-12, 1e-10, 1e-8, 1e-6];
/// Triangles whose corners are within this of a plane, in units of the extent of all points, lie in one side.
const COPLANAR: f64 = 1e-10;

impl Hull {
    /// Makes the convex hull of points, with its edges and flat sides, so that it collides as meshes do and rays hit
    /// it. Points inside are dropped; the others are moved, by a millionth of the extent of all at most, where rounding leaves no
    /// other way.
    ///
    /// ```
    /// use mj_collide::{Hull, Placed, Pose, Shape, ray};
    /// use mj_math::DVec3;
    ///
    /// let corners: Vec<DVec3> =
    ///     (0..8).map(|i| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into())).collect();
    /// let cube = Hull::from_points(&corners)?;
    /// assert_eq!((cube.corners().len(), cube.side_count()), (8, 6));
    /// let placed = Placed::new(Shape::mesh(&cube), Pose::IDENTITY);
    /// let distance = ray(&placed, DVec3::new(0.25, 0.5, 3.0), DVec3::NEG_Z).expect("the ray meets the cube");
    /// assert!((distance - 2.0).abs() < 1e-12);
    /// assert!(Hull::from_points(&corners[..3]).is_err());
    /// # Ok::<(), mj_collide::HullError>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than four points, all lie in one plane (within 1e-12 of their extent, or where rounding
    /// leaves no hull), or one is not finite.
    pub fn from_points(points: &[DVec3]) -> Result<Self, HullError> {
        let Found { faces, moved } = snapped_hull(points, None)?;
        let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        let extent = (high - low).max_element();
        let (points, tolerance) = match &moved {
            Some((snap, moved)) => (moved.as_slice(), COPLANAR.max(2.0 * snap)),
            None => (points, COPLANAR),
        };
        Ok(Self::of_triangles(points, &faces, tolerance * extent))
    }

    /// A hull from its triangles.
    fn of_triangles(points: &[DVec3], faces: &[[u32; 3]], tolerance: f64) -> Self {
        let mut used: Vec<u32> = faces.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let local: HashMap<u32, u32> = used.iter().enumerate().map(|(i, &v)| (v, i as u32)).collect();
        let corners: Vec<DVec3> = used.iter().map(|&v| points[v as usize]).collect();
        let faces: Vec<[u32; 3]> = faces.iter().map(|f| f.map(|v| local[&v])).collect();
        let mut neighbours = vec![Vec::new(); corners.len()];
        for f in &faces {
            (0..3).for_each(|k| neighbours[f[k] as usize].push(f[(k + 1) % 3]));
        }
        let at = |f: &[u32; 3]| f.map(|v| corners[v as usize]);
        let area = |f: &[u32; 3]| {
            let [a, b, c] = at(f);
            (b - a).cross(c - a)
        };
        // Large triangles first: slivers, whose normals are rough, go to the side of a large one.
        let mut order: Vec<usize> = (0..faces.len()).collect();
        order.sort_by(|&i, &j| area(&faces[j]).length_squared().total_cmp(&area(&faces[i]).length_squared()));
        let normals: Vec<DVec3> = faces.iter().map(|f| area(f).normalize_or_zero()).collect();
        let height = |side: usize, p: DVec3| normals[side].dot(p - corners[faces[side][0] as usize]);
        let coplanar =
            |side: usize, other: usize| at(&faces[other]).iter().all(|p| height(side, *p).abs() <= tolerance);
        let mut sides = Vec::new();
        let mut side_normals = Vec::new();
        for (seed, side) in unite(&faces, order, coplanar) {
            // What is left of slivers bounds nothing.
            if normals[seed] != DVec3::ZERO && corners.iter().all(|p| height(seed, *p) <= tolerance) {
                sides.push(side);
                side_normals.push(normals[seed]);
            }
        }
        Self::from_parts(corners, &neighbours, &sides, side_normals)
    }
}

/// Moves points to the nearest ones of a grid.
fn snapped(points: &[DVec3], cell: f64) -> Vec<DVec3> {
    points.iter().map(|p| (*p / cell).round() * cell + DVec3::ZERO).collect()
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
    use crate::{Placed, Pose, Shape, ray};
    use proptest::prelude::*;

    fn vec3() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    /// Points of a grid, which lie in planes and lines exactly.
    fn grid() -> impl Strategy<Value = DVec3> {
        (-3..=3i8, -3..=3i8, -3..=3i8).prop_map(|(x, y, z)| 0.1 * DVec3::new(x.into(), y.into(), z.into()))
    }

    /// Points of a grid, rotated and in single precision.
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

    /// Volume of parry's hull, where it finds one.
    fn witness(points: &[DVec3]) -> Option<f64> {
        let (vertices, faces) = parry3d_f64::transformation::try_convex_hull(points).ok()?;
        Some(volume(&vertices, &faces))
    }

    #[test]
    fn hulls_of_points_say_why_there_is_none() {
        let told = |points: &[DVec3]| Hull::from_points(points).unwrap_err().to_string();
        assert_eq!(told(&[]), "a convex hull needs four points that are not in one plane; there are 0");
        assert_eq!(told(&[DVec3::ONE; 9]), "a convex hull needs four points that are not in one plane; all lie in one");
        assert_eq!(told(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::INFINITY]), "point 3 is not finite");
    }

    #[test]
    fn flat_points_have_no_hull() {
        let flat: Vec<DVec3> = (0..10).map(|i| DVec3::new(f64::from(i), f64::from(i * i), 1.0)).collect();
        assert_eq!(convex_hull(&flat, None), Err(HullError::Flat));
        assert_eq!(convex_hull(&[], None), Err(HullError::Few(0)));
        assert_eq!(convex_hull(&[DVec3::ONE; 7], None), Err(HullError::Flat));
        assert_eq!(convex_hull(&[DVec3::NAN; 7], None), Err(HullError::NotFinite(0)));
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
            prop_assert!((volume(&points, &faces) - witness(&points).unwrap()).abs() < 1e-9);
        }

        /// Points in planes, in lines, doubled, and off by a little: a closed hull whose sides no point is above, and
        /// which rays from inside and from outside meet at one place.
        #[test]
        fn awkward_points_have_a_hull(points in prop::collection::vec(awkward(), 4..60), way in vec3()) {
            prop_assume!(!is_flat(&points) && way.length() > 0.1);
            let hull = match Hull::from_points(&points) {
                Ok(hull) => hull,
                // As good as flat.
                Err(_) if witness(&points).is_none_or(|volume| volume < 1e-6) => return Ok(()),
                Err(e) => return Err(TestCaseError::fail(e.to_string())),
            };
            let height = |side: usize, p: DVec3| {
                hull.normal(side).dot(p - hull.corners()[hull.side(side)[0] as usize])
            };
            for side in 0..hull.side_count() {
                for p in &points {
                    prop_assert!(height(side, *p) < 2e-6, "{}", height(side, *p));
                }
            }
            // The sides are closed: their areas, as vectors, add up to none.
            let centre = hull.corners().iter().sum::<DVec3>() / hull.corners().len() as f64;
            let (mut area, mut volume) = (DVec3::ZERO, 0.0);
            for side in 0..hull.side_count() {
                let c: Vec<DVec3> = hull.side(side).iter().map(|&v| hull.corners()[v as usize] - centre).collect();
                for k in 1..c.len() - 1 {
                    area += 0.5 * (c[k] - c[0]).cross(c[k + 1] - c[0]);
                    volume += c[0].cross(c[k]).dot(c[k + 1]) / 6.0;
                }
            }
            prop_assert!(area.length() < 1e-5, "{area}");
            // A ray from the centre leaves through a side, and one from that far outside comes in there.
            let placed = Placed::new(Shape::mesh(&hull), Pose::IDENTITY);
            if volume > 1e-4 {
                let out = ray(&placed, centre, way).expect("a way out");
                let back = ray(&placed, centre + 3.0 * out * way, -way).expect("a way in");
                prop_assert!((back - 2.0 * out).abs() < 1e-5 * out.max(1.0), "{out} {back}");
            }
        }

        /// Points have a hull where another builder finds one, and both enclose the same volume.
        #[test]
        fn awkward_points_have_triangles(points in prop::collection::vec(awkward(), 4..60)) {
            prop_assume!(!is_flat(&points));
            let Some(other) = witness(&points) else { return Ok(()) };
            match convex_hull(&points, None) {
                Ok(faces) => prop_assert!(is_closed(&faces) && (volume(&points, &faces) - other).abs() < 1e-5),
                Err(e) => prop_assert!(other < 1e-6, "{e}"),
            }
        }

        #[test]
        fn any_size_is_borne(points in prop::collection::vec(awkward(), 4..40), power in -320..308) {
            let scale = 10.0f64.powi(power);
            let points: Vec<DVec3> = points.into_iter().map(|p| scale * p).collect();
            let _ = convex_hull(&points, None);
            let _ = convex_hull(&points, Some(7));
            let _ = Hull::from_points(&points);
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
