//! Times of whole steps.

use mj_engine::Simulation;
use mj_lab_batch::lane::Width;
use mj_lab_batch::plan::Plan;
use mj_lab_batch::smooth::Batch;
use mj_lab_batch::solver::Settings;
use mj_lab_batch::step::{Report, Solver, Worlds, step};
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
    #[arg(long, default_value_t = 256)]
    worlds: usize,
    /// Steps of one measurement.
    #[arg(long, default_value_t = 20)]
    steps: usize,
    /// Steps over which the worlds' states are spread.
    #[arg(long, default_value_t = 1000)]
    length: usize,
    /// Measurements, of which the fastest counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Tolerance of 32-bit lanes.
    #[arg(long, default_value_t = 1e-6)]
    narrow_tolerance: f64,
}

/// Times all widths and the engine alternately, from equal states, on one thread.
pub fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let m = Arc::new(mj_engine::load(args.model.clone().unwrap_or_else(super::bundled_humanoid))?);
    let plan = Plan::new(&m).map_err(|why| format!("not covered: {why:?}"))?;
    let states = spread(&m, args.worlds, args.length)?;
    let n = args.worlds;
    let mut start = Worlds { batch: Batch::new(&plan, n), warm: vec![0.0; n * plan.nv], capacity: 64 };
    for (w, s) in states.iter().enumerate() {
        start.batch.qpos[w * plan.nq..][..plan.nq].copy_from_slice(&s.qpos);
        start.batch.qvel[w * plan.nv..][..plan.nv].copy_from_slice(&s.qvel);
        start.batch.ctrl[w * plan.nu..][..plan.nu].copy_from_slice(&s.ctrl);
        start.warm[w * plan.nv..][..plan.nv].copy_from_slice(&s.qacc_warmstart);
    }
    let mut sims = (0..n).map(|_| Simulation::new(m.clone())).collect::<Result<Vec<_>, _>>()?;
    let mut engine = f64::INFINITY;
    let cases: Vec<_> = Width::ALL.iter().flat_map(|w| [(*w, Solver::Lanes), (*w, Solver::Engine)]).collect();
    let mut best = vec![(f64::INFINITY, Report::default()); cases.len()];
    for _ in 0..args.rounds {
        for (sim, s) in sims.iter_mut().zip(&states) {
            sim.data_mut().state = s.clone();
        }
        let begin = Instant::now();
        for sim in &mut sims {
            sim.steps(args.steps)?;
        }
        engine = engine.min(begin.elapsed().as_secs_f64());
        for (best, case) in best.iter_mut().zip(&cases) {
            let narrow = matches!(case.0, Width::F32x8 | Width::F32x16);
            let settings =
                Settings { tolerance: if narrow { args.narrow_tolerance } else { 1e-8 }, ..Settings::default() };
            let mut worlds = start.clone();
            let begin = Instant::now();
            let report = step(&m, &plan, *case, &settings, args.steps, &mut worlds)?;
            let time = begin.elapsed().as_secs_f64();
            if time < best.0 {
                *best = (time, report);
            }
        }
    }
    let total = (n * args.steps) as f64;
    println!("{n} worlds, {} steps, {:.1} rows; microseconds a step", args.steps, best[0].1.rows as f64 / total);
    println!(
        "{:<8} {:>8} {:>7} {:>8} {:>8} {:>8} {:>10}",
        "lanes", "step", "ratio", "smooth", "rows", "solver", "integrate"
    );
    println!("{:<16} {:>8.2} {:>7.2}", "engine", engine / total * 1e6, 1.0);
    for ((time, r), (width, solver)) in best.iter().zip(&cases) {
        let name = format!("{} {solver:?}", width.name());
        let [smooth, rows, solving, integrate] = r.seconds.map(|s| s / total * 1e6);
        let (t, ratio) = (time / total * 1e6, engine / time);
        println!("{name:<16} {t:>8.2} {ratio:>7.2} {smooth:>8.2} {rows:>8.2} {solving:>8.2} {integrate:>10.2}");
    }
    Ok(())
}
