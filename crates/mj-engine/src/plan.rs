//! What the pipeline derives from the structure of a model, once for all its data.

use crate::sensor::SensorPlan;
use mj_model::*;
use std::sync::Arc;

/// Lists and kinds that a step goes by. It holds no parameter of the model: models of one structure share it.
#[derive(Debug)]
pub(crate) struct Plan {
    pub dynamics: Arc<mj_dynamics::Plan>,
    pub sensors: SensorPlan,
    /// Whether an actuator pulls on contacts.
    pub pulls_contacts: bool,
    /// Whether there are tendons that pull on bodies.
    pub tendons_pull: bool,
    /// Tree of each dof.
    pub tree: Vec<u32>,
}

impl Plan {
    /// Returns the plan that a model shares with its copies.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(|m| Self {
            dynamics: mj_dynamics::Plan::of(m),
            sensors: SensorPlan::new(m),
            pulls_contacts: m.actuator.trntype.iter().any(|&t| t == TrnType::Body),
            tendons_pull: m.tendon.r#type.iter().any(|&t| t == TendonType::Spatial),
            tree: m.dof.treeid.iter().map(|t| t.index() as u32).collect(),
        })
    }
}

/// Returns whether any surface attracts others.
pub(crate) fn sticks(m: &Model) -> bool {
    m.geom.adhesion.iter().chain(m.pair.adhesion.iter()).any(|&a| a != 0.0)
}
