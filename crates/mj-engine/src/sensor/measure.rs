//! The reading of one sensor.

use super::plugin;
use crate::data::Data;
use mj_model::*;

/// Measures what a sensor reads now.
pub(super) fn measure(
    m: &Model,
    d: &mut Data,
    s: SensorId,
    out: &mut [f64],
    read: fn(&Model, &mut Data, SensorId, &mut [f64]),
) {
    if m.sensor.r#type[s] == SensorType::User {
        out.fill(0.0);
        if let Some(hooks) = &d.hooks {
            hooks.sensor(m, d, s, out);
        }
    } else if m.sensor.r#type[s] == SensorType::Plugin {
        plugin::read(m, d, s, out);
    } else {
        read(m, d, s, out);
    }
    cut_off(m, s, out);
}

/// Limits readings to the sensor's cutoff: real values on both sides, positive ones from above.
pub(super) fn cut_off(m: &Model, s: SensorId, out: &mut [f64]) {
    let c = m.sensor.cutoff[s];
    // To these two it isn't a limit: how far to look, and nothing.
    if c <= 0.0 || matches!(m.sensor.r#type[s], SensorType::GeomFromTo | SensorType::Contact) {
        return;
    }
    for x in out {
        match m.sensor.datatype[s] {
            // Not `clamp`, which panics where a bound is not a number.
            DataType::Real => *x = x.max(-c).min(c),
            DataType::Positive => *x = x.min(c),
            DataType::Axis | DataType::Quaternion => {}
        }
    }
}
