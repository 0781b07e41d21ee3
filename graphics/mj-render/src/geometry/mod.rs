//! Triangles of the shapes that scenes have, all in two buffers.

mod assets;
mod builder;
mod flat;
mod round;

pub use builder::{Builder, MeshRange, Vertex};

use mj_model::Model;
use mj_scene::Quality;

/// Greatest number of parts of a shape: settings beyond it are no use, and bound the memory.
const MAX_PARTS: i32 = 256;

/// Where the triangles of each shape lie.
pub struct Shapes {
    /// Sphere of radius 1.
    pub sphere: MeshRange,
    /// Capsule of radius 1, its ends moved by the end offset.
    pub capsule: MeshRange,
    /// Cylinder of radius and half length 1.
    pub cylinder: MeshRange,
    /// Cylinder without ends.
    pub tube: MeshRange,
    /// Box of half size 1.
    pub cuboid: MeshRange,
    /// Plane of half size 1.
    pub plane: MeshRange,
    /// Infinite plane, scaled to half size 1.
    pub wide_plane: MeshRange,
    /// Arrow of length 3 with a wide head.
    pub arrow: MeshRange,
    /// Arrow of length 3 with a narrow head.
    pub narrow_arrow: MeshRange,
    /// Arrow in both directions, of half length 1.5.
    pub double_arrow: MeshRange,
    /// Triangle with legs 1.
    pub triangle: MeshRange,
    /// Line of length 1.
    pub line: MeshRange,
    /// Edges of a box of half size 1.
    pub line_box: MeshRange,
    /// Cone of haze.
    pub haze: MeshRange,
    /// Meshes and their hulls in turn.
    pub meshes: Vec<MeshRange>,
    /// Height fields.
    pub hfields: Vec<MeshRange>,
}

/// Builds the triangles of all shapes and of the model's assets.
pub fn build(m: &Model, quality: &Quality, haze: f32) -> (Shapes, Builder) {
    let mut builder = Builder::default();
    let parts = round::Parts {
        slices: quality.numslices.clamp(3, MAX_PARTS) as u32,
        stacks: quality.numstacks.clamp(2, MAX_PARTS) as u32,
    };
    let quads = quality.numquads.clamp(1, MAX_PARTS) as u32;
    let haze = if haze.is_finite() { haze.clamp(1e-3, 1.0) } else { 1.0 };
    let mut make = |shape: &dyn Fn(&mut Builder)| {
        shape(&mut builder);
        builder.finish()
    };
    let shapes = Shapes {
        sphere: make(&|b| round::sphere(b, parts)),
        capsule: make(&|b| round::capsule(b, parts)),
        cylinder: make(&|b| round::cylinder(b, parts, true)),
        tube: make(&|b| round::cylinder(b, parts, false)),
        cuboid: make(&|b| flat::cuboid(b, quads)),
        plane: make(&|b| flat::plane(b, quads)),
        wide_plane: make(&flat::wide_plane),
        arrow: make(&|b| round::arrow(b, parts, true)),
        narrow_arrow: make(&|b| round::arrow(b, parts, false)),
        double_arrow: make(&|b| round::double_arrow(b, parts)),
        triangle: make(&flat::triangle),
        line: make(&flat::line),
        line_box: make(&flat::line_box),
        haze: make(&|b| round::haze(b, parts.slices, haze)),
        meshes: m
            .mesh
            .ids()
            .flat_map(|id| [make(&|b| assets::mesh(b, m, id)), make(&|b| assets::hull(b, m, id))])
            .collect(),
        hfields: m.hfield.ids().map(|id| make(&|b| assets::hfield(b, m, id, quads))).collect(),
    };
    (shapes, builder)
}
