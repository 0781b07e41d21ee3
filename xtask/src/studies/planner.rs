//! One planner with two derivatives: iterative LQR on tasks of MuJoCo MPC, with the closed form and with the reference's
//! differences of the step.

use crate::interpreter::Interpreter;
use crate::{Result, page};
use mj_control::{ControlError, Cost, Ilqr, IlqrOptions, Jacobians, Norm, Residual};
use mj_engine::{Model, State, load};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

const SCRIPT: &str = include_str!("planner.py");

/// A task: its file among those of MuJoCo MPC, time step, steps, and what is to be minimized from where.
struct Case {
    file: &'static str,
    timestep: f64,
    steps: usize,
    problem: fn(&Model, &mut State) -> std::result::Result<Cost, ControlError>,
}

const CASES: [Case; 4] = [
    Case { file: "acrobot/task.xml", timestep: 0.01, steps: 300, problem: acrobot },
    Case { file: "cartpole/task.xml", timestep: 0.01, steps: 150, problem: cartpole },
    Case { file: "particle/task_timevarying.xml", timestep: 0.01, steps: 100, problem: particle },
    Case { file: "humanoid/stand/task.xml", timestep: 0.01, steps: 40, problem: humanoid },
];

/// Most iterations of a solution.
const ITERATIONS: usize = 150;

fn swing(m: &Model, target: &[f64], [control, position, speed]: [f64; 3]) -> std::result::Result<Cost, ControlError> {
    Ok(Cost::new()
        .with("control", Residual::control(m), Norm::Quadratic, control, 0.0)
        .with("position", Residual::position(m, target)?, Norm::Quadratic, 0.01, position)
        .with("rest", Residual::velocity(m), Norm::Quadratic, 1e-3, speed))
}

fn acrobot(m: &Model, start: &mut State) -> std::result::Result<Cost, ControlError> {
    start.qpos.copy_from_slice(&[std::f64::consts::PI + 0.01, 0.0]);
    swing(m, &[0.0, 0.0], [0.02, 400.0, 40.0])
}

fn cartpole(m: &Model, start: &mut State) -> std::result::Result<Cost, ControlError> {
    start.qpos.copy_from_slice(&[0.3, std::f64::consts::PI - 0.1]);
    swing(m, &[0.0, 0.0], [0.05, 200.0, 20.0])
}

fn particle(m: &Model, _: &mut State) -> std::result::Result<Cost, ControlError> {
    swing(m, &[0.15, -0.1], [0.1, 1000.0, 10.0])
}

/// Lands on its feet and stays upright, from a little above the ground.
fn humanoid(m: &Model, start: &mut State) -> std::result::Result<Cost, ControlError> {
    let target = m.qpos0.clone();
    start.qpos[2] += 0.05;
    start.qvel[0] = 0.3;
    Ok(Cost::new()
        .with("control", Residual::control(m), Norm::Quadratic, 0.05, 0.0)
        .with("posture", Residual::position(m, &target)?, Norm::Quadratic, 1.0, 20.0)
        .with("rest", Residual::velocity(m), Norm::Quadratic, 0.01, 0.1))
}

/// Cost after each iteration, with the time since the beginning, s.
type Course = Vec<(f64, f64)>;

