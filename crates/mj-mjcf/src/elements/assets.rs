//! Assets: textures and materials.

use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Shape, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_model::Builtin;
use mj_model::spec::*;
use std::path::Path;

pub(crate) const TEXTURE: Table<Texture> = Table {
    groups: &[&[
        attr!(Texture: "name" name).own(),
        attr!(Texture: "class" class).own(),
        attr!(Texture: "type" r#type),
        attr!(Texture: "colorspace" colorspace),
        attr!(Texture: "embed" embed),
        attr!(Texture: "content_type" content_type).own(),
        attr!(Texture: "file" file).own(),
        attr!(Texture: "gridsize" gridsize),
        attr!(Texture: "gridlayout" gridlayout),
        Attr::new("fileright", Shape::Text, |t: &mut Texture, v| t.cubefiles[0].put(v))
            .own()
            .give(|t| t.cubefiles[0].give()),
        Attr::new("fileleft", Shape::Text, |t: &mut Texture, v| t.cubefiles[1].put(v))
            .own()
            .give(|t| t.cubefiles[1].give()),
        Attr::new("fileup", Shape::Text, |t: &mut Texture, v| t.cubefiles[2].put(v))
            .own()
            .give(|t| t.cubefiles[2].give()),
        Attr::new("filedown", Shape::Text, |t: &mut Texture, v| t.cubefiles[3].put(v))
            .own()
            .give(|t| t.cubefiles[3].give()),
        Attr::new("filefront", Shape::Text, |t: &mut Texture, v| t.cubefiles[4].put(v))
            .own()
            .give(|t| t.cubefiles[4].give()),
        Attr::new("fileback", Shape::Text, |t: &mut Texture, v| t.cubefiles[5].put(v))
            .own()
            .give(|t| t.cubefiles[5].give()),
        attr!(Texture: "builtin" builtin),
        attr!(Texture: "rgb1" rgb1),
        attr!(Texture: "rgb2" rgb2),
        attr!(Texture: "mark" mark),
        attr!(Texture: "markrgb" markrgb),
        attr!(Texture: "random" random),
        attr!(Texture: "width" width),
        attr!(Texture: "height" height),
        attr!(Texture: "hflip" hflip),
        attr!(Texture: "vflip" vflip),
        attr!(Texture: "nchannel" nchannel),
    ]],
    rules: &[],
};

/// Roles of textures with their codes.
pub(crate) const ROLES: [(&str, usize); 9] = [
    ("rgb", 1),
    ("occlusion", 2),
    ("roughness", 3),
    ("metallic", 4),
    ("normal", 5),
    ("opacity", 6),
    ("emissive", 7),
    ("rgba", 8),
    ("orm", 9),
];

pub(crate) const MATERIAL: Table<Material> = Table {
    groups: &[&[
        attr!(Material: "name" name).own(),
        attr!(Material: "class" class).own(),
        Attr::new("texture", Shape::Text, |m: &mut Material, v| m.textures[1].put(v)).give(|m| m.textures[1].give()),
        attr!(Material: "texrepeat" texrepeat),
        attr!(Material: "texuniform" texuniform),
        attr!(Material: "emission" emission),
        attr!(Material: "specular" specular),
        attr!(Material: "shininess" shininess),
        attr!(Material: "reflectance" reflectance),
        attr!(Material: "metallic" metallic),
        attr!(Material: "roughness" roughness),
        attr!(Material: "rgba" rgba),
    ]],
    rules: &[],
};

/// A material's texture in a role.
pub(crate) const LAYER: Table<(String, String)> = Table {
    groups: &[&[
        Attr::new("texture", Shape::Text, |l: &mut (String, String), v| l.0.put(v)).required().give(|l| l.0.give()),
        Attr::new("role", Shape::Text, |l: &mut (String, String), v| l.1.put(v)).required().give(|l| l.1.give()),
    ]],
    rules: &[],
};

pub(crate) const CHILDREN: &[Child] = &[
    Child::many("texture"),
    Child::many("material"),
    Child::many("mesh"),
    Child::many("hfield"),
    Child::many("skin"),
    Child::many("model"),
];

impl Reader<'_> {
    pub(crate) fn asset(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, CHILDREN) {
            if child.name == "model" {
                self.model_asset(child);
                continue;
            }
            if child.name == "hfield" {
                self.hfield(child);
                continue;
            }
            if child.name == "skin" {
                self.skin(child);
                continue;
            }
            let class = self.class(child, "class", 0);
            if child.name == "mesh" {
                self.mesh(child, class);
            } else if child.name == "texture" {
                let mut texture = Texture { loc: child.loc, ..self.spec.defaults[class].texture.clone() };
                self.texture_into(child, &mut texture);
                self.fetch_pixels(child, &mut texture);
                // A texture without a name goes by its file's, whose directory and ending do not count.
                let name = if texture.name.is_empty() { stem(&texture.file) } else { texture.name.clone() };
                let loc = child.value_loc(if texture.name.is_empty() { "file" } else { "name" });
                self.declare("texture", &name, loc);
                texture.name = name;
                self.spec.textures.push(texture);
            } else {
                let mut material = Material { loc: child.loc, ..self.spec.defaults[class].material.clone() };
                self.material_into(child, &mut material);
                self.declare_node("material", child);
                self.spec.materials.push(material);
            }
        }
    }

    /// Reads a texture's attributes.
    pub(crate) fn texture_into(&mut self, node: &Node, texture: &mut Texture) {
        self.attributes(node, &TEXTURE, texture);
        self.no_children(node);
        if let Some(layout) = node.get("gridlayout") {
            let cells = i64::from(texture.gridsize[0]) * i64::from(texture.gridsize[1]);
            if layout.len() as i64 != cells {
                let message = format!("`gridlayout` has {} letters, but the grid has {cells} cells", layout.len());
                self.error(node.value_loc("gridlayout"), message);
            } else if layout.len() > 12 {
                self.error(node.value_loc("gridlayout"), "`gridlayout` may have at most 12 letters");
            }
        }
    }

    /// Gets the files that a texture is made of: none for a built-in pattern, the first kind that is given otherwise.
    fn fetch_pixels(&mut self, node: &Node, texture: &mut Texture) {
        if texture.builtin != Builtin::None {
            return;
        }
        if !texture.file.is_empty() {
            // Where it cannot be, the compiler says why.
            let by_reference = texture.by_reference(self.budget.passthrough) != Ok(false);
            return self.fetch_unless(by_reference, node, "file", &mut texture.file, &mut texture.contents);
        }
        let sides = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        for ((attribute, file), contents) in
            sides.into_iter().zip(&mut texture.cubefiles).zip(&mut texture.cubecontents)
        {
            self.fetch(node, attribute, file, contents);
        }
    }

    /// Reads a material's attributes and layers.
    pub(crate) fn material_into(&mut self, node: &Node, material: &mut Material) {
        self.attributes(node, &MATERIAL, material);
        // Layers' attributes are the same in default classes.
        for layer in self.children(node, &[Child::many("layer")]) {
            if node.attribute("texture").is_some() {
                self.error(layer.loc, "a material with a `texture` cannot have layers too");
            }
            let mut form = Default::default();
            self.attributes(layer, &LAYER, &mut form);
            self.no_children(layer);
            let (texture, role) = form;
            match ROLES.iter().find(|(name, _)| *name == role) {
                Some(&(_, code)) => material.textures[code] = texture,
                None if layer.attribute("role").is_some() => {
                    let help = crate::suggest::help(&role, ROLES.iter().map(|r| r.0), "it takes one of:");
                    self.error(layer.value_loc("role"), format!("`{role}` is not a role of a texture")).help = help;
                }
                None => {}
            }
        }
    }
}

/// A file's name without directory and ending.
pub(crate) fn stem(file: &str) -> String {
    Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}
