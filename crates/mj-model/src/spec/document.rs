//! The whole of a model as a person edits it, and its default classes.

use super::actuation::*;
use super::assets::*;
use super::body::*;
use super::deformable::*;
use super::geom::*;
use super::globals::*;
use super::plugin::*;
use super::scene::*;
use super::shapes::*;
use super::skin::*;
use crate::diag::{Loc, Sources};
use crate::options::Options;
use crate::visual::Visual;

/// A model as a person edits it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// The model's name.
    pub modelname: String,
    /// Source text, for diagnostics.
    pub sources: Sources,
    /// Compiler settings.
    pub compiler: Compiler,
    /// Physics options.
    pub option: Options,
    /// Where options and flags were given, by attribute.
    pub option_locs: Vec<(String, Loc)>,
    /// Visual options.
    pub visual: Visual,
    /// Statistics that override the computed ones.
    pub statistic: StatisticOverride,
    /// Sizes.
    pub size: Sizes,
    /// Default classes; the first is the root, `main`.
    pub defaults: Vec<DefaultClass>,
    /// The world body.
    pub worldbody: Body,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Height fields.
    pub hfields: Vec<Hfield>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Flexes.
    pub flexes: Vec<Flex>,
    /// Plugins that the model needs.
    pub extensions: Vec<Extension>,
    /// Explicit geom pairs.
    pub pairs: Vec<Pair>,
    /// Excluded body pairs.
    pub excludes: Vec<Exclude>,
    /// Equality constraints.
    pub equalities: Vec<Equality>,
    /// Tendons.
    pub tendons: Vec<Tendon>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Custom numbers.
    pub numerics: Vec<Numeric>,
    /// Custom texts.
    pub texts: Vec<Text>,
    /// Custom tuples.
    pub tuples: Vec<Tuple>,
    /// Keyframes.
    pub keys: Vec<Key>,
}

/// A default class: prototypes of every element kind, the parent's values filled in.
///
/// [`Spec::add_default`] makes one from its parent. A copy of a prototype has the class's values, which
/// a program may then replace, by built-in ones too; an element made without one takes them for the
/// fields that it leaves at their built-in values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefaultClass {
    /// Name; the root is `main` if not named otherwise.
    pub name: String,
    /// Row of the parent class in [`Spec::defaults`].
    pub parent: Option<usize>,
    /// Place in the source.
    pub loc: Loc,
    /// Prototype joint.
    pub joint: Joint,
    /// Prototype geom.
    pub geom: Geom,
    /// Prototype site.
    pub site: Site,
    /// Prototype camera.
    pub camera: Camera,
    /// Prototype light.
    pub light: Light,
    /// Prototype mesh.
    pub mesh: Mesh,
    /// Prototype texture.
    pub texture: Texture,
    /// Prototype material.
    pub material: Material,
    /// Prototype pair.
    pub pair: Pair,
    /// Prototype equality constraint.
    pub equality: Equality,
    /// Prototype tendon.
    pub tendon: Tendon,
    /// Prototype actuator.
    pub actuator: Actuator,
}

impl Spec {
    /// A default class by name.
    pub fn default_class(&self, name: &str) -> Option<&DefaultClass> {
        self.defaults.iter().find(|d| d.name == name)
    }
}
