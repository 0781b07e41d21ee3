//! Plans and runs tasks of control by name.

use super::args::{ControlArgs, PlanArgs, TaskArgs};
use super::page;
use crate::failure::Failure;
use crate::npz::Writer;
use crate::output;
use mj_control::{Outcome, Problem, Task};
use mj_engine::{Model, State};
use mj_model::{Column, Field};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

impl TaskArgs {
    fn open(&self) -> Result<(&'static Task, Model, Problem), Failure> {
        self.out.as_deref().map(output::check).transpose()?;
        self.record.as_deref().map(page::check).transpose()?;
        let task = Task::find(&self.task).map_err(|e| Failure::Usage(e.to_string()))?;
        let m = task.model().map_err(|e| self.failed(e))?;
        let problem = task.problem(&m, self.seed).map_err(|e| self.failed(e))?;
        Ok((task, m, problem))
    }

    fn failed(&self, reason: mj_control::ControlError) -> Failure {
        Failure::Control { task: self.task.clone(), reason }
    }

    fn write(&self, m: &Model, states: &[State]) -> Result<(), Failure> {
        if let Some(path) = &self.out {
            write(path, m, states)?;
            writeln!(std::io::stdout(), "{}: {} states", path.display(), states.len())?;
        }
        if let Some(path) = &self.record {
            page::write(path, m, &self.task, states)?;
            writeln!(std::io::stdout(), "{}: open it in a browser", path.display())?;
        }
        Ok(())
    }
}

/// Runs `mj plan`.
pub fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let (task, m, mut problem) = args.task.open()?;
    let (begin, mut out) = (Instant::now(), std::io::stdout());
    writeln!(out, "{:>9} {:>14} {:>12} {:>8}", "iteration", "cost", "decrease", "step")?;
    let mut count = 0;
    let watch = |n: usize, i: &mj_control::Iteration| {
        count = n;
        writeln!(out, "{n:9} {:14.6} {:12.3e} {:8.4}", i.cost, i.decrease, i.length).is_ok()
    };
    task.plan(&m, &mut problem, watch).map_err(|e| args.task.failed(e))?;
    let seconds = begin.elapsed().as_secs_f64();
    let Some(rollout) = problem.trajectory() else {
        return Err(Failure::Usage(format!(
            "task `{}` is controlled by a regulator, which plans no trajectory; use mj control",
            task.name
        )));
    };
    writeln!(out, "{}: cost {:.6}, {count} iterations, {seconds:.3} s", task.name, rollout.cost)?;
    args.task.write(&m, &rollout.states)
}

/// Runs `mj control`.
pub fn control(args: &ControlArgs) -> Result<(), Failure> {
    let (task, m, mut problem) = args.task.open()?;
    let begin = Instant::now();
    let m = Arc::new(m);
    let outcome = if args.view {
        watched(args, task, &m, &mut problem)?
    } else {
        task.run(&m, &mut problem, |_, _| true).map_err(|e| args.task.failed(e))?
    };
    let (seconds, rate) = (begin.elapsed().as_secs_f64(), outcome.rate);
    let verdict = if outcome.success { "success" } else { "failure" };
    let mut out = std::io::stdout();
    writeln!(out, "{}, seed {}: {verdict} ({})", task.name, args.task.seed, task.success)?;
    writeln!(out, "{}: {:.2} s simulated in {seconds:.2} s", task.method, task.seconds)?;
    if rate.plans > 0 {
        writeln!(out, "{} plans, {:.1} a second", rate.plans, rate.hertz())?;
    }
    args.task.write(&m, &outcome.states)
}

/// Controls the simulation beside a window or a page.
#[cfg(feature = "view")]
fn watched(args: &ControlArgs, task: &Task, m: &Arc<Model>, problem: &mut Problem) -> Result<Outcome, Failure> {
    crate::view::beside::run(m.clone(), task.name, args.web, |screen| {
        let outcome = task.run(m, problem, |_, d| screen.show(d)).map_err(|e| args.task.failed(e))?;
        let failed = |reason| Failure::Data { model: task.name.into(), reason };
        let mut last = mj_engine::Data::new(m).map_err(failed)?;
        if let Some(state) = outcome.states.last() {
            last.state.clone_from(state);
        }
        Ok((outcome, last))
    })
}

/// Says how to get a build that shows.
#[cfg(not(feature = "view"))]
fn watched(_: &ControlArgs, _: &Task, _: &Arc<Model>, _: &mut Problem) -> Result<Outcome, Failure> {
    Err(Failure::Missing { what: "the viewer", feature: "view" })
}

/// Writes time, positions, velocities and controls.
fn write(path: &Path, m: &Model, states: &[State]) -> Result<(), Failure> {
    let mut w = Writer::create(path)?;
    let mut put = |name: &str, width: usize, part: &dyn Fn(&State) -> Vec<f64>| {
        let data: Vec<f64> = states.iter().flat_map(part).collect();
        w.put(name, &Field { name: name.into(), shape: vec![states.len(), width], data: Column::F64(data) })
    };
    put("time", 1, &|s| vec![s.time])?;
    put("qpos", m.nq(), &|s| s.qpos.clone())?;
    put("qvel", m.nv(), &|s| s.qvel.clone())?;
    put("ctrl", m.control.len(), &|s| s.ctrl.clone())?;
    w.finish()?;
    Ok(())
}
