//! Materials of the model: what the classic model of shading and the physical one need.

use mj_model::Model;
use mj_scene::{SceneGeom, SceneShape};

/// Role of colours among a material's textures.
const COLOUR: usize = 1;
/// Role of colours with opacity, which the classic renderer doesn't show.
const COLOUR_OPACITY: usize = 8;
/// Bits of the textures of roughness and of metal.
const ROUGHNESS_LAYER: u32 = 2;
const METALLIC_LAYER: u32 = 4;

/// Material of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Texture of its colour; −1: none.
    pub texture: i32,
    /// Repetition of flat textures.
    pub repeat: [f32; 2],
    /// Whether cube textures cover it at their true size.
    pub uniform: bool,
    /// Share of metal; below 0: unset.
    pub metallic: f32,
    /// Roughness; below 0: unset.
    pub roughness: f32,
}

/// Returns the materials of a model.
pub fn materials(m: &Model, physical: bool) -> Vec<Material> {
    let of = |id| {
        let roles = &m.mat.texid[id];
        let texture = roles[COLOUR].or(roles[COLOUR_OPACITY].filter(|_| physical));
        Material {
            texture: texture.map_or(-1, |t| t.index() as i32),
            repeat: m.mat.texrepeat[id],
            uniform: m.mat.texuniform[id],
            metallic: m.mat.metallic[id],
            roughness: m.mat.roughness[id],
        }
    };
    m.mat.ids().map(of).collect()
}

/// Returns metallic, roughness, and the reflectance of dielectrics at normal incidence, of a geom with a material and bits of
/// its textures.
///
/// Where the material doesn't say: textures give the numbers, or it is no metal, as rough as its highlight is wide. A
/// specularity of 0.5 is a reflectance of 0.04, that of plastic. The lobe of shininess s, cos¹²⁸ˢ, has the width of one whose
/// squared roughness is √(2 / (128 s + 2)) (Walter et al. 2007).
pub fn surface(geom: &SceneGeom, material: Option<&Material>, layers: u32) -> [f32; 3] {
    // Not a number counts as 0.
    let share = |x: f32| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let given = |x: f32| (x >= 0.0).then(|| share(x));
    let textured = |bit| (layers & bit != 0).then_some(1.0);
    let metallic = material.and_then(|m| given(m.metallic)).or(textured(METALLIC_LAYER)).unwrap_or(0.0);
    let lobe = (2.0 / (128.0 * share(geom.shininess) + 2.0)).powf(0.25);
    let roughness = material.and_then(|m| given(m.roughness)).or(textured(ROUGHNESS_LAYER)).unwrap_or(lobe);
    // Planes and boxes with a reflectance are mirrors, and show their picture by another pass.
    let mirror = matches!(geom.r#type, SceneShape::Plane | SceneShape::Box);
    let reflectance = if mirror { 0.0 } else { share(geom.reflectance) };
    [metallic, roughness, reflectance.max(0.08 * share(geom.specular))]
}
