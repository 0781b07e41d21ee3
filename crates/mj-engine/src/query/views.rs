//! Elements of a simulation with what the model says and the data hold of them.
//!
//! A view borrows model and data, which it checks once, when it is made. Poses and velocities are as fresh as the data:
//! after `step`, those of the state from which the step left.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::element::{Element, ElementError, ElementKey, find};
use crate::errors::query::QueryError;
use mj_dynamics::{body_velocity, object_velocity};
use mj_math::{DMat3, DQuat, DVec3, Spatial};
use mj_model::*;
use std::ops::Range;

/// A slice of a vector, empty where the range is beyond its end.
fn part(v: &[f64], range: Range<usize>) -> &[f64] {
    v.get(range).unwrap_or_default()
}

macro_rules! view {
    ($(#[$doc:meta])* $name:ident $id:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a> {
            m: &'a Model,
            d: &'a Data,
            id: $id,
        }

        impl<'a> $name<'a> {
            /// Finds an element by id, name or number.
            ///
            /// # Errors
            /// If the model has no such element, or data and model don't fit together.
            pub fn new(m: &'a Model, d: &'a Data, key: impl ElementKey<$id>) -> Result<Self, QueryError> {
                check_data(m, d)?;
                Ok(Self { m, d, id: find(m, key)? })
            }

            /// Returns the id.
            pub fn id(&self) -> $id {
                self.id
            }

            /// Returns the name; empty if it has none.
            pub fn name(&self) -> &'a str {
                self.m.names.get(<$id as Element>::KIND, self.id.index())
            }
        }
    };
}

view! {
    /// A body.
    BodyView BodyId
}

impl BodyView<'_> {
    /// Returns the position of the body's frame in the world.
    pub fn xpos(&self) -> DVec3 {
        self.d.smooth.poses.xpos[self.id]
    }
    /// Returns the orientation of the body's frame in the world.
    pub fn xquat(&self) -> DQuat {
        self.d.smooth.poses.xquat[self.id]
    }
    /// Returns the orientation of the body's frame in the world.
    pub fn xmat(&self) -> DMat3 {
        self.d.smooth.poses.xmat[self.id]
    }
    /// Returns the position of the centre of mass in the world.
    pub fn xipos(&self) -> DVec3 {
        self.d.smooth.poses.xipos[self.id]
    }
    /// Returns the orientation of the principal axes in the world.
    pub fn ximat(&self) -> DMat3 {
        self.d.smooth.poses.ximat[self.id]
    }
    /// Returns the centre of mass of the body and all its descendants, in the world.
    pub fn subtree_com(&self) -> DVec3 {
        self.d.smooth.poses.subtree_com[self.id]
    }
    /// Returns the angular velocity, and the velocity of the frame's origin, along the world's axes.
    pub fn velocity(&self) -> Spatial {
        body_velocity(self.m, &self.d.smooth.poses, &self.d.smooth.velocities, self.id, self.xpos())
    }
    /// Returns the mass, kg.
    pub fn mass(&self) -> f64 {
        self.m.body.mass[self.id]
    }
    /// Returns the principal moments of inertia, kg m².
    pub fn inertia(&self) -> DVec3 {
        self.m.body.inertia[self.id]
    }
    /// Returns the id of the parent; the world's is its own.
    pub fn parent(&self) -> BodyId {
        self.m.body.parentid[self.id]
    }
    /// Returns the applied force and torque at the centre of mass, world frame.
    pub fn xfrc_applied(&self) -> [f64; 6] {
        self.d.state.xfrc_applied[self.id]
    }
}

view! {
    /// A joint.
    JointView JointId
}

