//! Tasks of control by name: a model, starts that follow from a seed, a controller, and a test of success.

mod controllers;
mod success;

use crate::agent::{Agent, Planner, Rate};
use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::{Ilqr, Iteration};
use crate::random::Random;
use crate::riccati::Regulator;
use mj_engine::{Data, Memory, Model, State, forward, load_with, step};
use std::path::Path;

/// Controls that a trajectory's optimization begins from, one after the other.
const ATTEMPTS: u32 = 6;

type MakeRegulator = fn(&Model, &[f64], &State) -> Result<Regulator, ControlError>;

/// Task of control.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Name.
    pub name: &'static str,
    /// Description, a line.
    pub about: &'static str,
    /// Condition of success, a line.
    pub success: &'static str,
    /// Method of control.
    pub method: &'static str,
    /// Simulated time, s.
    pub seconds: f64,
    /// Whether it is reported as it is: nothing says how often its controller succeeds, and it takes long.
    pub is_open: bool,
    /// Time at the end through which the condition must hold, s.
    pub hold: f64,
    /// Model in MJCF.
    pub xml: &'static str,
    setup: fn(&Model, u64) -> Result<Problem, ControlError>,
    /// Makes the regulator for the time after a trajectory, of the goal and the trajectory's end.
    regulator: Option<MakeRegulator>,
    is_done: fn(&Model, &Data, &[f64]) -> bool,
    prepare: fn(&mut Model),
}

/// Problem of a task for a seed.
#[derive(Clone, Debug)]
pub struct Problem {
    /// State to begin with.
    pub start: State,
    /// Cost.
    pub cost: Cost,
    /// Numbers that the condition of success depends on.
    pub goal: Vec<f64>,
    /// Controller.
    pub controller: Controller,
}

/// Controller of a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Controller {
    /// Linear-quadratic regulator.
    Regulator(Box<Regulator>),
    /// Trajectory that is optimized once and followed with its gains, and the regulator for the time after it, once there is
    /// a trajectory.
    Trajectory(Box<Ilqr>, Option<Box<Regulator>>),
    /// Receding-horizon control.
    Agent(Box<Agent>),
}

/// Outcome of a task for a seed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether the condition of success held through the end.
    pub success: bool,
    /// States, one more than steps, with the controls of their steps.
    pub states: Vec<State>,
    /// Plans made and their time; of a trajectory, its optimization.
    pub rate: Rate,
}

