//! Simulations of models that are edited while they run.

use mj_engine::{Data, Model, load, step};

/// Loads one of the models of the repository, with a simulation of it in motion.
pub fn started(name: &str) -> (Model, Data) {
    let m = load(mj_testkit::bundled(name)).unwrap();
    let d = running(&m);
    (m, d)
}

/// A simulation in motion.
pub fn running(m: &Model) -> Data {
    let mut d = Data::new(m).unwrap();
    if !m.key.is_empty() {
        d.state.set_key(m, mj_engine::model::KeyId::new(0));
    }
    d.state.ctrl.iter_mut().enumerate().for_each(|(i, u)| *u += 0.2 + 0.1 * (i as f64).sin());
    d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v += 0.2 * (i as f64 + 1.0).sin());
    (0..15).for_each(|_| step(m, &mut d).unwrap());
    d
}

/// Numbers that a step leaves behind, by name.
fn outcome(d: &Data) -> [(&'static str, Vec<u64>); 6] {
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect();
    [
        ("qpos", bits(&d.state.qpos)),
        ("qvel", bits(&d.state.qvel)),
        ("act", bits(&d.state.act)),
        ("qacc", bits(&d.qacc)),
        ("qfrc_constraint", bits(&d.solution.qfrc_constraint)),
        ("sensordata", bits(&d.sensordata)),
    ]
}

/// Asserts that a running simulation steps with a model as one does that was made for it, bit for bit.
pub fn assert_alike(m: &Model, running: &Data, what: &str) {
    let mut goes_on = running.clone();
    // Its plans are its own, derived from the edited model.
    let mut own = m.clone();
    own.seal();
    let mut fresh = Data::new(&own).unwrap();
    fresh.state = running.state.clone();
    // Sensors that aren't computed keep what they read last.
    fresh.sensordata.clone_from(&running.sensordata);
    for k in 0..2 {
        step(m, &mut goes_on).unwrap();
        step(&own, &mut fresh).unwrap();
        for ((name, x), (_, y)) in outcome(&goes_on).into_iter().zip(outcome(&fresh)) {
            let differ = x.iter().zip(&y).position(|(x, y)| x != y);
            let show = |x: &[u64], i: usize| f64::from_bits(x[i]);
            if let Some(i) = differ {
                panic!(
                    "{what}: after step {k}, {name}[{i}] is {}, but {} in a new simulation",
                    show(&x, i),
                    show(&y, i)
                );
            }
        }
    }
}
