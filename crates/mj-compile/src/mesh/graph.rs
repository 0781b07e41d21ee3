//! A convex hull as the collider wants it: a graph to climb along, and its flat sides as polygons.

use super::sides::sides;
use mj_collide::{HullError, convex_hull};
use mj_math::DVec3;
use std::collections::HashMap;

/// The hull of a mesh's vertices, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hull {
    /// Triangles, counter-clockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// Sides: triangles in a plane united; counter-clockwise seen from outside.
    pub polygons: Vec<Vec<u32>>,
}

impl Hull {
    /// The hull of points, of at most `most` vertices if that is not negative.
    pub fn new(points: &[DVec3], most: i32) -> Result<Self, HullError> {
        let faces = convex_hull(points, usize::try_from(most).ok())?;
        let polygons = sides(points, &faces);
        Ok(Self { faces, polygons })
    }

    /// The other orientation, for mirrored vertices.
    pub fn mirror(&mut self) {
        self.faces.iter_mut().for_each(|f| f.swap(1, 2));
        self.polygons.iter_mut().for_each(|p| p.reverse());
    }

    /// The mesh's vertices on the hull, in the order of their numbers in the hull.
    fn vertices(&self) -> Vec<u32> {
        let mut vertices: Vec<u32> = self.faces.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// For each of the directions with components −1, 0, 1, z fastest, the hull's vertex (by its number in the hull)
    /// that is farthest out.
    pub fn extrema(&self, vert: &[[f32; 3]]) -> [i32; 27] {
        let vertices = self.vertices();
        std::array::from_fn(|i| {
            let direction = DVec3::new((i / 9) as f64, (i / 3 % 3) as f64, (i % 3) as f64) - DVec3::ONE;
            let mut best = (0, f64::NEG_INFINITY);
            for (k, &v) in vertices.iter().enumerate() {
                let out = direction.dot(DVec3::from_array(vert[v as usize].map(f64::from)));
                if out > best.1 {
                    best = (k as i32, out);
                }
            }
            best.0
        })
    }

    /// The hull as one list of integers, as [`mj_model::model::MeshData::graph`] describes it.
    pub fn graph(&self) -> Vec<i32> {
        let vertices = self.vertices();
        let local: HashMap<u32, i32> = vertices.iter().enumerate().map(|(i, &v)| (v, i as i32)).collect();
        let mut edges: Vec<Vec<i32>> = vec![Vec::new(); vertices.len()];
        for f in &self.faces {
            for k in 0..3 {
                edges[local[&f[k]] as usize].push(local[&f[(k + 1) % 3]]);
            }
        }
        let mut graph = vec![vertices.len() as i32, self.faces.len() as i32];
        let mut address = 0;
        for e in &edges {
            graph.push(address);
            address += e.len() as i32 + 1;
        }
        graph.extend(vertices.iter().map(|&v| v as i32));
        for e in &edges {
            graph.extend(e);
            graph.push(-1);
        }
        graph.extend(self.faces.iter().flatten().map(|&v| v as i32));
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<DVec3> {
        (0..8).map(|i| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into())).collect()
    }

    #[test]
    fn a_cube_has_six_square_sides() {
        let hull = Hull::new(&cube(), -1).unwrap();
        assert_eq!(hull.polygons.len(), 6);
        assert!(hull.polygons.iter().all(|p| p.len() == 4));
        for p in &hull.polygons {
            let [a, b, c] = [p[0], p[1], p[2]].map(|i| cube()[i as usize]);
            assert!((b - a).cross(c - b).dot(a - DVec3::splat(0.5)) > 0.0, "{p:?}");
        }
    }

    #[test]
    fn the_graph_lists_each_neighbour_once() {
        let g = Hull::new(&cube(), -1).unwrap().graph();
        assert_eq!(&g[..2], [8, 12]);
        assert_eq!(g.len(), 2 + 3 * 8 + 6 * 12);
        let (n, f) = (8, 12);
        let edges = &g[2 + 2 * n..2 + 3 * n + 3 * f];
        for v in 0..n {
            let mut around: Vec<i32> = edges[g[2 + v] as usize..].iter().copied().take_while(|&e| e >= 0).collect();
            let count = around.len();
            around.sort_unstable();
            around.dedup();
            assert!(count >= 3 && around.len() == count && !around.contains(&(v as i32)));
        }
    }
}
