//! Traits that stages call, and the views that they give plugins.

use crate::enums::{DataType, DynType, Stage};
use crate::ids::*;
use crate::{Model, State};
use mj_math::{DMat3, DVec3, Spatial};
use std::fmt::Debug;

/// Step of the differences that stand for a gradient, m.
const STEP: f64 = 1e-8;

/// A signed distance function: negative inside a shape, zero on its surface.
///
/// It need not be exact: a function of the right sign whose slope is about 1 near the surface makes a shape that collides.
pub trait SdfPlugin: Debug + Send + Sync {
    /// Distance of a point from the surface, m, in the shape's frame.
    fn distance(&self, point: DVec3) -> f64;

    /// Half sizes of a box about the origin that holds the shape, m.
    fn bounds(&self) -> DVec3;

    /// Computes the distance of a point and its gradient, both in the shape's frame. Unless it is written anew, the
    /// gradient is by forward differences.
    fn distance_gradient(&self, point: DVec3) -> (f64, DVec3) {
        let here = self.distance(point);
        let slope = |step: DVec3| (self.distance(point + step) - here) / STEP;
        (here, DVec3::new(slope(DVec3::X * STEP), slope(DVec3::Y * STEP), slope(DVec3::Z * STEP)))
    }
}

/// State of a simulation as a plugin of actuators sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ActuatorView<'a> {
    /// Model.
    pub model: &'a Model,
    /// State and inputs.
    pub state: &'a State,
    /// State of the instance.
    pub plugin_state: &'a [f64],
    /// Actuators of the instance.
    pub actuators: &'a [ActuatorId],
    /// Lengths of actuators, one an output (nout).
    pub length: &'a [f64],
    /// Velocities of actuators, one an output (nout).
    pub velocity: &'a [f64],
}

impl<'a> ActuatorView<'a> {
    /// Makes the view of a stage.
    pub fn new(
        model: &'a Model,
        state: &'a State,
        plugin: PluginId,
        actuators: &'a [ActuatorId],
        length: &'a [f64],
        velocity: &'a [f64],
    ) -> Self {
        let plugin_state = &state.plugin_state[model.plugin.state_range(plugin)];
        Self { model, state, plugin_state, actuators, length, velocity }
    }
}

/// Forces of actuators (`<actuator><plugin …>`).
pub trait ActuatorPlugin: Debug + Send + Sync {
    /// Number of activations that an actuator with such dynamics needs; none: any.
    fn activations(&self, _: DynType) -> Option<usize> {
        None
    }

    /// Writes rates of change of the activations of the instance's actuators into `act_dot` (na), which holds what the
    /// actuators' own dynamics gave: for the last activation where there are any, else zeros.
    fn rates(&self, _: &ActuatorView, _act_dot: &mut [f64]) {}

    /// Writes the forces of the instance's actuators into `force`, one an output (nout); `act_dot` are all rates (na).
    fn forces(&self, view: &ActuatorView, act_dot: &[f64], force: &mut [f64]);

    /// Writes the state after a reset (nstate of the instance), at first zero.
    fn reset(&self, _state: &mut [f64]) {}

    /// Takes the state (nstate of the instance) one time step on, at the end of a step.
    fn advance(&self, _: &Model, _: &State, _state: &mut [f64]) {}
}

/// Contact with its force, as a plugin of sensors sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Geoms; none on the side of a flex.
    pub geom: [Option<GeomId>; 2],
    /// Position, world frame.
    pub pos: DVec3,
    /// Frame: normal from the first geom to the second, and two tangents.
    pub frame: [DVec3; 3],
    /// Force and torque of the first geom's body on the second's, in the contact's frame.
    pub wrench: [f64; 6],
}

/// State of a simulation as a plugin of sensors sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SensorView<'a> {
    /// Model.
    pub model: &'a Model,
    /// State and inputs.
    pub state: &'a State,
    /// State of the instance.
    pub plugin_state: &'a [f64],
    /// Positions of bodies, world frame.
    pub xpos: &'a IdVec<BodyId, DVec3>,
    /// Orientations of bodies, world frame.
    pub xmat: &'a IdVec<BodyId, DMat3>,
    /// Positions of geoms, world frame.
    pub geom_xpos: &'a IdVec<GeomId, DVec3>,
    /// Orientations of geoms, world frame.
    pub geom_xmat: &'a IdVec<GeomId, DMat3>,
    /// Positions of sites, world frame.
    pub site_xpos: &'a IdVec<SiteId, DVec3>,
    /// Orientations of sites, world frame.
    pub site_xmat: &'a IdVec<SiteId, DMat3>,
    /// Velocities of bodies, in their tree's c frame; of the last step where the stage is that of positions.
    pub cvel: &'a IdVec<BodyId, Spatial>,
    /// Contacts with their forces, where the stage is that of accelerations; else none.
    pub contacts: &'a [ContactForce],
}

