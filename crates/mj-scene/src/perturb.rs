//! Selection of a body, and what the mouse does to it.

use mj_math::{DQuat, DVec3};

/// Selection and perturbation of a body (`mjvPerturb`).
#[derive(Clone, Debug, PartialEq)]
pub struct Perturb {
    /// Selected body; 0 or less: none.
    pub select: i32,
    /// Selected flex; −1: none.
    pub flexselect: i32,
    /// Selected skin; −1: none.
    pub skinselect: i32,
    /// Active perturbations, bits of [`pert`](crate::pert).
    pub active: i32,
    /// Perturbations by a second mouse.
    pub active2: i32,
    /// Position to which the body's centre of mass is pulled, m.
    pub refpos: DVec3,
    /// Orientation to which its inertia is turned.
    pub refquat: DQuat,
    /// Position to which the selected point is pulled, m.
    pub refselpos: DVec3,
    /// Selected point in the body, m.
    pub localpos: DVec3,
    /// Apparent mass at the selected point, kg.
    pub localmass: f64,
    /// Distance in the world for a movement of the mouse over the picture's height.
    pub scale: f64,
}

impl Default for Perturb {
    /// Returns no selection (`mjv_defaultPerturb`).
    fn default() -> Self {
        Self {
            select: 0,
            flexselect: -1,
            skinselect: -1,
            active: 0,
            active2: 0,
            refpos: DVec3::ZERO,
            refquat: DQuat::IDENTITY,
            refselpos: DVec3::ZERO,
            localpos: DVec3::ZERO,
            localmass: 0.0,
            scale: 1.0,
        }
    }
}
