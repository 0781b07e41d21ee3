//! Sheets for touch: points spread over a surface, each with a frame of normal and two tangents.

use crate::mesh::soup::{Soup, single};
use mj_math::{DVec3, real};
use std::f64::consts::PI;

/// A piece of the unit sphere around −z, `view` degrees to each side; points in the middle of the cells of a grid in
/// azimuth and elevation, drawn to the centre by `fovea`. The hull gives the faces.
pub(super) fn wedge(count: [usize; 2], view: [f64; 2], fovea: f64) -> Soup {
    let edges = |k: usize| -> Vec<f64> {
        let step = 2.0 / count[k] as f64;
        // Each from the one before: the order of the sums is the reference's.
        let even = std::iter::successors(Some(-1.0), |x| Some(x + step)).take(count[k] + 1);
        let drawn = even.map(|x: f64| if fovea == 0.0 { x } else { fovea * real::pow(x, 5.0) + (1.0 - fovea) * x });
        drawn.map(|x| x * (view[k] * PI / 180.0)).collect()
    };
    let edges = [edges(0), edges(1)];
    let middle = |k: usize, i: usize| 0.5 * (edges[k][i + 1] + edges[k][i]);
    let mut soup = Soup::default();
    for i in 0..count[0] {
        for j in 0..count[1] {
            let (sa, ca) = real::sin_cos(middle(0, i));
            let (se, ce) = real::sin_cos(middle(1, j));
            let across = DVec3::new(ca, 0.0, sa);
            let up = DVec3::new(-se * sa, ce, se * ca);
            soup.vert.push(single(DVec3::new(ce * sa, se, -ce * ca)));
            soup.normal.extend([up.cross(across), across, up].map(single));
        }
    }
    soup
}

/// A square of half size 1 at z = −1; points in the middle of the cells of a grid.
pub(super) fn plate(count: [usize; 2]) -> Soup {
    let middle = |k: usize, i: usize| (2 * i + 1) as f64 / count[k] as f64 - 1.0;
    let at = |i: usize, j: usize| (i * count[1] + j) as u32;
    let mut soup = Soup::default();
    for i in 0..count[0] {
        for j in 0..count[1] {
            soup.vert.push(single(DVec3::new(middle(0, i), middle(1, j), -1.0)));
            soup.normal.extend([DVec3::X, DVec3::Y, DVec3::Z].map(single));
            if i > 0 && j > 0 {
                let [a, b, c, d] = [at(i - 1, j - 1), at(i, j - 1), at(i, j), at(i - 1, j)];
                soup.face.extend([[a, b, d], [c, d, b]]);
            }
        }
    }
    soup
}
