//! Times of the smooth stages.

use mj_dynamics::Dynamics;
use mj_engine::prelude::*;
use mj_lab_batch::lane::{Width, native_512};
use mj_lab_batch::plan::Plan;
use mj_lab_batch::smooth::{Batch, Stage, time_stages};
use mj_lab_batch::worlds::spread;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Model; without one, the bundled humanoid.
    model: Option<PathBuf>,
    /// Worlds.
    #[arg(long, default_value_t = 64)]
    worlds: usize,
    /// Calls of each stage in one measurement.
    #[arg(long, default_value_t = 20)]
    repeats: usize,
    /// Measurements, of which the fastest counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

/// Times the stages of all widths and of the engine alternately.
pub fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let m = Arc::new(mj_engine::load(args.model.clone().unwrap_or_else(super::bundled_humanoid))?);
    let plan = Plan::new(&m).map_err(|why| format!("not covered: {why:?}"))?;
    let states = spread(&m, args.worlds, 1000)?;
    let mut worlds = Batch::new(&plan, args.worlds);
    for (w, s) in states.iter().enumerate() {
        worlds.qpos[w * plan.nq..][..plan.nq].copy_from_slice(&s.qpos);
        worlds.qvel[w * plan.nv..][..plan.nv].copy_from_slice(&s.qvel);
        worlds.ctrl[w * plan.nu..][..plan.nu].copy_from_slice(&s.ctrl);
    }
    let mut best = [[f64::INFINITY; 8]; Width::ALL.len()];
    let mut engine = [f64::INFINITY; 2];
    for _ in 0..args.rounds {
        for (best, width) in best.iter_mut().zip(Width::ALL) {
            let times = time_stages(&plan, width, args.repeats, &worlds)?;
            best.iter_mut().zip(times).for_each(|(b, t)| *b = b.min(t));
        }
        let times = reference(&m, &states, args.repeats);
        engine.iter_mut().zip(times).for_each(|(b, t)| *b = b.min(t));
    }
    println!("nanoseconds a world; registers of 512 bits: {}", if native_512() { "yes" } else { "no, pairs of 256" });
    print!("{:<12}", "stage");
    Width::ALL.iter().for_each(|w| print!("{:>9}", w.name()));
    println!("{:>9}", "engine");
    for stage in Stage::ALL {
        print!("{:<12}", format!("{stage:?}"));
        best.iter().for_each(|b| print!("{:>9.0}", b[stage as usize] * 1e9));
        println!("{:>9}", if stage == Stage::Factor { format!("{:.0}", engine[1] * 1e9) } else { String::new() });
    }
    let forward = |b: &[f64; 8]| b[..7].iter().sum::<f64>();
    print!("{:<12}", "forward");
    best.iter().for_each(|b| print!("{:>9.0}", forward(b) * 1e9));
    println!("{:>9.0}", engine[0] * 1e9);
    print!("{:<12}", "ratio");
    best.iter().for_each(|b| print!("{:>9.2}", engine[0] / forward(b)));
    println!("{:>9.2}", 1.0);
    Ok(())
}

/// Times the engine's smooth stages, without poses of geoms and sites, and its factorization: seconds a world.
fn reference(m: &Model, states: &[State], repeats: usize) -> [f64; 2] {
    let mut d = Dynamics::new(m);
    let mut seconds = [0.0; 2];
    for s in states {
        let begin = Instant::now();
        (0..repeats).for_each(|_| forward(m, s, &mut d));
        seconds[0] += begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        (0..repeats).for_each(|_| {
            d.smooth.inertia.factor(m, &s.awake);
        });
        seconds[1] += begin.elapsed().as_secs_f64();
    }
    seconds.map(|t| t / (states.len() * repeats) as f64)
}

/// Calls the stages that the lanes cover.
fn forward(m: &Model, s: &State, d: &mut Dynamics) {
    use mj_dynamics::*;
    let (plan, work, d) = (&d.plan, &mut d.work, &mut d.smooth);
    body_kinematics(m, s, &mut d.poses);
    com_pos(m, &s.awake, &mut d.poses);
    tendons(m, &plan.tendons, s, &d.poses, work, &mut d.transmissions);
    crb(m, &s.awake, &d.poses, &mut d.inertia);
    d.inertia.factor(m, &s.awake);
    transmission(m, &plan.actuators, s, &plan.chains, &d.poses, &mut d.transmissions);
    transmission_velocities(m, &plan.actuators, s, &d.transmissions, work, &mut d.velocities);
    com_vel(m, s, &d.poses, &mut d.velocities);
    passive(m, s, &plan.chains, &d.poses, &d.transmissions, &mut d.velocities);
    bias(m, s, &d.poses, &d.transmissions, &mut d.velocities, work);
    actuation(m, &plan.actuators, s, &d.transmissions, &d.velocities, None, work, &mut d.actuation);
    acceleration(m, s, &plan.chains, &d.poses, &d.inertia, &d.velocities, &mut d.actuation);
}
