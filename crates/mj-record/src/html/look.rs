//! Appearance of a geom that doesn't change with frames.

use super::json::Object;
use mj_scene::{SceneGeom, SceneShape};

/// All that a track's geom is but pose, sizes, colour and label. Equal looks are one geom, and the number tells those of
/// one frame apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    pub shape: i32,
    pub dataid: i32,
    pub objtype: i32,
    pub objid: i32,
    pub category: i32,
    pub matid: i32,
    pub texid: i32,
    texuniform: bool,
    texcoord: bool,
    castshadow: bool,
    /// Bits of emission, specularity, shininess, reflectance and the repetition of textures.
    reals: [u32; 6],
    /// Number among geoms of a frame with this look.
    pub occurrence: u32,
}

impl Look {
    /// Returns the look of a geom.
    pub fn new(g: &SceneGeom) -> Self {
        let [repeat_x, repeat_y] = g.texrepeat;
        let reals = [g.emission, g.specular, g.shininess, g.reflectance, repeat_x, repeat_y];
        Self {
            shape: g.r#type.code(),
            dataid: g.dataid,
            objtype: g.objtype.code(),
            objid: g.objid,
            category: g.category,
            matid: g.matid,
            texid: g.texid,
            texuniform: g.texuniform,
            texcoord: g.texcoord,
            castshadow: g.castshadow,
            reals: reals.map(f32::to_bits),
            occurrence: 0,
        }
    }

    /// Returns the look of any geom that looks alike, whichever element of the model it is.
    pub fn of_any(g: &SceneGeom) -> Self {
        let shown = matches!(g.r#type, SceneShape::Mesh | SceneShape::Sdf | SceneShape::Hfield);
        let dataid = if shown { g.dataid } else { -1 };
        Self { dataid, objtype: 0, objid: 0, matid: 0, ..Self::new(g) }
    }

    /// Returns the description; meshes and textures have the numbers that the page gives them.
    pub fn describe(&self, mesh: i64, texture: i64) -> Object {
        let [emission, specular, shininess, reflectance, repeat_x, repeat_y] = self.reals.map(f32::from_bits);
        let mut out = Object::default().int("shape", self.shape).int("category", self.category);
        out = out.reals("material", &[emission, specular, shininess, reflectance]);
        if mesh >= 0 {
            out = out.int("mesh", mesh);
        }
        if texture >= 0 {
            out = out.int("texture", texture).reals("repeat", &[repeat_x, repeat_y]);
            out = out.flag("uniform", self.texuniform).flag("coordinates", self.texcoord);
        }
        out
    }
}
