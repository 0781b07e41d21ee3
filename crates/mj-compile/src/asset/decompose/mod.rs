//! Splits a mesh into convex parts.
//!
//! A mesh collides as its convex hull, so a cup is solid and a ring has no hole. Where that matters, the mesh is
//! replaced by several that are convex: approximately the same solid. The method is V-HACD (Mamou and Ghorbel 2009;
//! parry's implementation): the solid is cut into voxels, and parts of it are halved by planes until each is nearly
//! its own hull. The hulls are of the mesh's own surface in each part, not of the voxels.

#[cfg(feature = "decompose")]
mod parts;

#[cfg(feature = "decompose")]
pub use parts::decompose;

use crate::mesh::{self, enclosed};
use mj_math::DVec3;

/// The finest grid: beyond, voxels need more memory than a mesh is worth.
pub const MOST_VOXELS: u32 = 256;

/// More parts than this are no help to anybody.
pub const MOST_PARTS: u32 = 1024;

/// How a mesh is to be split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Splitting {
    /// How far a part's volume may be from that of its hull, as a fraction of the whole hull's volume: the smaller,
    /// the more parts.
    pub concavity: f64,
    /// Voxels along the longest side of the mesh, 8 to [`MOST_VOXELS`].
    pub voxels: u32,
    /// The largest number of parts, 1 to [`MOST_PARTS`].
    pub most: u32,
}

impl Default for Splitting {
    fn default() -> Self {
        Self { concavity: 0.01, voxels: 64, most: 32 }
    }
}

impl Splitting {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If one is out of range: which, and the range.
    pub fn check(&self) -> Result<(), String> {
        if !(8..=MOST_VOXELS).contains(&self.voxels) {
            return Err(format!("{} voxels; 8 to {MOST_VOXELS} are possible", self.voxels));
        }
        if self.most == 0 || self.most > MOST_PARTS {
            return Err(format!("{} parts; 1 to {MOST_PARTS} are possible", self.most));
        }
        let possible = (0.0..=1.0).contains(&self.concavity);
        if possible { Ok(()) } else { Err(format!("a concavity of {}; 0 to 1 is possible", self.concavity)) }
    }
}

/// A triangulated surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Corners, in the units of the file.
    pub vert: Vec<DVec3>,
    /// Triangles, counter-clockwise seen from outside.
    pub face: Vec<[u32; 3]>,
}

impl Surface {
    /// Reads a mesh file; what it is, is told by the ending of its name: stl, obj or msh.
    ///
    /// # Errors
    /// If the file is none of these, is damaged, or has no triangles.
    pub fn read(name: &str, contents: Vec<u8>) -> Result<Self, String> {
        let (vert, face) = mesh::read(name, contents)?;
        if face.is_empty() {
            return Err(format!("`{name}` has no triangles, only {} vertices", vert.len()));
        }
        Ok(Self { vert, face })
    }

    /// The volume that the surface encloses; a hole in it is as if closed by a cone to the first corner.
    pub fn volume(&self) -> f64 {
        enclosed::volume(&self.vert, &self.face)
    }

    /// Whether every edge is shared by two triangles that run along it in opposite directions.
    pub fn is_closed(&self) -> bool {
        enclosed::is_closed(&self.vert, &self.face)
    }

    /// The surface as the text of an OBJ file, with `comment` on its first line.
    pub fn to_obj(&self, comment: &str) -> String {
        let mut text = format!("# {comment}\n");
        for v in &self.vert {
            text.push_str(&format!("v {} {} {}\n", v.x as f32, v.y as f32, v.z as f32));
        }
        for [a, b, c] in &self.face {
            text.push_str(&format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        }
        text
    }
}
