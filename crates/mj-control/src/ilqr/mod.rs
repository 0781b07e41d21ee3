//! Iterative LQR with limits of the controls, and constraints by augmented Lagrangian.

mod backward;

use crate::cost::{Cost, Multipliers};
use crate::error::{ControlError, check_length};
use crate::expand::{Expander, Expansion, Jacobians};
use crate::riccati::state_difference;
use crate::simulate::Rollout;
use backward::Backward;
use mj_engine::{Data, Model, State, check_state};
use mj_math::dense;
use rayon::prelude::*;
use std::sync::Arc;

/// Settings of [`Ilqr`].
#[derive(Clone, Debug, PartialEq)]
pub struct IlqrOptions {
    /// Number of steps of the trajectory.
    pub steps: usize,
    /// Most iterations of [`Ilqr::solve`], for each set of multipliers.
    pub iterations: usize,
    /// Relative decrease of the cost below which the trajectory is optimal.
    pub tolerance: f64,
    /// Regularization to begin with, added to the Hessian by the controls in parts of BᵀB.
    pub regularization: f64,
    /// Factor by which the regularization grows where a step fails, and shrinks where one succeeds.
    pub factor: f64,
    /// Least and greatest regularization.
    pub range: [f64; 2],
    /// Lengths of step that the line search tries, descending.
    pub lengths: Vec<f64>,
    /// Decrease of the cost that is enough, in parts of the expected one.
    pub decrease: f64,
    /// Whether derivatives and trial steps are computed on all threads of the current rayon pool. The result is the same.
    pub parallel: bool,
    /// Weight of half the squared violations of constraints to begin with.
    pub penalty: f64,
    /// Most updates of the multipliers.
    pub updates: usize,
    /// Violation of constraints that is small enough.
    pub violation: f64,
}

impl Default for IlqrOptions {
    fn default() -> Self {
        Self {
            steps: 100,
            iterations: 200,
            tolerance: 1e-6,
            regularization: 1e-3,
            factor: 3.0,
            range: [1e-8, 1e8],
            lengths: (0..10).map(|k| 0.5f64.powi(k)).collect(),
            decrease: 1e-4,
            parallel: false,
            penalty: 10.0,
            updates: 8,
            violation: 1e-3,
        }
    }
}

/// Outcome of an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Cost after it.
    pub cost: f64,
    /// Decrease of the cost.
    pub decrease: f64,
    /// Length of the step that was taken; 0: none.
    pub length: f64,
    /// Regularization that was used.
    pub regularization: f64,
    /// Whether the decrease, or the expected one, is below the tolerance.
    pub converged: bool,
}

/// Outcome of [`Ilqr::solve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Cost of the trajectory, constraints left out.
    pub cost: f64,
    /// Iterations made.
    pub iterations: usize,
    /// Greatest violation of a constraint.
    pub violation: f64,
    /// Whether the last iteration converged.
    pub converged: bool,
}

/// Optimizer of trajectories: simulates the controls, expands each step and its cost in closed form, solves the
/// linear-quadratic problem with the controls' limits backwards, and searches along its solution.
///
/// Source: Tassa, Mansard, Todorov, "Control-limited differential dynamic programming", 2014; constraints as Howell, Jackson,
/// Manchester, "ALTRO: a fast solver for constrained trajectory optimization", 2019.
#[derive(Clone, Debug)]
pub struct Ilqr {
    /// Settings.
    pub options: IlqrOptions,
    /// Trajectory.
    pub best: Rollout,
    backward: Backward,
    expansions: Vec<Expansion>,
    /// Data and memory of each share of the steps and each trial.
    workers: Vec<(Data, Expander)>,
    trials: Vec<(Data, Rollout)>,
    regularization: f64,
    multipliers: Multipliers,
}

