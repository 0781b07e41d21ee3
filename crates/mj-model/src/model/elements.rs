//! Tables of what acts and senses: geoms, pairs, equalities, tendons, actuators, sensors, custom
//! fields, keyframes.

use super::kinematic::AddedBy;
use crate::enums::*;
use crate::ids::*;
use mj_math::{DQuat, DVec3};

table! {
    /// Geoms, in the order of their bodies.
    GeomTable / GeomRow [GeomId] "geom" {
        /// Shape.
        @structure r#type: GeomType,
        /// Contact type, bits.
        @constant contype: i32,
        /// Contact affinity, bits.
        @constant conaffinity: i32,
        /// Contact dimensionality: 1, 3, 4, 6.
        condim: i32,
        /// Body.
        @structure bodyid: BodyId,
        /// Mesh or height field; −1: none.
        @structure dataid: i32,
        /// Plugin that computes its signed distance.
        @structure plugin: Option<PluginId>,
        /// Material.
        matid: Option<MaterialId>,
        /// Visibility group.
        group: i32,
        /// Contact priority.
        priority: i32,
        /// Which frame of the body it shares.
        @derived sameframe: SameFrame,
        /// Whether it casts shadows.
        castshadow: bool,
        /// Mixing weight of solref and solimp.
        solmix: f64,
        /// Contact solref.
        solref: [f64; 2],
        /// Contact solimp.
        solimp: [f64; 5],
        /// Size.
        @constant size: DVec3,
        /// Bounding box in the geom: centre, half sizes.
        @derived aabb: [f64; 6],
        /// Radius of the bounding sphere; 0: unbounded.
        @derived rbound: f64,
        /// Position in the body.
        @constant pos: DVec3,
        /// Orientation in the body.
        @constant quat: DQuat,
        /// Friction: slide, spin, roll.
        friction: [f64; 3],
        /// Geometric inflation for contact.
        @constant margin: f64,
        /// Additional distance at which contacts are detected.
        @constant gap: f64,
        /// Surface velocity in the geom: linear, angular.
        surfacevel: [f64; 6],
        /// Adhesive force of contacts.
        adhesion: f64,
        /// Fluid interaction.
        fluid: [f64; 12],
        /// Colour where there is no material.
        rgba: [f32; 4],
    }
}

table! {
    /// Explicit geom pairs.
    PairTable / PairRow [PairId] "pair" {
        /// Contact dimensionality.
        dim: i32,
        /// First geom.
        @structure geom1: GeomId,
        /// Second geom.
        @structure geom2: GeomId,
        /// Bodies: (body1 << 16) + body2.
        @structure signature: i32,
        /// Normal solref.
        solref: [f64; 2],
        /// Friction solref.
        solreffriction: [f64; 2],
        /// Solimp.
        solimp: [f64; 5],
        /// Geometric inflation.
        margin: f64,
        /// Additional detection distance.
        gap: f64,
        /// Adhesive force.
        adhesion: f64,
        /// Friction: two tangents, spin, two rolls.
        friction: [f64; 5],
    }
}

table! {
    /// Excluded body pairs.
    ExcludeTable / ExcludeRow [ExcludeId] "exclude" {
        /// Bodies: (body1 << 16) + body2.
        @structure signature: i32,
    }
}

table! {
    /// Equality constraints.
    EqualityTable / EqualityRow [EqualityId] "eq" {
        /// Type.
        @structure r#type: EqType,
        /// First object's row.
        @structure obj1id: i32,
        /// Second object's row; −1: none.
        @structure obj2id: i32,
        /// Kind of both objects.
        @structure objtype: ObjType,
        /// Whether it starts active.
        active0: bool,
        /// Solref.
        solref: [f64; 2],
        /// Solimp.
        solimp: [f64; 5],
        /// Parameters by type: connect has two anchors (3+3); weld anchor (3), relative position (3), relative
        /// orientation w-first (4), torquescale; joint and tendon five polynomial coefficients.
        @constant data: [f64; 12],
    }
}

