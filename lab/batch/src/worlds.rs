//! Worlds on the engine: states spread over a run, and the problems that they pose.

use crate::noise::ControlNoise;
use mj_engine::{Model, Simulation, State, StepError};
use mj_model::KeyId;
use mj_problem::Recorded;
use std::sync::Arc;

/// Makes a simulation at key 0, or reset where there is none, with its noise.
///
/// # Errors
/// If the engine refuses the model's options.
pub fn start(m: &Arc<Model>) -> Result<(Simulation, ControlNoise), mj_engine::DataError> {
    let mut sim = Simulation::new(m.clone())?;
    let mut centre = Vec::new();
    if !m.key.is_empty() {
        sim.data_mut().state.set_key(m, KeyId::new(0));
        centre = sim.data().state.ctrl.clone();
    }
    let noise = ControlNoise::new(m, &centre);
    Ok((sim, noise))
}

/// Returns states of `worlds` worlds with different controls, each after another number of steps below `length`.
///
/// # Errors
/// If a step fails.
pub fn spread(m: &Arc<Model>, worlds: usize, length: usize) -> Result<Vec<State>, Box<dyn std::error::Error>> {
    let mut out = Vec::with_capacity(worlds);
    // A few trajectories, each read at evenly spaced times.
    let paths = worlds.div_ceil(50).max(1);
    let per_path = worlds.div_ceil(paths);
    for p in 0..paths {
        let (mut sim, noise) = start(m)?;
        let mut done = 0;
        for k in 0..per_path {
            let until = (k * length + p * length / paths) / per_path;
            walk(&mut sim, &noise, p, done, until)?;
            done = done.max(until);
            out.push(sim.data().state.clone());
        }
    }
    out.truncate(worlds);
    Ok(out)
}

/// Makes steps `from..until` of a world.
fn walk(sim: &mut Simulation, noise: &ControlNoise, world: usize, from: usize, until: usize) -> Result<(), StepError> {
    for step in from..until {
        noise.advance(world, step, &mut sim.data_mut().state.ctrl);
        sim.step()?;
    }
    Ok(())
}

/// Records the constraint problem of each state.
///
/// # Errors
/// If a step fails.
pub fn problems(m: &Arc<Model>, states: &[State]) -> Result<Vec<Recorded>, Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(m.clone())?;
    let mut out = Vec::new();
    for s in states {
        sim.data_mut().state = s.clone();
        sim.forward()?;
        let (model, data) = sim.parts();
        out.push(Recorded::from(&mj_engine::problem(model, data)));
    }
    Ok(out)
}
