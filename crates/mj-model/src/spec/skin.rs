//! Skins.

use crate::diag::Loc;
use crate::spec::FileBytes;

/// A surface that bodies carry along; seen only.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Name.
    pub name: String,
    /// File as named: `.skn`.
    pub file: String,
    /// The file's contents.
    pub contents: FileBytes,
    /// Material.
    pub material: String,
    /// Colour where there is no material.
    pub rgba: [f32; 4],
    /// How far vertices are moved along their normals.
    pub inflate: f32,
    /// Visibility group.
    pub group: i32,
    /// Coordinates of vertices in the world, in the pose in which bones were bound.
    pub vertex: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Vertices of triangles.
    pub face: Vec<i32>,
    /// Bones, which move the vertices.
    pub bones: Vec<Bone>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Skin {
    fn default() -> Self {
        Self {
            name: String::new(),
            file: String::new(),
            contents: FileBytes::default(),
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            inflate: 0.0,
            group: 0,
            vertex: Vec::new(),
            texcoord: Vec::new(),
            face: Vec::new(),
            bones: Vec::new(),
            loc: Loc::NONE,
        }
    }
}

/// A body that moves vertices of a skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Body.
    pub body: String,
    /// Position of the body when it was bound.
    pub bindpos: [f32; 3],
    /// Orientation of the body when it was bound, w-first.
    pub bindquat: [f32; 4],
    /// Vertices that it moves.
    pub vertid: Vec<i32>,
    /// How much it moves each of them.
    pub vertweight: Vec<f32>,
    /// Place in the source.
    pub loc: Loc,
}
