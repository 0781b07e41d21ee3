//! Vertices and triangles under construction, without duplicates.

use std::collections::HashMap;
use std::ops::Range;

/// Vertex: position x, y, z and the share of the end offset; normal; texture coordinates.
///
/// The end offset moves the caps of capsules, whose half length is no scale of their shape. Vertices of lines have the
/// other end in place of a normal, and the side as first texture coordinate.
pub type Vertex = [f32; 9];

/// Range of indices with the vertex that they count from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshRange {
    /// Indices.
    pub indices: Range<u32>,
    /// First vertex.
    pub base: i32,
}

/// Lists of vertices and indices of several meshes.
#[derive(Default)]
pub struct Builder {
    /// Vertices.
    pub vertices: Vec<Vertex>,
    /// Indices, counted from the first vertex of their mesh.
    pub indices: Vec<u32>,
    known: HashMap<[u32; 9], u32>,
    first_vertex: usize,
    first_index: usize,
}

impl Builder {
    /// Adds a vertex of the current mesh.
    pub fn corner(&mut self, v: Vertex) {
        let next = (self.vertices.len() - self.first_vertex) as u32;
        let index = *self.known.entry(v.map(f32::to_bits)).or_insert(next);
        if index == next {
            self.vertices.push(v);
        }
        self.indices.push(index);
    }

    /// Adds a triangle, counter-clockwise seen from outside.
    pub fn triangle(&mut self, corners: [Vertex; 3]) {
        corners.into_iter().for_each(|v| self.corner(v));
    }

    /// Adds a quadrangle, counter-clockwise seen from outside.
    pub fn quad(&mut self, [a, b, c, d]: [Vertex; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// Forgets the vertices so far: those that follow are new ones, even where they are equal.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Ends the current mesh and returns where it lies.
    pub fn finish(&mut self) -> MeshRange {
        let range =
            MeshRange { indices: self.first_index as u32..self.indices.len() as u32, base: self.first_vertex as i32 };
        self.known.clear();
        self.first_vertex = self.vertices.len();
        self.first_index = self.indices.len();
        range
    }
}

/// Returns a vertex without an end offset.
pub fn vertex(p: [f32; 3], n: [f32; 3], t: [f32; 2]) -> Vertex {
    [p[0], p[1], p[2], 0.0, n[0], n[1], n[2], t[0], t[1]]
}

/// Returns the unit normal of a triangle; zero for one without area.
pub fn face_normal(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> [f32; 3] {
    let [u, v] = [[b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]];
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    if length > 0.0 { n.map(|x| x / length) } else { [0.0; 3] }
}
