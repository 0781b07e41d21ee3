//! Rays against surfaces that are not convex: the triangles of meshes, terrains.

use mj_math::DVec3;
use mj_model::{MeshId, Model};

use crate::Heights;
use crate::tree::Tree;

/// Finds where a ray meets a triangle, from either side: the distance in units of the length of `v`, and the unit normal
/// of the side from which the corners are counter-clockwise (Möller and Trumbore 1997). `None` where it meets nothing.
///
/// Example: [`distance`](crate::distance).
pub fn ray_triangle([a, b, c]: [DVec3; 3], p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let det = -v.dot(normal);
    if det == 0.0 {
        return None;
    }
    let ap = p - a;
    let q = ap.cross(v);
    let (s, t) = (ac.dot(q) / det, -ab.dot(q) / det);
    let dist = ap.dot(normal) / det;
    (s >= 0.0 && t >= 0.0 && s + t <= 1.0 && dist >= 0.0).then(|| (dist, normal.normalize_or_zero()))
}

/// The nearer of two hits.
fn nearer(a: Option<(f64, DVec3)>, b: Option<(f64, DVec3)>) -> Option<(f64, DVec3)> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if y.0 < x.0 { y } else { x }),
        (x, y) => x.or(y),
    }
}

/// A mesh's corners and triangles.
struct Triangles<'a> {
    vert: &'a [[f32; 3]],
    face: &'a [[i32; 3]],
}

impl<'a> Triangles<'a> {
    fn of(m: &'a Model, mesh: MeshId) -> Option<Self> {
        let d = &m.mesh_data;
        let rows = |start: u32, count: u32| start as usize..start as usize + count as usize;
        let vert = d.vert.get(rows(m.mesh.vertadr[mesh], m.mesh.vertnum[mesh]))?;
        let face = d.face.get(rows(m.mesh.faceadr[mesh], m.mesh.facenum[mesh]))?;
        Some(Self { vert, face })
    }

    fn get(&self, i: usize) -> [DVec3; 3] {
        self.face[i].map(|v| DVec3::from_array(self.vert[v as usize].map(f64::from)))
    }
}

/// A tree over a mesh's triangles, divided where many rays are to come.
pub(crate) fn mesh_tree(m: &Model, mesh: MeshId, divided: bool) -> Tree {
    let Some(triangles) = Triangles::of(m, mesh) else { return Tree::new(&[], false) };
    let around = |[a, b, c]: [DVec3; 3]| [a.min(b).min(c), a.max(b).max(c)];
    let boxes: Vec<_> = (0..triangles.face.len()).map(|i| around(triangles.get(i))).collect();
    Tree::new(&boxes, divided)
}

/// Where a ray in a mesh's frame first meets one of its triangles.
pub(crate) fn meet_mesh(m: &Model, mesh: MeshId, tree: &Tree, p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let triangles = Triangles::of(m, mesh)?;
    tree.first_hit(p, v, |i| ray_triangle(triangles.get(i), p, v))
}

