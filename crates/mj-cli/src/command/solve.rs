//! `mj solve`: the solver laboratory.

use crate::failure::Failure;
use crate::npz;
use mj_problem::{ConstraintSolver, Quality, Recorded, Solution};
use mj_solver_complementarity::{contradictory, law_residual};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solves recorded constraint problems with any solver and prints the quality of the solutions.
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
    /// Prints one JSON object a problem.
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    let mut s = String::from("Solvers:\n");
    for e in mj_solvers::ALL {
        s += &format!("  {:17} {}\n", e.name, e.about);
    }
    s += "\nColumns: primal cost; whether forces and acceleration agree (stationarity); forces outside their cones\n\
          (feasibility); distance from the convex model's forces (complementarity: not small for the solvers of other\n\
          models); distance from the exact laws of contact (laws: 0 where a problem is solved exactly, not small for\n\
          the convex solvers); greatest slip and greatest acceleration into contact; time of one solution.\n\n\
          Example:\n  mj problem humanoid --steps 200 -o fall.npz && mj solve fall.npz --solver newton";
    s
}

/// Solutions are timed until this many seconds have passed, and at least thrice, unless they are long.
const TIMING: f64 = 0.05;
/// A solution that takes longer than this, s, is not timed again.
const LONG: f64 = 1.0;

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    for path in &args.problems {
        let mut recorded = read(path)?;
        let s = &mut recorded.settings;
        s.iterations = args.iterations.unwrap_or(s.iterations);
        s.tolerance = args.tolerance.unwrap_or(s.tolerance);
        s.warmstart = args.warm;
        if args.solver != "all" {
            // Names the solvers if there is none of that name.
            crate::solvers::by_name(&args.solver)?;
        }
        let chosen = mj_solvers::ALL.iter().filter(|e| args.solver == "all" || e.name == args.solver);
        let solved = chosen.map(|e| solve(e.name, &recorded)).collect::<Result<Vec<_>, _>>()?;
        let (rows, dofs) = (recorded.d.len(), recorded.tree.len());
        if args.json {
            let solvers: Vec<_> = solved.iter().map(Solved::json).collect();
            let cones = !recorded.problem().rows.cones.is_empty();
            writeln!(
                out,
                "{}",
                json!({ "problem": path.display().to_string(), "rows": rows, "dofs": dofs,
                "elliptic": cones, "contradictory": contradictory(&recorded.problem()), "solvers": solvers })
            )?;
            continue;
        }
        writeln!(out, "{}: {rows} rows, {dofs} dofs", path.display())?;
        if contradictory(&recorded.problem()) {
            writeln!(out, "normals contradict each other: no forces obey the exact laws of contact")?;
        }
        writeln!(
            out,
            "{:17} {:>13} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>6} {:>9}",
            "solver", "cost", "stationar.", "feasibil.", "complem.", "laws", "slip", "into", "iters", "µs"
        )?;
        solved.iter().try_for_each(|s| s.print(&mut out))?;
    }
    Ok(())
}

/// Reads a recorded problem.
fn read(path: &Path) -> Result<Recorded, Failure> {
    let arrays = npz::read(path)?;
    Recorded::from_arrays(|name| arrays.get(name).map(|a| a.data.clone()))
        .map_err(|message| Failure::Input { path: path.into(), message })
}

/// Result of a solver on a problem.
struct Solved {
    name: &'static str,
    quality: Quality,
    laws: f64,
    iterations: u32,
    microseconds: f64,
}

fn solve(name: &'static str, recorded: &Recorded) -> Result<Solved, Failure> {
    let mut solver = crate::solvers::by_name(name)?;
    let p = recorded.problem();
    let mut out = Solution::default();
    let start = Instant::now();
    solver.solve(&p, &mut out);
    let mut best = start.elapsed().as_secs_f64();
    let quality = Quality::of(&p, &out);
    let laws = law_residual(&p, &out);
    let (start, mut runs) = (Instant::now(), 0);
    while best < LONG && (runs < 3 || start.elapsed().as_secs_f64() < TIMING) {
        let t = Instant::now();
        solver.solve(&p, &mut out);
        best = best.min(t.elapsed().as_secs_f64());
        runs += 1;
    }
    Ok(Solved { name, quality, laws, iterations: out.niter(), microseconds: best * 1e6 })
}

impl Solved {
    fn print(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        let q = &self.quality;
        writeln!(
            out,
            "{:17} {:13.6e} {:10.1e} {:10.1e} {:10.1e} {:9.1e} {:9.2e} {:9.2e} {:6} {:9.1}",
            self.name,
            q.cost,
            q.stationarity,
            q.feasibility,
            q.complementarity,
            self.laws,
            q.slip,
            q.penetration,
            self.iterations,
            self.microseconds
        )
    }

    fn json(&self) -> Value {
        let q = &self.quality;
        json!({
            "solver": self.name,
            "cost": q.cost,
            "stationarity": q.stationarity,
            "feasibility": q.feasibility,
            "complementarity": q.complementarity,
            "laws": self.laws,
            "slip": q.slip,
            "into": q.penetration,
            "iterations": self.iterations,
            "microseconds": self.microseconds,
        })
    }
}
