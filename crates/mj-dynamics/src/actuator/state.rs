//! Where an actuator's numbers are, and whether it acts.

use mj_model::*;

/// Whether an actuator's group is switched off.
#[inline]
pub fn actuator_disabled(m: &Model, a: ActuatorId) -> bool {
    let group = m.actuator.group[a];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Whether an actuator acts: its group is on and it isn't asleep.
#[inline]
pub(crate) fn is_driven(m: &Model, s: &State, a: ActuatorId) -> bool {
    (m.opt.disableactuator == 0 || !actuator_disabled(m, a))
        && (s.awake.everything() || s.awake.actuator(m, a) != SleepState::Asleep)
}

/// x brought into the range; NaN stays.
#[inline]
pub(crate) fn clip(x: f64, [lower, upper]: [f64; 2]) -> f64 {
    if x < lower {
        lower
    } else if x > upper {
        upper
    } else {
        x
    }
}

/// Addresses of an actuator's activations.
#[inline]
pub fn activation_range(m: &Model, a: ActuatorId) -> Option<std::ops::Range<usize>> {
    let first = usize::try_from(m.actuator.actadr[a]).ok()?;
    let n = m.actuator.actnum[a] as usize;
    (n > 0).then_some(first..first + n)
}

/// Addresses of an actuator's controls.
#[inline]
pub(crate) fn controls(m: &Model, a: ActuatorId) -> std::ops::Range<usize> {
    let first = m.actuator.ctrladr[a] as usize;
    first..first + m.actuator.ctrlnum[a] as usize
}

/// Addresses of an actuator's outputs.
#[inline]
pub(crate) fn outputs(m: &Model, a: ActuatorId) -> std::ops::Range<usize> {
    let first = m.actuator.outadr[a] as usize;
    first..first + m.actuator.outnum[a] as usize
}
