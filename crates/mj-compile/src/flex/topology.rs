//! Edges, flaps, shell and layers of a flex, which follow from its elements.

use std::collections::HashMap;

/// Edges of an element, by its vertices, for each dimension.
pub(super) const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// Fragments of an element's boundary, for each dimension: ends of a line, edges of a triangle, faces of a tetrahedron,
/// these counter-clockwise seen from outside.
const FRAGMENTS: [&[&[usize]]; 3] =
    [&[&[0], &[1]], &[&[0, 1], &[2, 0], &[1, 2]], &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]]];

/// Edges of a flex in the order in which its elements have them.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// Ends, the lower one first.
    pub ends: Vec<[i32; 2]>,
    /// Edges of the elements.
    pub of_elements: Vec<i32>,
    /// Vertices across the edge in triangles; −1: none.
    pub flaps: Vec<[i32; 2]>,
}

impl Edges {
    pub fn of(dim: usize, element: &[i32]) -> Self {
        let mut out = Self::default();
        let mut known: HashMap<[i32; 2], usize> = HashMap::new();
        for e in element.chunks_exact(dim + 1) {
            for &[a, b] in EDGES[dim - 1] {
                let ends = [e[a].min(e[b]), e[a].max(e[b])];
                let across = e[(b + 1) % 3 % e.len()];
                let row = *known.entry(ends).or_insert_with(|| {
                    out.ends.push(ends);
                    out.flaps.push([across, -1]);
                    out.ends.len() - 1
                });
                if out.ends.len() - 1 != row || out.flaps[row][0] != across {
                    out.flaps[row][1] = across;
                }
                out.of_elements.push(row as i32);
            }
        }
        out
    }
}

/// The boundary of a flex.
#[derive(Debug, Default)]
pub(super) struct Shell {
    /// Vertices of fragments that one element alone has, dim each.
    pub fragments: Vec<i32>,
    /// How many elements lie between each and the boundary; 0 but in solids.
    pub layers: Vec<i32>,
}

impl Shell {
    pub fn of(dim: usize, element: &[i32]) -> Self {
        // Vertices in order, element, vertices as the element has them.
        let mut all: Vec<(Vec<i32>, i32, Vec<i32>)> = Vec::with_capacity(element.len());
        for (i, e) in element.chunks_exact(dim + 1).enumerate() {
            for fragment in FRAGMENTS[dim - 1] {
                let vertices: Vec<i32> = fragment.iter().map(|&v| e[v]).collect();
                let mut sorted = vertices.clone();
                sorted.sort_unstable();
                all.push((sorted, i as i32, vertices));
            }
        }
        all.sort();
        let count = element.len() / (dim + 1);
        let mut out = Self { fragments: Vec::new(), layers: vec![if dim == 3 { i32::MAX } else { 0 }; count] };
        let mut neighbours = vec![Vec::new(); if dim == 3 { count } else { 0 }];
        let mut frontier = Vec::new();
        for equal in all.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, e, vertices)] = equal {
                out.fragments.extend(vertices);
                frontier.push(*e as usize);
            } else if dim == 3 {
                for pair in equal.windows(2) {
                    let [a, b] = [pair[0].1 as usize, pair[1].1 as usize];
                    neighbours[a].push(b);
                    neighbours[b].push(a);
                }
            }
        }
        if dim < 3 {
            return out;
        }
        // Layer by layer from the boundary.
        frontier.iter().for_each(|&e| out.layers[e] = 0);
        let mut layer = 0;
        while !frontier.is_empty() {
            layer += 1;
            let mut next = Vec::new();
            for e in frontier {
                for &n in &neighbours[e] {
                    if out.layers[n] > layer {
                        out.layers[n] = layer;
                        next.push(n);
                    }
                }
            }
            frontier = next;
        }
        // Elements that no path joins with the boundary.
        out.layers.iter_mut().filter(|l| **l == i32::MAX).for_each(|l| *l = count as i32 + 1);
        out
    }
}

/// Turns tetrahedra so that their faces are counter-clockwise seen from outside.
pub(super) fn orient(element: &mut [i32], at: &[mj_math::DVec3]) {
    for e in element.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = e.map(|v| at[v as usize]);
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            e.swap(1, 2);
        }
    }
}