impl<'a> SensorView<'a> {
    /// Makes the view of an instance at a stage from the state and the poses and velocities of bodies, geoms and sites.
    #[allow(clippy::too_many_arguments)] // one for each result that it shows
    pub fn new(
        model: &'a Model,
        state: &'a State,
        plugin: PluginId,
        bodies: (&'a IdVec<BodyId, DVec3>, &'a IdVec<BodyId, DMat3>),
        cvel: &'a IdVec<BodyId, Spatial>,
        geoms: (&'a IdVec<GeomId, DVec3>, &'a IdVec<GeomId, DMat3>),
        sites: (&'a IdVec<SiteId, DVec3>, &'a IdVec<SiteId, DMat3>),
        contacts: &'a [ContactForce],
    ) -> Self {
        let plugin_state = &state.plugin_state[model.plugin.state_range(plugin)];
        let ((xpos, xmat), (geom_xpos, geom_xmat)) = (bodies, geoms);
        let (site_xpos, site_xmat) = sites;
        Self { model, state, plugin_state, xpos, xmat, geom_xpos, geom_xmat, site_xpos, site_xmat, cvel, contacts }
    }
}

/// Readings of sensors (`<sensor><plugin …>`).
pub trait SensorPlugin: Debug + Send + Sync {
    /// Number of numbers that a sensor has.
    fn dim(&self) -> usize;

    /// Stage of whose results the readings are made.
    fn stage(&self) -> Stage {
        Stage::Acc
    }

    /// Type of the numbers, which says how they are cut off.
    fn datatype(&self) -> DataType {
        DataType::Real
    }

    /// Checks that a sensor can be of this kind.
    ///
    /// # Errors
    /// If it measures something that it can't.
    fn check(&self, _: &Model, _: SensorId) -> Result<(), String> {
        Ok(())
    }

    /// Writes the reading of a sensor into `out`, which holds zeros.
    fn read(&self, view: &SensorView, sensor: SensorId, out: &mut [f64]);

    /// Writes the state after a reset (nstate of the instance), at first zero.
    fn reset(&self, _state: &mut [f64]) {}

    /// Takes the state (nstate of the instance) one time step on, at the end of a step.
    fn advance(&self, _: &Model, _: &State, _state: &mut [f64]) {}
}

/// State of a simulation as a plugin of passive forces sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PassiveView<'a> {
    /// Model.
    pub model: &'a Model,
    /// State and inputs.
    pub state: &'a State,
    /// State of the instance.
    pub plugin_state: &'a [f64],
    /// Bodies of the instance.
    pub bodies: &'a [BodyId],
    /// Positions of bodies, world frame.
    pub xpos: &'a IdVec<BodyId, DVec3>,
    /// Orientations of bodies, world frame.
    pub xmat: &'a IdVec<BodyId, DMat3>,
    /// Centres of mass of bodies, world frame.
    pub xipos: &'a IdVec<BodyId, DVec3>,
    /// Centres of mass of subtrees, world frame; those of kinematic trees are origins of the c frame.
    pub subtree_com: &'a IdVec<BodyId, DVec3>,
    /// Velocities of bodies, in their tree's c frame.
    pub cvel: &'a IdVec<BodyId, Spatial>,
}

impl<'a> PassiveView<'a> {
    /// Makes the view of an instance from the state, positions, orientations and centres of mass of bodies, and velocities.
    pub fn new(
        model: &'a Model,
        state: &'a State,
        plugin: PluginId,
        bodies: &'a [BodyId],
        poses: (&'a IdVec<BodyId, DVec3>, &'a IdVec<BodyId, DMat3>),
        centres: (&'a IdVec<BodyId, DVec3>, &'a IdVec<BodyId, DVec3>),
        cvel: &'a IdVec<BodyId, Spatial>,
    ) -> Self {
        let plugin_state = &state.plugin_state[model.plugin.state_range(plugin)];
        let ((xpos, xmat), (xipos, subtree_com)) = (poses, centres);
        Self { model, state, plugin_state, bodies, xpos, xmat, xipos, subtree_com, cvel }
    }
}

/// Passive forces (`<body><plugin …>`).
pub trait PassivePlugin: Debug + Send + Sync {
    /// Adds forces in joint space to `qfrc_passive` (nv), and forces and torques at centres of mass of bodies, world frame,
    /// to `wrenches` (nbody), which begins with zeros.
    fn forces(&self, view: &PassiveView, qfrc_passive: &mut [f64], wrenches: &mut IdVec<BodyId, [f64; 6]>);

    /// Writes the state after a reset (nstate of the instance), at first zero.
    fn reset(&self, _state: &mut [f64]) {}

    /// Takes the state (nstate of the instance) one time step on, at the end of a step.
    fn advance(&self, _: &Model, _: &State, _state: &mut [f64]) {}
}