/// Compares both on the four tasks; writes the table `planner`.
pub fn run(root: &Path, python: &Path, corpus: &Path) -> Result<()> {
    let head = [
        "task",
        "nv",
        "steps",
        "cost",
        "reference's",
        "iterations",
        "reference's",
        "s",
        "reference's",
        "times as fast",
    ]
    .map(String::from);
    let mut rows = Vec::new();
    for case in &CASES {
        let file = corpus.join("mjpc/mjpc/tasks").join(case.file).canonicalize()?;
        let mut m = load(&file)?;
        m.opt.timestep = case.timestep;
        (m.opt.tolerance, m.opt.iterations) = (1e-12, 200);
        let mut state = State::new(&m);
        let cost = (case.problem)(&m, &mut state)?;
        let reference = Reference::start(python, &file, &m)?;
        let courses = [solve(&m, &cost, &state, case.steps, None)?, {
            let reference = Mutex::new(reference);
            let jacobians: Arc<Jacobians> = Arc::new(move |m, s, [a, b]| {
                let mut reference = reference.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                reference.differentiate(m, s, a, b).map_err(|_| ControlError::Diverged)
            });
            solve(&m, &cost, &state, case.steps, Some(jacobians))?
        }];
        // The cost that both reach.
        let least = |course: &Course| course.last().map_or(f64::INFINITY, |(_, cost)| *cost);
        let reached = 1.001 * least(&courses[0]).max(least(&courses[1]));
        let first = |course: &Course| course.iter().position(|(_, cost)| *cost <= reached).unwrap_or(course.len() - 1);
        let [(ours, n), (theirs, n_theirs)] = [0, 1].map(|i| {
            let n = first(&courses[i]);
            (courses[i][n].0, n + 1)
        });
        let row = [
            format!("`{}`", case.file),
            m.nv().to_string(),
            case.steps.to_string(),
            format!("{:.4}", least(&courses[0])),
            format!("{:.4}", least(&courses[1])),
            n.to_string(),
            n_theirs.to_string(),
            format!("{ours:.3}"),
            format!("{theirs:.3}"),
            format!("{:.1}", theirs / ours),
        ];
        eprintln!("{}", row.join("  "));
        rows.push(row);
    }
    let path = root.join("docs/control.md");
    let text = page::replaced(
        &std::fs::read_to_string(&path)?,
        "planner",
        "control --python PYTHON --corpus CORPUS",
        &page::table(&head, &rows),
    )?;
    std::fs::write(path, text)?;
    Ok(())
}

fn solve(m: &Model, cost: &Cost, state: &State, steps: usize, jacobians: Option<Arc<Jacobians>>) -> Result<Course> {
    let options = IlqrOptions { steps, iterations: ITERATIONS, ..IlqrOptions::default() };
    let mut ilqr = Ilqr::new(m, cost, options)?;
    if let Some(jacobians) = jacobians {
        ilqr.set_jacobians(jacobians);
    }
    let mut course = Vec::new();
    let begin = Instant::now();
    ilqr.start(m, cost, state, &vec![0.0; steps * m.nu()])?;
    ilqr.solve(m, cost, |_, i| {
        course.push((begin.elapsed().as_secs_f64(), i.cost));
        true
    })?;
    Ok(course)
}

/// Process that differentiates the reference's step.
struct Reference(Interpreter);

impl Reference {
    fn start(python: &Path, model: &Path, m: &Model) -> Result<Self> {
        let timestep = m.opt.timestep.to_string();
        let mut reference = Self(Interpreter::start(python, SCRIPT, &[model.as_os_str(), timestep.as_ref()])?);
        let mut sizes = [0u8; 32];
        reference.0.answers.read_exact(&mut sizes).map_err(|e| format!("{}: {e}", python.display()))?;
        let of = [m.nq(), m.nv(), m.na, m.nu()].map(|n| (n as i64).to_le_bytes());
        if sizes != *of.as_flattened() {
            return Err(format!("{}: the reference has other sizes", model.display()).into());
        }
        Ok(reference)
    }

    fn differentiate(&mut self, m: &Model, s: &State, a: &mut Vec<f64>, b: &mut Vec<f64>) -> std::io::Result<()> {
        let parts = [&s.qpos, &s.qvel, &s.act, &s.ctrl];
        let request: Vec<u8> = parts.into_iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        self.0.requests.write_all(&request)?;
        self.0.requests.flush()?;
        let nx = 2 * m.nv() + m.na;
        for (matrix, count) in [(a, nx * nx), (b, nx * m.nu())] {
            let mut bytes = vec![0; 8 * count];
            self.0.answers.read_exact(&mut bytes)?;
            matrix.clear();
            matrix.extend(bytes.as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x)));
        }
        Ok(())
    }
}
