//! The splitting itself: V-HACD by parry, and hulls of its parts.

use super::{Splitting, Surface};
use mj_math::DVec3;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::VoxelSet;

/// Splits the solid that a surface encloses into nearly convex parts, the largest first.
///
/// # Errors
/// If the options are out of range, or no part of the surface has a volume.
pub fn decompose(surface: &Surface, how: &Splitting) -> Result<Vec<Surface>, String> {
    how.check()?;
    let (low, high) =
        surface.vert.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
    let (middle, extent) = (0.5 * (low + high), (high - low).max_element());
    if !extent.is_finite() || extent <= 0.0 {
        return Err("the mesh has no extent".into());
    }
    // At the size of one and about the origin, so that no threshold inside depends on units.
    let points: Vec<DVec3> = surface.vert.iter().map(|v| (*v - middle) / extent).collect();
    // One that is nearly its hull already needs no voxels, which would blur it.
    if let Some(hull) = part(&points, middle, extent)
        && surface.is_closed()
        && hull.volume() - surface.volume() <= how.concavity * hull.volume()
    {
        return Ok(vec![hull]);
    }
    let parameters = VHACDParameters {
        concavity: how.concavity,
        resolution: how.voxels,
        // It halves parts one time more than it would take to reach this number, but never less than twice.
        max_convex_hulls: 1 << how.most.ilog2().saturating_sub(1),
        // Every voxel counts: a hull of a few of them is smaller than the part, which is then split for nothing.
        convex_hull_downsampling: 1,
        ..VHACDParameters::default()
    };
    let split = VHACD::decompose(&parameters, &points, &surface.face, true);
    let has_surface = |part: &&VoxelSet| part.voxels().iter().any(|voxel| voxel.is_on_surface);
    let mut parts: Vec<Surface> = (split.voxel_parts().iter().filter(has_surface))
        .map(|voxels| voxels.compute_primitive_intersections(&points, &surface.face))
        .filter_map(|points| part(&points, middle, extent))
        .collect();
    while parts.len() > how.most as usize {
        unite(&mut parts);
    }
    parts.sort_by(|a, b| b.volume().total_cmp(&a.volume()));
    if parts.is_empty() { Err("no part of the mesh has a volume".into()) } else { Ok(parts) }
}

/// Unites the two parts whose common hull adds the least volume.
fn unite(parts: &mut Vec<Surface>) {
    let mut best: Option<(f64, [usize; 2], Surface)> = None;
    for j in 1..parts.len() {
        for i in 0..j {
            let points = [parts[i].vert.as_slice(), &parts[j].vert].concat();
            let Some(hull) = part(&points, DVec3::ZERO, 1.0) else { continue };
            let added = hull.volume() - parts[i].volume() - parts[j].volume();
            if best.as_ref().is_none_or(|b| added < b.0) {
                best = Some((added, [i, j], hull));
            }
        }
    }
    // Where no hull can be made of any two, the least part is given up.
    let (kept, gone) = best.map_or((None, parts.len() - 1), |(_, [i, j], hull)| (Some((i, hull)), j));
    if let Some((i, hull)) = kept {
        parts[i] = hull;
    }
    parts.remove(gone);
}

/// Parts of less volume than this, in cubes of the mesh's extent, are dust.
const DUST: f64 = 1e-12;

/// The hull of points, back at its size and place; `None` where it is flat.
fn part(points: &[DVec3], middle: DVec3, extent: f64) -> Option<Surface> {
    let face = mj_collide::convex_hull(points, None).ok()?;
    let mut number = vec![u32::MAX; points.len()];
    let mut vert = Vec::new();
    let mut renumber = |i: u32| {
        let n = &mut number[i as usize];
        if *n == u32::MAX {
            *n = vert.len() as u32;
            vert.push(points[i as usize] * extent + middle);
        }
        *n
    };
    let face = face.iter().map(|f| f.map(&mut renumber)).collect();
    Some(Surface { vert, face }).filter(|part| part.volume() > DUST * extent.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Boxes from corner to corner, as one surface.
    fn boxes(list: &[[DVec3; 2]]) -> Surface {
        let mut all = Surface::default();
        for [low, high] in list {
            let first = all.vert.len() as u32;
            all.vert.extend((0..8).map(|i| {
                let side = |k: usize| if i >> k & 1 == 1 { high[k] } else { low[k] };
                DVec3::new(side(0), side(1), side(2))
            }));
            let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            for [a, b, c, d] in sides.map(|s| s.map(|i: u32| i + first)) {
                all.face.extend([[a, b, c], [a, c, d]]);
            }
        }
        all
    }

    /// An L of two boxes: half as large again as its parts' hull allows.
    fn corner_piece() -> Surface {
        let v = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        boxes(&[[v(0.0, 0.0, 0.0), v(3.0, 1.0, 1.0)], [v(0.0, 1.0, 0.0), v(1.0, 3.0, 1.0)]])
    }

    #[test]
    fn a_convex_mesh_is_one_part() {
        let cube = boxes(&[[DVec3::ZERO, DVec3::ONE]]);
        let parts = decompose(&cube, &Splitting::default()).unwrap();
        assert_eq!(parts.len(), 1);
        assert!((parts[0].volume() - 1.0).abs() < 1e-9 && (cube.volume() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn parts_are_convex_and_fill_the_solid() {
        let piece = corner_piece();
        let parts = decompose(&piece, &Splitting { voxels: 32, ..Splitting::default() }).unwrap();
        assert!(parts.len() > 1 && parts.len() <= 32);
        // The hull of the whole has 7 units of volume, the solid 5.
        let sum: f64 = parts.iter().map(Surface::volume).sum();
        assert!((sum - 5.0).abs() < 0.25, "{sum}");
        for part in &parts {
            for &[a, b, c] in &part.face {
                let [a, b, c] = [a, b, c].map(|i| part.vert[i as usize]);
                let normal = (b - a).cross(c - a).normalize();
                assert!(part.vert.iter().all(|v| normal.dot(*v - a) < 1e-9));
            }
        }
    }

    #[test]
    fn no_more_parts_than_asked_for() {
        for most in 1..5 {
            let how = Splitting { most, voxels: 24, ..Splitting::default() };
            let parts = decompose(&corner_piece(), &how).unwrap();
            assert!(parts.len() <= most as usize);
            // As few as two are enough for an L, of which the hull has 7 units.
            let sum: f64 = parts.iter().map(Surface::volume).sum();
            assert!((sum - if most == 1 { 7.0 } else { 5.0 }).abs() < 0.3, "{most}: {sum}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let piece = corner_piece();
        let text = piece.to_obj("a piece");
        let again = Surface::read("piece.obj", text.into_bytes()).unwrap();
        assert!((again.volume() - piece.volume()).abs() < 1e-9);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Whatever the triangles, an answer or an error.
        #[test]
        fn it_ends_on_any_triangles(
            vert in prop::collection::vec(prop::array::uniform3(-2.0..2.0f64), 1..12),
            face in prop::collection::vec(prop::array::uniform3(0..12u32), 0..12),
            scale in prop::sample::select(vec![1e-9, 1.0, 1e9]),
        ) {
            let count = vert.len() as u32;
            let vert = vert.into_iter().map(|v| DVec3::from_array(v) * scale).collect();
            let surface = Surface { vert, face: face.into_iter().map(|f| f.map(|i| i % count)).collect() };
            let how = Splitting { voxels: 16, most: 4, ..Splitting::default() };
            if let Ok(parts) = decompose(&surface, &how) {
                prop_assert!(parts.len() <= 4 && parts.iter().all(|p| p.volume() > 0.0));
            }
        }
    }
}
