//! The volume enclosed by a triangulated surface.

use mj_math::DVec3;
use std::collections::HashSet;

/// A hull with this many times the volume of its mesh is no likeness of it.
const UNLIKE: f64 = 2.0;

/// The volume inside a surface; a hole is as if closed by a cone to the first corner.
pub(crate) fn volume(vert: &[DVec3], face: &[[u32; 3]]) -> f64 {
    let Some(&origin) = vert.first() else { return 0.0 };
    let corner = |i: u32| vert[i as usize] - origin;
    face.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum()
}

/// Whether every edge is shared by two triangles that run along it in opposite directions; corners at the same place
/// count as one.
pub(crate) fn is_closed(vert: &[DVec3], face: &[[u32; 3]]) -> bool {
    let place = |i: u32| vert[i as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut open = HashSet::new();
    let mut edges =
        face.iter().flat_map(|f| (0..3).map(|k| [place(f[k]), place(f[(k + 1) % 3])])).filter(|[a, b]| a != b);
    edges.all(|[a, b]| open.remove(&[b, a]) || open.insert([a, b])) && open.is_empty()
}

/// How many times the volume of a closed mesh its hull has, where that is much. Of an open one, whose volume is
/// anybody's guess, nothing is said.
pub(crate) fn unlike_hull(vert: &[DVec3], face: &[[u32; 3]], hull: &[[u32; 3]]) -> Option<f64> {
    let ratio = volume(vert, hull) / volume(vert, face);
    (ratio > UNLIKE && is_closed(vert, face)).then_some(ratio)
}
