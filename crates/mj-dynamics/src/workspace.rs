//! Scratch memory that stages share, so that none of them allocates.

use crate::plan::Plan;
use crate::tendon::route::RouteWork;
use mj_math::Spatial;
use mj_model::*;

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

impl Workspace {
    /// Makes scratch for a model.
    pub fn new(m: &Model, plan: &Plan) -> Self {
        let mut w = Self::default();
        w.acc.resize(m.body.len(), Spatial::ZERO);
        w.frc.resize(m.body.len(), Spatial::ZERO);
        w.dofs.resize(m.nv(), 0.0);
        w.more_dofs.resize(m.nv(), 0.0);
        w.ctrl.resize(m.nu(), 0.0);
        w.tendons.resize(m.tendon.len(), 0.0);
        w.routes = RouteWork::new(&plan.routes);
        w
    }
}
