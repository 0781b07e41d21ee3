//! `mj solve`: the solver laboratory.

use crate::failure::Failure;
use crate::npz;
use crate::solvers;
use mj_solver::{ConstraintSolver, Quality, Recorded, Solution};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solves recorded problems with any registered solver, and says how well.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// Problems, as `mj problem` writes them.
    #[arg(required = true)]
    problems: Vec<PathBuf>,
    /// Solver by name, or `all`.
    #[arg(long, default_value = "all")]
    solver: String,
    /// Greatest number of iterations; that of the problem unless given.
    #[arg(long)]
    iterations: Option<u32>,
    /// Tolerance; that of the problem unless given.
    #[arg(long)]
    tolerance: Option<f64>,
    /// Starts from the recorded warm start.
    #[arg(long)]
    warm: bool,
}

fn help() -> String {
    let mut s = String::from("Solvers:\n");
    for e in solvers::ALL {
        s += &format!("  {:17} {}\n", e.name, e.about);
    }
    s += "\nColumns: primal cost; whether forces and acceleration agree (stationarity); forces outside their cones\n\
          (feasibility); distance from the convex model's forces (complementarity: not small for the solvers of other\n\
          models); greatest slip and greatest acceleration into contact; time of one solution.\n\n\
          Example:\n  mj problem humanoid --steps 200 -o fall.npz && mj solve fall.npz --solver newton";
    s
}

/// Solutions are timed until this many seconds have passed, and at least thrice.
const TIMING: f64 = 0.05;

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    for path in &args.problems {
        let mut recorded = read(path)?;
        let s = &mut recorded.settings;
        s.iterations = args.iterations.unwrap_or(s.iterations);
        s.tolerance = args.tolerance.unwrap_or(s.tolerance);
        s.warmstart = args.warm;
        println!("{}: {} rows, {} dofs", path.display(), recorded.d.len(), recorded.tree.len());
        println!(
            "{:17} {:>13} {:>10} {:>10} {:>10} {:>9} {:>9} {:>6} {:>9}",
            "solver", "cost", "stationar.", "feasibil.", "complem.", "slip", "into", "iters", "µs"
        );
        for entry in solvers::ALL.iter().filter(|e| args.solver == "all" || e.name == args.solver) {
            report(entry.name, &recorded)?;
        }
        if args.solver != "all" {
            // Names the solvers if there is none of that name.
            solvers::by_name(&args.solver)?;
        }
    }
    Ok(())
}

/// Reads a recorded problem.
fn read(path: &Path) -> Result<Recorded, Failure> {
    let arrays = npz::read(path)?;
    Recorded::from_arrays(|name| arrays.get(name).map(|a| a.data.clone()))
        .map_err(|message| Failure::Input { path: path.into(), message })
}

fn report(name: &str, recorded: &Recorded) -> Result<(), Failure> {
    let mut solver = solvers::by_name(name)?;
    let p = recorded.problem();
    let mut out = Solution::default();
    solver.solve(&p, &mut out);
    let quality = Quality::of(&p, &out);
    let (start, mut best, mut runs) = (Instant::now(), f64::INFINITY, 0);
    while runs < 3 || start.elapsed().as_secs_f64() < TIMING {
        let t = Instant::now();
        solver.solve(&p, &mut out);
        best = best.min(t.elapsed().as_secs_f64());
        runs += 1;
    }
    println!(
        "{name:17} {:13.6e} {:10.1e} {:10.1e} {:10.1e} {:9.2e} {:9.2e} {:6} {:9.1}",
        quality.cost,
        quality.stationarity,
        quality.feasibility,
        quality.complementarity,
        quality.slip,
        quality.penetration,
        out.niter(),
        best * 1e6
    );
    Ok(())
}
