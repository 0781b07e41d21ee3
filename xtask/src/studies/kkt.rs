//! `cargo xtask kkt`: every solver on the states of every model of a folder, with both kinds of
//! friction cones, with and without islands, sparse and dense. At tight tolerance all of them find the
//! same optimum, and inverse dynamics gives back the force that was applied.

use crate::Result;
use crate::npz::{self, Array, Arrays};
use mj_engine::{Data, Model, forward, inverse, load, problem, step};
use mj_model::{Cone, IntegratorType, SolverType, enable};
use mj_problem::{ConstraintSolver, Problem, Quality, Recorded, Solution};
use mj_solver::{Cg, Newton, Pgs};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Greatest residual of the primal solvers, of the dual one, and of everything that is compared.
const EXACT: f64 = 1e-8;
const DUAL: f64 = 1e-5;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Folder with models; by default `models`.
    folder: Option<PathBuf>,
    /// Seconds that one model may take; what is left of its states is skipped.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// File with the models, a path a line, in the place of a folder.
    #[arg(long, conflicts_with = "folder")]
    list: Option<PathBuf>,
    /// Folder for the problems that some solver did worst, one for each model beyond the limits, as `mj solve` reads
    /// them.
    #[arg(long)]
    save: Option<PathBuf>,
}

/// Measures of the worst state of a model.
#[derive(Clone, Debug, Default)]
struct Worst {
    rows: usize,
    states: usize,
    newton: f64,
    cg: f64,
    pgs: f64,
    /// Greatest difference between two accelerations, as forces.
    apart: f64,
    /// Greatest error of inverse dynamics.
    inverse: f64,
    /// How far the worst problem was beyond its limit, and the problem.
    excess: f64,
    problem: Option<Recorded>,
}

impl Worst {
    fn good(&self) -> bool {
        self.newton < EXACT && self.cg < EXACT && self.pgs < DUAL && self.apart < DUAL && self.inverse < EXACT
    }
}

/// Runs the command.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let folder = args.folder.clone().unwrap_or_else(|| root.join("models"));
    let models = match &args.list {
        Some(list) => std::fs::read_to_string(list)?.lines().map(PathBuf::from).collect(),
        None => models(&folder)?,
    };
    println!(
        "{:28} {:>5} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "model", "rows", "states", "Newton", "CG", "PGS", "apart", "inverse"
    );
    let (mut bad, mut count, mut states, mut refused) = (0, 0, 0, 0);
    for path in models {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let Some(w) = load(&path).ok().and_then(|m| matrix(m, Duration::from_secs(args.limit))) else {
            refused += 1;
            continue;
        };
        count += 1;
        states += w.states;
        println!(
            "{:28} {:5} {:6} {:9.1e} {:9.1e} {:9.1e} {:9.1e} {:9.1e}{}",
            name,
            w.rows,
            w.states,
            w.newton,
            w.cg,
            w.pgs,
            w.apart,
            w.inverse,
            if w.good() { "" } else { "  !" }
        );
        if w.good() {
            continue;
        }
        bad += 1;
        if let (Some(folder), Some(problem)) = (&args.save, &w.problem) {
            std::fs::create_dir_all(folder)?;
            save(problem, &folder.join(name.replace('/', "_") + ".npz"))?;
        }
    }
    println!(
        "{count} models, {states} states; {bad} models beyond {EXACT:e} (PGS and differences {DUAL:e}); {refused} not loaded"
    );
    if bad == 0 { Ok(()) } else { Err(format!("{bad} models beyond the limits").into()) }
}

/// Writes a problem, as `mj problem` does.
fn save(problem: &Recorded, path: &Path) -> Result<()> {
    let mut arrays = Arrays::new();
    problem.visit(&mut |name, shape, data| {
        arrays.insert(name.into(), Array { shape: shape.to_vec(), data, ..Array::default() });
    });
    npz::write(path, arrays.iter().map(|(name, a)| (name.as_str(), a)))
}

