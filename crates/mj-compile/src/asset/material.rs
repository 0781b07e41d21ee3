//! Materials: kept for viewers, of no effect on physics.

use crate::context::Context;
use crate::messages::describe;
use mj_model::Model;
use mj_model::model::MaterialRow;
use mj_model::{ObjType, TextureId};

/// Writes materials and makes their names known; those of textures are known already.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Material, spec.materials.iter().map(|t| (t.name.as_str(), t.loc)));
    for x in &spec.materials {
        if x.name.is_empty() {
            cx.error(x.loc, "a material needs a name");
        }
        let mut texid = [None; 10];
        for (id, name) in texid.iter_mut().zip(&x.textures).filter(|(_, name)| !name.is_empty()) {
            let role = format!("texture of {}", describe("material", &x.name));
            *id = cx.find(ObjType::Texture, name, x.loc, &role).map(TextureId::new);
        }
        m.mat.push(MaterialRow {
            texid,
            texuniform: x.texuniform,
            texrepeat: x.texrepeat,
            emission: x.emission,
            specular: x.specular,
            shininess: x.shininess,
            reflectance: x.reflectance,
            metallic: x.metallic,
            roughness: x.roughness,
            rgba: x.rgba,
        });
    }
}
