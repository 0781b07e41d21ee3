//! Meshes and height fields.

use super::plugin::Plugin;
use crate::diag::Loc;
use crate::enums::MeshInertia;
use mj_math::{DQuat, DVec3};
use std::sync::Arc;

/// Bytes of a file. Elements that name the same file share them.
pub type FileBytes = Arc<Vec<u8>>;

/// A mesh: from a file, from a built-in shape, or from vertices given here.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// File as named, its ending telling the format: `.stl`, `.obj` or `.msh`.
    pub file: String,
    /// Media type of the file, in place of the ending.
    pub content_type: String,
    /// The file's contents.
    pub contents: FileBytes,
    /// Coordinates of vertices.
    pub vertex: Vec<f32>,
    /// Coordinates of normals.
    pub normal: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Rows of texture coordinates at the corners of triangles; empty: those of their vertices. MJCF has no attribute for
    /// it, so a spec that has them can't be saved as text.
    pub facetexcoord: Vec<i32>,
    /// Vertices of triangles.
    pub face: Vec<i32>,
    /// Position that is subtracted from the vertices.
    pub refpos: DVec3,
    /// Orientation that is taken off the vertices.
    pub refquat: DQuat,
    /// Scale along each axis.
    pub scale: DVec3,
    /// Source of volume and inertia.
    pub inertia: MeshInertia,
    /// Whether normals are smoothed over edges.
    pub smoothnormal: bool,
    /// Most vertices of the convex hull; −1: no limit.
    pub maxhullvert: i32,
    /// Built-in shape.
    pub builtin: String,
    /// Its parameters.
    pub params: Vec<f64>,
    /// Material of geoms that have none.
    pub material: String,
    /// The plugin that makes the shape.
    pub plugin: Option<Plugin>,
    /// Whether it gets an octree of signed distances, as it does for geoms of type `sdf`.
    pub needsdf: bool,
    /// Depth of the octree.
    pub octree_maxdepth: i32,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Mesh {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            file: String::new(),
            content_type: String::new(),
            contents: FileBytes::default(),
            vertex: Vec::new(),
            normal: Vec::new(),
            texcoord: Vec::new(),
            facetexcoord: Vec::new(),
            face: Vec::new(),
            refpos: DVec3::ZERO,
            refquat: DQuat::IDENTITY,
            scale: DVec3::ONE,
            inertia: MeshInertia::Legacy,
            smoothnormal: false,
            maxhullvert: -1,
            builtin: String::new(),
            params: Vec::new(),
            material: String::new(),
            plugin: None,
            needsdf: false,
            octree_maxdepth: 6,
            loc: Loc::NONE,
        }
    }
}

/// A height field: from a file or from elevations given here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hfield {
    /// Name.
    pub name: String,
    /// File as named: `.png`, or else binary.
    pub file: String,
    /// Media type of the file, in place of the ending.
    pub content_type: String,
    /// The file's contents.
    pub contents: FileBytes,
    /// Half sizes along x and y, height of the highest point, depth of the base.
    pub size: [f64; 4],
    /// Rows.
    pub nrow: i32,
    /// Columns.
    pub ncol: i32,
    /// Elevations, the first row at the least y; empty: flat.
    pub elevation: Vec<f32>,
    /// Place in the source.
    pub loc: Loc,
}
