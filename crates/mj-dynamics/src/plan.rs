//! What follows from the structure of a model alone, once for all simulations of it.

use crate::actuator::affine::AffineActuator;
use crate::actuator::dcmotor::PlacedMotor;
use crate::actuator::layout::ActuatorLayout;
use crate::actuator::muscle::fours::Muscles4;
use crate::rigid::chains::Chains;
use crate::rigid::sparsity::{moment_arms, tendon_jacobian};
use crate::tendon::fixed::FixedTendon;
use crate::tendon::route::Routes;
use mj_math::BlockRows;
use mj_model::*;
use std::sync::Arc;

/// Indices, patterns and kinds that the smooth stages go by. It holds no parameter of the model: models of one
/// structure share it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Dofs that move each body.
    pub chains: Chains,
    /// Sparsity of the tendons' Jacobian, with zeros for values.
    pub(crate) ten_J: BlockRows,
    /// Sparsity of the actuators' moment arms, with zeros for values.
    pub(crate) actuator_moment: BlockRows,
    pub(crate) fixed_tendons: Vec<FixedTendon>,
    pub(crate) routes: Routes,
    pub(crate) layout: ActuatorLayout,
    pub(crate) muscles: Vec<Muscles4>,
    pub(crate) affine: Vec<AffineActuator>,
    pub(crate) motors: Vec<PlacedMotor>,
    /// Actuators that are none of these.
    pub(crate) other_actuators: Vec<ActuatorId>,
}

impl Plan {
    /// Derives the plan of a model.
    pub fn new(m: &Model) -> Self {
        let chains = Chains::new(m);
        let ten_J = tendon_jacobian(m, &chains);
        let actuator_moment = moment_arms(m, &chains, &ten_J);
        let mut others: Vec<ActuatorId> = m.actuator.ids().collect();
        Self {
            fixed_tendons: FixedTendon::all(m, &ten_J),
            routes: Routes::new(m, &chains, |t| ten_J.row(t.index()).0),
            layout: ActuatorLayout::new(m, &actuator_moment),
            muscles: Muscles4::take(m, &mut others),
            affine: AffineActuator::take(m, &mut others),
            motors: PlacedMotor::take(m, &mut others),
            other_actuators: others,
            chains,
            ten_J,
            actuator_moment,
        }
    }

    /// Returns the plan that a model shares with its copies, derived at the first call.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(Self::new)
    }
}
