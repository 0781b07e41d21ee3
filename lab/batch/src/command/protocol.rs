//! Steps of many worlds on threads.

use mj_engine::prelude::*;
use mj_lab_batch::worlds::{spread, start};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Models; without any, the bundled humanoid.
    models: Vec<PathBuf>,
    /// Numbers of worlds.
    #[arg(long, value_delimiter = ',', default_value = "1,64,1024,8192")]
    worlds: Vec<usize>,
    /// Length of a run in steps, over which the worlds' first states are spread.
    #[arg(long, default_value_t = 1000)]
    length: usize,
    /// Greatest number of steps of all worlds together in one measurement.
    #[arg(long, default_value_t = 100_000)]
    budget: usize,
    /// Measurements, of which the fastest counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Measures each model with each number of worlds.
pub fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let models = if args.models.is_empty() { vec![super::bundled_humanoid()] } else { args.models.clone() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    println!("{} threads; states spread over {} steps; fastest of {} rounds", args.threads, args.length, args.rounds);
    println!(
        "{:<28} {:>7} {:>7} {:>10} {:>7} {:>7} {:>9}",
        "model", "worlds", "steps", "steps/s", "rows", "niter", "KiB/world"
    );
    for path in &models {
        let m = Arc::new(mj_engine::load(path)?);
        let states = spread(&m, 100, args.length)?;
        for &worlds in &args.worlds {
            let steps = (args.budget / worlds).clamp(1, args.length);
            let r = pool.install(|| measure(&m, &states, worlds, steps, args.rounds).map_err(|e| e.to_string()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            println!(
                "{name:<28} {worlds:>7} {steps:>7} {:>10.0} {:>7.2} {:>7.2} {:>9.1}",
                r.rate, r.rows, r.iterations, r.kib
            );
        }
    }
    Ok(())
}

struct Measured {
    rate: f64,
    rows: f64,
    iterations: f64,
    kib: f64,
}

/// Measures one number of worlds.
fn measure(
    m: &Arc<Model>,
    states: &[State],
    worlds: usize,
    steps: usize,
    rounds: usize,
) -> Result<Measured, Box<dyn std::error::Error>> {
    let before = resident();
    let (first, noise) = start(m)?;
    let mut sims: Vec<Simulation> = (0..worlds).map(|_| first.clone()).collect();
    let mut best = f64::INFINITY;
    let (mut rows, mut iterations) = (0, 0);
    for _ in 0..rounds {
        for (w, sim) in sims.iter_mut().enumerate() {
            sim.data_mut().state = states[w % states.len()].clone();
        }
        let begin = Instant::now();
        let counts: Result<Vec<_>, StepError> = sims
            .par_iter_mut()
            .enumerate()
            .with_min_len(16)
            .map(|(w, sim)| {
                let (mut rows, mut iterations) = (0, 0);
                for step in 0..steps {
                    noise.advance(w, step, &mut sim.data_mut().state.ctrl);
                    sim.step()?;
                    rows += sim.data().solution.efc_force.len();
                    iterations += sim.data().solution.niter() as usize;
                }
                Ok((rows, iterations))
            })
            .collect();
        best = best.min(begin.elapsed().as_secs_f64());
        let counts = counts?;
        rows = counts.iter().map(|c| c.0).sum();
        iterations = counts.iter().map(|c| c.1).sum();
    }
    let n = (worlds * steps) as f64;
    let kib = (resident() as f64 - before as f64) / 1024.0 / worlds as f64;
    Ok(Measured { rate: n / best, rows: rows as f64 / n, iterations: iterations as f64 / n, kib })
}

/// Returns the bytes of memory that the process has; 0 where the system doesn't say.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|s| s.parse::<u64>().ok()).unwrap_or(0) * 4096
}
