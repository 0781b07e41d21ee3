//! A hopper leaves the floor: its positions are optimized through inverse dynamics, and a simulation with the forces follows them.
//!
//!     cargo run --release -p mj-control --example leap

use mj_control::{Cost, Direct, DirectOptions, Norm, Residual};
use mj_engine::model::Stage;
use mj_engine::prelude::*;
use std::time::Instant;

/// A foot that nothing drives, and a mass that a motor moves above it.
const HOPPER: &str = r#"<mujoco><option timestep="0.01" tolerance="1e-14" iterations="200"/><worldbody>
    <geom type="plane" size="5 5 1"/><body pos="0 0 .1"><joint name="x" type="slide" axis="1 0 0"/>
    <joint name="z" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/>
    <body pos="0 0 .3"><joint name="mass" type="slide" axis="0 0 1"/><geom size=".08" mass="1" contype="0" conaffinity="0"/>
    </body></body></worldbody><actuator><motor joint="mass"/></actuator></mujoco>"#;
const STEPS: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load_str(HOPPER)?;
    let mut d = Data::new(&m)?;
    // It stands.
    for _ in 0..200 {
        d.state.ctrl[0] = 9.81;
        step(&m, &mut d)?;
    }
    let start = d.state.clone();

    let height = Residual::function(1, Stage::Pos, |_, d, out| out[0] = d.state.qpos[1] - 0.2);
    let reach = Residual::Position { target: vec![0.0; 3], dofs: vec![2] };
    let cost = Cost::new()
        .with("height", height, Norm::Quadratic, 0.0, 1e5)
        .with("reach", reach, Norm::Quadratic, 100.0, 0.0)
        .with("calm", Residual::velocity(&m), Norm::Quadratic, 1e-3, 0.0);
    let mut direct = Direct::new(&m, &cost, DirectOptions { steps: STEPS, ..DirectOptions::default() })?;
    // It begins with a foot that rises in the air, which nothing could lift.
    let mut qpos = start.qpos.repeat(STEPS + 1);
    for (t, q) in qpos.chunks_exact_mut(m.nq()).enumerate() {
        q[1] += 0.3 * (t as f64 / STEPS as f64 - 0.3).max(0.0);
    }
    direct.start(&m, &cost, &start, Some(&qpos))?;
    let begin = Instant::now();
    let summary = direct.solve(&m, &cost, |n, cost| {
        println!("iteration {n:3}: cost {cost:12.4}");
        true
    })?;
    println!(
        "{:.1} ms; greatest force on what nothing drives: {:.1e} N",
        begin.elapsed().as_secs_f64() * 1e3,
        summary.force
    );

    println!("\n{:>6} {:>9} {:>9} {:>9} {:>9}", "time", "foot", "mass", "force", "contacts");
    d.state.clone_from(&start);
    for t in 0..STEPS {
        d.state.ctrl[0] = direct.force(t)[2];
        step(&m, &mut d)?;
        if (t + 1) % 5 == 0 {
            let [_, foot, mass] = d.state.qpos[..] else { break };
            let (time, force) = ((t + 1) as f64 * m.opt.timestep, direct.force(t)[2]);
            println!("{time:6.2} {foot:9.4} {mass:9.4} {force:9.2} {:9}", d.contacts.list.len());
        }
    }
    let end = &direct.path.qpos[STEPS * m.nq()..];
    let departure = d.state.qpos.iter().zip(end).fold(0.0, |e: f64, (a, b)| e.max((a - b).abs()));
    println!("\nthe simulation ends {departure:.1e} m from the trajectory");
    Ok(())
}
