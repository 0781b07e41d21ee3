//! Tables of what moves: bodies, joints, dofs, trees.

use crate::enums::*;
use crate::ids::*;
use crate::storage::Cell;
use crate::storage::scalar_cell;
use crate::storage::{Result, Rows, Source, Stored};
use mj_math::{DQuat, DVec3};

/// Which actuators add damping or armature to a joint or tendon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddedBy {
    /// None does.
    #[default]
    None,
    /// This one.
    One(ActuatorId),
    /// More than one.
    Several,
}

impl AddedBy {
    /// These and one more.
    #[must_use]
    pub fn and(self, a: ActuatorId) -> Self {
        if self.is_none() { Self::One(a) } else { Self::Several }
    }

    /// Whether none does.
    #[inline]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Whether any does.
    #[inline]
    pub fn is_some(&self) -> bool {
        !self.is_none()
    }
}

impl Stored for AddedBy {
    fn take(from: &mut Source) -> Result<Self> {
        from.code("actuator, −1 or −2", |code| match code {
            -1 => Some(Self::None),
            -2 => Some(Self::Several),
            _ => usize::try_from(code).ok().map(|i| Self::One(ActuatorId::new(i))),
        })
    }
    fn limit(rows: &Rows) -> usize {
        rows.actuator
    }
    fn reach(&self) -> usize {
        match self {
            Self::One(a) => a.index() + 1,
            Self::None | Self::Several => 0,
        }
    }
}

scalar_cell!(AddedBy => i32, |x| match x {
    AddedBy::None => -1,
    AddedBy::One(a) => i32::try_from(a.index()).unwrap_or(i32::MAX),
    AddedBy::Several => -2,
});

table! {
    /// Bodies, parents before children; row 0 is the world.
    BodyTable / BodyRow [BodyId] "body" {
        /// Id of the parent; the world is its own.
        @structure parentid: BodyId,
        /// Ancestor that is a direct child of the world.
        @structure rootid: BodyId,
        /// Top ancestor without dofs in between; mocap bodies are their own.
        @structure weldid: BodyId,
        /// Plugin of passive forces.
        @structure plugin: Option<PluginId>,
        /// Mocap data.
        @structure mocapid: Option<MocapId>,
        /// Number of joints.
        @structure jntnum: u32,
        /// First joint.
        @structure jntadr: Option<JointId>,
        /// Number of dofs.
        @structure dofnum: u32,
        /// First dof.
        @structure dofadr: Option<DofId>,
        /// Kinematic tree; none: static.
        @structure treeid: Option<TreeId>,
        /// Number of geoms.
        @structure geomnum: u32,
        /// First geom.
        @structure geomadr: Option<GeomId>,
        /// 1: diagonal inertia; 2: diagonal and only sliders.
        @structure simple: u8,
        /// Which frame the inertia shares.
        @derived sameframe: SameFrame,
        /// Position in the parent.
        @constant pos: DVec3,
        /// Orientation in the parent.
        @constant quat: DQuat,
        /// Centre of mass in the body.
        @constant ipos: DVec3,
        /// Orientation of the principal axes in the body.
        @constant iquat: DQuat,
        /// Mass.
        @constant mass: f64,
        /// Mass of the subtree.
        @derived subtreemass: f64,
        /// Principal moments of inertia.
        @constant inertia: DVec3,
        /// Mean inverse inertia at qpos0: translation, rotation.
        @derived invweight0: [f64; 2],
        /// Antigravity force in units of the body's weight.
        gravcomp: f64,
        /// Greatest margin plus gap of the geoms.
        @derived margin: f64,
        /// Union of the geoms' contact types.
        @derived contype: i32,
        /// Union of the geoms' contact affinities.
        @derived conaffinity: i32,
    }
}

table! {
    /// Joints, in the order of their bodies.
    JointTable / JointRow [JointId] "jnt" {
        /// Type.
        @structure r#type: JointType,
        /// First coordinate in qpos.
        @structure qposadr: u32,
        /// First dof.
        @structure dofadr: DofId,
        /// Body.
        @structure bodyid: BodyId,
        /// Actuator that adds damping or armature; −1: none, −2: several.
        @derived actuatorid: AddedBy,
        /// Visibility group.
        group: i32,
        /// Address in the plastic state; −1: none.
        @structure plasticadr: i32,
        /// Whether it has limits.
        limited: bool,
        /// Whether its actuator force has limits.
        actfrclimited: bool,
        /// Whether gravity compensation acts through actuators.
        actgravcomp: bool,
        /// Limit's solref.
        solref: [f64; 2],
        /// Limit's solimp.
        solimp: [f64; 5],
        /// Anchor in the body.
        @constant pos: DVec3,
        /// Axis in the body.
        @constant axis: DVec3,
        /// Linear stiffness.
        stiffness: f64,
        /// Higher stiffness coefficients.
        stiffnesspoly: [f64; 2],
        /// Plastic yield threshold.
        springyield: f64,
        /// Limits: length or radians.
        range: [f64; 2],
        /// Limits of the total actuator force.
        actfrcrange: [f64; 2],
        /// Distance at which the limit comes in.
        margin: f64,
    }
}

table! {
    /// Degrees of freedom, in the order of their joints.
    DofTable / DofRow [DofId] "dof" {
        /// Body.
        @structure bodyid: BodyId,
        /// Joint.
        @structure jntid: JointId,
        /// Previous dof on the way to the root.
        @structure parentid: Option<DofId>,
        /// Kinematic tree.
        @structure treeid: TreeId,
        /// Number of consecutive simple dofs from here.
        @structure simplenum: u32,
        /// Friction loss's solref.
        solref: [f64; 2],
        /// Friction loss's solimp.
        solimp: [f64; 5],
        /// Friction loss.
        frictionloss: f64,
        /// Armature inertia.
        @constant armature: f64,
        /// Linear damping.
        damping: f64,
        /// Higher damping coefficients.
        dampingpoly: [f64; 2],
        /// Diagonal inverse inertia at qpos0.
        @derived invweight0: f64,
        /// Diagonal inertia at qpos0.
        @derived M0: f64,
        /// 1 for translations; a length scale for rotations.
        @derived length: f64,
    }
}

table! {
    /// Kinematic trees under the world.
    TreeTable / TreeRow [TreeId] "tree" {
        /// First body.
        @structure bodyadr: BodyId,
        /// Number of bodies.
        @structure bodynum: u32,
        /// First dof.
        @structure dofadr: DofId,
        /// Number of dofs.
        @structure dofnum: u32,
        /// Sleep policy.
        @derived sleep_policy: SleepPolicy,
    }
}
