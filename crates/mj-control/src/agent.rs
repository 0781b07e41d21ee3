//! Receding-horizon control.

use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::Ilqr;
use crate::sampling::Sampler;
use mj_engine::{Model, State};
use std::time::Instant;

/// Optimizer that an agent plans with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Planner {
    /// Iterative LQR; its gains correct the controls between plans.
    Ilqr(Box<Ilqr>),
    /// Random samples.
    Sampler(Box<Sampler>),
}

/// Controller that plans anew every few steps, from where it is, and begins with the rest of the plan before.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Optimizer.
    pub planner: Planner,
    /// Steps from one plan to the next.
    pub every: usize,
    /// Iterations of the optimizer for a plan.
    pub iterations: usize,
    /// Steps since the last plan; none: there is no plan.
    since: Option<usize>,
    plans: usize,
    seconds: f64,
}

/// Number of plans that an agent made, and the time that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// Plans.
    pub plans: usize,
    /// Time of all plans, s.
    pub seconds: f64,
}

impl Planner {
    /// Writes the controls of a step of the plan at a state.
    pub(crate) fn control(&self, m: &Model, step: usize, state: &State, ctrl: &mut [f64]) {
        match self {
            Self::Ilqr(ilqr) => ilqr.control(m, step, state, ctrl),
            Self::Sampler(sampler) => sampler.control(m, step, ctrl),
        }
    }
}

impl Rate {
    /// Returns the plans made a second, Hz.
    pub fn hertz(self) -> f64 {
        if self.plans == 0 { 0.0 } else { self.plans as f64 / self.seconds.max(1e-9) }
    }
}

impl Agent {
    /// Makes an agent that plans anew every `every` steps with `iterations` iterations; both count as at least 1.
    pub fn new(planner: Planner, every: usize, iterations: usize) -> Self {
        Self { planner, every: every.max(1), iterations: iterations.max(1), since: None, plans: 0, seconds: 0.0 }
    }

    /// Returns how often it planned, and how long that took.
    pub fn rate(&self) -> Rate {
        Rate { plans: self.plans, seconds: self.seconds }
    }

    /// Writes the controls for the next step from a state, nu; plans first if it is time to.
    ///
    /// # Errors
    /// If planning fails.
    pub fn control(&mut self, m: &Model, cost: &Cost, state: &State, ctrl: &mut [f64]) -> Result<(), ControlError> {
        let since = match self.since {
            Some(since) if since < self.every => since,
            since => {
                self.plan_from(m, cost, state, since)?;
                0
            }
        };
        self.since = Some(since + 1);
        self.planner.control(m, since, state, ctrl);
        Ok(())
    }

    /// Plans from a state, `since` steps after that of the plan before.
    pub(crate) fn plan_from(
        &mut self,
        m: &Model,
        cost: &Cost,
        state: &State,
        since: Option<usize>,
    ) -> Result<(), ControlError> {
        let begin = Instant::now();
        self.plan(m, cost, state, since)?;
        self.plans += 1;
        self.seconds += begin.elapsed().as_secs_f64();
        Ok(())
    }

    fn plan(&mut self, m: &Model, cost: &Cost, state: &State, since: Option<usize>) -> Result<(), ControlError> {
        match &mut self.planner {
            Planner::Ilqr(ilqr) => {
                let (steps, nu) = (ilqr.options.steps, m.control.len());
                let mut ctrl = vec![0.0; steps * nu];
                match since {
                    Some(since) => {
                        for (n, u) in ctrl.chunks_exact_mut(nu.max(1)).enumerate() {
                            u.copy_from_slice(ilqr.best.ctrl((n + since).min(steps - 1)));
                        }
                    }
                    None => ctrl.chunks_exact_mut(nu.max(1)).for_each(|u| u.copy_from_slice(&state.ctrl)),
                }
                ilqr.start(m, cost, state, &ctrl)?;
                for _ in 0..self.iterations {
                    if ilqr.iterate(m, cost)?.converged {
                        break;
                    }
                }
            }
            Planner::Sampler(sampler) => {
                if let Some(since) = since {
                    sampler.shift(m, since);
                }
                for _ in 0..self.iterations {
                    sampler.improve(m, cost, state)?;
                }
            }
        }
        Ok(())
    }
}
