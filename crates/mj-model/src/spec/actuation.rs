//! Tendons, actuators and sensors.

use crate::diag::Loc;
use crate::enums::*;
use crate::spec::{Plugin, RGBA, SOLIMP, SOLREF};

/// A tendon.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Type.
    pub r#type: TendonType,
    /// Path.
    pub path: Vec<Wrap>,
    /// Stiffness coefficients: linear, quadratic, cubic.
    pub stiffness: [f64; 3],
    /// Resting lengths of the spring; −1: from the reference configuration.
    pub springlength: [f64; 2],
    /// Plastic yield threshold.
    pub springyield: f64,
    /// Damping coefficients: linear, quadratic, cubic.
    pub damping: [f64; 3],
    /// Friction loss.
    pub frictionloss: f64,
    /// Friction loss's solref.
    pub solref_friction: [f64; 2],
    /// Friction loss's solimp.
    pub solimp_friction: [f64; 5],
    /// Armature inertia.
    pub armature: f64,
    /// Whether its length has limits.
    pub limited: Tri,
    /// Limits of the length.
    pub range: Option<[f64; 2]>,
    /// Whether actuator force on it has limits.
    pub actfrclimited: Tri,
    /// Limits of actuator force.
    pub actfrcrange: Option<[f64; 2]>,
    /// Distance at which the limit comes in.
    pub margin: f64,
    /// Limit's solref.
    pub solref_limit: [f64; 2],
    /// Limit's solimp.
    pub solimp_limit: [f64; 5],
    /// Material.
    pub material: String,
    /// Width for drawing.
    pub width: f64,
    /// Colour.
    pub rgba: [f32; 4],
    /// Group.
    pub group: i32,
    /// User data.
    pub user: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Tendon {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            r#type: TendonType::Fixed,
            path: Vec::new(),
            stiffness: [0.0; 3],
            springlength: [-1.0; 2],
            springyield: 0.0,
            damping: [0.0; 3],
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            armature: 0.0,
            limited: Tri::Auto,
            range: None,
            actfrclimited: Tri::Auto,
            actfrcrange: None,
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            material: String::new(),
            width: 0.003,
            rgba: RGBA,
            group: 0,
            user: Vec::new(),
            loc: Loc::NONE,
        }
    }
}

/// An object in a tendon's path.
#[derive(Clone, Debug, PartialEq)]
pub enum WrapObject {
    /// A joint with its coefficient.
    Joint {
        /// Joint.
        joint: String,
        /// Coefficient.
        coef: f64,
    },
    /// A site passed through.
    Site {
        /// Site.
        site: String,
    },
    /// A sphere or cylinder wrapped around.
    Geom {
        /// Geom.
        geom: String,
        /// Site that chooses the side; empty: none.
        sidesite: String,
    },
    /// A pulley.
    Pulley {
        /// Divisor.
        divisor: f64,
    },
}

/// A path object with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrap {
    /// Object.
    pub object: WrapObject,
    /// Place in the source.
    pub loc: Loc,
}

