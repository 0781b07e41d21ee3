//! Direct optimization of a trajectory through inverse dynamics.
//!
//! The unknowns are the positions; velocities and accelerations follow, and inverse dynamics gives the force that each step
//! needs, contacts included. The cost is one of states and of these forces. A step depends on three positions, so that the
//! Gauss-Newton matrix has a band of three blocks.

mod band;
mod controls;
mod node;
mod path;

pub use node::Effort;
pub use path::Path;

use crate::cost::{Cost, Multipliers};
use crate::error::{ControlError, check_length};
use crate::residual::Residual;
use band::Band;
use mj_engine::model::Stage;
use mj_engine::{Model, State, check_state};
use mj_math::dense::axpy;
use node::{Horizon, Node, Worker};
use path::Rotations;
use rayon::prelude::*;

/// Number of steps along a direction that are tried, each half of the one before.
const LENGTHS: usize = 8;

/// Settings of [`Direct`].
#[derive(Clone, Debug, PartialEq)]
pub struct DirectOptions {
    /// Number of steps of the trajectory.
    pub steps: usize,
    /// Most iterations for each set of multipliers.
    pub iterations: usize,
    /// Relative decrease of the cost below which the trajectory is optimal.
    pub tolerance: f64,
    /// Damping of the first step, in parts of the matrix' diagonal, and its greatest value.
    pub damping: [f64; 2],
    /// Weight of half the squared violations of the cost's constraints, and of the forces' limits, to begin with.
    pub penalty: [f64; 2],
    /// Most updates of the multipliers.
    pub updates: usize,
    /// Violations of the cost's constraints, and of the forces' limits, that are small enough.
    pub violation: [f64; 2],
}

impl Default for DirectOptions {
    fn default() -> Self {
        Self {
            steps: 100,
            iterations: 200,
            tolerance: 1e-6,
            damping: [1e-8, 1e8],
            penalty: [10.0, 1.0],
            updates: 12,
            violation: [1e-3, 1e-3],
        }
    }
}

/// Outcome of [`Direct::solve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectSummary {
    /// Cost of the trajectory with its forces, constraints and limits left out.
    pub cost: f64,
    /// Iterations made.
    pub iterations: usize,
    /// Greatest violation of a constraint.
    pub violation: f64,
    /// Greatest force beyond its limits, N or N m: on dofs that nothing drives, the greatest force.
    pub force: f64,
    /// Whether the last iteration converged.
    pub converged: bool,
}

/// Optimizer of trajectories through inverse dynamics, with the positions as unknowns, by Levenberg's and Marquardt's method with a
/// banded factor; forces have limits by augmented Lagrangian.
///
/// A dof that an actuator moves may have any force within limits, another must have none: [`Direct::efforts`]. Where the solver has
/// converged, the forces make the trajectory in a simulation by semi-implicit Euler steps without implicit damping (the flag
/// `eulerdamp` disabled); those of other integrators differ from it by their damping, unless the flag `invdiscrete` is on, with
/// which derivatives come from differences.
///
/// Source: Erez, Todorov, "Trajectory optimization for domains with contacts using inverse dynamics", 2012; Todorov, Erez, Tassa,
/// "MuJoCo: A physics engine for model-based control", 2012, section IV.
///
/// ```
/// use mj_control::{Cost, Direct, DirectOptions, Norm, Residual};
/// use mj_engine::{State, load_str};
///
/// let m = load_str(
///     "<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody>
///      <actuator><motor joint='x'/></actuator></mujoco>",
/// )?;
/// // A meter in a second, from rest to rest, with the least effort.
/// let cost = Cost::new()
///     .with("place", Residual::position(&m, &[1.0])?, Norm::Quadratic, 0.0, 1e8)
///     .with("rest", Residual::velocity(&m), Norm::Quadratic, 0.0, 1e8);
/// let options = DirectOptions { steps: 500, ..DirectOptions::default() };
/// let mut direct = Direct::new(&m, &cost, options)?;
/// direct.start(&m, &cost, &State::new(&m), None)?;
/// assert!(direct.solve(&m, &cost, |_, _| true)?.converged);
/// // The force falls from 6 m/s² · 2 kg to its opposite.
/// assert!((direct.force(0)[0] - 12.0).abs() < 0.1 && (direct.force(499)[0] + 12.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Direct {
    /// Settings.
    pub options: DirectOptions,
    /// Trajectory.
    pub path: Path,
    /// Weights and limits of the forces, one for each dof.
    pub efforts: Vec<Effort>,
    start: State,
    nodes: Vec<Node>,
    trial: (Path, Vec<Node>),
    workers: Vec<Worker>,
    rotations: Rotations,
    multipliers: Multipliers,
    limits: Multipliers,
    damping: f64,
    matrix: Band,
    factor: Band,
    gradient: Vec<f64>,
}

