//! Actuators that plugins drive.

use crate::actuator::activation;
use crate::actuator::plan::ActuatorPlan;
use crate::actuator::user::UserActuators;
use crate::buffers::{Actuation, Transmissions, Velocities};
use mj_model::plugin::ActuatorView;
use mj_model::*;

/// Rates of activation and forces of actuators that plugins drive. Groups that are switched off are driven all the same, as in
/// MuJoCo.
#[allow(clippy::too_many_arguments)] // one for each stage that it reads
pub(super) fn drive(
    m: &Model,
    plan: &ActuatorPlan,
    s: &State,
    trans: &Transmissions,
    vel: &Velocities,
    user: Option<&dyn UserActuators>,
    ctrl: &mut [f64],
    out: &mut Actuation,
) {
    for (plugin, actuators) in &plan.plugins {
        let Some(driver) = m.plugin_instance(*plugin).and_then(|i| i.actuator.as_deref()) else { continue };
        for &a in actuators {
            if let Some(states) = super::state::activation_range(m, a) {
                out.act_dot[states].fill(0.0);
            }
        }
        activation::rates(m, s, actuators, trans, vel, user, ctrl, &mut out.act_dot);
        let (length, velocity) = (trans.actuator_length.as_slice(), vel.actuator_velocity.as_slice());
        let view = ActuatorView::new(m, s, *plugin, actuators, length, velocity);
        driver.rates(&view, &mut out.act_dot);
        driver.forces(&view, &out.act_dot, out.actuator_force.as_mut_slice());
    }
}
