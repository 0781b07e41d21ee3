//! Assets: meshes, hulls, height fields, textures, materials, skins.

pub mod decompose;
pub(crate) mod hfield;
pub(crate) mod image;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod proximity;
pub(crate) mod skin;
pub(crate) mod texture;