impl Ilqr {
    /// Makes an optimizer for a model and a cost.
    ///
    /// # Errors
    /// If settings or cost don't fit, or the model can't be simulated.
    pub fn new(m: &Model, cost: &Cost, options: IlqrOptions) -> Result<Self, ControlError> {
        cost.check(m)?;
        let positive = |name, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(ControlError::Setting { name, value, expected: "a positive finite number" }),
        };
        positive("steps", options.steps as f64)?;
        positive("penalty", options.penalty)?;
        positive("factor", options.factor)?;
        positive("range", options.range[0])?;
        options.lengths.iter().try_for_each(|&length| positive("lengths", length))?;
        let room = options.steps.checked_add(1).and_then(|n| n.checked_mul((2 * m.nv() + m.na).max(1).pow(2)));
        if options.steps > 1 << 20 || room.is_none_or(|n| n > 1 << 28) {
            let expected = "at most 1048576 steps, whose Jacobians fit 2 GiB";
            return Err(ControlError::Setting { name: "steps", value: options.steps as f64, expected });
        }
        let d = Data::new(m)?;
        let threads = if options.parallel { rayon::current_num_threads().max(1) } else { 1 };
        let trials = if threads > 1 { options.lengths.len() } else { 1 };
        let multipliers =
            Multipliers { weight: options.penalty, lambda: vec![0.0; (options.steps + 1) * cost.constraint_dim()] };
        Ok(Self {
            best: Rollout::default(),
            backward: Backward::default(),
            expansions: vec![Expansion::default(); options.steps + 1],
            workers: vec![(d.clone(), Expander::default()); threads],
            trials: vec![(d, Rollout::default()); trials.max(1)],
            regularization: options.regularization,
            multipliers,
            options,
        })
    }

    /// Takes the Jacobians of steps from a function, in the place of the closed form.
    pub fn set_jacobians(&mut self, jacobians: Arc<Jacobians>) {
        self.workers.iter_mut().for_each(|(_, expander)| expander.jacobians = Some(Arc::clone(&jacobians)));
    }

    /// Begins with the trajectory that some controls make from a state, steps × nu; multipliers are kept.
    ///
    /// # Errors
    /// If a size differs, or the simulation diverges.
    pub fn start(&mut self, m: &Model, cost: &Cost, state: &State, ctrl: &[f64]) -> Result<(), ControlError> {
        check_state(m, state)?;
        let nu = m.control.len();
        check_length("ctrl", ctrl.len(), self.options.steps * nu)?;
        let (d, _) = &mut self.trials[0];
        let drive = |n: usize, _: &State, u: &mut [f64]| u.copy_from_slice(&ctrl[n * nu..(n + 1) * nu]);
        self.best.run(m, d, cost, &self.multipliers, (state, self.options.steps), drive)?;
        if self.best.cost.is_finite() { Ok(()) } else { Err(ControlError::Diverged) }
    }

    /// Forgets the multipliers and the regularization.
    pub fn reset(&mut self) {
        self.regularization = self.options.regularization;
        self.multipliers.weight = self.options.penalty;
        self.multipliers.lambda.fill(0.0);
    }

    /// Returns the gain of a step, nu × nx: δu = K δx; nothing before the first iteration, or beyond the last step.
    pub fn gain(&self, step: usize) -> &[f64] {
        self.backward.gain(step)
    }

    /// Writes the controls of a step at a state: those of the trajectory, corrected by the gain.
    pub fn control(&self, m: &Model, step: usize, state: &State, ctrl: &mut [f64]) {
        let step = step.min(self.options.steps - 1);
        let mut dx = vec![0.0; 2 * m.nv() + m.na];
        ctrl.copy_from_slice(self.best.ctrl(step));
        if !self.backward.is_empty() {
            state_difference(m, &self.best.states[step], state, &mut dx);
            self.backward.correct(step, &dx, ctrl);
        }
        crate::riccati::clamp(m, ctrl);
    }

    /// Improves the trajectory once: expands it, solves backwards, and searches along the solution.
    ///
    /// # Errors
    /// If a step has no derivative.
    pub fn iterate(&mut self, m: &Model, cost: &Cost) -> Result<Iteration, ControlError> {
        self.expand(m, cost)?;
        let before = self.best.cost;
        loop {
            let regularization = self.regularization;
            let solved = self.backward.solve(m, &self.expansions, &self.best, regularization);
            let found = if solved { self.search(m, cost)? } else { None };
            let [first, second] = self.backward.expected;
            if let Some(length) = found {
                let decrease = before - self.best.cost;
                if length >= 0.5 {
                    self.shrink();
                }
                let converged = decrease <= self.options.tolerance * before.abs().max(1e-12);
                return Ok(Iteration { cost: self.best.cost, decrease, length, regularization, converged });
            }
            let little = solved && -(first + second) <= 1e-3 * self.options.tolerance * before.abs().max(1e-12);
            if little || !self.grow() {
                let converged = little;
                return Ok(Iteration { cost: before, decrease: 0.0, length: 0.0, regularization, converged });
            }
        }
    }

    /// Iterates until the trajectory is optimal, and updates the multipliers of constraints until these hold; `watch` sees
    /// each iteration, and ends it by returning false.
    ///
    /// # Errors
    /// If a step has no derivative.
    pub fn solve(
        &mut self,
        m: &Model,
        cost: &Cost,
        mut watch: impl FnMut(usize, &Iteration) -> bool,
    ) -> Result<Summary, ControlError> {
        let (mut iterations, mut last) = (0, None::<Iteration>);
        'updates: for update in 0..=self.options.updates {
            for _ in 0..self.options.iterations {
                let iteration = self.iterate(m, cost)?;
                iterations += 1;
                last = Some(iteration);
                if !watch(iterations, &iteration) {
                    break 'updates;
                }
                if iteration.converged || iteration.length == 0.0 {
                    break;
                }
            }
            if self.violation(cost) <= self.options.violation || update == self.options.updates {
                break;
            }
            self.update_multipliers(cost);
        }
        Ok(Summary {
            cost: self.plain_cost(cost),
            iterations,
            violation: self.violation(cost),
            converged: last.is_some_and(|i| i.converged),
        })
    }

    /// Returns the greatest violation of a constraint along the trajectory.
    pub fn violation(&self, cost: &Cost) -> f64 {
        let (dim, nc) = (cost.dim(), cost.constraint_dim());
        if nc == 0 {
            return 0.0;
        }
        let rows = self.best.residuals.chunks_exact(dim).enumerate();
        rows.map(|(n, row)| cost.violation(row, n == self.options.steps)).fold(0.0, f64::max)
    }

    /// Cost without the constraints.
    fn plain_cost(&self, cost: &Cost) -> f64 {
        let rows = self.best.residuals.chunks_exact(cost.dim().max(1)).enumerate();
        rows.map(|(n, row)| cost.plain_value(row, n == self.options.steps)).sum()
    }

    /// Takes the slopes of the augmented cost for multipliers, and weighs violations more.
    fn update_multipliers(&mut self, cost: &Cost) {
        let (dim, rho) = (cost.dim(), self.multipliers.weight);
        for (n, row) in self.best.residuals.chunks_exact(dim).enumerate() {
            cost.update_multipliers(row, n, n == self.options.steps, &mut self.multipliers);
        }
        self.multipliers.weight = (rho * 4.0).min(1e8);
        self.regularization = self.options.regularization;
        // The cost of the trajectory is another now.
        let steps = self.options.steps;
        let rows = self.best.residuals.chunks_exact(dim).enumerate();
        self.best.costs = rows.map(|(n, row)| cost.value(row, n, n == steps, &self.multipliers)).collect();
        self.best.cost = self.best.costs.iter().sum();
    }

    /// Expands all steps.
    fn expand(&mut self, m: &Model, cost: &Cost) -> Result<(), ControlError> {
        let (steps, states, multipliers) = (self.options.steps, &self.best.states, &self.multipliers);
        let share = (steps + 1).div_ceil(self.workers.len());
        let one = |first: usize, expansions: &mut [Expansion], (d, expander): &mut (Data, Expander)| {
            expansions.iter_mut().enumerate().try_for_each(|(k, out)| {
                let n = first + k;
                expander.expand_step(m, d, (cost, multipliers), (&states[n], n, n == steps), out)
            })
        };
        if let [worker] = &mut self.workers[..] {
            return one(0, &mut self.expansions, worker);
        }
        let jobs = self.expansions.par_chunks_mut(share).zip(&mut self.workers).enumerate();
        jobs.map(|(i, (expansions, worker))| one(i * share, expansions, worker)).collect()
    }

    /// Takes the longest step that decreases the cost enough; returns its length.
    fn search(&mut self, m: &Model, cost: &Cost) -> Result<Option<f64>, ControlError> {
        let (best, backward, multipliers, options) = (&self.best, &self.backward, &self.multipliers, &self.options);
        let [first, second] = backward.expected;
        let run = |length: f64, (d, trial): &mut (Data, Rollout)| -> Result<bool, ControlError> {
            let mut dx = vec![0.0; 2 * m.nv() + m.na];
            let drive = |n: usize, x: &State, u: &mut [f64]| {
                state_difference(m, &best.states[n], x, &mut dx);
                u.copy_from_slice(best.ctrl(n));
                dense::axpy(u, length, backward.feedforward(n));
                backward.correct(n, &dx, u);
            };
            trial.run(m, d, cost, multipliers, (&best.states[0], options.steps), drive)?;
            let expected = -(length * first + length * length * second);
            Ok(trial.cost < best.cost - options.decrease * expected.max(0.0))
        };
        let mut found = None;
        if self.trials.len() > 1 {
            let tried: Vec<_> =
                options.lengths.par_iter().zip(&mut self.trials).map(|(&length, trial)| run(length, trial)).collect();
            for (i, good) in tried.into_iter().enumerate() {
                if good? && found.is_none() {
                    found = Some((i, options.lengths[i]));
                }
            }
        } else {
            for &length in &options.lengths {
                if run(length, &mut self.trials[0])? {
                    found = Some((0, length));
                    break;
                }
            }
        }
        Ok(found.map(|(i, length)| {
            std::mem::swap(&mut self.best, &mut self.trials[i].1);
            length
        }))
    }

    fn shrink(&mut self) {
        self.regularization = (self.regularization / self.options.factor).max(self.options.range[0]);
    }

    /// Raises the regularization; returns whether there is room.
    fn grow(&mut self) -> bool {
        let room = self.regularization < self.options.range[1];
        self.regularization = (self.regularization * self.options.factor.max(2.0).powi(2)).min(self.options.range[1]);
        room
    }
}
