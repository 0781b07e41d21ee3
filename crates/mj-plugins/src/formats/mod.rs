//! Decoders of mesh files, behind features of the crate.

#[cfg(feature = "gltf")]
pub(crate) mod gltf;
#[cfg(feature = "ply")]
pub(crate) mod ply;

use mj_model::Spec;
use mj_model::spec::Mesh;

/// Most corners of triangles in a file: more is taken for a slip.
const CORNERS: usize = 1 << 28;

/// Vertices and triangles as read, with normals and texture coordinates of the vertices; empty where there are none.
#[derive(Default)]
struct Triangles {
    vertex: Vec<f32>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    face: Vec<i32>,
}

impl Triangles {
    /// Makes a spec with the one mesh.
    fn spec(self) -> Spec {
        let Self { vertex, normal, texcoord, face } = self;
        let mut spec = Spec::default();
        spec.meshes.push(Mesh { vertex, normal, texcoord, face, ..Mesh::default() });
        spec
    }
}
