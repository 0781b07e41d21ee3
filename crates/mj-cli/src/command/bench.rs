//! `mj bench`: steps per second and the mean time of each stage.

use crate::bundled;
use crate::failure::Failure;
use crate::noise::{self, ControlNoise};
use mj_engine::{Data, Model, StageTimer, step};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::io::Write as _;
use std::time::Instant;

/// Measures steps per second and the mean time of each pipeline stage.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  mj bench humanoid --steps 20000 --json")]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Number of steps to count, cut into 20 chunks.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    steps: u64,
    /// Number of steps before those; by default a tenth of them and at least 100.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    warmup: Option<u64>,
    /// Number of threads, each with its own simulation.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seed of the control noise.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

const CHUNKS: u64 = 20;

/// Measurements of one thread.
struct Measured {
    /// Microseconds a step of each chunk.
    chunks: Vec<f64>,
    /// Wall time of all counted steps, seconds.
    wall: f64,
    /// Mean microseconds a step of each stage, in a pass of its own.
    stages: [f64; 10],
    /// Means over the counted steps.
    ncon: f64,
    nefc: f64,
    niter: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let m = bundled::open(&args.model)?.model;
    let threads = usize::from(args.threads);
    let data: Vec<Data> = (0..threads).map(|_| bundled::data(&args.model, &m)).collect::<Result<_, _>>()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Failure::Usage(format!("--threads {threads}: {e}")))?;
    let results: Vec<Measured> =
        pool.install(|| data.into_par_iter().map(|d| measure(args, &m, d)).collect::<Result<_, _>>())?;
    let report = report(args, &m, &results);
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", Value::Object(report))?;
    } else {
        for (name, value) in &report {
            match value {
                Value::Object(stages) => {
                    writeln!(out, "{name}:")?;
                    for (stage, us) in stages {
                        writeln!(out, "  {stage:12} {:9.3}", us.as_f64().unwrap_or(0.0))?;
                    }
                }
                _ => writeln!(out, "{name:18} {value}")?,
            }
        }
    }
    Ok(())
}

fn measure(args: &Args, m: &Model, mut d: Data) -> Result<Measured, Failure> {
    let controls = ControlNoise::new(m, args.seed);
    noise::start(m, &mut d);
    let warmup = args.warmup.unwrap_or_else(|| (args.steps / 10).max(100)) / noise::BLOCK * noise::BLOCK;
    let mut count = 0;
    let mut advance = |d: &mut Data| {
        controls.set(count, &mut d.state.ctrl);
        count += 1;
        step(m, d)
    };
    for _ in 0..warmup {
        advance(&mut d)?;
    }

    let mut chunks = Vec::new();
    let mut sums = [0.0; 3];
    let start = Instant::now();
    for chunk in 0..CHUNKS {
        let n = args.steps * (chunk + 1) / CHUNKS - args.steps * chunk / CHUNKS;
        let t = Instant::now();
        for _ in 0..n {
            advance(&mut d)?;
            sums[0] += d.contacts.len() as f64;
            sums[1] += d.rows.nefc() as f64;
            sums[2] += f64::from(d.solution.niter());
        }
        if n > 0 {
            chunks.push(t.elapsed().as_secs_f64() * 1e6 / n as f64);
        }
    }
    let wall = start.elapsed().as_secs_f64();

    // Reading the clock at every stage costs time itself: a pass of its own.
    let timed = (args.steps / 5).clamp(1, 20_000);
    d.timing.start();
    for _ in 0..timed {
        advance(&mut d)?;
    }
    d.timing.stop();
    let n = args.steps as f64;
    Ok(Measured {
        chunks,
        wall,
        stages: d.timing.total.map(|t| t.as_secs_f64() * 1e6 / timed as f64),
        ncon: sums[0] / n,
        nefc: sums[1] / n,
        niter: sums[2] / n,
    })
}

fn report(args: &Args, m: &Model, results: &[Measured]) -> Map<String, Value> {
    let n = results.len() as f64;
    let mean = |f: fn(&Measured) -> f64| results.iter().map(f).sum::<f64>() / n;
    let mut chunks: Vec<f64> = results.iter().flat_map(|r| r.chunks.iter().copied()).collect();
    chunks.sort_by(f64::total_cmp);
    let median = (chunks[(chunks.len() - 1) / 2] + chunks[chunks.len() / 2]) / 2.0;
    let wall = results.iter().map(|r| r.wall).fold(0.0, f64::max);
    let per_second = args.steps as f64 * n / wall;
    let stages: Map<String, Value> = StageTimer::NAMES
        .iter()
        .enumerate()
        .map(|(i, name)| ((*name).to_string(), json!(results.iter().map(|r| r.stages[i]).sum::<f64>() / n)))
        .collect();
    let object = json!({
        "model": args.model,
        "steps": args.steps,
        "threads": args.threads,
        "steps_per_second": per_second,
        "us_per_step": median,
        "us_per_step_min": chunks[0],
        "ncon_mean": mean(|r| r.ncon),
        "nefc_mean": mean(|r| r.nefc),
        "niter_mean": mean(|r| r.niter),
        "realtime_factor": per_second * m.opt.timestep,
        "stage_us": stages,
    });
    match object {
        Value::Object(o) => o,
        _ => Map::new(),
    }
}
