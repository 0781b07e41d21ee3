//! Many trajectories of one model, in parallel.

use crate::data::Data;
use crate::pipeline::step;
use crate::support::UnsupportedOption;
use mj_model::{Model, State};
use rayon::prelude::*;

/// States and sensor readings after each step, one row a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Time, seconds.
    pub time: Vec<f64>,
    /// Positions, steps × nq.
    pub qpos: Vec<f64>,
    /// Velocities, steps × nv.
    pub qvel: Vec<f64>,
    /// Activations, steps × na.
    pub act: Vec<f64>,
    /// Sensor readings, steps × nsensordata; as `step` leaves them, of the state before it.
    pub sensordata: Vec<f64>,
}

impl Trajectory {
    fn with_capacity(m: &Model, steps: usize) -> Self {
        let rows = |n: usize| Vec::with_capacity(steps.saturating_mul(n));
        Self { time: rows(1), qpos: rows(m.nq()), qvel: rows(m.nv()), act: rows(m.na), sensordata: rows(m.nsensordata) }
    }

    fn push(&mut self, d: &Data) {
        self.time.push(d.state.time);
        self.qpos.extend_from_slice(&d.state.qpos);
        self.qvel.extend_from_slice(&d.state.qvel);
        self.act.extend_from_slice(&d.state.act);
        self.sensordata.extend_from_slice(&d.sensordata);
    }
}

/// Simulates a model for a number of steps from each of the given states, which must be of this model.
///
/// Before each step, `drive` gets the number of the simulation, the number of the step and the state, to set controls
/// or applied forces. The simulations are shared out among the threads of the current rayon pool; each starts from
/// data of its own, so that the result is the same, bit for bit, for any number of threads.
///
/// # Errors
/// If the model's options ask for something that the engine doesn't support yet.
pub fn rollout(
    m: &Model,
    starts: &[State],
    steps: usize,
    drive: impl Fn(usize, usize, &mut State) + Sync,
) -> Result<Vec<Trajectory>, UnsupportedOption> {
    let fresh = Data::new(m)?;
    let simulate = |(i, start): (usize, &State)| {
        let mut d = fresh.clone();
        // What sleeps stays asleep where it begins as the model does.
        let awake = std::mem::take(&mut d.state.awake);
        d.state.clone_from(start);
        d.state.awake = awake;
        let mut trajectory = Trajectory::with_capacity(m, steps);
        for n in 0..steps {
            drive(i, n, &mut d.state);
            step(m, &mut d);
            trajectory.push(&d);
        }
        trajectory
    };
    Ok(starts.par_iter().enumerate().map(simulate).collect())
}
