//! Times the Jacobians of a step of some models in motion (A and B): by differences of the step, by differences of
//! inverse dynamics (centered), and in closed form.
//!
//!     RAYON_NUM_THREADS=1 cargo run --release -p mj-engine --example jacobians -- models/humanoid.xml

use mj_engine::{Data, StepDerivative, Transition, load, state_transition_fd, step, step_derivative, step_differences};
use mj_model::KeyId;
use std::time::Instant;

const EPS: f64 = 1e-6;
const STEPS: usize = 30;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "{:28} {:>4} {:>9} {:>10} {:>10} {:>10} {:>10}  µs",
        "model", "nv", "contacts", "forward", "centered", "inverse", "closed"
    );
    for path in std::env::args().skip(1) {
        let m = load(&path)?;
        let mut d = Data::new(&m)?;
        if !m.key.is_empty() {
            d.state.set_key(&m, KeyId::new(0));
        }
        for (i, v) in d.state.qvel.iter_mut().enumerate() {
            *v += 0.3 * (i as f64 + 1.0).sin();
        }
        for _ in 0..STEPS {
            step(&m, &mut d)?;
        }
        let mut t = Transition::default();
        let forward = least(|| state_transition_fd(&m, &mut d, EPS, false, &mut t))?;
        let centered = least(|| state_transition_fd(&m, &mut d, EPS, true, &mut t))?;
        let mut s = StepDerivative::default();
        let inverse = least(|| step_differences(&m, &mut d, &mut s))?;
        let closed = least(|| step_derivative(&m, &mut d, &mut s))?;
        let contacts = d.contacts.list.len();
        println!("{path:28} {:4} {contacts:9} {forward:10.1} {centered:10.1} {inverse:10.1} {closed:10.1}", m.nv());
        let why = s.differences;
        for (block, why) in [
            ("step", why.step),
            ("position", why.position),
            ("velocity", why.velocity),
            ("activation", why.activation),
            ("control", why.control),
        ] {
            if let Some(why) = why {
                println!("    {block} by differences: {why}");
            }
        }
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
