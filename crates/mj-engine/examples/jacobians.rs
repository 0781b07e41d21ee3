//! Times the Jacobians of a step of some models in motion, on one thread.
//!
//!     cargo run --release -p mj-engine --example jacobians -- models/humanoid.xml

use mj_engine::{Data, Transition, load, step, transition_fd};
use mj_model::KeyId;
use std::time::Instant;

const EPS: f64 = 1e-6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:28} {:>4} {:>9} {:>11} {:>11}", "model", "nv", "contacts", "forward, µs", "centered, µs");
    for path in std::env::args().skip(1) {
        let m = load(&path)?;
        let mut d = Data::new(&m)?;
        if !m.key.is_empty() {
            d.state.set_key(&m, KeyId::new(0));
        }
        for (i, v) in d.state.qvel.iter_mut().enumerate() {
            *v += 0.3 * (i as f64 + 1.0).sin();
        }
        for _ in 0..100 {
            step(&m, &mut d);
        }
        let mut t = Transition::default();
        let forward = least(|| transition_fd(&m, &mut d, EPS, false, &mut t))?;
        let centered = least(|| transition_fd(&m, &mut d, EPS, true, &mut t))?;
        println!("{path:28} {:4} {:9} {forward:11.1} {centered:11.1}", m.nv(), d.contacts.list.len());
    }
    Ok(())
}

/// Least time of a call in some twenty, µs.
fn least<E>(mut call: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        call()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(best)
}
