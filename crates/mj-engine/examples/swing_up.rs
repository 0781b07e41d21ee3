//! Swings an acrobot up by iterative LQR (Li and Todorov, "Iterative linear quadratic regulator design for nonlinear
//! biological movement systems", 2004): rolls a control sequence out, differentiates every step of it in closed form,
//! solves the linear-quadratic problem around it backwards in time, and takes what improves the cost.
//!
//!     cargo run --release -p mj-engine --example swing_up [-- swing_up.svg]
//!
//! Prints a table of the iterations, and one of the motion; draws the motion where a file is given.

use mj_engine::{Data, Model, StepDerivative, load, step, step_derivative};
use std::f64::consts::PI;
use std::fmt::Write;

const STEPS: usize = 300;
/// Weights: of the control, of the last position and velocity, of the velocity on the way.
const CONTROL: f64 = 0.02;
const LAST: [f64; 4] = [400.0, 400.0, 40.0, 40.0];
const WAY: f64 = 1e-4;
const GOAL: [f64; 4] = [PI, 0.0, 0.0, 0.0];

type State = [f64; 4];
type Matrix = [[f64; 4]; 4];

/// States, one more than controls.
#[derive(Clone)]
struct Trajectory {
    x: Vec<State>,
    u: Vec<f64>,
    cost: f64,
}

/// What the backward pass finds for each step: u = ū + α k + K (x − x̄).
struct Policy {
    feedforward: Vec<f64>,
    feedback: Vec<State>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/acrobot.xml"))?;
    let mut d = Data::new(&m)?;
    let start = [0.0; 4];
    // A small push to begin with: hanging straight down is a saddle of the cost.
    let push = |n: usize| 0.3 * (0.05 * n as f64).sin();
    let mut best = roll_out(&m, &mut d, start, |n, _| push(n));
    let (mut damping, mut derivative) = (1.0, StepDerivative::default());
    println!("{:>9} {:>12} {:>10} {:>22}", "iteration", "cost", "damping", "distance from upright");
    for iteration in 0..=200 {
        if iteration % 20 == 0 {
            println!("{iteration:9} {:12.4} {damping:10.1e} {:22.5}", best.cost, distance(best.x[STEPS]));
        }
        let linear = linearize(&m, &mut d, &best, &mut derivative)?;
        let Some(policy) = backward(&linear, &best, damping) else {
            damping *= 4.0;
            continue;
        };
        let better = (0..10).map(|k| 0.5f64.powi(k)).find_map(|alpha| {
            let next = roll_out(&m, &mut d, start, |n, x| {
                let back: f64 = (0..4).map(|i| policy.feedback[n][i] * (x[i] - best.x[n][i])).sum();
                best.u[n] + alpha * policy.feedforward[n] + back
            });
            (next.cost < best.cost).then_some(next)
        });
        match better {
            Some(next) => {
                let gain = best.cost - next.cost;
                best = next;
                damping = (damping / 3.0).max(1e-9);
                if gain < 1e-7 * best.cost {
                    println!("converged after {} iterations, cost {:.6}", iteration + 1, best.cost);
                    break;
                }
            }
            None if damping > 1e8 => break,
            None => damping *= 4.0,
        }
    }
    print!("{}", table(&m, &best));
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, drawing(&best))?;
    }
    Ok(())
}

/// Distance from upright at rest: angles and velocities alike.
fn distance(x: State) -> f64 {
    (0..4).map(|i| (x[i] - GOAL[i]).powi(2)).sum::<f64>().sqrt()
}

fn put(d: &mut Data, x: State, u: f64) {
    d.state.qpos.copy_from_slice(&x[..2]);
    d.state.qvel.copy_from_slice(&x[2..]);
    d.state.ctrl[0] = u;
}

/// Steps from `start`, with the control that `policy` gives for each step and state.
fn roll_out(m: &Model, d: &mut Data, start: State, policy: impl Fn(usize, State) -> f64) -> Trajectory {
    let mut t = Trajectory { x: vec![start], u: Vec::new(), cost: 0.0 };
    let mut x = start;
    for n in 0..STEPS {
        let u = policy(n, x).clamp(-1.0, 1.0);
        put(d, x, u);
        step(m, d).expect("data of this model");
        t.cost += 0.5 * (CONTROL * u * u + WAY * (x[2] * x[2] + x[3] * x[3]));
        x = [d.state.qpos[0], d.state.qpos[1], d.state.qvel[0], d.state.qvel[1]];
        t.u.push(u);
        t.x.push(x);
    }
    t.cost += (0..4).map(|i| 0.5 * LAST[i] * (x[i] - GOAL[i]).powi(2)).sum::<f64>();
    t
}

