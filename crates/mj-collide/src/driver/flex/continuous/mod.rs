//! Continuous collision of thin flexes: which pairs of their features may touch while vertices move along straight lines, how
//! far the features are apart, and how far the vertices may go before any pair gets too near.
//!
//! A pair is what can be nearest of two surfaces of triangles: a vertex and a triangle, or two edges. Static geoms take part
//! with their surface, their corners and their edges. Distances are those of the flexes' middle surfaces: their radius counts
//! for nothing but how early a pair is found.
//!
//! Li, Kaufman and Jiang, "Codimensional incremental potential contact" (2021), for the advance; the manual, "XML reference:
//! option/flag, ipc", for what takes part.

mod advance;
mod candidates;
mod gap;
mod obstacle;

pub use advance::advance;
pub use candidates::{Motion, PairSearch};
pub use gap::{Gap, gap};
pub use obstacle::{Obstacles, resolves_flex_geom, resolves_flexes};

/// The greatest distance at which pairs are found, metres.
const BAND: f64 = 0.003;

/// The greatest distance at which surfaces rest on each other, metres.
const STANDOFF: f64 = 0.001;

/// Two features that may touch. Vertices are numbered among those of all flexes; corners and edges of geoms in the order of
/// [`Obstacles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pair {
    /// A vertex and a triangle of flexes.
    VertexTriangle(u32, [u32; 3]),
    /// Two edges of flexes.
    EdgeEdge([u32; 2], [u32; 2]),
    /// A vertex of a flex and the surface of a geom.
    VertexGeom(u32, u32),
    /// A corner of a geom and a triangle of a flex.
    CornerTriangle(u32, [u32; 3]),
    /// An edge of a geom and an edge of a flex.
    GeomEdgeEdge(u32, [u32; 2]),
}

impl Pair {
    /// Returns the vertices of flexes that take part: those of the first feature, those of the second.
    pub fn vertices(&self) -> ([u32; 4], [usize; 2]) {
        match *self {
            Self::VertexTriangle(v, [a, b, c]) => ([v, a, b, c], [1, 3]),
            Self::EdgeEdge([a, b], [c, d]) => ([a, b, c, d], [2, 2]),
            Self::VertexGeom(v, _) => ([v, 0, 0, 0], [1, 0]),
            Self::CornerTriangle(_, [a, b, c]) => ([a, b, c, 0], [3, 0]),
            Self::GeomEdgeEdge(_, [a, b]) => ([a, b, 0, 0], [2, 0]),
        }
    }

    /// Calls `f` with each vertex that takes part.
    pub fn for_each_vertex(&self, mut f: impl FnMut(usize)) {
        let (vertex, [first, second]) = self.vertices();
        vertex[..first + second].iter().for_each(|&v| f(v as usize));
    }

    /// Returns the distance within which the pair is watched: at most the least radius of its flexes.
    pub fn band(&self, radius: &[f64]) -> f64 {
        let mut band = BAND;
        self.for_each_vertex(|v| band = band.min(radius[v]));
        band
    }

    /// Returns the distance at which the features rest on each other.
    pub fn standoff(&self, radius: &[f64]) -> f64 {
        self.band(radius).min(STANDOFF)
    }
}
