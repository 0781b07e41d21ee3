//! The kinematic tree: bodies, frames, joints.

use super::deformable::Flexcomp;
use super::geom::{Geom, Site};
use super::globals::MassRules;
use super::orientation::Orientation;
use super::plugin::Plugin;
use super::scene::{Camera, Light};
use super::values::{SOLIMP, SOLREF};
use crate::diag::Loc;
use crate::enums::*;
use mj_math::DVec3;

/// An explicit inertial frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inertial {
    /// Centre of mass.
    pub pos: DVec3,
    /// Orientation of the principal axes.
    pub orientation: Orientation,
    /// Mass.
    pub mass: f64,
    /// Principal moments, if given.
    pub diaginertia: Option<[f64; 3]>,
    /// Full matrix: xx, yy, zz, xy, xz, yz, if given.
    pub fullinertia: Option<[f64; 6]>,
    /// Place in the source.
    pub loc: Loc,
}

/// A frame within a body: moves and resizes what is in it, and is gone once compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Name.
    pub name: String,
    /// Enclosing frame in [`Body::frames`].
    pub parent: Option<usize>,
    /// Position.
    pub pos: DVec3,
    /// Orientation.
    pub orientation: Orientation,
    /// Default class of what is in it.
    pub childclass: Option<String>,
    /// Factors along the frame's axes by which what is in it is larger than it is written.
    pub scale: DVec3,
    /// Quantities that the scale changes: all by their units, or shapes and inertias only.
    pub scaling: Scaling,
    /// Factor of masses; 0: that of volumes, so that densities stay.
    pub massscale: f64,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            name: String::new(),
            parent: None,
            pos: DVec3::ZERO,
            orientation: Orientation::Identity,
            childclass: None,
            scale: DVec3::ONE,
            scaling: Scaling::Similar,
            massscale: 0.0,
            loc: Loc::NONE,
        }
    }
}

impl Frame {
    /// Whether what is in it has the size and mass as written.
    pub fn keeps_size(&self) -> bool {
        self.scale == DVec3::ONE && (self.massscale == 0.0 || self.massscale == 1.0)
    }
}

/// A body with its elements and children, each list in document order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Frame of the parent body that it is in.
    pub frame: Option<usize>,
    /// Default class of what is in it.
    pub childclass: Option<String>,
    /// Position in the parent.
    pub pos: DVec3,
    /// Orientation in the parent.
    pub orientation: Orientation,
    /// Explicit inertial frame.
    pub inertial: Option<Inertial>,
    /// How it comes to its mass and inertia, if otherwise than the spec's compiler says: attached bodies keep to what
    /// their own spec said.
    pub mass_rules: Option<MassRules>,
    /// Whether it is a mocap body.
    pub mocap: bool,
    /// Gravity compensation.
    pub gravcomp: f64,
    /// Sleep policy.
    pub sleep: SleepPolicy,
    /// Whether the inertia may be marked simple (diagonal).
    pub simple: Tri,
    /// Whether it may be merged into its parent when static bodies are; true stands for the same as auto.
    pub fuse: Tri,
    /// User data.
    pub user: Vec<f64>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Geoms.
    pub geoms: Vec<Geom>,
    /// Sites.
    pub sites: Vec<Site>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Flexes to be made, with bodies of their own.
    pub flexcomps: Vec<Flexcomp>,
    /// Plugin that acts on the body.
    pub plugin: Option<Plugin>,
    /// Frames directly or indirectly in this body (not in its children).
    pub frames: Vec<Frame>,
    /// Child bodies.
    pub bodies: Vec<Body>,
    /// A number that a reader may set to find the element again when the tree has changed; 0: none. It
    /// means nothing to the model.
    pub tag: u32,
    /// Place in the source.
    pub loc: Loc,
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Type.
    pub r#type: JointType,
    /// Anchor.
    pub pos: DVec3,
    /// Axis.
    pub axis: DVec3,
    /// Coordinate in the reference configuration (length or compiler's angle unit).
    pub r#ref: f64,
    /// Whether a free joint is aligned with the centre of mass.
    pub align: Tri,
    /// Stiffness coefficients: linear, quadratic, cubic.
    pub stiffness: [f64; 3],
    /// Coordinate at which the spring rests.
    pub springref: f64,
    /// Plastic yield threshold.
    pub springyield: f64,
    /// Time constant and damping ratio that set stiffness and damping.
    pub springdamper: [f64; 2],
    /// Whether it has limits.
    pub limited: Tri,
    /// Limits (length or compiler's angle unit).
    pub range: Option<[f64; 2]>,
    /// Distance at which the limit comes in.
    pub margin: f64,
    /// Limit's solref.
    pub solref_limit: [f64; 2],
    /// Limit's solimp.
    pub solimp_limit: [f64; 5],
    /// Whether actuator force on it has limits.
    pub actfrclimited: Tri,
    /// Limits of actuator force.
    pub actfrcrange: Option<[f64; 2]>,
    /// Armature inertia.
    pub armature: f64,
    /// Damping coefficients: linear, quadratic, cubic.
    pub damping: [f64; 3],
    /// Friction loss.
    pub frictionloss: f64,
    /// Friction loss's solref.
    pub solref_friction: [f64; 2],
    /// Friction loss's solimp.
    pub solimp_friction: [f64; 5],
    /// Group.
    pub group: i32,
    /// Whether gravity compensation acts through actuators.
    pub actgravcomp: bool,
    /// User data.
    pub user: Vec<f64>,
    /// A number that a reader may set to find the element again when the tree has changed; 0: none. It
    /// means nothing to the model.
    pub tag: u32,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Joint {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            r#type: JointType::Hinge,
            pos: DVec3::ZERO,
            axis: DVec3::Z,
            r#ref: 0.0,
            align: Tri::Auto,
            stiffness: [0.0; 3],
            springref: 0.0,
            springyield: 0.0,
            springdamper: [0.0; 2],
            limited: Tri::Auto,
            range: None,
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            actfrclimited: Tri::Auto,
            actfrcrange: None,
            armature: 0.0,
            damping: [0.0; 3],
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            group: 0,
            actgravcomp: false,
            user: Vec::new(),
            tag: 0,
            loc: Loc::NONE,
        }
    }
}

impl Joint {
    /// A free joint as `freejoint` gives it: it takes nothing from default classes.
    pub fn free() -> Self {
        Self { r#type: JointType::Free, class_applied: true, ..Self::default() }
    }
}
