//! Normals of vertices, from the triangles around them.

use mj_math::DVec3;

/// Cosine of the angle to the average from which on a triangle's normal is left out of it: an edge is sharp.
const SHARP: f64 = 0.8;

/// The normal of each vertex: the average of those of its triangles, weighted by area. Triangles at a large angle to that
/// average are taken out of it, unless all edges are to look smooth.
pub(crate) fn of_vertices(vert: &[DVec3], face: &[[u32; 3]], smooth: bool) -> Vec<DVec3> {
    // Twice the area of a triangle, along its normal.
    let area = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|i| vert[i as usize]);
        (b - a).cross(c - a)
    };
    let mut sum = vec![DVec3::ZERO; vert.len()];
    for f in face {
        let a = area(f);
        f.iter().for_each(|&i| sum[i as usize] += a);
    }
    if !smooth {
        let average: Vec<DVec3> = sum.iter().map(|n| n.normalize_or(DVec3::X)).collect();
        for f in face {
            let a = area(f);
            let direction = a.normalize_or(DVec3::X);
            for &i in f {
                if direction.dot(average[i as usize]) < SHARP {
                    sum[i as usize] -= a;
                }
            }
        }
    }
    // What is left of a sum after all its parts were taken out is rounding.
    let scale = face.iter().map(|f| area(f).length()).fold(0.0, f64::max);
    sum.into_iter().map(|n| if n.length() > 1e-7 * scale { n.normalize() } else { DVec3::Z }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube with one vertex at each corner.
    fn cube() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let vert = (0..8).map(|i| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into())).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        (vert, quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
    }

    #[test]
    fn smooth_normals_of_a_cube_point_out_of_its_corners() {
        let (vert, face) = cube();
        for (v, n) in vert.iter().zip(of_vertices(&vert, &face, true)) {
            let out = *v - DVec3::splat(0.5);
            assert!(n.is_normalized() && (0..3).all(|k| n[k] * out[k] > 0.0), "{v} {n}");
        }
    }

    #[test]
    fn sharp_edges_are_left_out() {
        // A roof: the average at the ridge is straight up, 45° from both sides.
        let vert = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::Z + DVec3::Y];
        let face = [[0, 3, 2], [1, 2, 3]];
        let smooth = of_vertices(&vert, &face, true);
        assert!(smooth[2].abs_diff_eq(DVec3::Z, 1e-12));
        // Nothing is left at the ridge; that says z as well. At the eaves there is one side only.
        let sharp = of_vertices(&vert, &face, false);
        assert!(sharp[2].abs_diff_eq(DVec3::Z, 1e-12));
        assert!(sharp[0].abs_diff_eq(DVec3::new(1.0, 0.0, 1.0).normalize(), 1e-12));
    }
}
