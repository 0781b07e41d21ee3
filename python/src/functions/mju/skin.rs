//! Rays against skins.

use crate::args::typed::{Matrix, OutVector, ensure};
use crate::error;
use mj_collide::ray_triangle;
use mj_math::DVec3;
use pyo3::PyResult;

super::functions! {
    /// Returns the distance along a ray to a skin, in units of the length of `vec`; -1 if the ray misses it.
    ///
    /// `face` holds the vertices of the triangles (nface x 3), `vert` their positions (nvert x 3). The ray starts at
    /// `pnt` in the direction `vec`. `vertid` (one number, or None) gets the vertex of the triangle met that is nearest
    /// to the ray's end, -1 if the ray misses the skin.
    fn mju_raySkin(
        nface: i32, nvert: i32, face: Matrix<i32>, vert: Matrix<f32>, pnt: DVec3, vec: DVec3,
        vertid: Option<OutVector<i32>>,
    ) -> PyResult<f64> {
        if nface < 0 || nvert < 0 {
            return Err(error::value(format!("there are no {nface} triangles of {nvert} vertices")));
        }
        for (name, len, n) in [("face", face.values.len(), nface), ("vert", vert.values.len(), nvert)] {
            ensure!(len as i64 == 3 * i64::from(n), "`{name}` has {len} numbers; it must have 3 * {n}");
        }
        ensure!(vertid.as_ref().is_none_or(|id| id.len() == 1), "`vertid` must be one number");
        let positions: Vec<DVec3> =
            vert.values.as_chunks().0.iter().map(|p: &[f32; 3]| DVec3::from_array(p.map(f64::from))).collect();
        let corner = |v: i32| {
            let position = usize::try_from(v).ok().and_then(|v| positions.get(v)).copied();
            position.ok_or_else(|| error::value(format!("`face` has a vertex {v}; there are {nvert}")))
        };
        let mut nearest: Option<(f64, i32)> = None;
        for &[a, b, c] in face.values.as_chunks().0 {
            let corners = [corner(a)?, corner(b)?, corner(c)?];
            let Some((distance, _)) = ray_triangle(corners, pnt, vec) else { continue };
            if nearest.is_none_or(|(least, _)| distance < least) {
                let away = |k: usize| corners[k].distance_squared(pnt + distance * vec);
                let k = [1, 2].into_iter().fold(0, |best, k| if away(k) < away(best) { k } else { best });
                nearest = Some((distance, [a, b, c][k]));
            }
        }
        let (distance, vertex) = nearest.unwrap_or((-1.0, -1));
        if let Some(vertid) = vertid {
            vertid.write([vertex])?;
        }
        Ok(distance)
    }
}
