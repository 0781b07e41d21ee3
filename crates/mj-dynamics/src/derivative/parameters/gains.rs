//! How an actuator's force depends on the coefficients of its gain and bias.

use crate::actuator::state::actuator_disabled;
use crate::buffers::Smooth;
use crate::derivative::actuators::{gain_input, is_saturated};
use mj_model::*;

/// Derivative of an actuator's force by a coefficient of its gain or bias, and of the force's slope by velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoefficientSlopes {
    /// Slope of the force.
    pub force: f64,
    /// Slope of ∂force/∂velocity.
    pub slope: f64,
}

/// Returns the derivatives by number `k` of `gainprm` (`of_gain`) or of `biasprm`, for an actuator of one control whose
/// gain is fixed or affine and whose bias is affine or none; zeros where it is off or at a limit. `None` for others.
pub fn coefficient_slopes(
    m: &Model,
    s: &State,
    r: &Smooth,
    a: ActuatorId,
    of_gain: bool,
    k: usize,
) -> Option<CoefficientSlopes> {
    let simple = m.actuator.ctrlnum[a] == 1 && m.actuator.actnum[a] <= 1 && !m.actuator.actearly[a];
    let affine = match (of_gain, m.actuator.gaintype[a], m.actuator.biastype[a]) {
        (true, GainType::Fixed, _) => [1.0, 0.0, 0.0],
        (true, GainType::Affine, _) | (false, _, BiasType::Affine) => [1.0; 3],
        (false, _, BiasType::None) => [0.0; 3],
        _ => return None,
    };
    let plain = matches!(m.actuator.gaintype[a], GainType::Fixed | GainType::Affine)
        && matches!(m.actuator.biastype[a], BiasType::None | BiasType::Affine)
        && m.actuator.plugin[a].is_none();
    if !simple || !plain {
        return None;
    }
    let off = m.opt.disabled(disable::ACTUATION) || actuator_disabled(m, a) || is_saturated(m, s, r, a);
    if off || k >= 3 || affine[k] == 0.0 {
        return Some(CoefficientSlopes::default());
    }
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (length, velocity) = (r.transmissions.actuator_length[o], r.velocities.actuator_velocity[o]);
    let scale = if of_gain { gain_input(m, s, r, a, velocity) } else { 1.0 };
    let slope = if k == 2 { scale } else { 0.0 };
    Some(CoefficientSlopes { force: scale * [1.0, length, velocity][k], slope })
}