/// Where a ray in a terrain's frame first meets its top: row by row of cells in the order in which the ray crosses
/// them, in each only the cells that it is over.
fn meet_top(h: &Heights, p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let [half_x, half_y, top, _] = h.size;
    // The part of the ray in the box around the surface, with some slack for rounding.
    let slack = 1e-9 * (half_x + half_y + top);
    let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
    for (k, low, high) in [(0, -half_x, half_x), (1, -half_y, half_y), (2, 0.0, top)] {
        if v[k] == 0.0 {
            if p[k] < low - slack || p[k] > high + slack {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - slack - p[k]) / v[k], (high + slack - p[k]) / v[k]);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    if enter > leave || !leave.is_finite() && v.truncate().length_squared() > 0.0 {
        return None;
    }

    // Cells between two places along an axis.
    let cells = |axis: usize, a: f64, b: f64| h.cells(axis, a.min(b) - slack, a.max(b) + slack);
    let at = |axis: usize, t: f64| if v[axis] == 0.0 { p[axis] } else { p[axis] + v[axis] * t };
    let rows = cells(1, at(1, enter), at(1, leave));
    let count = rows.len();
    for k in 0..count {
        let r = if v.y >= 0.0 { rows.start + k } else { rows.end - 1 - k };
        // The part of the ray over the row.
        let (mut from, mut to) = (enter, leave);
        if v.y != 0.0 {
            let [a, b] = [h.point(r, 0).y, h.point(r + 1, 0).y].map(|y| (y - p.y) / v.y);
            from = from.max(a.min(b) - slack / v.y.abs());
            to = to.min(a.max(b) + slack / v.y.abs());
        }
        let mut found = None;
        for c in cells(0, at(0, from), at(0, to)) {
            let [a, b, d, e] = [h.point(r, c), h.point(r, c + 1), h.point(r + 1, c), h.point(r + 1, c + 1)];
            found = nearer(found, nearer(ray_triangle([a, e, d], p, v), ray_triangle([a, b, e], p, v)));
        }
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Where a ray in a terrain's frame first meets its top, its sides, or the bottom or lid of its base. The lid, at height
/// zero, is met only from within: the base is a box of its own under the terrain, as it is to the reference.
pub(crate) fn meet_heights(h: &Heights, p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let [half_x, half_y, top, base] = h.size;
    let mut found = meet_top(h, p, v);
    // The bottom, and the sides up to the terrain's edge.
    let plane = |axis: usize, side: f64, at: f64| {
        let t = (at - p[axis]) / v[axis];
        (t >= 0.0 && t.is_finite()).then_some((t, DVec3::AXES[axis] * side))
    };
    let within = |x: f64, half: f64| x.abs() <= half;
    for (side, height) in [(-1.0, -base), (1.0, 0.0)] {
        let level = plane(2, side, height).filter(|(t, _)| {
            let q = p + v * *t;
            within(q.x, half_x) && within(q.y, half_y)
        });
        found = nearer(found, level);
    }
    for side in [-1.0, 1.0] {
        let (row, column) = if side < 0.0 { (0, 0) } else { (h.nrow - 1, h.ncol - 1) };
        let x = plane(0, side, side * half_x).filter(|(t, _)| {
            let q = p + v * *t;
            let height = |i: usize| h.point(i, column).z;
            within(q.y, half_y)
                && q.z >= -base
                && q.z <= top
                && q.z <= edge((q.y + half_y) / (2.0 * half_y), h.nrow, height)
        });
        let y = plane(1, side, side * half_y).filter(|(t, _)| {
            let q = p + v * *t;
            let height = |i: usize| h.point(row, i).z;
            within(q.x, half_x)
                && q.z >= -base
                && q.z <= top
                && q.z <= edge((q.x + half_x) / (2.0 * half_x), h.ncol, height)
        });
        found = nearer(found, nearer(x, y));
    }
    found
}

/// Height of a terrain's edge at a fraction of its length, `n` grid points long.
fn edge(fraction: f64, n: usize, height: impl Fn(usize) -> f64) -> f64 {
    let at = fraction.clamp(0.0, 1.0) * (n - 1) as f64;
    let i = (at.floor() as usize).min(n - 2);
    let t = at - i as f64;
    (1.0 - t) * height(i) + t * height(i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_triangle_is_met_from_both_sides() {
        let t = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let inside = DVec3::new(0.2, 0.3, 0.0);
        assert_eq!(ray_triangle(t, inside + DVec3::Z, -2.0 * DVec3::Z), Some((0.5, DVec3::Z)));
        assert_eq!(ray_triangle(t, inside - DVec3::Z, DVec3::Z), Some((1.0, DVec3::Z)));
        assert_eq!(ray_triangle(t, DVec3::new(0.7, 0.7, 1.0), -DVec3::Z), None);
        assert_eq!(ray_triangle(t, inside + DVec3::Z, DVec3::X), None);
    }

    #[test]
    fn a_slope_has_a_top_a_side_and_a_bottom() {
        let data = [0.0, 1.0, 0.0, 1.0];
        let h = Heights { size: [1.0, 2.0, 0.5, 0.1], nrow: 2, ncol: 2, data: &data };
        let (t, n) = meet_heights(&h, DVec3::new(0.5, 0.3, 2.0), -DVec3::Z).unwrap();
        assert!((t - (2.0 - 0.375)).abs() < 1e-12 && n.z > 0.0 && n.x < 0.0, "{t} {n}");
        assert!((meet_heights(&h, DVec3::new(0.5, 0.3, -2.0), DVec3::Z).unwrap().0 - 1.9).abs() < 1e-12);
        assert!((meet_heights(&h, DVec3::new(4.0, 0.3, 0.4), -DVec3::X).unwrap().0 - 3.0).abs() < 1e-12);
        assert!((meet_heights(&h, DVec3::new(0.5, -4.0, 0.3), DVec3::Y).unwrap().0 - 2.0).abs() < 1e-12);
        assert_eq!(meet_heights(&h, DVec3::new(0.5, -4.0, 0.4), DVec3::Y).map(|_| ()), None);
        // From within, down or up, to the lid of the base.
        assert_eq!(meet_heights(&h, DVec3::new(0.5, 0.3, 0.2), -DVec3::Z), Some((0.2, DVec3::Z)));
        assert_eq!(meet_heights(&h, DVec3::new(0.5, 0.3, -0.05), DVec3::Z), Some((0.05, DVec3::Z)));
    }

    proptest! {
        /// The walk over the cells finds what a search through all of them finds.
        #[test]
        fn the_walk_misses_no_cell(
            data in proptest::collection::vec(0.0..1.0f32, 35),
            p in (-3.0..3.0f64, -3.0..3.0f64, -1.0..2.0f64),
            v in (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64),
            flat in 0..6usize,
        ) {
            let h = Heights { size: [1.5, 1.0, 0.7, 0.1], nrow: 5, ncol: 7, data: &data };
            let (p, mut v) = (DVec3::from(p), DVec3::from(v));
            if flat < 3 {
                v[flat] = 0.0;
            } else if flat == 3 {
                (v.x, v.y) = (0.0, 0.0);
            }
            let mut all = None;
            for r in 0..4 {
                for c in 0..6 {
                    let [a, b, d, e] = [h.point(r, c), h.point(r, c + 1), h.point(r + 1, c), h.point(r + 1, c + 1)];
                    all = nearer(all, nearer(ray_triangle([a, e, d], p, v), ray_triangle([a, b, e], p, v)));
                }
            }
            prop_assert_eq!(meet_top(&h, p, v).map(|f| f.0), all.map(|f| f.0));
        }
    }
}