/// All MJCF files below a folder.
pub fn models(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(f) = folders.pop() {
        for entry in std::fs::read_dir(&f).map_err(|e| format!("{}: {e}", f.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "xml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The matrix of one model; nothing if the engine doesn't support it.
fn matrix(mut m: Model, limit: Duration) -> Option<Worst> {
    let start = Instant::now();
    let mut d = Data::new(&m).ok()?;
    let mut w = Worst::default();
    m.opt.iterations = 200;
    m.opt.tolerance = 0.0;
    // Noslip leaves the optimum, and forces that inverse dynamics could know.
    m.opt.noslip_iterations = 0;
    let kept = m.opt.cone;
    for steps in [1, 60, 200] {
        for i in 0..steps {
            for (k, c) in d.state.ctrl.iter_mut().enumerate() {
                *c = 0.3 * (0.05 * f64::from(i) + k as f64).sin();
            }
            step(&m, &mut d).expect("data made for this model");
        }
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            m.opt.cone = cone;
            let mut at = d.clone();
            forward(&m, &mut at).expect("data made for this model");
            if at.rows.nefc() > 0 && start.elapsed() < limit {
                w.states += 1;
                w.rows = w.rows.max(at.rows.nefc());
                variants(&problem(&m, &at), &mut w);
            }
            w.inverse = w.inverse.max(round_trip(&mut m, &mut at));
        }
        m.opt.cone = kept;
    }
    Some(w)
}

/// All solvers and settings on one problem.
fn variants(given: &Problem, w: &mut Worst) {
    let one_tree = vec![0; given.nv()];
    let mut expected: Option<Vec<f64>> = None;
    let (mut newton, mut cg, mut pgs) = (Newton::default(), Cg::default(), Pgs::default());
    let mut solution = Solution::default();
    for dense in [false, true] {
        for islands in [true, false] {
            let mut p = *given;
            p.settings.islands = islands;
            if dense {
                // One tree of everything: one dense block.
                p.tree = &one_tree;
            }
            // Gauss-Seidel has no step that fails to improve; it ends where improvements are rounding.
            let solvers: [(&mut dyn ConstraintSolver, u32, f64, f64, &mut f64); 3] = [
                (&mut newton, 200, 0.0, EXACT, &mut w.newton),
                (&mut cg, 5000, 0.0, EXACT, &mut w.cg),
                (&mut pgs, 3000, 1e-18, DUAL, &mut w.pgs),
            ];
            // Gauss-Seidel doesn't take a stiffness of flexes, and models with one refuse it.
            let takes = |solver: &dyn ConstraintSolver| p.stiffness.is_none() || solver.takes_stiffness();
            for (solver, iterations, tolerance, limit, worst) in solvers.into_iter().filter(|s| takes(&*s.0)) {
                (p.settings.iterations, p.settings.tolerance) = (iterations, tolerance);
                solver.solve(&p, &mut solution);
                let q = Quality::of(&p, &solution);
                let residual = q.stationarity.max(q.feasibility).max(q.complementarity);
                *worst = worst.max(residual);
                if residual / limit > w.excess {
                    w.excess = residual / limit;
                    w.problem = Some(Recorded::from(&p));
                }
                let expected = expected.get_or_insert_with(|| solution.qacc.clone());
                let difference: Vec<f64> = solution.qacc.iter().zip(expected.iter()).map(|(a, b)| a - b).collect();
                let mut force = vec![0.0; p.nv()];
                p.pattern.mul(p.m, &difference, &mut force);
                w.apart = w.apart.max(greatest(&force) / q.scale);
            }
        }
    }
}

/// How far inverse dynamics is from the force that forward dynamics was given, relative to the forces. Newton's
/// method finds the acceleration, whatever solver the model asks for; where inverse dynamics takes the acceleration of a
/// step, a step is made for it.
fn round_trip(m: &mut Model, d: &mut Data) -> f64 {
    let discrete = m.opt.enabled(enable::INVDISCRETE) && m.opt.integrator != IntegratorType::Discrete;
    let kept = std::mem::replace(&mut m.opt.solver, SolverType::Newton);
    forward(m, d).expect("data made for this model");
    if discrete {
        let mut after = d.clone();
        step(m, &mut after).expect("data made for this model");
        for ((a, after), before) in d.qacc.iter_mut().zip(&after.state.qvel).zip(&d.state.qvel) {
            *a = (after - before) / m.opt.timestep;
        }
    }
    m.opt.solver = kept;
    if inverse(m, d).is_err() {
        return 0.0;
    }
    let v = &d.smooth.velocities;
    let applied: Vec<f64> =
        (0..m.nv()).map(|i| d.smooth.actuation.qfrc_smooth[i] + v.qfrc_bias[i] - v.qfrc_passive[i]).collect();
    let error: Vec<f64> = applied.iter().zip(&d.qfrc_inverse).map(|(a, b)| a - b).collect();
    // What the rows exert, without what cancels. The problem of `discrete` has more rows than these.
    let mut exerted = vec![0.0; m.nv()];
    for (i, f) in d.solution.efc_force.iter().enumerate() {
        d.rows.jac.for_each_in_row(i, |c, j| exerted[c] += (j * f).abs());
    }
    let known = [&applied, &v.qfrc_bias, &v.qfrc_passive, &d.smooth.actuation.qfrc_smooth, &exerted];
    let scale = known.into_iter().fold(f64::MIN_POSITIVE, |s, f| s.max(greatest(f)));
    greatest(&error) / scale
}

fn greatest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |a, x| a.max(x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_solvers_find_one_optimum() {
        for path in models(&crate::root().join("models")).unwrap() {
            let Ok(m) = load(&path) else { continue };
            let w = matrix(m, Duration::from_millis(500)).unwrap();
            assert!(w.good(), "{}: {w:?}", path.display());
        }
    }
}
