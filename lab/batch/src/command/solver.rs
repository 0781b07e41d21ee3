//! Times of the solver.

use mj_lab_batch::lane::Width;
use mj_lab_batch::solver::{Compact, Mode, Outcome, Pattern, Report, Settings, solve_all};
use mj_lab_batch::worlds::{problems, spread};
use mj_problem::{ConstraintSolver, Recorded, Solution};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Model; without one, the bundled humanoid.
    model: Option<PathBuf>,
    /// Worlds.
    #[arg(long, default_value_t = 512)]
    worlds: usize,
    /// Steps over which the worlds' states are spread.
    #[arg(long, default_value_t = 1000)]
    length: usize,
    /// Measurements, of which the fastest counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Lanes to measure, by name; all without.
    #[arg(long)]
    only: Option<String>,
    /// Greatest number of iterations of the lanes.
    #[arg(long, default_value_t = 100)]
    iterations: u32,
    /// Tolerance of 32-bit lanes.
    #[arg(long, default_value_t = 1e-6)]
    narrow_tolerance: f64,
}

/// Times all widths and modes and the engine's solver alternately.
pub fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let m = Arc::new(mj_engine::load(args.model.clone().unwrap_or_else(super::bundled_humanoid))?);
    let all = problems(&m, &spread(&m, args.worlds, args.length)?)?;
    let pattern = Pattern::of(&all[0].problem());
    let compact = all.iter().map(|p| Compact::of(&p.problem())).collect::<Result<Vec<_>, _>>()?;
    let rows: usize = compact.iter().map(Compact::nefc).sum();
    let modes = [Mode::LockStep, Mode::Sorted, Mode::Refilled];
    let cases: Vec<(Width, Mode)> = Width::ALL
        .iter()
        .filter(|w| args.only.as_ref().is_none_or(|o| o == w.name()))
        .flat_map(|w| modes.map(|m| (*w, m)))
        .collect();
    let mut best = vec![(f64::INFINITY, Report::default(), Vec::<Outcome>::new()); cases.len()];
    let (mut engine, mut iterations) = (f64::INFINITY, 0);
    for _ in 0..args.rounds {
        let (time, count) = reference(&all);
        engine = engine.min(time);
        iterations = count;
        for (best, (width, mode)) in best.iter_mut().zip(&cases) {
            let narrow = matches!(width, Width::F32x8 | Width::F32x16);
            let tolerance = if narrow { args.narrow_tolerance } else { 1e-8 };
            let begin = Instant::now();
            best.1 = solve_all(
                *width,
                *mode,
                &pattern,
                &compact,
                &Settings { tolerance, iterations: args.iterations, ..Settings::default() },
                &mut best.2,
            )?;
            best.0 = best.0.min(begin.elapsed().as_secs_f64());
        }
    }
    let n = args.worlds as f64;
    println!(
        "{} worlds, {} dofs, {:.1} rows, engine {:.2} iterations",
        args.worlds,
        pattern.nv,
        rows as f64 / n,
        iterations as f64 / n
    );
    println!(
        "{:<8} {:<10} {:>9} {:>7} {:>6} {:>6} {:>9}",
        "lanes", "mode", "µs/world", "ratio", "niter", "used", "error"
    );
    println!("{:<8} {:<10} {:>9.2} {:>7.2}", "engine", "", engine / n * 1e6, 1.0);
    let exact = &best[0].2;
    for ((time, report, out), (width, mode)) in best.iter().zip(&cases) {
        let used = report.world_iterations as f64 / (report.group_iterations * width.lanes()) as f64;
        let niter = report.world_iterations as f64 / n;
        let mut errors: Vec<f64> = out.iter().zip(exact).map(|(a, b)| error(&a.qacc, &b.qacc)).collect();
        errors.sort_by(f64::total_cmp);
        let mode = format!("{mode:?}");
        println!(
            "{:<8} {mode:<10} {:>9.2} {:>7.2} {niter:>6.2} {used:>6.2} {:>9.1e}",
            width.name(),
            time / n * 1e6,
            engine / time,
            errors[errors.len() * 99 / 100]
        );
    }
    Ok(())
}

/// Solves all problems with the engine's solver: seconds, and iterations.
fn reference(all: &[Recorded]) -> (f64, usize) {
    let mut solver = mj_solver::Newton::default();
    let mut out = Solution::default();
    let mut iterations = 0;
    let begin = Instant::now();
    for p in all {
        solver.solve(&p.problem(), &mut out);
        iterations += out.niter() as usize;
    }
    (begin.elapsed().as_secs_f64(), iterations)
}

/// Returns the largest difference by the largest number.
fn error(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / size).fold(0.0, f64::max)
}