impl<'a> JointView<'a> {
    /// Returns where the joint's coordinates are in `qpos`.
    pub fn qpos_range(&self) -> Range<usize> {
        let first = self.m.jnt.qposadr[self.id] as usize;
        first..first + self.m.jnt.r#type[self.id].sizes().0
    }
    /// Returns where the joint's dofs are in `qvel` and other vectors of nv numbers.
    pub fn dof_range(&self) -> Range<usize> {
        let first = self.m.jnt.dofadr[self.id].index();
        first..first + self.m.jnt.r#type[self.id].sizes().1
    }
    /// Returns the type.
    pub fn r#type(&self) -> JointType {
        self.m.jnt.r#type[self.id]
    }
    /// Returns the position: 7 numbers of a free joint, 4 of a ball joint (w first), else 1.
    pub fn qpos(&self) -> &'a [f64] {
        part(&self.d.state.qpos, self.qpos_range())
    }
    /// Returns the velocity: 6 numbers of a free joint, 3 of a ball joint, else 1.
    pub fn qvel(&self) -> &'a [f64] {
        part(&self.d.state.qvel, self.dof_range())
    }
    /// Returns the acceleration, a number a dof.
    pub fn qacc(&self) -> &'a [f64] {
        part(&self.d.qacc, self.dof_range())
    }
    /// Returns the force of actuators, a number a dof.
    pub fn qfrc_actuator(&self) -> &'a [f64] {
        part(&self.d.smooth.actuation.qfrc_actuator, self.dof_range())
    }
    /// Returns the passive force, a number a dof.
    pub fn qfrc_passive(&self) -> &'a [f64] {
        part(&self.d.smooth.velocities.qfrc_passive, self.dof_range())
    }
    /// Returns Coriolis, centrifugal and gravitational force, a number a dof.
    pub fn qfrc_bias(&self) -> &'a [f64] {
        part(&self.d.smooth.velocities.qfrc_bias, self.dof_range())
    }
    /// Returns the force of constraints, a number a dof.
    pub fn qfrc_constraint(&self) -> &'a [f64] {
        part(&self.d.solution.qfrc_constraint, self.dof_range())
    }
    /// Returns the anchor in the world.
    pub fn xanchor(&self) -> DVec3 {
        self.d.smooth.poses.xanchor[self.id]
    }
    /// Returns the axis in the world.
    pub fn xaxis(&self) -> DVec3 {
        self.d.smooth.poses.xaxis[self.id]
    }
    /// Returns the limits, metres or radians; `None` where it has none.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.m.jnt.limited[self.id].then(|| self.m.jnt.range[self.id])
    }
    /// Returns the id of the body that it moves.
    pub fn body(&self) -> BodyId {
        self.m.jnt.bodyid[self.id]
    }
}

macro_rules! placed {
    ($name:ident $table:ident $pos:ident $mat:ident $kind:ident) => {
        impl $name<'_> {
            /// Returns the position in the world.
            pub fn xpos(&self) -> DVec3 {
                self.d.smooth.poses.$pos[self.id]
            }
            /// Returns the orientation in the world.
            pub fn xmat(&self) -> DMat3 {
                self.d.smooth.poses.$mat[self.id]
            }
            /// Returns the angular velocity, and the velocity of the frame's origin, along the world's axes.
            pub fn velocity(&self) -> Spatial {
                let (d, kind) = (self.d, ObjType::$kind);
                object_velocity(self.m, &d.smooth.poses, &d.smooth.velocities, kind, self.id.index(), false)
                    .unwrap_or_default()
            }
            /// Returns the id of the body that it is fixed to.
            pub fn body(&self) -> BodyId {
                self.m.$table.bodyid[self.id]
            }
        }
    };
}

view! {
    /// A geom.
    GeomView GeomId
}
placed!(GeomView geom geom_xpos geom_xmat Geom);

impl GeomView<'_> {
    /// Returns the shape.
    pub fn r#type(&self) -> GeomType {
        self.m.geom.r#type[self.id]
    }
    /// Returns the sizes, metres, which depend on the shape.
    pub fn size(&self) -> DVec3 {
        self.m.geom.size[self.id]
    }
}

view! {
    /// A site.
    SiteView SiteId
}
placed!(SiteView site site_xpos site_xmat Site);

view! {
    /// A camera.
    CameraView CameraId
}
placed!(CameraView cam cam_xpos cam_xmat Camera);

view! {
    /// A light.
    LightView LightId
}

impl LightView<'_> {
    /// Returns the position in the world.
    pub fn xpos(&self) -> DVec3 {
        self.d.smooth.poses.light_xpos[self.id]
    }
    /// Returns the direction in the world.
    pub fn xdir(&self) -> DVec3 {
        self.d.smooth.poses.light_xdir[self.id]
    }
}

view! {
    /// A tendon.
    TendonView TendonId
}

impl TendonView<'_> {
    /// Returns the length, metres, or the sum of scaled joint positions.
    pub fn length(&self) -> f64 {
        self.d.smooth.transmissions.ten_length[self.id]
    }
    /// Returns the velocity of the length.
    pub fn velocity(&self) -> f64 {
        self.d.smooth.velocities.ten_velocity[self.id]
    }
    /// Writes the Jacobian of the length, nv numbers, over `row`.
    pub fn jacobian(&self, row: &mut Vec<f64>) {
        row.clear();
        row.resize(self.m.nv(), 0.0);
        self.d.smooth.transmissions.ten_J.for_each_in_row(self.id.index(), |dof, j| row[dof] = j);
    }
    /// Returns the limits of the length; `None` where it has none.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.m.tendon.limited[self.id].then(|| self.m.tendon.range[self.id])
    }
}

