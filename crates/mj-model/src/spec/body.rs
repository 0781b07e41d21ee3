//! The kinematic tree: bodies, frames, joints, geoms, sites, cameras, lights.

use super::deformable::{Flexcomp, Plugin};
use super::globals::MassRules;
use crate::diag::Loc;
use crate::enums::*;
use mj_math::{DQuat, DVec3};

/// An orientation as it was written; the compiler's angle unit and Euler order apply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Orientation {
    /// None given: identity.
    #[default]
    Identity,
    /// Quaternion, any length.
    Quat(DQuat),
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// X and y axes.
    XyAxes([f64; 6]),
    /// Z axis.
    ZAxis([f64; 3]),
    /// Euler angles.
    Euler([f64; 3]),
}

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
    /// What follows from the scale: a change of all units, or shapes and inertias only.
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
    /// What a plugin does to the body.
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

/// Default constraint reference: time constant, damping ratio.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
/// Default constraint impedance: d₀, d_width, width, midpoint, power.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
/// Default colour.
pub const RGBA: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

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
    /// What a plugin does to the geom: its signed distance, say.
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

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Position.
    pub pos: DVec3,
    /// Orientation.
    pub orientation: Orientation,
    /// Tracking mode.
    pub mode: CamLight,
    /// Targeted body.
    pub target: String,
    /// Projection.
    pub projection: Projection,
    /// Vertical field of view.
    pub fovy: f64,
    /// Distance between the pupils.
    pub ipd: f64,
    /// Pixels.
    pub resolution: [i32; 2],
    /// Output types, bits.
    pub output: i32,
    /// Sensor size, length.
    pub sensorsize: [f32; 2],
    /// Focal length, length units.
    pub focal: Option<[f32; 2]>,
    /// Focal length, pixels.
    pub focalpixel: Option<[f32; 2]>,
    /// Principal point, length units.
    pub principal: Option<[f32; 2]>,
    /// Principal point, pixels.
    pub principalpixel: Option<[f32; 2]>,
    /// User data.
    pub user: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            pos: DVec3::ZERO,
            orientation: Orientation::Identity,
            mode: CamLight::Fixed,
            target: String::new(),
            projection: Projection::Perspective,
            fovy: 45.0,
            ipd: 0.068,
            resolution: [1, 1],
            output: 1,
            sensorsize: [0.0; 2],
            focal: None,
            focalpixel: None,
            principal: None,
            principalpixel: None,
            user: Vec::new(),
            loc: Loc::NONE,
        }
    }
}

/// A light.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Position.
    pub pos: DVec3,
    /// Direction.
    pub dir: DVec3,
    /// Tracking mode.
    pub mode: CamLight,
    /// Targeted body.
    pub target: String,
    /// Type.
    pub r#type: LightType,
    /// Texture of image lights.
    pub texture: String,
    /// Whether it is on.
    pub active: bool,
    /// Whether it casts shadows.
    pub castshadow: bool,
    /// Radius of the bulb.
    pub bulbradius: f32,
    /// Intensity.
    pub intensity: f32,
    /// Range.
    pub range: f32,
    /// Attenuation.
    pub attenuation: [f32; 3],
    /// Cutoff.
    pub cutoff: f32,
    /// Softness of a spot's edge.
    pub softness: f32,
    /// Exponent.
    pub exponent: f32,
    /// Ambient colour.
    pub ambient: [f32; 3],
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            pos: DVec3::ZERO,
            dir: DVec3::NEG_Z,
            mode: CamLight::Fixed,
            target: String::new(),
            r#type: LightType::Spot,
            texture: String::new(),
            active: true,
            castshadow: true,
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            softness: 0.2,
            exponent: 10.0,
            ambient: [0.0; 3],
            diffuse: [0.7; 3],
            specular: [0.3; 3],
            loc: Loc::NONE,
        }
    }
}