table! {
    /// Tendons.
    TendonTable / TendonRow [TendonId] "tendon" {
        /// Type.
        @structure r#type: TendonType,
        /// First object of the path.
        @structure adr: WrapId,
        /// Number of objects in the path.
        @structure num: u32,
        /// Material.
        matid: Option<MaterialId>,
        /// Actuator that adds damping or armature; −1: none, −2: several.
        @derived actuatorid: AddedBy,
        /// Visibility group.
        group: i32,
        /// Address in the plastic state; −1: none.
        @structure plasticadr: i32,
        /// Number of trees along the path.
        @structure treenum: i32,
        /// First two trees along the path; −1: none.
        @structure treeid: [i32; 2],
        /// Whether its length has limits.
        limited: bool,
        /// Whether its actuator force has limits.
        actfrclimited: bool,
        /// Width for drawing.
        width: f64,
        /// Limit's solref.
        solref_lim: [f64; 2],
        /// Limit's solimp.
        solimp_lim: [f64; 5],
        /// Friction loss's solref.
        solref_fri: [f64; 2],
        /// Friction loss's solimp.
        solimp_fri: [f64; 5],
        /// Limits of the length.
        range: [f64; 2],
        /// Limits of the total actuator force.
        actfrcrange: [f64; 2],
        /// Distance at which the limit comes in.
        margin: f64,
        /// Linear stiffness.
        stiffness: f64,
        /// Higher stiffness coefficients.
        stiffnesspoly: [f64; 2],
        /// Linear damping.
        damping: f64,
        /// Higher damping coefficients.
        dampingpoly: [f64; 2],
        /// Armature inertia.
        @constant armature: f64,
        /// Friction loss.
        frictionloss: f64,
        /// Resting lengths of the spring: lower, upper.
        lengthspring: [f64; 2],
        /// Plastic yield threshold.
        springyield: f64,
        /// Length at qpos0.
        @derived length0: f64,
        /// Inverse weight at qpos0.
        @derived invweight0: f64,
        /// Colour where there is no material.
        rgba: [f32; 4],
    }
}

table! {
    /// Objects in tendon paths.
    WrapTable / WrapRow [WrapId] "wrap" {
        /// Type.
        @structure r#type: WrapType,
        /// Row of the joint, site or geom; −1: none.
        @structure objid: i32,
        /// Joint's coefficient, pulley's divisor, or side site's row.
        @constant prm: f64,
    }
}

table! {
    /// Actuators.
    ActuatorTable / ActuatorRow [ActuatorId] "actuator" {
        /// Transmission.
        @structure trntype: TrnType,
        /// Dynamics.
        @structure dyntype: DynType,
        /// Plugin that computes its force.
        @structure plugin: Option<PluginId>,
        /// Gain.
        @structure gaintype: GainType,
        /// Bias.
        @structure biastype: BiasType,
        /// First control.
        @structure ctrladr: u32,
        /// Number of controls.
        @structure ctrlnum: u32,
        /// Input signature, scoped by the gain type.
        @structure ctrlspec: i32,
        /// First force output.
        @structure outadr: u32,
        /// Number of force outputs.
        @structure outnum: u32,
        /// First activation; −1: stateless.
        @structure actadr: i32,
        /// Number of activations.
        @structure actnum: u32,
        /// Transmission's objects; −1: none.
        @structure trnid: [i32; 2],
        /// Length of the crank.
        @constant cranklength: f64,
        /// Dynamics parameters.
        dynprm: [f64; 10],
        /// Gain parameters.
        gainprm: [f64; 10],
        /// Bias parameters.
        biasprm: [f64; 10],
        /// Whether activation has limits.
        actlimited: bool,
        /// Limits of activation.
        actrange: [f64; 2],
        /// Whether activation steps before the force.
        @structure actearly: bool,
        /// History: samples, interpolation.
        @structure history: [i32; 2],
        /// Address in the history; −1: none.
        @structure historyadr: i32,
        /// Delay, seconds.
        delay: f64,
        /// Linear damping added to the target.
        @constant damping: f64,
        /// Higher damping coefficients.
        @constant dampingpoly: [f64; 2],
        /// Armature added to the target.
        @constant armature: f64,
        /// Group.
        group: i32,
        /// Whether force has limits.
        forcelimited: bool,
        /// Limits of force.
        forcerange: [f64; 2],
    }
}