impl Direct {
    /// Makes an optimizer for a model and a cost of the states. Forces that an actuator drives have no limits and the weight 1e-3.
    ///
    /// # Errors
    /// If settings or cost don't fit, or a term reads controls, accelerations or forces.
    pub fn new(m: &Model, cost: &Cost, options: DirectOptions) -> Result<Self, ControlError> {
        cost.check(m)?;
        let setting = |name, value: f64, expected| Err(ControlError::Setting { name, value, expected });
        let of_controls = |r: &Residual| matches!(r, Residual::Control { .. }) || r.stage() == Stage::Acc;
        if let Some(t) = cost.terms.iter().find(|t| of_controls(&t.residual)) {
            return setting(
                "weight",
                t.weight,
                "terms of positions and velocities alone: forces have weights of their own",
            );
        }
        if cost.constraints.iter().any(|c| of_controls(&c.residual)) {
            return setting(
                "upper",
                0.0,
                "constraints of positions and velocities alone: forces have limits of their own",
            );
        }
        for (name, value) in [
            ("steps", options.steps as f64),
            ("penalty", options.penalty[0]),
            ("penalty", options.penalty[1]),
            ("damping", options.damping[0]),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return setting(name, value, "a positive finite number");
            }
        }
        let room = options.steps.checked_mul(m.nv().max(1)).and_then(|n| n.checked_mul(3 * (m.nv() + cost.dim() + 1)));
        if room.is_none_or(|n| n > 1 << 27) {
            return setting("steps", options.steps as f64, "steps whose Jacobians fit 1 GiB");
        }
        let worker = Worker::new(m)?;
        Ok(Self {
            path: Path::default(),
            efforts: controls::efforts(m)?,
            start: State::new(m),
            trial: Default::default(),
            nodes: Vec::new(),
            workers: vec![worker; rayon::current_num_threads().max(1)],
            rotations: Rotations::of(m),
            multipliers: Multipliers::default(),
            limits: Multipliers::default(),
            damping: options.damping[0],
            matrix: Band::default(),
            factor: Band::default(),
            gradient: Vec::new(),
            options,
        })
    }

    /// Begins at a state, with positions ((steps + 1) × nq, the first that of the state) or with those of rest there.
    ///
    /// # Errors
    /// If a size differs, or a number is none.
    pub fn start(&mut self, m: &Model, cost: &Cost, state: &State, qpos: Option<&[f64]>) -> Result<(), ControlError> {
        check_state(m, state)?;
        let count = (self.options.steps + 1) * m.nq();
        self.start.clone_from(state);
        self.path.qpos = match qpos {
            Some(qpos) => {
                check_length("qpos", qpos.len(), count)?;
                qpos.to_vec()
            }
            None => state.qpos.repeat(self.options.steps + 1),
        };
        self.path.qpos[..m.nq()].copy_from_slice(&state.qpos);
        if let Some(x) = self.path.qpos.iter().find(|x| !x.is_finite()) {
            return Err(ControlError::Setting { name: "qpos", value: *x, expected: "finite numbers" });
        }
        self.path.differentiate(m, &state.qvel);
        self.damping = self.options.damping[0];
        let steps = self.options.steps;
        let [of_states, of_forces] = self.options.penalty;
        self.multipliers = Multipliers { weight: of_states, lambda: vec![0.0; (steps + 1) * cost.constraint_dim()] };
        self.limits = Multipliers { weight: of_forces, lambda: vec![0.0; steps * m.nv()] };
        self.nodes.resize_with(steps + 1, Node::default);
        self.trial.1.resize_with(steps + 1, Node::default);
        self.evaluate(m, cost)?;
        if self.cost().is_finite() { Ok(()) } else { Err(ControlError::Diverged) }
    }

    /// Borrows the force that a step needs, nv; nothing before [`Direct::start`], or beyond the last step.
    pub fn force(&self, step: usize) -> &[f64] {
        self.nodes.get(step).map_or(&[], |node| &node.force)
    }

    /// Returns the cost with constraints and limits by their multipliers.
    pub fn cost(&self) -> f64 {
        self.nodes.iter().map(|n| n.cost).sum()
    }

    /// Iterates until the trajectory is optimal, and updates the multipliers of constraints and limits until these hold; `watch`
    /// sees the number of each iteration and the cost after it, and ends it by returning false.
    ///
    /// # Errors
    /// Fails before [`Direct::start`], and if inverse dynamics has no derivative.
    pub fn solve(
        &mut self,
        m: &Model,
        cost: &Cost,
        mut watch: impl FnMut(usize, f64) -> bool,
    ) -> Result<DirectSummary, ControlError> {
        let mut summary = DirectSummary { cost: 0.0, iterations: 0, violation: 0.0, force: 0.0, converged: false };
        'updates: for update in 0..=self.options.updates {
            for _ in 0..self.options.iterations {
                let before = self.cost();
                let improved = self.iterate(m, cost)?;
                summary.iterations += 1;
                // A step that much damping made short says nothing of the optimum.
                let little = before - self.cost() <= self.options.tolerance * before.abs().max(1e-12);
                summary.converged = little && (!improved || self.damping <= self.options.damping[0]);
                if !watch(summary.iterations, self.cost()) {
                    break 'updates;
                }
                if summary.converged || !improved {
                    break;
                }
            }
            [summary.violation, summary.force] = self.violations(cost);
            let holds = summary.violation <= self.options.violation[0] && summary.force <= self.options.violation[1];
            if holds || update == self.options.updates {
                break;
            }
            self.update_multipliers(m, cost)?;
        }
        [summary.violation, summary.force] = self.violations(cost);
        summary.cost = self.nodes.iter().map(|n| n.plain).sum();
        Ok(summary)
    }

    /// Improves the trajectory once. Returns whether any step did.
    ///
    /// # Errors
    /// Fails before [`Direct::start`], and if inverse dynamics has no derivative.
    pub fn iterate(&mut self, m: &Model, cost: &Cost) -> Result<bool, ControlError> {
        let (nv, before) = (m.nv(), self.cost());
        if nv == 0 {
            return Ok(false);
        }
        self.each_node(m, cost, Worker::expand)?;
        self.assemble(nv);
        // Coordinates that nothing depends on stay.
        let least = 1e-12 * self.gradient.iter().fold(1.0f64, |s, g| s.max(g.abs()));
        while self.damping <= self.options.damping[1] {
            let mut step: Vec<f64> = self.gradient.iter().map(|g| -g).collect();
            if self.matrix.factor(self.damping, least, &mut self.factor) {
                self.factor.solve(&mut step);
                for _ in 0..LENGTHS {
                    self.trial.0.set_moved(m, &self.path, &step);
                    self.swap();
                    self.evaluate(m, cost)?;
                    if self.cost() < before {
                        self.damping = (self.damping / 10.0).max(1e-12);
                        return Ok(true);
                    }
                    self.swap();
                    step.iter_mut().for_each(|x| *x *= 0.5);
                }
            }
            self.damping *= 10.0;
        }
        self.damping = self.options.damping[0];
        Ok(false)
    }

    fn swap(&mut self) {
        std::mem::swap(&mut self.path, &mut self.trial.0);
        std::mem::swap(&mut self.nodes, &mut self.trial.1);
    }

    /// Sums the Gauss-Newton matrix and the gradient over all rows.
    fn assemble(&mut self, nv: usize) {
        let n = self.options.steps * nv;
        self.matrix.reset(n, (3 * nv).min(n) - 1);
        self.gradient.clear();
        self.gradient.resize(n, 0.0);
        for (t, node) in self.nodes.iter().enumerate() {
            for (row, &[slope, curve]) in node.rows.chunks_exact(3 * nv).zip(&node.slopes) {
                // The position at step t has the columns from (t − 1) nv on; that at the beginning has none, nor has one
                // after the end.
                let cut = 2usize.saturating_sub(t) * nv;
                let first = t.saturating_sub(2) * nv;
                let row = &row[cut..(n - first + cut).min(3 * nv)];
                axpy(&mut self.gradient[first..first + row.len()], slope, row);
                self.matrix.add_outer(first, row, curve);
            }
        }
    }

    fn evaluate(&mut self, m: &Model, cost: &Cost) -> Result<(), ControlError> {
        self.each_node(m, cost, Worker::evaluate)
    }

    /// Calls a function for all steps, on all threads of the current pool; the result doesn't depend on their number.
    fn each_node(
        &mut self,
        m: &Model,
        cost: &Cost,
        f: impl Fn(&mut Worker, Horizon<'_>, usize, &mut Node) -> Result<(), ControlError> + Sync,
    ) -> Result<(), ControlError> {
        check_length("efforts", self.efforts.len(), m.nv())?;
        check_length("qpos", self.path.qpos.len(), self.nodes.len() * m.nq())?;
        if self.nodes.is_empty() {
            return Err(ControlError::NotStarted);
        }
        let of = Horizon {
            m,
            cost,
            efforts: &self.efforts,
            path: &self.path,
            rotations: &self.rotations,
            start: &self.start,
            multipliers: &self.multipliers,
            limits: &self.limits,
        };
        let share = self.nodes.len().div_ceil(self.workers.len());
        let jobs = self.nodes.par_chunks_mut(share).zip(&mut self.workers).enumerate();
        jobs.map(|(i, (nodes, worker))| {
            nodes.iter_mut().enumerate().try_for_each(|(k, node)| f(worker, of, i * share + k, node))
        })
        .collect()
    }

    /// Returns the greatest violations of constraints and of limits of forces.
    fn violations(&self, cost: &Cost) -> [f64; 2] {
        let last = self.options.steps;
        let of_states = self.nodes.iter().enumerate().map(|(t, n)| cost.violation(&n.residuals, t == last));
        let forces = self.nodes.iter().flat_map(|n| n.force.iter().zip(&self.efforts));
        let of_forces = forces.map(|(force, effort)| effort.violation(*force));
        [of_states.fold(0.0, f64::max), of_forces.fold(0.0, f64::max)]
    }

    /// Takes the slopes of the augmented cost for multipliers, and weighs violations more.
    fn update_multipliers(&mut self, m: &Model, cost: &Cost) -> Result<(), ControlError> {
        let last = self.options.steps;
        for (t, node) in self.nodes.iter().enumerate() {
            cost.update_multipliers(&node.residuals, t, t == last, &mut self.multipliers);
        }
        let rho = self.limits.weight;
        let forces = self.nodes.iter().flat_map(|n| n.force.iter().zip(&self.efforts));
        self.limits.lambda.iter_mut().zip(forces).for_each(|(lambda, (force, effort))| {
            *lambda = effort.limit(*force, *lambda, rho).0;
        });
        self.multipliers.weight = (self.multipliers.weight * 4.0).min(1e8);
        self.limits.weight = (rho * 4.0).min(1e8);
        self.damping = self.options.damping[0];
        // The cost of the trajectory is another now.
        self.evaluate(m, cost)
    }

    /// Returns the controls of a step whose actuators come next to its force, nu: within their ranges, by least squares, where
    /// the actuators' forces are linear in them.
    ///
    /// # Errors
    /// If there is no trajectory yet, no step of this number, the model has activations, or can't be evaluated.
    pub fn control(&self, m: &Model, step: usize) -> Result<Vec<f64>, ControlError> {
        if self.nodes.is_empty() {
            return Err(ControlError::NotStarted);
        }
        check_length("force", self.force(step).len(), m.nv())?;
        controls::of(m, &self.start, &self.path, step, self.force(step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::norm::Norm;
    use mj_engine::{integrate_pos, load_str};

    /// Through contact, with limits and constraints by their multipliers, the gradient is the slope of the cost.
    #[test]
    fn the_gradient_is_the_slope_of_the_cost() {
        let m = load_str(
            r#"<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .098"><freejoint/>
            <geom size=".1" mass="1"/><body pos="0 0 .3"><joint type="ball" damping=".1"/><geom size=".08" pos=".1 0 0" mass="1"/>
            </body></body></worldbody></mujoco>"#,
        )
        .unwrap();
        let goal = [0.1, 0.2, 0.3, 0.6, 0.0, 0.8, 0.0, 0.6, 0.8, 0.0, 0.0];
        let cost = Cost::new()
            .with("goal", Residual::position(&m, &goal).unwrap(), Norm::Quadratic, 1.0, 10.0)
            .with("calm", Residual::velocity(&m), Norm::Cosh(0.5), 0.1, 1.0)
            .within("slow", Residual::velocity(&m), -0.1, 0.1);
        let steps = 5;
        let mut direct = Direct::new(&m, &cost, DirectOptions { steps, ..Default::default() }).unwrap();
        direct.efforts[2] = Effort { weight: 1e-2, range: [-1.0, 2.0] };
        let (nq, nv) = (m.nq(), m.nv());
        let mut state = State::new(&m);
        let wave = |i: usize, size: f64| size * (i as f64 * 1.7).sin();
        state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = wave(i + 1, 0.3));
        let mut qpos = state.qpos.repeat(steps + 1);
        for (t, q) in qpos.chunks_exact_mut(nq).enumerate().skip(1) {
            let by: Vec<f64> = (0..nv).map(|i| wave(7 * t + i, 1e-3)).collect();
            integrate_pos(&m, q, &by, 1.0);
        }
        direct.start(&m, &cost, &state, Some(&qpos)).unwrap();
        direct
            .multipliers
            .lambda
            .iter_mut()
            .chain(&mut direct.limits.lambda)
            .enumerate()
            .for_each(|(i, x)| *x = wave(i, 1.0));
        direct.evaluate(&m, &cost).unwrap();
        direct.each_node(&m, &cost, Worker::expand).unwrap();
        direct.assemble(nv);
        let from = direct.path.clone();
        for k in 0..steps * nv {
            let mut value = |by: f64| {
                let mut along = vec![0.0; steps * nv];
                along[k] = by;
                direct.path.set_moved(&m, &from, &along);
                direct.evaluate(&m, &cost).unwrap();
                direct.cost()
            };
            let slope = (value(1e-8) - value(-1e-8)) / 2e-8;
            let got = direct.gradient[k];
            assert!((got - slope).abs() < 1e-4 * (1.0 + got.abs()) + 1e-9 * direct.cost(), "{k}: {got} {slope}");
        }
    }
}
