//! Measures full iterations of iterative LQR a second on one thread: a humanoid over 50 steps, from its standing pose.
//!
//!     cargo run --release -p mj-control --example humanoid_rate

use mj_control::{Cost, Ilqr, IlqrOptions, Norm, Residual};
use mj_engine::prelude::*;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/models/humanoid.xml"))?;
    let mut sim = Simulation::new(m.clone())?;
    sim.reset_to_key("stand")?;
    let state = sim.save();
    let cost = Cost::new()
        .with("control", Residual::control(&m), Norm::Quadratic, 0.1, 0.0)
        .with("pose", Residual::position(&m, &state.qpos)?, Norm::Quadratic, 1.0, 20.0)
        .with("rest", Residual::velocity(&m), Norm::Quadratic, 0.01, 1.0);
    let options = IlqrOptions { steps: 50, parallel: false, tolerance: 0.0, ..IlqrOptions::default() };
    let mut ilqr = Ilqr::new(&m, &cost, options)?;
    let ctrl = vec![0.0; 50 * m.control.len()];
    let (mut iterations, mut seconds) = (0, 0.0);
    for _ in 0..5 {
        ilqr.reset();
        ilqr.start(&m, &cost, &state, &ctrl)?;
        let (first, begin) = (ilqr.best.cost, Instant::now());
        for _ in 0..20 {
            ilqr.iterate(&m, &cost)?;
            iterations += 1;
        }
        seconds += begin.elapsed().as_secs_f64();
        println!("cost {first:.4} -> {:.4}", ilqr.best.cost);
    }
    println!("{:.1} iterations/s", f64::from(iterations) / seconds);
    Ok(())
}