table! {
    /// Control inputs of actuators, nu.
    ControlTable / ControlRow [ControlId] "actuator" {
        /// Whether the control has limits.
        ctrllimited: bool,
        /// Limits of the control.
        ctrlrange: [f64; 2],
    }
}

table! {
    /// Force outputs of actuators, nout.
    OutputTable / OutputRow [OutputId] "actuator" {
        /// Scale of length and force.
        @constant gear: [f64; 6],
        /// Acceleration from unit force at qpos0.
        @derived acc0: f64,
        /// Length at qpos0.
        @derived length0: f64,
        /// Feasible lengths.
        lengthrange: [f64; 2],
    }
}

table! {
    /// Sensors.
    SensorTable / SensorRow [SensorId] "sensor" {
        /// Type.
        @structure r#type: SensorType,
        /// Type of data.
        @structure datatype: DataType,
        /// Plugin that reads it.
        @structure plugin: Option<PluginId>,
        /// Stage at which it can be computed.
        @structure needstage: Stage,
        /// Kind of object.
        @structure objtype: ObjType,
        /// Object's row; −1: none.
        @structure objid: i32,
        /// Kind of reference.
        @structure reftype: ObjType,
        /// Reference's row; −1: world.
        @structure refid: i32,
        /// Parameters.
        @structure intprm: [i32; 3],
        /// Number of outputs.
        @structure dim: u32,
        /// First output in sensordata.
        @structure adr: u32,
        /// Cutoff; 0: none.
        cutoff: f64,
        /// Noise's standard deviation: kept, not applied.
        noise: f64,
        /// History: samples, interpolation.
        @structure history: [i32; 2],
        /// Address in the history; −1: none.
        @structure historyadr: i32,
        /// Delay, seconds.
        delay: f64,
        /// Interval: period, phase, seconds.
        interval: [f64; 2],
    }
}

table! {
    /// Custom numeric fields.
    NumericTable / NumericRow [NumericId] "numeric" {
        /// First number in numeric_data.
        @structure adr: u32,
        /// Count.
        @structure size: u32,
    }
}

table! {
    /// Custom texts.
    TextTable / TextRow [TextId] "text" {
        /// First byte in text_data.
        @structure adr: u32,
        /// Bytes, the terminating 0 included.
        @structure size: u32,
    }
}

table! {
    /// Custom tuples.
    TupleTable / TupleRow [TupleId] "tuple" {
        /// First entry.
        @structure adr: u32,
        /// Count.
        @structure size: u32,
    }
}

table! {
    /// Entries of custom tuples.
    TupleItemTable / TupleItemRow [TupleItemId] "tuple" {
        /// Kind of object.
        @structure objtype: ObjType,
        /// Object's row.
        @structure objid: i32,
        /// Parameter.
        objprm: f64,
    }
}

/// Keyframes: one row a key, flat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframes {
    /// Time.
    pub time: IdVec<KeyId, f64>,
    /// Positions, nkey×nq.
    pub qpos: Vec<f64>,
    /// Velocities, nkey×nv.
    pub qvel: Vec<f64>,
    /// Activations, nkey×na.
    pub act: Vec<f64>,
    /// Mocap positions, nkey×nmocap.
    pub mpos: Vec<DVec3>,
    /// Mocap orientations, nkey×nmocap.
    pub mquat: Vec<DQuat>,
    /// Controls, nkey×nu.
    pub ctrl: Vec<f64>,
    /// Plastic states, nkey×nplastic.
    pub plastic: Vec<f64>,
}

impl Keyframes {
    /// Number of keyframes.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }
}