/// A and B of every step.
fn linearize(
    m: &Model,
    d: &mut Data,
    t: &Trajectory,
    out: &mut StepDerivative,
) -> Result<Vec<(Matrix, State)>, Box<dyn std::error::Error>> {
    (0..STEPS)
        .map(|n| {
            put(d, t.x[n], t.u[n]);
            step_derivative(m, d, out)?;
            let a = std::array::from_fn(|i| std::array::from_fn(|j| out.a[4 * i + j]));
            Ok((a, std::array::from_fn(|i| out.b[i])))
        })
        .collect()
}

/// Riccati's recursion, with `damping` on the value's curvature; none where the cost has no minimum.
fn backward(linear: &[(Matrix, State)], t: &Trajectory, damping: f64) -> Option<Policy> {
    let mut value: State = std::array::from_fn(|i| LAST[i] * (t.x[STEPS][i] - GOAL[i]));
    let mut curve: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { LAST[i] } else { 0.0 }));
    let mut p = Policy { feedforward: vec![0.0; STEPS], feedback: vec![[0.0; 4]; STEPS] };
    for n in (0..STEPS).rev() {
        let (a, b) = &linear[n];
        let way = |i: usize| if i < 2 { 0.0 } else { WAY };
        let through = |c: &Matrix, v: &State| -> State { std::array::from_fn(|i| dot(&c[i], v)) };
        let columns: Matrix = std::array::from_fn(|j| std::array::from_fn(|i| a[i][j]));
        let cb = through(&curve, b);
        let qu = CONTROL * t.u[n] + dot(b, &value);
        let quu = CONTROL + dot(b, &cb);
        let with_damping = quu + damping * dot(b, b);
        if with_damping <= 0.0 {
            return None;
        }
        let qx: State = std::array::from_fn(|j| way(j) * t.x[n][j] + dot(&columns[j], &value));
        let qux: State = std::array::from_fn(|j| dot(&columns[j], &cb));
        let damped: State = std::array::from_fn(|j| qux[j] + damping * dot(b, &columns[j]));
        // At a limit of its range a control that wants out has no say.
        let held = (t.u[n] >= 1.0 && qu < 0.0) || (t.u[n] <= -1.0 && qu > 0.0);
        if !held {
            p.feedforward[n] = -qu / with_damping;
            p.feedback[n] = damped.map(|x| -x / with_damping);
        }
        let (k, back) = (p.feedforward[n], p.feedback[n]);
        let ca: Matrix = columns.map(|c| through(&curve, &c));
        curve = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let own = if i == j { way(i) } else { 0.0 };
                own + dot(&columns[i], &ca[j]) + quu * back[i] * back[j] + back[i] * qux[j] + qux[i] * back[j]
            })
        });
        value = std::array::from_fn(|i| qx[i] + quu * k * back[i] + back[i] * qu + qux[i] * k);
    }
    Some(p)
}

fn dot(a: &State, b: &State) -> f64 {
    (0..4).map(|i| a[i] * b[i]).sum()
}

/// The motion, five times a second.
fn table(m: &Model, t: &Trajectory) -> String {
    let mut out = format!("\n{:>6} {:>10} {:>10} {:>10}\n", "time", "shoulder", "elbow", "control");
    let every = (0.2 / m.opt.timestep).round() as usize;
    for n in (0..=STEPS).step_by(every) {
        let u = t.u.get(n).copied().unwrap_or(0.0);
        let _ = writeln!(out, "{:6.2} {:10.4} {:10.4} {u:10.4}", n as f64 * m.opt.timestep, t.x[n][0], t.x[n][1]);
    }
    out
}

/// The arm at some moments, later ones darker.
fn drawing(t: &Trajectory) -> String {
    let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2.2 -2.2 4.4 4.4\">\n");
    for n in (0..=STEPS).step_by(6) {
        let [a, b] = [t.x[n][0], t.x[n][0] + t.x[n][1]];
        let elbow = [-a.sin(), a.cos()];
        let tip = [elbow[0] - b.sin(), elbow[1] + b.cos()];
        let shade = 0.08 + 0.9 * n as f64 / STEPS as f64;
        let _ = writeln!(
            out,
            "<polyline points=\"0,0 {:.3},{:.3} {:.3},{:.3}\" fill=\"none\" stroke=\"#246\" stroke-width=\".02\" opacity=\"{shade:.2}\"/>",
            elbow[0], elbow[1], tip[0], tip[1]
        );
    }
    out + "</svg>\n"
}
