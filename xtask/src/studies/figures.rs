//! `cargo xtask figures`: plots of the book that follow from the code alone.

use crate::Result;
use crate::plot::{self, Axis, Labels, Series};
use mj_constraint::Softness;
use mj_engine::{Data, complete, forward, load, problem, step};
use mj_model::Model;
use mj_problem::cost::{elliptic, equality, friction_loss, one_sided};
use mj_problem::{ConeRows, ConstraintSolver, Problem, Solution};
use mj_solver::{Cg, Newton, Pgs};
use plotters::prelude::SeriesLabelPosition;
use std::ops::Range;
use std::path::Path;

/// A file in docs/figures, and what draws it: by the root folder, to a path.
type Figure = (&'static str, fn(&Path, &Path) -> Result<()>);

/// Draws all figures.
pub fn run(root: &Path) -> Result<()> {
    let figures: [Figure; 5] = [
        ("cost-rows.svg", rows),
        ("cost-cone.svg", cone),
        ("impedance.svg", impedance),
        ("energy-integrators.svg", energy),
        ("convergence.svg", convergence),
    ];
    for (file, draw) in figures {
        draw(root, &root.join("docs/figures").join(file))?;
        println!("figures: wrote docs/figures/{file}");
    }
    Ok(())
}

fn linear(range: Range<f64>) -> Axis {
    Axis { range, base: None }
}

fn decades(range: Range<f64>) -> Axis {
    Axis { range, base: Some(10.0) }
}

/// A curve of a function over a range.
fn curve(name: &str, color: usize, range: Range<f64>, f: impl Fn(f64) -> f64) -> Series {
    let at = |k: i32| range.start + (range.end - range.start) * f64::from(k) / 400.0;
    Series { name: name.into(), points: (0..=400).map(|k| (at(k), f(at(k)))).collect(), color, line: true }
}

/// Costs of single rows.
fn rows(_: &Path, path: &Path) -> Result<()> {
    let labels = Labels {
        title: "Cost of a row, D = 1",
        axes: ["J q̈ − a_ref", "cost s"],
        legend: SeriesLabelPosition::UpperMiddle,
    };
    let x = -2.0..2.0;
    let series = [
        curve("equality: quadratic", 0, x.clone(), |x| equality::cost(&[1.0], &[x])),
        curve("limit, frictionless contact: pushes only", 1, x.clone(), |x| one_sided::cost(&[1.0], &[x])),
        curve("friction loss of 0.6: linear beyond it", 2, x.clone(), |x| {
            friction_loss::cost(&[1.0], &[1.0], &[0.6], &[x])
        }),
    ];
    plot::draw(path, &labels, [linear(x), linear(0.0..2.0)], &series)
}

/// Cost of a contact with friction along a tangent.
fn cone(_: &Path, path: &Path) -> Result<()> {
    let labels = Labels {
        title: "Cost of an elliptic cone of friction 0.7, D = 1",
        axes: ["tangential J q̈ − a_ref", "cost s"],
        legend: SeriesLabelPosition::UpperMiddle,
    };
    let cone = ConeRows { row: 0, dim: 3, contact: 0, mu: 0.7, friction: [0.7; 5] };
    let x = -4.0..4.0;
    let along = |name: &str, color: usize, normal: f64| {
        curve(name, color, x.clone(), |t| elliptic::cost(&cone, &[1.0; 3], &[normal, t, 0.0]))
    };
    let series = [
        along("pressed, −1: quadratic, then on the cone's surface", 0, -1.0),
        along("touching, 0: on the surface", 1, 0.0),
        along("parting, 1: no force, then on the surface", 2, 1.0),
    ];
    plot::draw(path, &labels, [linear(x.clone()), linear(0.0..5.0)], &series)
}

/// Impedance of constraints by their violation.
fn impedance(_: &Path, path: &Path) -> Result<()> {
    let labels = Labels {
        title: "Impedance by violation",
        axes: ["violation, mm", "impedance d"],
        legend: SeriesLabelPosition::LowerRight,
    };
    let model = Model::default();
    let of = |color: usize, solimp: [f64; 5]| {
        let softness = Softness::new(&model, [0.02, 1.0], [0.0; 2], solimp);
        let name = format!("solimp=\"{} {} {}\"", solimp[0], solimp[1], solimp[2]);
        curve(&name, color, 0.0..3.0, |mm| softness.impedance(-1e-3 * mm).0)
    };
    let series = [
        of(0, [0.9, 0.95, 0.001, 0.5, 2.0]),
        of(1, [0.5, 0.99, 0.003, 0.5, 2.0]),
        of(2, [0.99, 0.999, 0.001, 0.5, 2.0]),
    ];
    plot::draw(path, &labels, [linear(0.0..3.0), linear(0.4..1.0)], &series)
}

/// Drift of the energy of a chain that swings, by integrator.
fn energy(root: &Path, path: &Path) -> Result<()> {
    let mut series = Vec::new();
    // Where nothing is damped, these two take the steps of Euler's rule.
    let integrators = [("Euler", "Euler, implicitfast, discrete"), ("implicit", "implicit"), ("RK4", "RK4")];
    for (color, (integrator, name)) in integrators.into_iter().enumerate() {
        let mut m = load(root.join("models/pendulum_chain.xml"))?;
        m.opt.set("integrator", integrator)?;
        m.opt.set("timestep", "0.002")?;
        let mut d = Data::new(&m)?;
        d.state.qpos.fill(0.1);
        let mut points = Vec::new();
        let mut start = None;
        for k in 0..=1500 {
            if k % 10 == 0 {
                forward(&m, &mut d)?;
                complete(&m, &mut d);
                let energy: f64 = d.energy.iter().sum();
                let drift = (energy - *start.get_or_insert(energy)).abs();
                points.push((d.state.time, drift.max(1e-12)));
            }
            step(&m, &mut d)?;
        }
        points.remove(0);
        series.push(Series { name: name.into(), points, color, line: true });
    }
    let labels = Labels {
        title: "Energy drift of a swinging chain of 24 links, step of 2 ms",
        axes: ["time, s", "|E − E₀|, J"],
        legend: SeriesLabelPosition::LowerRight,
    };
    plot::draw(path, &labels, [linear(0.0..3.0), decades(1e-12..1e2)], &series)
}

/// Distance to the optimal cost by iteration, of the built-in solvers.
fn convergence(root: &Path, path: &Path) -> Result<()> {
    let m = load(root.join("models/humanoid.xml"))?;
    let mut d = Data::new(&m)?;
    for _ in 0..200 {
        step(&m, &mut d)?;
    }
    forward(&m, &mut d)?;
    let mut p = problem(&m, &d);
    p.settings.warmstart = false;
    p.settings.tolerance = 0.0;
    let best = cost_after(&p, &mut Newton::default(), 100);
    let start = cost_of(&p, p.qacc_smooth) - best;
    let mut series = Vec::new();
    let solvers: [(&str, &mut dyn ConstraintSolver); 3] =
        [("Newton", &mut Newton::default()), ("CG", &mut Cg::default()), ("PGS", &mut Pgs::default())];
    for (color, (name, solver)) in solvers.into_iter().enumerate() {
        let at = |n: u32| if n == 0 { start } else { cost_after(&p, solver, n) - best };
        let points = (0..=40).map(at_each(at)).map(|(n, c)| (n, (c / start).max(1e-16))).collect();
        series.push(Series { name: name.into(), points, color, line: true });
    }
    let labels = Labels {
        title: "Cost above the optimum, relative to the start: a humanoid in its fall",
        axes: ["iterations", "(cost − least cost) / at the start"],
        legend: SeriesLabelPosition::UpperRight,
    };
    plot::draw(path, &labels, [linear(0.0..40.0), decades(1e-16..1e1)], &series)
}

/// Pairs a number with what a function makes of it.
fn at_each(mut f: impl FnMut(u32) -> f64) -> impl FnMut(u32) -> (f64, f64) {
    move |n| (f64::from(n), f(n))
}

/// Cost of a solver's solution after so many iterations.
fn cost_after(p: &Problem, solver: &mut dyn ConstraintSolver, iterations: u32) -> f64 {
    let mut p = *p;
    p.settings.iterations = iterations;
    let mut solution = Solution::default();
    solver.solve(&p, &mut solution);
    cost_of(&p, &solution.qacc)
}

/// Cost ½ (a − a_s)ᵀM(a − a_s) + s(J a − a_ref) of an acceleration.
fn cost_of(p: &Problem, qacc: &[f64]) -> f64 {
    let difference: Vec<f64> = qacc.iter().zip(p.qacc_smooth).map(|(a, s)| a - s).collect();
    let (mut product, mut jar, mut work) = (vec![0.0; p.nv()], vec![0.0; p.nefc()], vec![0.0; p.nv()]);
    p.pattern.mul(p.m, &difference, &mut product);
    p.rows.jac.mul(qacc, &mut jar, &mut work);
    jar.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
    0.5 * difference.iter().zip(&product).map(|(x, y)| x * y).sum::<f64>() + p.rows.cost(&jar)
}
