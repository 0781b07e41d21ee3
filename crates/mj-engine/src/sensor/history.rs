//! Sensors with a history: readings that arrive late, or only so often.

use super::measure::measure;
use super::{acceleration, position, velocity};
use crate::data::Data;
use mj_model::history::Ring;
use mj_model::*;

/// Whether an interval has passed since the sensor was last read.
fn is_due(m: &Model, s: &State, sensor: SensorId, ring: Ring) -> bool {
    s.history[ring.adr] + m.sensor.interval[sensor][0] <= s.time
}

/// Takes the reading from the sensor's history, if that is where it comes from: delayed ones, and
/// those between two readings.
pub(super) fn recall(m: &Model, s: &State, sensor: SensorId, out: &mut [f64]) -> bool {
    let Some(ring) = Ring::of_sensor(m, sensor) else { return false };
    let delay = m.sensor.delay[sensor];
    let waits = m.sensor.interval[sensor][0] > 0.0 && !is_due(m, s, sensor, ring);
    if delay > 0.0 || waits {
        ring.read(&s.history, s.time - delay, m.sensor.history[sensor][1], out);
        return true;
    }
    false
}

/// Enters the readings of this time step into the histories: measured anew for sensors whose
/// readings are delayed, those just taken for others.
pub fn record(m: &Model, d: &mut Data) {
    if m.nhistory == 0 {
        return;
    }
    // Written outside `d` while it is read; the memory goes back after.
    let mut history = std::mem::take(&mut d.state.history);
    for s in m.sensor.ids() {
        let Some(ring) = Ring::of_sensor(m, s) else { continue };
        let [interval, _] = m.sensor.interval[s];
        if interval > 0.0 {
            if history[ring.adr] + interval > d.state.time {
                continue;
            }
            // The mark goes on by whole intervals, so that readings keep their rhythm.
            *ring.mark(&mut history) += interval;
        }
        let out = ring.slot(&mut history, d.state.time);
        if m.sensor.delay[s] > 0.0 {
            let read = match m.sensor.needstage[s] {
                Stage::Acc => acceleration::read,
                Stage::Vel => velocity::read,
                Stage::Pos | Stage::None => position::read,
            };
            measure(m, d, s, out, read);
        } else {
            let adr = m.sensor.adr[s] as usize;
            out.copy_from_slice(&d.sensordata[adr..adr + ring.dim]);
        }
    }
    d.state.history = history;
}
