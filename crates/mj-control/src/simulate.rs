//! Trajectories with their cost.

use crate::cost::{Cost, Multipliers};
use crate::error::ControlError;
use crate::riccati::clamp;
use mj_engine::model::Warning;
use mj_engine::{Data, Model, State, forward, step};

/// States, controls and residuals of a simulation, and its cost.
#[derive(Clone, Debug, Default)]
pub struct Rollout {
    /// States, one more than steps; each holds the controls of its step.
    pub states: Vec<State>,
    /// Residuals at each step and at the end, rows of the cost's `dim`.
    pub residuals: Vec<f64>,
    /// Cost of each step and of the end.
    pub costs: Vec<f64>,
    /// Sum of the costs; infinite if a number of the state goes bad.
    pub cost: f64,
    scratch: Vec<f64>,
}

impl Rollout {
    /// Controls of a step, nu.
    pub fn ctrl(&self, step: usize) -> &[f64] {
        &self.states[step].ctrl
    }

    /// Simulates `steps` steps from a state, with the controls that `control` writes for each step and state, put within
    /// their ranges.
    pub(crate) fn run(
        &mut self,
        m: &Model,
        d: &mut Data,
        cost: &Cost,
        multipliers: &Multipliers,
        (start, steps): (&State, usize),
        mut control: impl FnMut(usize, &State, &mut [f64]),
    ) -> Result<(), ControlError> {
        let dim = cost.dim();
        self.states.resize_with(steps + 1, State::default);
        self.residuals.resize((steps + 1) * dim, 0.0);
        self.costs.clear();
        self.scratch.resize(m.nv(), 0.0);
        self.cost = f64::INFINITY;
        d.warnings = Default::default();
        d.state.clone_from(start);
        let mut ctrl = vec![0.0; m.control.len()];
        for n in 0..=steps {
            let is_last = n == steps;
            if is_last {
                self.states[n].clone_from(&d.state);
                forward(m, d)?;
            } else {
                control(n, &d.state, &mut ctrl);
                clamp(m, &mut ctrl);
                d.state.ctrl.copy_from_slice(&ctrl);
                self.states[n].clone_from(&d.state);
                step(m, d)?;
            }
            const BAD: [Warning; 3] = [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc];
            if BAD.into_iter().any(|w| d.warning(w).number > 0) {
                return Ok(());
            }
            // Results are those of the state before the step: residuals see it beside them.
            std::mem::swap(&mut d.state, &mut self.states[n]);
            let row = &mut self.residuals[n * dim..(n + 1) * dim];
            cost.residuals_of(m, d, &mut self.scratch, row);
            std::mem::swap(&mut d.state, &mut self.states[n]);
            self.costs.push(cost.value(row, n, is_last, multipliers));
        }
        let sum: f64 = self.costs.iter().sum();
        self.cost = if sum.is_finite() { sum } else { f64::INFINITY };
        Ok(())
    }
}
