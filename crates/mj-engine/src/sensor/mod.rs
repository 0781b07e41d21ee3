//! Sensors, computed at the stage that they need.

mod acceleration;
mod camera;
mod contact;
mod distance;
mod frame;
mod history;
mod measure;
mod object;
mod plugin;
mod position;
mod rangefinder;
mod tactile;
mod velocity;
mod zone;

pub use rangefinder::{RayFields, camera_ray, ray_fields};

use crate::data::Data;
use crate::data::timing::StageTimer;
use crate::energy::potential_energy;
use mj_dynamics as dynamics;
use mj_model::*;
pub(crate) use zone::inside_site;

pub use history::record;

/// Sensors that need positions only, and the potential energy where it is asked for.
pub fn position(m: &Model, d: &mut Data) {
    let (plan, energy) = (d.plan.clone(), m.opt.enabled(enable::ENERGY));
    if energy || plan.sensors.potential {
        d.energy[0] = potential_energy(m, d);
    }
    // A sensor of kinetic energy stands at this stage. Where the energy of each step is asked for, it
    // reads that of the step before, as the reference's does.
    if (energy || plan.sensors.kinetic) && !d.ws.kinetic_known {
        d.energy[1] = dynamics::kinetic_energy(m, &d.state, &d.smooth.inertia, &mut d.ws.smooth);
    }
    run(m, d, Stage::Pos, position::read);
}

/// Sensors that need velocities.
pub fn velocity(m: &Model, d: &mut Data) {
    if m.opt.enabled(enable::ENERGY) {
        d.energy[1] = dynamics::kinetic_energy(m, &d.state, &d.smooth.inertia, &mut d.ws.smooth);
        d.ws.kinetic_known = true;
    }
    if d.plan.sensors.subtree_vel || d.hooks.is_some() && d.plan.sensors.user[1] {
        dynamics::subtree_vel(m, &d.smooth.poses, &mut d.smooth.velocities);
    }
    run(m, d, Stage::Vel, velocity::read);
}

/// Sensors that need accelerations and forces.
pub fn acceleration(m: &Model, d: &mut Data) {
    let needed = d.plan.sensors.body_forces || d.hooks.is_some() && d.plan.sensors.user[2];
    if needed && !m.opt.disabled(disable::SENSOR) {
        crate::wrench::body_forces(m, d);
    }
    run(m, d, Stage::Acc, acceleration::read);
}

/// Runs all sensors of a stage.
fn run(m: &Model, d: &mut Data, stage: Stage, read: fn(&Model, &mut Data, SensorId, &mut [f64])) {
    let row = stage.code() as usize - 1;
    let plan = d.plan.clone();
    if plan.sensors.stage[row].is_empty() || m.opt.disabled(disable::SENSOR) {
        d.timing.lap(StageTimer::Sensor);
        return;
    }
    // Readings are written outside `d` while it is read; the vector's memory goes back after.
    let mut sensordata = std::mem::take(&mut d.sensordata);
    for &s in &plan.sensors.stage[row] {
        if !d.state.awake.everything() && sleeps(m, &d.state.awake, s) {
            continue;
        }
        let adr = m.sensor.adr[s] as usize;
        let out = &mut sensordata[adr..adr + m.sensor.dim[s] as usize];
        if m.nhistory == 0 || !history::recall(m, &d.state, s, out) {
            measure::measure(m, d, s, out, read);
        }
    }
    d.sensordata = sensordata;
    if let Some(hooks) = d.hooks.clone().filter(|_| plan.sensors.user[row]) {
        crate::entry::inside_hook(m, d, |d| hooks.after_sensors(m, d, stage));
        d.sensordata.resize(m.nsensordata, 0.0);
        for &s in plan.sensors.stage[row].iter().filter(|&&s| m.sensor.r#type[s] == SensorType::User) {
            let adr = m.sensor.adr[s] as usize;
            measure::cut_off(m, s, &mut d.sensordata[adr..adr + m.sensor.dim[s] as usize]);
        }
    }
    d.timing.lap(StageTimer::Sensor);
}

/// Whether a sensor's reading can't have changed because all it reads of sleeps. Those that depend on
/// what comes near, or on time, never sleep.
fn sleeps(m: &Model, awake: &Awake, s: SensorId) -> bool {
    use SensorType::*;
    let kinds = [m.sensor.objtype[s], m.sensor.reftype[s]];
    match m.sensor.r#type[s] {
        User | Plugin | Rangefinder => return false,
        Contact if kinds.contains(&ObjType::Site) => return false,
        _ => {}
    }
    // A reading that is late, or taken only so often, changes for a while yet.
    if m.sensor.history[s][0] > 0 {
        return false;
    }
    let ids = [m.sensor.objid[s], m.sensor.refid[s]];
    let known = || kinds.iter().zip(ids).filter(|(k, _)| **k != ObjType::Unknown);
    let state = |(k, id): (&ObjType, i32)| awake.object(m, *k, id);
    match known().count() {
        0 => false,
        1 => known().map(state).any(|x| x == SleepState::Asleep),
        _ => known().map(state).all(|x| x != SleepState::Awake),
    }
}
