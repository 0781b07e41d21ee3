//! Surfaces of signed distance functions as triangles (Lorensen and Cline 1987).

use super::cells;
use super::soup::Soup;
use mj_math::DVec3;
use mj_model::plugin::SdfPlugin;

/// Samples along the three half sides of the box together.
const SAMPLES: f64 = 300.0;
/// The most samples of one function.
const MOST: usize = 1 << 27;

/// Makes the triangles of a function's surface on a grid over its bounds, whose cells are about cubes.
pub(super) fn surface(function: &dyn SdfPlugin) -> Result<Soup, String> {
    let half = function.bounds();
    if !(half.is_finite() && half.min_element() > 0.0) {
        return Err(format!("a shape's bounds are positive, but its function gives {half}"));
    }
    let count = half.to_array().map(|h| (SAMPLES / half.element_sum() * h) as usize + 1);
    if count.iter().any(|&n| n < 2) || count.iter().product::<usize>() > MOST {
        return Err(format!("its bounds, {half}, are too flat for a grid"));
    }
    let place = |i: f64, k: usize| -half[k] + 2.0 * half[k] * i / (count[k] - 1) as f64;
    let at = |x: usize, y: usize, z: usize| DVec3::new(place(x as f64, 0), place(y as f64, 1), place(z as f64, 2));
    let layer = |z: usize| -> Vec<f32> {
        let rows = (0..count[1]).flat_map(|y| (0..count[0]).map(move |x| (x, y)));
        rows.map(|(x, y)| function.distance(at(x, y, z)) as f32).collect()
    };
    let mut grid = Grid { count, vert: Vec::new(), face: Vec::new(), cut: Default::default() };
    grid.cut = std::array::from_fn(|_| vec![[0; 3]; count[0] * count[1]]);
    let triangles = cells::triangles();
    let mut below = layer(0);
    for z in 0..count[2] - 1 {
        let above = layer(z + 1);
        for y in 0..count[1] - 1 {
            for x in 0..count[0] - 1 {
                grid.cell([x, y, z], [&below, &above], &triangles);
            }
        }
        below = above;
    }
    let mut soup = Soup { face: grid.face, ..Soup::default() };
    soup.vert = grid.vert.iter().map(|v| [0, 1, 2].map(|k| place(f64::from(v[k]), k) as f32)).collect();
    Ok(soup)
}

/// A grid with the surface so far.
struct Grid {
    count: [usize; 3],
    /// Vertices, in units of cells.
    vert: Vec<[f32; 3]>,
    face: Vec<[u32; 3]>,
    /// Vertices on the edges that begin at each sample of a layer, along x, y and z; of layers with even and odd numbers.
    cut: [Vec<[u32; 3]>; 2],
}

impl Grid {
    /// Adds what of the surface is in a cell, given the samples of the layers below and above.
    fn cell(&mut self, [x, y, z]: [usize; 3], layers: [&[f32]; 2], triangles: &[Vec<[u8; 3]>]) {
        let row = self.count[0];
        let offset = |corner: usize| (y + (corner >> 1 & 1)) * row + x + (corner & 1);
        let value: [f32; 8] = std::array::from_fn(|corner| layers[corner >> 2][offset(corner)]);
        let inside = value.iter().enumerate().fold(0, |bits, (i, v)| bits | usize::from(*v < 0.0) << i);
        if inside == 0 || inside == 255 {
            return;
        }
        for edge in 0..12u8 {
            let [a, b] = cells::ends(edge);
            // Edges on sides towards cells that came before are known.
            let known = (0..3).any(|k| a >> k & 1 == 0 && b >> k & 1 == 0 && [x, y, z][k] > 0);
            if known || (inside >> a & 1) == (inside >> b & 1) {
                continue;
            }
            let axis = usize::from(edge / 4);
            let mut v = [x + (a & 1), y + (a >> 1 & 1), z + (a >> 2)].map(|i| i as f32);
            v[axis] += value[a] / (value[a] - value[b]);
            self.cut[(z + (a >> 2)) % 2][offset(a)][axis] = self.vert.len() as u32;
            self.vert.push(v);
        }
        for triangle in &triangles[inside] {
            self.face.push(triangle.map(|edge| {
                let a = cells::ends(edge)[0];
                self.cut[(z + (a >> 2)) % 2][offset(a)][usize::from(edge / 4)]
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::enclosed;

    #[derive(Debug)]
    struct Ball(f64);

    impl SdfPlugin for Ball {
        fn distance(&self, p: DVec3) -> f64 {
            p.length() - self.0
        }
        fn bounds(&self) -> DVec3 {
            DVec3::new(1.0, 1.2, 1.4)
        }
    }

    #[test]
    fn a_ball_is_closed_and_has_its_volume() {
        let soup = surface(&Ball(0.9)).unwrap();
        let vert: Vec<DVec3> = soup.vert.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect();
        assert!(enclosed::is_closed(&vert, &soup.face));
        assert_eq!(vert.len() + soup.face.len(), 3 * soup.face.len() / 2 + 2);
        let volume = enclosed::volume(&vert, &soup.face);
        assert!((volume / (4.0 / 3.0 * std::f64::consts::PI * 0.9f64.powi(3)) - 1.0).abs() < 1e-3, "{volume}");
    }

    #[test]
    fn what_reaches_beyond_its_bounds_is_open() {
        let soup = surface(&Ball(1.1)).unwrap();
        let vert: Vec<DVec3> = soup.vert.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect();
        assert!(!soup.face.is_empty() && !enclosed::is_closed(&vert, &soup.face));
    }
}
