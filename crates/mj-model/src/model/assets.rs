//! Tables of geometry that geoms refer to: meshes and height fields.

use crate::ids::*;
use mj_math::{DQuat, DVec3};

table! {
    /// Meshes. Vertices are in the mesh's frame: about the centre of mass, along the principal axes.
    MeshTable / MeshRow [MeshId] "mesh" {
        /// First vertex.
        @structure vertadr: u32,
        /// Number of vertices.
        @structure vertnum: u32,
        /// First face.
        @structure faceadr: u32,
        /// Number of faces.
        @structure facenum: u32,
        /// First normal.
        @structure normaladr: u32,
        /// Number of normals.
        @structure normalnum: u32,
        /// First texture coordinates; −1: none.
        @structure texcoordadr: i32,
        /// Number of texture coordinates.
        @structure texcoordnum: u32,
        /// First entry of the hull's graph; −1: no hull.
        @structure graphadr: i32,
        /// Vertices of the hull, by number in the hull, that are farthest out in the 27 directions with components
        /// −1, 0, 1, z fastest.
        @structure extrema: [i32; 27],
        /// First polygon of the hull.
        @structure polyadr: u32,
        /// Number of polygons of the hull.
        @structure polynum: u32,
        /// First node of the octree of its signed distance; −1: none.
        @structure octadr: i32,
        /// Number of nodes of the octree.
        @structure octnum: u32,
        /// Scale that was applied to the source.
        @derived scale: DVec3,
        /// Position of the mesh's frame in the scaled source.
        @derived pos: DVec3,
        /// Orientation of the mesh's frame in the scaled source.
        @derived quat: DQuat,
    }
}

table! {
    /// Height fields.
    HfieldTable / HfieldRow [HfieldId] "hfield" {
        /// Half sizes along x and y, height of the highest point, depth of the base.
        @constant size: [f64; 4],
        /// Rows: along y.
        @structure nrow: u32,
        /// Columns: along x.
        @structure ncol: u32,
        /// First elevation.
        @structure adr: u32,
    }
}

/// Vertices, faces and convex hulls of all meshes.
///
/// A mesh's hull, where it has one, is a graph for climbing from vertex to vertex (see [`graph`](Self::graph)) and
/// a list of polygons: its triangles, those in a plane united.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Vertices in their mesh's frame, nmeshvert.
    pub vert: Vec<[f32; 3]>,
    /// Triangles: vertices of their mesh, counter-clockwise seen from outside, nmeshface.
    pub face: Vec<[i32; 3]>,
    /// Unit normals in their mesh's frame, nmeshnormal: one for each vertex or as many as the source gives; for touch
    /// sheets frames of three.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates, nmeshtexcoord.
    pub texcoord: Vec<[f32; 2]>,
    /// Normals of the triangles' corners, by number in their mesh, nmeshface.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinates of the triangles' corners, by number in their mesh, nmeshface; 0 where there are none.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Graphs of hulls; each is: the number of vertices n and of triangles f; for each vertex the address of its
    /// edges and the mesh's vertex; neighbours by number in the hull, −1 after those of each vertex (n + 3f);
    /// triangles as vertices of the mesh (3f).
    pub graph: Vec<i32>,
    /// Outward normals of polygons, nmeshpoly.
    pub polynormal: Vec<DVec3>,
    /// First vertex of each polygon in `polyvert`.
    pub polyvertadr: Vec<u32>,
    /// Number of vertices of each polygon.
    pub polyvertnum: Vec<u32>,
    /// Vertices of polygons, counter-clockwise seen from outside.
    pub polyvert: Vec<u32>,
    /// First polygon of each vertex in `polymap`, nmeshvert.
    pub polymapadr: Vec<u32>,
    /// Number of polygons of each vertex, nmeshvert.
    pub polymapnum: Vec<u32>,
    /// Polygons of each vertex, by number in their mesh.
    pub polymap: Vec<u32>,
    /// Depth of each node of the meshes' octrees, noct; of the root, 0.
    pub oct_depth: Vec<i32>,
    /// Children of each node, by number in their octree, x fastest; −1: none.
    pub oct_child: Vec<[i32; 8]>,
    /// Box of each node in the mesh's frame: centre, half sizes.
    pub oct_aabb: Vec<[f64; 6]>,
    /// Signed distances at the corners of each node, m, x fastest.
    pub oct_coeff: Vec<[f64; 8]>,
}
