//! Trajectories that are kept in memory and written at the end.

use crate::failure::Failure;
use crate::npz::Writer;
use mj_engine::{Data, Model};
use mj_model::{Column, Field};
use std::path::Path;

/// Greatest size of a recording, numbers.
const MAX_NUMBERS: usize = 1 << 28;

/// Trajectory of one simulation: time, qpos, qvel, act and sensordata after every step.
pub struct Recording {
    widths: [usize; 4],
    time: Vec<f64>,
    parts: [Vec<f64>; 4],
}

impl Recording {
    /// Makes an empty recording for a model, with the number of sensor readings that a step computes.
    pub fn new(m: &Model, sensors: usize, steps: u64) -> Result<Self, Failure> {
        let widths = [m.nq(), m.nv(), m.na, sensors];
        let total = usize::try_from(steps).ok().and_then(|n| n.checked_mul(widths.iter().sum::<usize>() + 1));
        if total.is_none_or(|t| t > MAX_NUMBERS) {
            return Err(Failure::Usage(format!(
                "--record: {steps} steps are more than the {MAX_NUMBERS} numbers that one recording may hold"
            )));
        }
        Ok(Self { widths, time: Vec::new(), parts: Default::default() })
    }

    /// Appends the state after a step.
    pub fn add(&mut self, d: &Data) {
        self.time.push(d.state.time);
        let rows = [&d.state.qpos, &d.state.qvel, &d.state.act, &d.sensordata];
        for ((part, row), width) in self.parts.iter_mut().zip(rows).zip(self.widths) {
            part.extend_from_slice(&row[..width]);
        }
    }

    /// Writes the arrays, one row a step.
    pub fn write(self, path: &Path) -> Result<(), Failure> {
        let n = self.time.len();
        let mut w = Writer::create(path)?;
        let field = |name: &str, shape, data| Field { name: name.into(), shape, data: Column::F64(data) };
        w.put("time", &field("time", vec![n], self.time))?;
        for ((name, width), data) in ["qpos", "qvel", "act", "sensordata"].into_iter().zip(self.widths).zip(self.parts)
        {
            w.put(name, &field(name, vec![n, width], data))?;
        }
        w.finish()
    }
}
