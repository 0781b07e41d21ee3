//! Scratch memory that stages share, so that none of them allocates.

use crate::affine::AffineActuator;
use crate::dcmotor::PlacedMotor;
use crate::muscle::fours::Muscles;
use mj_math::Spatial;
use mj_model::*;

/// Scratch of the stages of one thread, for one model. Holds nothing of the state between calls.
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
    /// Which actuators are muscles, and what they are like.
    pub(crate) muscles: Muscles,
    /// Which of the others are affine, or motors; what is left there is neither.
    pub(crate) affine: Vec<AffineActuator>,
    pub(crate) motors: Vec<PlacedMotor>,
}

impl Workspace {
    /// Scratch for a model.
    pub fn new(m: &Model) -> Self {
        let mut w = Self::default();
        w.resize(m);
        w
    }

    /// Makes it fit a model.
    pub fn resize(&mut self, m: &Model) {
        self.acc.resize(m.body.len(), Spatial::ZERO);
        self.frc.resize(m.body.len(), Spatial::ZERO);
        self.dofs.resize(m.nv(), 0.0);
        self.more_dofs.resize(m.nv(), 0.0);
        self.ctrl.resize(m.nu(), 0.0);
        self.tendons.resize(m.tendon.len(), 0.0);
        self.muscles = Muscles::new(m);
        self.affine = AffineActuator::take(m, &mut self.muscles.others);
        self.motors = PlacedMotor::take(m, &mut self.muscles.others);
    }
}
