//! Rays against surfaces that are not convex: the triangles of meshes, terrains.

use mj_math::DVec3;
use mj_model::{MeshId, Model};

use crate::Heights;

/// Where a ray meets a triangle, from either side: the distance in units of the length of `v`, and the unit normal
/// of the side from which the corners are counter-clockwise (Möller and Trumbore 1997).
fn triangle([a, b, c]: [DVec3; 3], p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
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

/// Where a ray in a mesh's frame first meets one of its triangles.
pub(crate) fn meet_mesh(m: &Model, mesh: MeshId, p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let d = &m.mesh_data;
    let rows = |start: u32, count: u32| start as usize..start as usize + count as usize;
    let vert = d.vert.get(rows(m.mesh.vertadr[mesh], m.mesh.vertnum[mesh]))?;
    let faces = d.face.get(rows(m.mesh.faceadr[mesh], m.mesh.facenum[mesh]))?;
    let corner = |i: i32| DVec3::from_array(vert[i as usize].map(f64::from));
    faces.iter().map(|f| triangle(f.map(corner), p, v)).fold(None, nearer)
}

/// Where a ray in a terrain's frame first meets its top, its sides or its bottom.
pub(crate) fn meet_heights(h: &Heights, p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let [half_x, half_y, top, base] = h.size;
    let mut found = None;
    for r in 0..h.nrow - 1 {
        for c in 0..h.ncol - 1 {
            let [a, b, d, e] = [h.point(r, c), h.point(r, c + 1), h.point(r + 1, c), h.point(r + 1, c + 1)];
            found = nearer(found, nearer(triangle([a, e, d], p, v), triangle([a, b, e], p, v)));
        }
    }
    // The bottom, and the sides up to the terrain's edge.
    let plane = |axis: usize, side: f64, at: f64| {
        let t = (at - p[axis]) / v[axis];
        (t >= 0.0 && t.is_finite()).then_some((t, DVec3::AXES[axis] * side))
    };
    let within = |x: f64, half: f64| x.abs() <= half;
    let below = plane(2, -1.0, -base).filter(|(t, _)| {
        let q = p + v * *t;
        within(q.x, half_x) && within(q.y, half_y)
    });
    found = nearer(found, below);
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

    #[test]
    fn a_triangle_is_met_from_both_sides() {
        let t = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let inside = DVec3::new(0.2, 0.3, 0.0);
        assert_eq!(triangle(t, inside + DVec3::Z, -2.0 * DVec3::Z), Some((0.5, DVec3::Z)));
        assert_eq!(triangle(t, inside - DVec3::Z, DVec3::Z), Some((1.0, DVec3::Z)));
        assert_eq!(triangle(t, DVec3::new(0.7, 0.7, 1.0), -DVec3::Z), None);
        assert_eq!(triangle(t, inside + DVec3::Z, DVec3::X), None);
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
    }
}
