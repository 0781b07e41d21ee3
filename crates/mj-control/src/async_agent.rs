//! Receding-horizon control with a planner on a thread of its own.

use crate::agent::{Agent, Planner, Rate};
use crate::cost::Cost;
use crate::error::ControlError;
use mj_engine::{Model, State, check_state};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Controller that plans without pause on a thread of its own, each time from the latest state, while the plan before is followed.
///
/// A simulation, or a robot, never waits for a plan but for the first. How old a plan is depends on the machine, so that results do,
/// too: where they must be repeatable, [`Agent`] plans between steps.
#[derive(Debug)]
pub struct AsyncAgent {
    model: Arc<Model>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// Number of the next step, and the plan that is followed.
    step: usize,
    plan: Option<Plan>,
}

/// A planner that has planned from the state of a step.
#[derive(Clone, Debug)]
struct Plan {
    planner: Arc<Planner>,
    step: usize,
}

#[derive(Debug, Default)]
struct Shared {
    slots: Mutex<Slots>,
    /// Tells the planner of a state, and the controller of the first plan.
    changed: Condvar,
}

/// Values that both threads exchange; the latest replaces the one before.
#[derive(Debug, Default)]
struct Slots {
    state: Option<(State, usize)>,
    plan: Option<Plan>,
    rate: Rate,
    failure: Option<ControlError>,
    ended: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, slots: MutexGuard<'a, Slots>) -> MutexGuard<'a, Slots> {
        self.changed.wait(slots).unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsyncAgent {
    /// Starts a thread that plans with a planner, `iterations` iterations a plan.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(model: Arc<Model>, cost: Cost, planner: Planner, iterations: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = std::thread::Builder::new().name("planner".into()).spawn({
            let (model, shared) = (model.clone(), shared.clone());
            move || plan_on(&model, &cost, Agent::new(planner, 1, iterations), &shared)
        })?;
        Ok(Self { model, shared, thread: Some(thread), step: 0, plan: None })
    }

    /// Writes the controls for the next step from a state, nu: those of the latest plan. Waits for the first plan alone.
    ///
    /// # Errors
    /// If the state isn't one of the model, or planning has failed.
    pub fn control(&mut self, state: &State, ctrl: &mut [f64]) -> Result<(), ControlError> {
        check_state(&self.model, state)?;
        crate::error::check_length("ctrl", ctrl.len(), self.model.control.len())?;
        let mut slots = self.shared.lock();
        slots.state = Some((state.clone(), self.step));
        self.shared.changed.notify_all();
        while self.plan.is_none() && slots.plan.is_none() && slots.failure.is_none() && !slots.ended {
            slots = self.shared.wait(slots);
        }
        if let Some(failure) = slots.failure.take() {
            return Err(failure);
        }
        if slots.ended {
            return Err(ControlError::PlannerEnded);
        }
        self.plan = slots.plan.take().or(self.plan.take());
        drop(slots);
        if let Some(plan) = &self.plan {
            plan.planner.control(&self.model, self.step - plan.step, state, ctrl);
        }
        self.step += 1;
        Ok(())
    }

    /// Returns how often it planned, and how long that took.
    pub fn rate(&self) -> Rate {
        self.shared.lock().rate
    }

    /// Returns how many steps ago the state was from which the plan begins that is followed.
    pub fn age(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| self.step.saturating_sub(plan.step + 1))
    }
}

impl Drop for AsyncAgent {
    /// Ends the thread, after the plan that it is at.
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic there has told of itself.
            let _ = thread.join();
        }
    }
}

/// Marks the end of planning, whatever the cause, so that nobody waits for a plan.
struct End<'a>(&'a Shared);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

/// Plans from each latest state until the agent is gone, or planning fails.
fn plan_on(m: &Model, cost: &Cost, mut agent: Agent, shared: &Shared) {
    let _end = End(shared);
    let mut before = None;
    loop {
        let mut slots = shared.lock();
        let (state, step) = loop {
            if slots.ended {
                return;
            }
            match slots.state.take() {
                Some(latest) => break latest,
                None => slots = shared.wait(slots),
            }
        };
        drop(slots);
        let outcome = agent.plan_from(m, cost, &state, before.map(|before| step - before));
        before = Some(step);
        let plan = Plan { planner: Arc::new(agent.planner.clone()), step };
        let mut slots = shared.lock();
        if let Err(failure) = outcome {
            slots.failure = Some(failure);
            return;
        }
        slots.plan = Some(plan);
        slots.rate = agent.rate();
        shared.changed.notify_all();
    }
}
