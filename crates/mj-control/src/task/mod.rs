//! Tasks of control by name: a model, starts that follow from a seed, a controller, and a test of success.

mod arms;
mod common;
mod hand;
mod legs;
mod list;
mod pendulums;
mod success;

use crate::agent::{Agent, Planner, Rate};
use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::{Ilqr, IlqrOptions, Iteration};
use crate::riccati::Regulator;
use crate::simulate::Rollout;
use mj_engine::{Data, Memory, Model, State, forward, load_with, step};
use mj_math::random::Random;
use std::path::Path;

/// Controls that a trajectory's optimization begins from, one after the other.
const ATTEMPTS: u32 = 6;

/// Violation of constraints from which on a trajectory doesn't count as good.
const VIOLATION: f64 = 1e-2;

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
    /// Whether a trajectory that ends well is made shorter, as long as it does.
    shortest: bool,
    is_done: fn(&Model, &Data, &[f64]) -> bool,
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

/// Trajectory with the regulator for the time after it, and whether the task ends well.
struct Planned {
    ilqr: Ilqr,
    after: Option<Box<Regulator>>,
    good: bool,
}

impl Task {
    /// Returns all tasks.
    pub fn all() -> &'static [Task] {
        list::ALL
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
        list::INCLUDED.iter().for_each(|(name, xml)| _ = files.insert(*name, *xml));
        Ok(load_with(Path::new("task.xml"), &files)?.model)
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
        let mut best: Option<Planned> = None;
        let mut random = Random::new([0, start.qpos.iter().map(|q| q.to_bits()).fold(0, u64::wrapping_add), 0]);
        for attempt in 0..ATTEMPTS {
            // First from the start's own controls: others lead to other optima.
            let mut first = start.ctrl.clone();
            if attempt > 0 {
                first.iter_mut().for_each(|u| *u += random.uniform(-0.5, 0.5));
            }
            let ctrl = first.repeat(ilqr.options.steps);
            let Some(planned) = self.optimize(m, ilqr, (start, cost, goal), &ctrl, &mut watch)? else { return Ok(()) };
            let Some(_) = after else { return Ok(()) };
            let good = planned.good;
            if good || best.as_ref().is_none_or(|best| planned.ilqr.best.cost < best.ilqr.best.cost) {
                best = Some(planned);
            }
            if good {
                break;
            }
        }
        if let Some(planned) = best.as_mut().filter(|planned| self.shortest && planned.good) {
            self.shorten(m, planned, (start, cost, goal), &mut watch)?;
        }
        if let Some(planned) = best {
            **ilqr = planned.ilqr;
            if let Some(after) = after {
                *after = planned.after;
            }
        }
        Ok(())
    }

    /// Optimizes a trajectory from some controls; none if `watch` ends it.
    fn optimize(
        &self,
        m: &Model,
        ilqr: &Ilqr,
        (start, cost, goal): (&State, &Cost, &[f64]),
        ctrl: &[f64],
        watch: &mut impl FnMut(usize, &Iteration) -> bool,
    ) -> Result<Option<Planned>, ControlError> {
        let mut ilqr = ilqr.clone();
        ilqr.reset();
        ilqr.start(m, cost, start, ctrl)?;
        let mut ended = false;
        let summary = ilqr.solve(m, cost, |n, i| {
            ended = !watch(n, i);
            !ended
        })?;
        if ended {
            return Ok(None);
        }
        let mut d = Data::new(m)?;
        if let Some(end) = ilqr.best.states.last() {
            d.state.clone_from(end);
        }
        let after = self.regulator.map(|make| make(m, goal, &d.state).map(Box::new)).transpose()?;
        let good = self.holds(m, after.as_deref(), ilqr.options.steps, &mut d, goal)? && summary.violation < VIOLATION;
        Ok(Some(Planned { ilqr, after, good }))
    }

    /// Finds a shorter trajectory that ends well, from the one before each time: a fifth shorter as long as there is one, then
    /// by bisection.
    fn shorten(
        &self,
        m: &Model,
        planned: &mut Planned,
        problem: (&State, &Cost, &[f64]),
        watch: &mut impl FnMut(usize, &Iteration) -> bool,
    ) -> Result<(), ControlError> {
        let mut failed = 0usize;
        loop {
            let old = planned.ilqr.options.steps;
            let steps = if failed == 0 { old * 4 / 5 } else { failed.midpoint(old) };
            if steps <= failed || steps == old {
                return Ok(());
            }
            let ctrl: Vec<f64> =
                (0..steps).flat_map(|n| planned.ilqr.best.ctrl(n * old / steps).iter().copied()).collect();
            let ilqr = Ilqr::new(m, problem.1, IlqrOptions { steps, ..planned.ilqr.options.clone() })?;
            match self.optimize(m, &ilqr, problem, &ctrl, watch)? {
                Some(shorter) if shorter.good => *planned = shorter,
                Some(_) => failed = steps,
                None => return Ok(()),
            }
        }
    }

    /// Whether the condition of success holds at the end of the task, from the state in `d` after `n` steps; where shorter
    /// trajectories are better, already in this state.
    fn holds(
        &self,
        m: &Model,
        regulator: Option<&Regulator>,
        n: usize,
        d: &mut Data,
        goal: &[f64],
    ) -> Result<bool, ControlError> {
        if self.shortest {
            let time = std::mem::replace(&mut d.state.time, self.seconds);
            forward(m, d)?;
            d.state.time = time;
            if !(self.is_done)(m, d, goal) {
                return Ok(false);
            }
        }
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

    /// Controls a simulation of a problem to its end; `watch` sees each step before it is made, may apply forces, and ends it by
    /// returning false.
    ///
    /// # Errors
    /// If planning fails, or a step is refused.
    pub fn run(
        &self,
        m: &Model,
        problem: &mut Problem,
        mut watch: impl FnMut(usize, &mut Data) -> bool,
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
            if !watch(n, &mut d) {
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

impl Problem {
    /// Borrows the trajectory that was planned last; a regulator plans none.
    pub fn trajectory(&self) -> Option<&Rollout> {
        match &self.controller {
            Controller::Regulator(_) => None,
            Controller::Trajectory(ilqr, _) => Some(&ilqr.best),
            Controller::Agent(agent) => Some(match &agent.planner {
                Planner::Ilqr(ilqr) => &ilqr.best,
                Planner::Sampler(sampler) => &sampler.best,
            }),
        }
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