impl Task {
    /// Returns all tasks.
    pub fn all() -> &'static [Task] {
        controllers::ALL
    }

    /// Finds a task by name.
    ///
    /// # Errors
    /// If no task has it.
    pub fn find(name: &str) -> Result<&'static Task, ControlError> {
        let known = || Self::all().iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
        let found = Self::all().iter().find(|t| t.name == name);
        found.ok_or_else(|| ControlError::UnknownTask { name: name.into(), known: known() })
    }

    /// Compiles the model.
    ///
    /// # Errors
    /// If it has errors.
    pub fn model(&self) -> Result<Model, ControlError> {
        let mut files = Memory::new();
        files.insert("task.xml", self.xml);
        let mut m = load_with(Path::new("task.xml"), &files)?.model;
        (self.prepare)(&mut m);
        Ok(m)
    }

    /// Makes the problem of a seed.
    ///
    /// # Errors
    /// If the controller can't be made.
    pub fn problem(&self, m: &Model, seed: u64) -> Result<Problem, ControlError> {
        (self.setup)(m, seed)
    }

    /// Optimizes the controls of a problem from its start; `watch` sees each iteration, and ends it by returning false.
    /// Where an optimum doesn't end well, it begins anew with other controls, a few times. A regulator has nothing to optimize.
    ///
    /// # Errors
    /// If the simulation diverges, or a step has no derivative.
    pub fn plan(
        &self,
        m: &Model,
        problem: &mut Problem,
        mut watch: impl FnMut(usize, &Iteration) -> bool,
    ) -> Result<(), ControlError> {
        let Problem { start, cost, goal, controller } = problem;
        let (ilqr, after) = match controller {
            Controller::Regulator(_) => return Ok(()),
            Controller::Trajectory(ilqr, after) => (ilqr, Some(after)),
            Controller::Agent(agent) => match &mut agent.planner {
                Planner::Ilqr(ilqr) => (ilqr, None),
                Planner::Sampler(sampler) => {
                    let mut before = f64::NAN;
                    for n in 1..=50 {
                        let cost = sampler.improve(m, cost, start)?;
                        let decrease = if n > 1 { before - cost } else { 0.0 };
                        before = cost;
                        let i = Iteration { cost, decrease, length: 1.0, regularization: 0.0, converged: false };
                        if !watch(n, &i) {
                            break;
                        }
                    }
                    return Ok(());
                }
            },
        };
        let mut d = Data::new(m)?;
        let mut best: Option<(Box<Ilqr>, Option<Box<Regulator>>)> = None;
        let mut random = Random::new([0, start.qpos.iter().map(|q| q.to_bits()).fold(0, u64::wrapping_add), 0]);
        for attempt in 0..ATTEMPTS {
            // First from the start's own controls: others lead to other optima.
            let mut first = start.ctrl.clone();
            if attempt > 0 {
                first.iter_mut().for_each(|u| *u += random.uniform(-0.5, 0.5));
            }
            ilqr.reset();
            ilqr.start(m, cost, start, &first.repeat(ilqr.options.steps))?;
            let mut ended = false;
            ilqr.solve(m, cost, |n, i| {
                ended = !watch(n, i);
                !ended
            })?;
            if ended || after.is_none() {
                return Ok(());
            }
            if let Some(end) = ilqr.best.states.last() {
                d.state.clone_from(end);
            }
            let regulator = self.regulator.map(|make| make(m, goal, &d.state).map(Box::new)).transpose()?;
            let good = self.holds(m, regulator.as_deref(), ilqr.options.steps, &mut d, goal)?;
            if good || best.as_ref().is_none_or(|(best, _)| ilqr.best.cost < best.best.cost) {
                best = Some((ilqr.clone(), regulator));
            }
            if good {
                break;
            }
        }
        if let Some((trajectory, regulator)) = best {
            *ilqr = trajectory;
            if let Some(after) = after {
                *after = regulator;
            }
        }
        Ok(())
    }

    /// Whether the condition of success holds at the end of the task, from the state in `d` after `n` steps.
    fn holds(
        &self,
        m: &Model,
        regulator: Option<&Regulator>,
        n: usize,
        d: &mut Data,
        goal: &[f64],
    ) -> Result<bool, ControlError> {
        if let Some(regulator) = regulator {
            let mut ctrl = d.state.ctrl.clone();
            for _ in n..(self.seconds / m.opt.timestep).round() as usize {
                regulator.control(m, &d.state, &mut ctrl);
                d.state.ctrl.copy_from_slice(&ctrl);
                step(m, d)?;
            }
        }
        forward(m, d)?;
        Ok((self.is_done)(m, d, goal))
    }

    /// Controls a simulation of a problem to its end; `watch` sees each step, and ends it by returning false.
    ///
    /// # Errors
    /// If planning fails, or a step is refused.
    pub fn run(
        &self,
        m: &Model,
        problem: &mut Problem,
        mut watch: impl FnMut(usize, &Data) -> bool,
    ) -> Result<Outcome, ControlError> {
        let steps = (self.seconds / m.opt.timestep).round() as usize;
        let held = (self.hold / m.opt.timestep).round() as usize;
        let mut rate = Rate::default();
        if matches!(&problem.controller, Controller::Trajectory(ilqr, _) if ilqr.best.states.is_empty()) {
            let begin = std::time::Instant::now();
            self.plan(m, problem, |_, _| true)?;
            rate = Rate { plans: 1, seconds: begin.elapsed().as_secs_f64() };
        }
        let mut d = Data::new(m)?;
        d.state.clone_from(&problem.start);
        let mut states = Vec::with_capacity(steps + 1);
        let mut success = true;
        for n in 0..=steps {
            forward(m, &mut d)?;
            if n + held >= steps {
                success &= (self.is_done)(m, &d, &problem.goal);
            }
            if n < steps {
                let mut ctrl = d.state.ctrl.clone();
                problem.controller.control(m, &problem.cost, n, &d.state, &mut ctrl)?;
                d.state.ctrl.copy_from_slice(&ctrl);
            }
            states.push(d.state.clone());
            if n == steps {
                break;
            }
            if !watch(n, &d) {
                success = false;
                break;
            }
            step(m, &mut d)?;
        }
        if let Controller::Agent(agent) = &problem.controller {
            rate = agent.rate();
        }
        Ok(Outcome { success, states, rate })
    }
}

impl Controller {
    /// Writes the controls of a step, nu.
    fn control(
        &mut self,
        m: &Model,
        cost: &Cost,
        n: usize,
        state: &State,
        ctrl: &mut [f64],
    ) -> Result<(), ControlError> {
        match self {
            Self::Regulator(regulator) => regulator.control(m, state, ctrl),
            Self::Trajectory(ilqr, Some(regulator)) if n >= ilqr.options.steps => regulator.control(m, state, ctrl),
            Self::Trajectory(ilqr, _) => ilqr.control(m, n, state, ctrl),
            Self::Agent(agent) => agent.control(m, cost, state, ctrl)?,
        }
        Ok(())
    }
}
