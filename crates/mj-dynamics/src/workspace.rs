//! Scratch memory that stages share, so that none of them allocates.

use mj_math::{DVec3, Spatial};

/// Scratch memory of the stages. It holds nothing that outlives a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workspace {
    /// Two spatial vectors a body.
    pub(crate) acc: Vec<Spatial>,
    pub(crate) frc: Vec<Spatial>,
    /// A number a dof, twice.
    pub(crate) dofs: Vec<f64>,
    pub(crate) more_dofs: Vec<f64>,
    /// A number a control, a tendon.
    pub(crate) ctrl: Vec<f64>,
    pub(crate) tendons: Vec<f64>,
    pub(crate) routes: RouteWork,
}

/// Scratch memory of the routes of spatial tendons.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RouteWork {
    /// Length of the tendon per length of each branch: 1/divisor of its pulley.
    pub shares: Vec<f64>,
    /// Points fixed in bodies, then the points where paths meet geoms and leave them, four and four.
    pub points: Vec<DVec3>,
    /// Share of each pull's piece in its tendon's length, and that of each arc.
    pub pieces: Vec<[f64; 4]>,
    pub arcs: Vec<f64>,
    /// Motions of the windows' dofs, a component after the other.
    pub motions: Vec<[[f64; 4]; 6]>,
    /// Gradients, each a few fours.
    pub gradient: Vec<[f64; 4]>,
}