view! {
    /// An actuator.
    ActuatorView ActuatorId
}

impl<'a> ActuatorView<'a> {
    /// Returns where the actuator's controls are in `ctrl`.
    pub fn ctrl_range(&self) -> Range<usize> {
        let first = self.m.actuator.ctrladr[self.id] as usize;
        first..first + self.m.actuator.ctrlnum[self.id] as usize
    }
    /// Returns the controls: one number for all actuators but orientation servos.
    pub fn ctrl(&self) -> &'a [f64] {
        part(&self.d.state.ctrl, self.ctrl_range())
    }
    /// Returns the activations; none of an actuator without dynamics.
    pub fn act(&self) -> &'a [f64] {
        let first = usize::try_from(self.m.actuator.actadr[self.id]).unwrap_or(usize::MAX);
        part(&self.d.state.act, first..first.saturating_add(self.m.actuator.actnum[self.id] as usize))
    }
    fn outputs(&self) -> Range<usize> {
        let first = self.m.actuator.outadr[self.id] as usize;
        first..first + self.m.actuator.outnum[self.id] as usize
    }
    /// Returns the forces of the outputs: one number for all actuators but orientation servos.
    pub fn force(&self) -> &'a [f64] {
        part(self.d.smooth.actuation.actuator_force.as_slice(), self.outputs())
    }
    /// Returns the lengths of the outputs.
    pub fn length(&self) -> &'a [f64] {
        part(self.d.smooth.transmissions.actuator_length.as_slice(), self.outputs())
    }
    /// Returns the velocities of the outputs' lengths.
    pub fn velocity(&self) -> &'a [f64] {
        part(self.d.smooth.velocities.actuator_velocity.as_slice(), self.outputs())
    }
}

view! {
    /// A sensor.
    SensorView SensorId
}

impl<'a> SensorView<'a> {
    /// Returns the type.
    pub fn r#type(&self) -> SensorType {
        self.m.sensor.r#type[self.id]
    }
    /// Returns the readings.
    pub fn data(&self) -> &'a [f64] {
        let first = self.m.sensor.adr[self.id] as usize;
        part(&self.d.sensordata, first..first + self.m.sensor.dim[self.id] as usize)
    }
    /// Returns the first reading: all of a sensor with one number.
    pub fn value(&self) -> f64 {
        self.data().first().copied().unwrap_or(0.0)
    }
    /// Returns the first three readings as a vector; what is missing is zero.
    pub fn vector(&self) -> DVec3 {
        let number = |i: usize| self.data().get(i).copied().unwrap_or(0.0);
        DVec3::new(number(0), number(1), number(2))
    }
}

/// A keyframe.
#[derive(Clone, Copy, Debug)]
pub struct KeyView<'a> {
    m: &'a Model,
    id: KeyId,
}

impl<'a> KeyView<'a> {
    /// Finds a keyframe by id, name or number.
    ///
    /// # Errors
    /// If the model has no such keyframe.
    pub fn new(m: &'a Model, key: impl ElementKey<KeyId>) -> Result<Self, ElementError> {
        Ok(Self { m, id: find(m, key)? })
    }
    /// Returns the id.
    pub fn id(&self) -> KeyId {
        self.id
    }
    /// Returns the name; empty if it has none.
    pub fn name(&self) -> &'a str {
        self.m.names.get(ObjType::Key, self.id.index())
    }
    fn row(&self, all: &'a [f64], width: usize) -> &'a [f64] {
        part(all, self.id.index() * width..(self.id.index() + 1) * width)
    }
    /// Returns the time, seconds.
    pub fn time(&self) -> f64 {
        self.m.key.time[self.id]
    }
    /// Returns the positions, nq.
    pub fn qpos(&self) -> &'a [f64] {
        self.row(&self.m.key.qpos, self.m.nq())
    }
    /// Returns the velocities, nv.
    pub fn qvel(&self) -> &'a [f64] {
        self.row(&self.m.key.qvel, self.m.nv())
    }
    /// Returns the activations, na.
    pub fn act(&self) -> &'a [f64] {
        self.row(&self.m.key.act, self.m.na)
    }
    /// Returns the controls, nu.
    pub fn ctrl(&self) -> &'a [f64] {
        self.row(&self.m.key.ctrl, self.m.nu())
    }
}
