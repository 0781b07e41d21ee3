//! Sheets for touch: points spread over a surface, each with a frame of normal and two tangents.

use super::single;
use crate::mesh::soup::Soup;
use mj_math::{DVec3, real};
use std::f64::consts::PI;

/// A piece of the unit sphere around −z, `view` degrees to each side; points in the middle of the cells of a grid in
/// azimuth and elevation, drawn to the centre by `fovea`. The hull gives the faces.
pub(super) fn wedge(count: [usize; 2], view: [f64; 2], fovea: f64) -> Soup {
    let edge = |k: usize, i: usize| {
        let x = 2.0 * i as f64 / count[k] as f64 - 1.0;
        (fovea * x * x * x * x * x + (1.0 - fovea) * x) * view[k] * PI / 180.0
    };
    let middle = |k: usize, i: usize| 0.5 * (edge(k, i) + edge(k, i + 1));
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
