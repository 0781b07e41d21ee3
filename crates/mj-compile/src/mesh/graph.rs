//! A convex hull as the collider wants it: a graph to climb along, and its flat sides as polygons.

use crate::hull::{HullError, convex_hull};
use mj_math::{DVec3, MINVAL};
use std::collections::HashMap;

/// Triangles whose normals' longitude and latitude round to the same multiple of this angle are taken for flat.
const FLAT: f64 = 0.01;

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
        let mut faces = convex_hull(points)?;
        if let Ok(most) = usize::try_from(most) {
            faces = thinned(points, faces, most)?;
        }
        let polygons = polygons(points, &faces);
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

/// A hull of at most `most` points of a hull, each the farthest out of those before it.
fn thinned(points: &[DVec3], faces: Vec<[u32; 3]>, most: usize) -> Result<Vec<[u32; 3]>, HullError> {
    let mut left: Vec<u32> = faces.iter().flatten().copied().collect();
    left.sort_unstable();
    left.dedup();
    if left.len() <= most {
        return Ok(faces);
    }
    let at = |i: u32| points[i as usize];
    let mut kept: Vec<u32> = Vec::new();
    // The farthest apart, then the farthest from their line, then from their plane.
    let mut take = |measure: &dyn Fn(DVec3) -> f64, left: &mut Vec<u32>| {
        let best = (0..left.len()).max_by(|&i, &j| measure(at(left[i])).total_cmp(&measure(at(left[j]))));
        let vertex = left.swap_remove(best.unwrap_or(0));
        kept.push(vertex);
        at(vertex)
    };
    let a = take(&|p| p.x, &mut left);
    let b = take(&|p| p.distance_squared(a), &mut left);
    let c = take(&|p| (b - a).cross(p - a).length_squared(), &mut left);
    let normal = (b - a).cross(c - a);
    take(&|p| normal.dot(p - a).abs(), &mut left);
    loop {
        let corners: Vec<DVec3> = kept.iter().map(|&i| at(i)).collect();
        let hull: Vec<[u32; 3]> = convex_hull(&corners)?;
        if kept.len() >= most {
            return Ok(hull.into_iter().map(|f| f.map(|i| kept[i as usize])).collect());
        }
        let planes: Vec<(DVec3, DVec3)> = (hull.iter())
            .map(|f| {
                let [a, b, c] = f.map(|i| corners[i as usize]);
                (a, (b - a).cross(c - a).normalize_or_zero())
            })
            .collect();
        let outside = |p: DVec3| planes.iter().map(|(a, n)| n.dot(p - *a)).fold(f64::NEG_INFINITY, f64::max);
        let best = (0..left.len()).max_by(|&i, &j| outside(at(left[i])).total_cmp(&outside(at(left[j]))));
        let Some(best) = best else { continue };
        kept.push(left.swap_remove(best));
    }
}

/// The direction of a triangle's normal, rounded; none if it has no area.
fn direction([a, b, c]: [DVec3; 3]) -> Option<(i64, i64)> {
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    if length < MINVAL {
        return None;
    }
    // One zero of both: their longitudes differ by half a turn.
    let n = normal / length + DVec3::ZERO;
    let steps = |angle: f64| (angle / FLAT).round() as i64;
    if n.z.abs() > 1.0 - 1e-7 {
        return Some((0, if n.z < 0.0 { steps(std::f64::consts::PI) } else { 0 }));
    }
    Some((steps(n.y.atan2(n.x)), steps(n.z.acos())))
}

/// Unites neighbouring triangles of the same direction, and goes around each union.
fn polygons(points: &[DVec3], faces: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let kind: Vec<Option<(i64, i64)>> = faces.iter().map(|f| direction(f.map(|i| points[i as usize]))).collect();
    let mut owner: HashMap<(u32, u32), usize> = HashMap::new();
    for (i, f) in faces.iter().enumerate() {
        for k in 0..3 {
            owner.insert((f[k], f[(k + 1) % 3]), i);
        }
    }
    let twin = |from: u32, to: u32| owner.get(&(to, from)).copied();

    let mut done = vec![false; faces.len()];
    let mut out = Vec::new();
    for start in 0..faces.len() {
        if done[start] || kind[start].is_none() {
            continue;
        }
        done[start] = true;
        // Where the border goes on from each of its vertices.
        let mut next: Vec<(u32, u32)> = Vec::new();
        let mut todo = vec![start];
        while let Some(i) = todo.pop() {
            for k in 0..3 {
                let edge = (faces[i][k], faces[i][(k + 1) % 3]);
                match twin(edge.0, edge.1) {
                    Some(j) if kind[j] == kind[start] => {
                        if !done[j] {
                            done[j] = true;
                            todo.push(j);
                        }
                    }
                    _ => next.push(edge),
                }
            }
        }
        let follow: HashMap<u32, u32> = next.iter().copied().collect();
        let Some(&(first, _)) = next.first() else { continue };
        let mut around = vec![first];
        let mut at = first;
        while let Some(&to) = follow.get(&at) {
            if to == first || around.len() > next.len() {
                break;
            }
            around.push(to);
            at = to;
        }
        if around.len() >= 3 && around.len() <= next.len() {
            out.push(around);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn a_thinned_hull_has_few_vertices(points in prop::collection::vec((-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64), 20..60), most in 4..10) {
            let points: Vec<DVec3> = points.into_iter().map(|(x, y, z)| DVec3::new(x, y, z)).collect();
            let hull = Hull::new(&points, most).unwrap();
            let mut used: Vec<u32> = hull.faces.iter().flatten().copied().collect();
            used.sort_unstable();
            used.dedup();
            prop_assert!(used.len() <= most as usize && used.len() >= 4);
        }
    }
}
