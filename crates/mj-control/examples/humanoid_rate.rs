//! Measures iterations of iterative LQR a second on one thread: a humanoid over 50 steps, from its standing pose with twenty
//! random velocities, each optimized until it converges.
//!
//!     cargo run --release -p mj-control --example humanoid_rate

use mj_control::{Cost, Ilqr, IlqrOptions, Norm, Random, Residual};
use mj_engine::prelude::*;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/models/humanoid.xml"))?;
    let mut sim = Simulation::new(m.clone())?;
    sim.reset_to_key("stand")?;
    let stand = sim.save();
    let cost = Cost::new()
        .with("control", Residual::control(&m), Norm::Quadratic, 0.1, 0.0)
        .with("pose", Residual::position(&m, &stand.qpos)?, Norm::Quadratic, 1.0, 20.0)
        .with("rest", Residual::velocity(&m), Norm::Quadratic, 0.01, 1.0);
    let mut ilqr = Ilqr::new(&m, &cost, IlqrOptions { steps: 50, ..IlqrOptions::default() })?;
    let ctrl = vec![0.0; 50 * m.control.len()];
    let (mut iterations, mut seconds) = (0, 0.0);
    for seed in 0..20 {
        let mut random = Random::new([seed, 0, 0]);
        let mut start = stand.clone();
        start.qvel.iter_mut().for_each(|v| *v = random.uniform(-0.5, 0.5));
        ilqr.reset();
        ilqr.start(&m, &cost, &start, &ctrl)?;
        let (first, begin) = (ilqr.best.cost, Instant::now());
        let summary = ilqr.solve(&m, &cost, |_, _| true)?;
        iterations += summary.iterations;
        seconds += begin.elapsed().as_secs_f64();
        println!("cost {first:.4} -> {:.4} in {} iterations", summary.cost, summary.iterations);
    }
    println!("{:.1} iterations/s", iterations as f64 / seconds);
    Ok(())
}
