//! Plan that follows from the structure of a model alone, once for all simulations of it.

use crate::actuator::plan::{ActuatorPlan, by_plugin};
use crate::buffers::Transmissions;
use crate::rigid::chains::Chains;
use crate::tendon::plan::TendonPlan;
use crate::workspace::Workspace;
use mj_math::{DQuat, Spatial};
use mj_model::*;
use std::sync::Arc;

/// Indices, patterns and kinds that the smooth stages go by. It holds no parameter of the model: models of one
/// structure share it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// Dofs that move each body.
    pub chains: Chains,
    /// Tendons.
    pub tendons: TendonPlan,
    /// Actuators.
    pub actuators: ActuatorPlan,
    /// Plugins of passive forces with their bodies.
    pub(crate) passive: Vec<(PluginId, Vec<BodyId>)>,
}

impl Plan {
    /// Derives the plan of a model.
    pub fn new(m: &Model) -> Self {
        let chains = Chains::new(m);
        let tendons = TendonPlan::new(m, &chains);
        let actuators = ActuatorPlan::new(m, &chains, &tendons.ten_J);
        let passive = by_plugin(m.plugin.len(), m.body.ids(), |b| m.body.plugin[b]);
        Self { chains, tendons, actuators, passive }
    }

    /// Returns the plan that a model shares with its copies, derived at the first call.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(Self::new)
    }
}

impl Workspace {
    /// Makes scratch for a model.
    pub fn new(m: &Model, plan: &Plan) -> Self {
        Self {
            acc: vec![Spatial::ZERO; m.body.len()],
            frc: vec![Spatial::ZERO; m.body.len()],
            dofs: vec![0.0; m.nv()],
            more_dofs: vec![0.0; m.nv()],
            ctrl: vec![0.0; m.nu()],
            tendons: vec![0.0; m.tendon.len()],
            routes: plan.tendons.routes.workspace(),
        }
    }
}

impl Transmissions {
    /// Makes buffers for a model, with the sparsity of both Jacobians.
    pub fn new(m: &Model, plan: &Plan) -> Self {
        let turns = m.actuator.gaintype.iter().any(|&g| g == GainType::So3);
        Self {
            ten_length: IdVec::filled(m.tendon.len(), 0.0),
            actuator_length: IdVec::filled(m.nout(), 0.0),
            ten_J: plan.tendons.ten_J.clone(),
            actuator_moment: plan.actuators.moment.clone(),
            rotations: vec![DQuat::IDENTITY; if turns { m.nout() } else { 0 }],
        }
    }
}
