//! Swings up an acrobot from zero controls by iterative LQR.
//!
//!     cargo run --release -p mj-control --example swing_up

use mj_control::{Cost, Ilqr, IlqrOptions, Norm, Residual};
use mj_engine::prelude::*;
use std::f64::consts::PI;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/models/acrobot.xml"))?;
    let cost = Cost::new()
        .with("control", Residual::control(&m), Norm::Quadratic, 0.02, 0.0)
        .with("upright", Residual::position(&m, &[PI, 0.0])?, Norm::Quadratic, 0.0, 400.0)
        .with("rest", Residual::velocity(&m), Norm::Quadratic, 1e-4, 40.0);
    let mut state = State::new(&m);
    state.qpos[0] = 0.01;
    let begin = Instant::now();
    let mut ilqr = Ilqr::new(&m, &cost, IlqrOptions { steps: 300, ..IlqrOptions::default() })?;
    ilqr.start(&m, &cost, &state, &[0.0; 300])?;
    let summary = ilqr.solve(&m, &cost, |n, i| {
        if n % 20 == 1 {
            println!(
                "iteration {n:3}: cost {:12.4}, step {:.3}, regularization {:.1e}",
                i.cost, i.length, i.regularization
            );
        }
        true
    })?;
    let end = &ilqr.best.states[300];
    println!("{} iterations in {:.2} s: cost {:.4}", summary.iterations, begin.elapsed().as_secs_f64(), summary.cost);
    println!("at the end: angles {:.4?}, velocities {:.4?}", end.qpos, end.qvel);
    Ok(())
}