/// An actuator, whichever element it was written with: the shortcuts are turned into general
/// parameters by the reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Whether dynamics, gain, bias and the meaning of the control come from a shortcut
    /// ([`Actuator::set_to_motor`] and its like), and none of them from a default class.
    pub shortcut: bool,
    /// Dynamics.
    pub dyntype: DynType,
    /// Dynamics parameters.
    pub dynprm: [f64; 10],
    /// Gain.
    pub gaintype: GainType,
    /// Gain parameters.
    pub gainprm: [f64; 10],
    /// Bias.
    pub biastype: BiasType,
    /// Bias parameters. A position servo's positive third one is a damping ratio, which the
    /// compiler turns into damping at the reference configuration.
    pub biasprm: [f64; 10],
    /// Meaning of the controls. Orientation servos: 1 an exponential map, 2 a quaternion. Others, bits
    /// (`mjtInput`): 1 position, 2 velocity, 4 feedforward, 8 voltage, 16 none at all, 32 pressure. 0:
    /// not said.
    pub ctrlspec: i32,
    /// Number of activations; −1: by type.
    pub actdim: i32,
    /// Whether activation steps before the force.
    pub actearly: bool,
    /// Transmission.
    pub trntype: TrnType,
    /// Transmission's target.
    pub target: String,
    /// Reference site.
    pub refsite: String,
    /// Slider site.
    pub slidersite: String,
    /// Length of the crank.
    pub cranklength: f64,
    /// Scale of length and force.
    pub gear: [f64; 6],
    /// Feasible lengths.
    pub lengthrange: [f64; 2],
    /// Scale of the target's range that sets the control's; 0: none.
    pub inheritrange: f64,
    /// Damping coefficients added to the target.
    pub damping: [f64; 3],
    /// Armature added to the target.
    pub armature: f64,
    /// Whether control has limits.
    pub ctrllimited: Tri,
    /// Limits of control.
    pub ctrlrange: Option<[f64; 2]>,
    /// Limits of a PID servo's velocity setpoint; equal: none.
    pub velrange: [f64; 2],
    /// Limits of a PID servo's feedforward; equal: none.
    pub ffrange: [f64; 2],
    /// Whether force has limits.
    pub forcelimited: Tri,
    /// Limits of force.
    pub forcerange: Option<[f64; 2]>,
    /// Whether activation has limits.
    pub actlimited: Tri,
    /// Limits of activation.
    pub actrange: Option<[f64; 2]>,
    /// Group.
    pub group: i32,
    /// Samples in the history.
    pub nsample: i32,
    /// Interpolation of the history.
    pub interp: i32,
    /// Delay, seconds.
    pub delay: f64,
    /// The plugin that computes the actuator's force.
    pub plugin: Option<Plugin>,
    /// User data.
    pub user: Vec<f64>,
    /// A number that a reader may set to find the element again when the tree has changed; 0: none. It
    /// means nothing to the model.
    pub tag: u32,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Actuator {
    fn default() -> Self {
        let first = |x| {
            let mut a = [0.0; 10];
            a[0] = x;
            a
        };
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            shortcut: false,
            dyntype: DynType::None,
            dynprm: first(1.0),
            gaintype: GainType::Fixed,
            gainprm: first(1.0),
            biastype: BiasType::None,
            biasprm: [0.0; 10],
            ctrlspec: 0,
            actdim: -1,
            actearly: false,
            trntype: TrnType::Undefined,
            target: String::new(),
            refsite: String::new(),
            slidersite: String::new(),
            cranklength: 0.0,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            lengthrange: [0.0; 2],
            inheritrange: 0.0,
            damping: [0.0; 3],
            armature: 0.0,
            ctrllimited: Tri::Auto,
            ctrlrange: None,
            velrange: [0.0; 2],
            ffrange: [0.0; 2],
            forcelimited: Tri::Auto,
            forcerange: None,
            actlimited: Tri::Auto,
            actrange: None,
            group: 0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            plugin: None,
            user: Vec::new(),
            tag: 0,
            loc: Loc::NONE,
        }
    }
}

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Name.
    pub name: String,
    /// Type.
    pub r#type: SensorType,
    /// Kind of object.
    pub objtype: ObjType,
    /// Object.
    pub objname: String,
    /// Kind of reference.
    pub reftype: ObjType,
    /// Reference; empty: the world.
    pub refname: String,
    /// Number of outputs, type of data and stage of `user` sensors; other types know theirs.
    pub dim: i32,
    /// Type of data.
    pub datatype: DataType,
    /// Stage.
    pub needstage: Stage,
    /// Parameters.
    pub intprm: [i32; 3],
    /// Cutoff.
    pub cutoff: f64,
    /// Noise's standard deviation.
    pub noise: f64,
    /// Samples in the history.
    pub nsample: i32,
    /// Interpolation of the history.
    pub interp: i32,
    /// Delay, seconds.
    pub delay: f64,
    /// Interval: period, phase.
    pub interval: [f64; 2],
    /// The plugin that computes the sensor's output.
    pub plugin: Option<Plugin>,
    /// User data.
    pub user: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Sensor {
    fn default() -> Self {
        Self {
            name: String::new(),
            r#type: SensorType::Touch,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            dim: 0,
            datatype: DataType::Real,
            needstage: Stage::None,
            intprm: [0; 3],
            cutoff: 0.0,
            noise: 0.0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            interval: [0.0; 2],
            plugin: None,
            user: Vec::new(),
            loc: Loc::NONE,
        }
    }
}
