//! Fields of assets.

use super::{Form, PluginMore, kinds};
use crate::spec::cell::Cell;
use crate::spec::value::{Shape, Value};
use mj_model::spec::*;

/// Parts of a mesh that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct MeshMore {
    /// Normals of triangles, by row: kept, but the reference compiles without them.
    pub userfacenormal: Vec<i32>,
    /// Coordinates of the nodes of its volume.
    pub usernode: Vec<f64>,
    /// Nodes of the cells of its volume.
    pub usertet: Vec<i32>,
    /// Use of a plugin.
    pub plugin: PluginMore,
}

/// Parts of a texture that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct TextureMore {
    /// Layout of the grid, twelve letters.
    pub layout: Layout,
    /// Pixels that a program gives.
    pub data: Vec<u8>,
}

/// Layout of a grid of images.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout(pub String);

impl Default for Layout {
    fn default() -> Self {
        Self("............".into())
    }
}

impl Cell for Layout {
    const SHAPE: Shape = Shape::Chars(12);
    fn get(&self) -> Value {
        Value::Text(self.0.clone())
    }
    fn put(&mut self, value: Value) -> Result<(), String> {
        if let Value::Text(text) = value {
            self.0 = text;
        }
        Ok(())
    }
}

/// A mesh.
pub type MeshForm = Form<Mesh, MeshMore>;
/// A height field.
pub type HfieldForm = Form<Hfield>;
/// A texture.
pub type TextureForm = Form<Texture, TextureMore>;
/// A material.
pub type MaterialForm = Form<Material>;
/// A skin.
pub type SkinForm = Form<Skin, SkinMore>;

/// Bones of a skin, each property by itself.
#[derive(Clone, Debug, Default)]
pub struct SkinMore {
    /// Bodies.
    pub bodyname: Vec<String>,
    /// Positions of the bodies when they were bound.
    pub bindpos: Vec<f32>,
    /// Orientations of the bodies when they were bound.
    pub bindquat: Vec<f32>,
    /// Vertices that they move.
    pub vertid: Vec<Vec<i32>>,
    /// How much they move each.
    pub vertweight: Vec<Vec<f32>>,
}

impl MeshForm {
    /// Makes a form of a mesh.
    pub fn of(e: Mesh) -> Self {
        let more = MeshMore { plugin: PluginMore::of(&e.plugin), ..MeshMore::default() };
        Self { e, more, info: String::new() }
    }

    /// Returns the mesh.
    pub fn build(&self) -> Mesh {
        Mesh { plugin: self.more.plugin.plugin(), ..self.e.clone() }
    }
}

impl TextureForm {
    /// Makes a form of a texture.
    pub fn of(e: Texture) -> Self {
        let mut layout = Layout(e.gridlayout.clone());
        if layout.0.is_empty() {
            layout = Layout::default();
        }
        Self { e, more: TextureMore { layout, data: Vec::new() }, info: String::new() }
    }

    /// Returns the texture.
    pub fn build(&self) -> Texture {
        let layout = &self.more.layout;
        let gridlayout = if *layout == Layout::default() { String::new() } else { layout.0.clone() };
        Texture { gridlayout, ..self.e.clone() }
    }
}

impl SkinForm {
    /// Makes a form of a skin.
    pub fn of(mut e: Skin) -> Self {
        let mut more = SkinMore::default();
        for bone in std::mem::take(&mut e.bones) {
            more.bodyname.push(bone.body);
            more.bindpos.extend(bone.bindpos);
            more.bindquat.extend(bone.bindquat);
            more.vertid.push(bone.vertid);
            more.vertweight.push(bone.vertweight);
        }
        Self { e, more, info: String::new() }
    }

    /// Returns the skin.
    ///
    /// # Errors
    /// If there are other numbers of bodies than of poses or vertices.
    pub fn build(&self) -> Result<Skin, String> {
        let SkinMore { bodyname, bindpos, bindquat, vertid, vertweight } = &self.more;
        let n = bodyname.len();
        if bindpos.len() != 3 * n || bindquat.len() != 4 * n || vertid.len() != n || vertweight.len() != n {
            return Err(format!(
                "skin `{}` has {n} bodies, but {} positions, {} orientations, {} lists of vertices and {} of weights",
                self.e.name,
                bindpos.len() / 3,
                bindquat.len() / 4,
                vertid.len(),
                vertweight.len()
            ));
        }
        let bones = (0..n).map(|i| Bone {
            body: bodyname[i].clone(),
            bindpos: std::array::from_fn(|k| bindpos[3 * i + k]),
            bindquat: std::array::from_fn(|k| bindquat[4 * i + k]),
            vertid: vertid[i].clone(),
            vertweight: vertweight[i].clone(),
            ..Bone::default()
        });
        Ok(Skin { bones: bones.collect(), ..self.e.clone() })
    }
}

kinds! {
    MeshForm with plugin {
        "name" e.name;
        "content_type" e.content_type;
        "file" e.file;
        "refpos" e.refpos;
        "refquat" e.refquat;
        "scale" e.scale;
        "inertia" e.inertia;
        "smoothnormal" e.smoothnormal;
        "needsdf" e.needsdf;
        "maxhullvert" e.maxhullvert;
        "uservert" e.vertex;
        "usernormal" e.normal;
        "usertexcoord" e.texcoord;
        "userface" e.face;
        "userfacenormal" more.userfacenormal;
        "userfacetexcoord" e.facetexcoord;
        "usernode" more.usernode;
        "usertet" more.usertet;
        "material" e.material;
        "octree_maxdepth" e.octree_maxdepth;
        "info" info;
        "_builtin" e.builtin;
        "_params" e.params;
    }
    HfieldForm {
        "name" e.name;
        "content_type" e.content_type;
        "file" e.file;
        "size" e.size;
        "nrow" e.nrow;
        "ncol" e.ncol;
        "userdata" e.elevation;
        "info" info;
    }
    TextureForm {
        "name" e.name;
        "type" e.r#type;
        "colorspace" e.colorspace;
        "builtin" e.builtin;
        "mark" e.mark;
        "rgb1" e.rgb1;
        "rgb2" e.rgb2;
        "markrgb" e.markrgb;
        "random" e.random;
        "height" e.height;
        "width" e.width;
        "nchannel" e.nchannel;
        "content_type" e.content_type;
        "file" e.file;
        "gridsize" e.gridsize;
        "gridlayout" more.layout;
        "cubefiles" e.cubefiles;
        "data" more.data;
        "hflip" e.hflip;
        "vflip" e.vflip;
        "embed" e.embed as Shape::Enum("mjtEmbed");
        "info" info;
    }
    MaterialForm {
        "name" e.name;
        "textures" e.textures;
        "texuniform" e.texuniform;
        "texrepeat" e.texrepeat;
        "emission" e.emission;
        "specular" e.specular;
        "shininess" e.shininess;
        "reflectance" e.reflectance;
        "metallic" e.metallic;
        "roughness" e.roughness;
        "rgba" e.rgba;
        "info" info;
    }
    SkinForm {
        "name" e.name;
        "file" e.file;
        "material" e.material;
        "rgba" e.rgba;
        "inflate" e.inflate;
        "group" e.group;
        "vert" e.vertex;
        "texcoord" e.texcoord;
        "face" e.face;
        "bodyname" more.bodyname;
        "bindpos" more.bindpos;
        "bindquat" more.bindquat;
        "vertid" more.vertid;
        "vertweight" more.vertweight;
        "info" info;
    }
}
