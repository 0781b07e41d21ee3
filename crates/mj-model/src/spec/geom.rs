//! Shapes of bodies: geoms and sites.

use super::orientation::Orientation;
use super::plugin::Plugin;
use super::values::{RGBA, SOLIMP, SOLREF};
use crate::diag::Loc;
use crate::enums::GeomType;
use mj_math::DVec3;

/// A geom.
#[derive(Clone, Debug, PartialEq)]
pub struct Geom {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Shape.
    pub r#type: GeomType,
    /// Position.
    pub pos: DVec3,
    /// Orientation.
    pub orientation: Orientation,
    /// End points of capsules, cylinders, boxes and ellipsoids, instead of position, orientation
    /// and length.
    pub fromto: Option<[f64; 6]>,
    /// Sizes; NaN: not given.
    pub size: [f64; 3],
    /// Contact type.
    pub contype: i32,
    /// Contact affinity.
    pub conaffinity: i32,
    /// Contact dimensionality.
    pub condim: i32,
    /// Contact priority.
    pub priority: i32,
    /// Friction: slide, spin, roll.
    pub friction: [f64; 3],
    /// Mixing weight.
    pub solmix: f64,
    /// Contact solref.
    pub solref: [f64; 2],
    /// Contact solimp.
    pub solimp: [f64; 5],
    /// Geometric inflation.
    pub margin: f64,
    /// Additional detection distance.
    pub gap: f64,
    /// Surface velocity.
    pub surfacevel: [f64; 6],
    /// Adhesive force.
    pub adhesion: f64,
    /// Mass, instead of density.
    pub mass: Option<f64>,
    /// Density.
    pub density: f64,
    /// Whether mass is spread over the surface.
    pub shellinertia: bool,
    /// Whether the ellipsoid fluid model acts.
    pub fluid_ellipsoid: bool,
    /// Coefficients of the ellipsoid fluid model.
    pub fluidcoef: [f64; 5],
    /// Material.
    pub material: String,
    /// Colour.
    pub rgba: [f32; 4],
    /// Group.
    pub group: i32,
    /// Whether it casts shadows.
    pub castshadow: bool,
    /// Height field.
    pub hfield: String,
    /// Mesh.
    pub mesh: String,
    /// Scale of a fitted mesh.
    pub fitscale: f64,
    /// Plugin that acts on the geom, for example computes its signed distance.
    pub plugin: Option<Plugin>,
    /// User data.
    pub user: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Geom {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            r#type: GeomType::Sphere,
            pos: DVec3::ZERO,
            orientation: Orientation::Identity,
            fromto: None,
            size: [f64::NAN; 3],
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            surfacevel: [0.0; 6],
            adhesion: 0.0,
            mass: None,
            density: 1000.0,
            shellinertia: false,
            fluid_ellipsoid: false,
            fluidcoef: [0.5, 0.25, 1.5, 1.0, 1.0],
            material: String::new(),
            rgba: RGBA,
            group: 0,
            castshadow: true,
            hfield: String::new(),
            mesh: String::new(),
            fitscale: 1.0,
            plugin: None,
            user: Vec::new(),
            loc: Loc::NONE,
        }
    }
}

/// A site.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Shape.
    pub r#type: GeomType,
    /// Position.
    pub pos: DVec3,
    /// Orientation.
    pub orientation: Orientation,
    /// End points, instead of position, orientation and length.
    pub fromto: Option<[f64; 6]>,
    /// Sizes.
    pub size: [f64; 3],
    /// Material.
    pub material: String,
    /// Colour.
    pub rgba: [f32; 4],
    /// Group.
    pub group: i32,
    /// Mesh.
    pub mesh: String,
    /// User data.
    pub user: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            r#type: GeomType::Sphere,
            pos: DVec3::ZERO,
            orientation: Orientation::Identity,
            fromto: None,
            size: [0.005; 3],
            material: String::new(),
            rgba: RGBA,
            group: 0,
            mesh: String::new(),
            user: Vec::new(),
            loc: Loc::NONE,
        }
    }
}
