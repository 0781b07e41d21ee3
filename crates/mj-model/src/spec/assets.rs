//! Assets, contact pairs, custom fields and keyframes.

use crate::diag::Loc;
use crate::enums::*;
use crate::spec::{FileBytes, Passthrough, SOLIMP, SOLREF};

/// A texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Type.
    pub r#type: TextureType,
    /// Colour space.
    pub colorspace: ColorSpace,
    /// Built-in pattern.
    pub builtin: Builtin,
    /// Mark on the pattern.
    pub mark: Mark,
    /// First colour.
    pub rgb1: [f64; 3],
    /// Second colour.
    pub rgb2: [f64; 3],
    /// Colour of the mark.
    pub markrgb: [f64; 3],
    /// Probability of random dots.
    pub random: f64,
    /// Pixels high.
    pub height: i32,
    /// Pixels wide.
    pub width: i32,
    /// Channels.
    pub nchannel: i32,
    /// File: `.png` or `.ktx`.
    pub file: String,
    /// Media type of the files, in place of their endings.
    pub content_type: String,
    /// The file's contents.
    pub contents: FileBytes,
    /// Whether the compiled model holds the pixels, or else the path of the file; automatic: as
    /// [`Compiler::passthrough`](super::Compiler) says.
    pub embed: Tri,
    /// Files of the sides of a cube: right, left, up, down, front, back.
    pub cubefiles: [String; 6],
    /// Their contents.
    pub cubecontents: [FileBytes; 6],
    /// Grid of a composite file.
    pub gridsize: [i32; 2],
    /// Layout of a composite file.
    pub gridlayout: String,
    /// Whether to flip horizontally.
    pub hflip: bool,
    /// Whether to flip vertically.
    pub vflip: bool,
    /// Place in the source.
    pub loc: Loc,
}

impl Texture {
    /// Whether the texture is to be left by reference under a policy, its file unread.
    ///
    /// # Errors
    /// If `embed` asks for it and the texture is none that can be: with the reason.
    pub fn by_reference(&self, policy: Passthrough) -> Result<bool, &'static str> {
        let hindrance = if self.builtin != Builtin::None {
            Some("it is built in")
        } else if self.file.is_empty() {
            Some("it has no file, or one for each side")
        } else if self.hflip || self.vflip {
            Some("it is flipped")
        } else if self.gridsize != [1, 1] {
            Some("its file is a grid")
        } else {
            None
        };
        match (self.embed, hindrance) {
            (Tri::False, Some(hindrance)) => Err(hindrance),
            (Tri::False, None) => Ok(true),
            (Tri::Auto, None) => Ok(policy == Passthrough::Textures),
            (Tri::Auto | Tri::True, _) => Ok(false),
        }
    }
}

impl Default for Texture {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            r#type: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            builtin: Builtin::None,
            mark: Mark::None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            markrgb: [0.0; 3],
            random: 0.01,
            height: 0,
            width: 0,
            nchannel: 3,
            file: String::new(),
            content_type: String::new(),
            contents: FileBytes::default(),
            embed: Tri::Auto,
            cubefiles: Default::default(),
            cubecontents: Default::default(),
            gridsize: [1, 1],
            gridlayout: String::new(),
            hflip: false,
            vflip: false,
            loc: Loc::NONE,
        }
    }
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Textures by role (code of `mjtTextureRole`).
    pub textures: [String; 10],
    /// Whether cube textures are uniform.
    pub texuniform: bool,
    /// Repetition of 2d textures.
    pub texrepeat: [f32; 2],
    /// Emission.
    pub emission: f32,
    /// Specularity.
    pub specular: f32,
    /// Shininess.
    pub shininess: f32,
    /// Reflectance.
    pub reflectance: f32,
    /// Metallicness.
    pub metallic: f32,
    /// Roughness.
    pub roughness: f32,
    /// Colour.
    pub rgba: [f32; 4],
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            textures: Default::default(),
            texuniform: false,
            texrepeat: [1.0; 2],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            metallic: -1.0,
            roughness: -1.0,
            rgba: [1.0; 4],
            loc: Loc::NONE,
        }
    }
}

/// An explicit geom pair; what is not given comes from the geoms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// First geom.
    pub geom1: String,
    /// Second geom.
    pub geom2: String,
    /// Contact dimensionality.
    pub condim: Option<i32>,
    /// Normal solref.
    pub solref: Option<[f64; 2]>,
    /// Friction solref.
    pub solreffriction: Option<[f64; 2]>,
    /// Solimp.
    pub solimp: Option<[f64; 5]>,
    /// Geometric inflation.
    pub margin: Option<f64>,
    /// Additional detection distance.
    pub gap: Option<f64>,
    /// Adhesive force.
    pub adhesion: Option<f64>,
    /// Friction: as many of the five as were given.
    pub friction: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

/// An excluded body pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exclude {
    /// Name.
    pub name: String,
    /// First body.
    pub body1: String,
    /// Second body.
    pub body2: String,
    /// Place in the source.
    pub loc: Loc,
}

/// An equality constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Equality {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Type.
    pub r#type: EqType,
    /// Kind of both objects: body, site, joint, tendon.
    pub objtype: ObjType,
    /// First object.
    pub name1: String,
    /// Second object; empty: none (the world for bodies).
    pub name2: String,
    /// Parameters as in [`EqualityTable::data`](crate::model::EqualityTable); connect holds its anchor in the
    /// first three, weld its anchor, relpose and torquescale.
    pub data: [f64; 12],
    /// Whether it starts active.
    pub active: bool,
    /// Solref.
    pub solref: [f64; 2],
    /// Solimp.
    pub solimp: [f64; 5],
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Equality {
    fn default() -> Self {
        let mut data = [0.0; 12];
        // The polynomial of joint and tendon couplings is the identity; a weld's torquescale is 1
        // and its relative pose is taken at the reference configuration (all-zero quaternion).
        data[1] = 1.0;
        data[10] = 1.0;
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            r#type: EqType::Connect,
            objtype: ObjType::Body,
            name1: String::new(),
            name2: String::new(),
            data,
            active: true,
            solref: SOLREF,
            solimp: SOLIMP,
            loc: Loc::NONE,
        }
    }
}

/// A custom numeric field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numeric {
    /// Name.
    pub name: String,
    /// Numbers, padded with zeros to the size given.
    pub data: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

/// A custom text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Name.
    pub name: String,
    /// Text.
    pub data: String,
    /// Place in the source.
    pub loc: Loc,
}

/// A custom tuple.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuple {
    /// Name.
    pub name: String,
    /// Entries: kind, name, parameter.
    pub items: Vec<(ObjType, String, f64)>,
    /// Place in the source.
    pub loc: Loc,
}

/// A keyframe; empty parts, and entries that are NaN, are the reset state's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Key {
    /// Name.
    pub name: String,
    /// Time.
    pub time: f64,
    /// Position.
    pub qpos: Vec<f64>,
    /// Velocity.
    pub qvel: Vec<f64>,
    /// Activation.
    pub act: Vec<f64>,
    /// Mocap positions.
    pub mpos: Vec<f64>,
    /// Mocap orientations, w-first.
    pub mquat: Vec<f64>,
    /// Control.
    pub ctrl: Vec<f64>,
    /// Plastic state.
    pub plastic: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}
