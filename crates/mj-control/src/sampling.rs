//! Planners that try random controls: predictive sampling, the cross-entropy method, path integrals.

use crate::cost::{Cost, Multipliers};
use crate::error::{ControlError, check_length};
use crate::simulate::Rollout;
use crate::spline::{Interpolation, interpolate};
use mj_engine::{Data, Model, State, check_state};
use mj_math::random::Random;
use rayon::prelude::*;

/// Rule by which a sampling planner takes the next controls from its samples.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// The best sample (Howell et al., "Predictive sampling", 2022).
    Predictive,
    /// Mean and deviation of the `elites` best samples (Rubinstein, "The cross-entropy method", 1999).
    Cem {
        /// Number of samples that count.
        elites: usize,
    },
    /// Mean of all samples, weighed by exp(−(cost − least cost) / temperature) (Williams et al., "Information theoretic MPC",
    /// 2017).
    Mppi {
        /// Cost difference at which a sample weighs 1/e.
        temperature: f64,
    },
}

/// Settings of [`Sampler`].
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerOptions {
    /// Rule.
    pub method: Method,
    /// Number of steps of a trajectory.
    pub steps: usize,
    /// Number of knots of the controls, over the trajectory.
    pub knots: usize,
    /// Interpolation between knots.
    pub interpolation: Interpolation,
    /// Number of samples; the first is without noise.
    pub samples: usize,
    /// Standard deviation of the noise, in parts of half a control's range (or of 1, without a range).
    pub noise: f64,
    /// Least deviation of the cross-entropy method, in the same parts.
    pub least_noise: f64,
    /// Weight of half the squared violations of constraints.
    pub penalty: f64,
    /// Seed of the noise.
    pub seed: u64,
}

impl Default for SamplerOptions {
    fn default() -> Self {
        Self {
            method: Method::Predictive,
            steps: 100,
            knots: 6,
            interpolation: Interpolation::Linear,
            samples: 32,
            noise: 0.2,
            least_noise: 0.05,
            penalty: 100.0,
            seed: 0,
        }
    }
}

/// Sampling planner. Its results have the same bits for any number of threads.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// Settings.
    pub options: SamplerOptions,
    /// Knots of the controls, knots × nu.
    pub knots: Vec<f64>,
    /// Standard deviation of each number of the knots.
    pub deviation: Vec<f64>,
    /// Best trajectory of the last improvement.
    pub best: Rollout,
    samples: Vec<Sample>,
    multipliers: Multipliers,
    improvements: u64,
}

#[derive(Clone, Debug)]
struct Sample {
    data: Data,
    rollout: Rollout,
    knots: Vec<f64>,
}

impl Sampler {
    /// Makes a planner for a model and a cost, with zero controls.
    ///
    /// # Errors
    /// If settings or cost don't fit, or the model can't be simulated.
    pub fn new(m: &Model, cost: &Cost, options: SamplerOptions) -> Result<Self, ControlError> {
        cost.check(m)?;
        let count = |name, value: usize, most: usize, expected| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(ControlError::Setting { name, value: value as f64, expected }),
        };
        count("steps", options.steps, 1 << 20, "1 to 1048576 steps")?;
        count("knots", options.knots, options.steps + 1, "1 to as many knots as steps, and one more")?;
        count("samples", options.samples, 1 << 16, "1 to 65536 samples")?;
        if let Method::Cem { elites } = options.method {
            count("elites", elites, options.samples, "1 to as many as samples")?;
        }
        let temperature = if let Method::Mppi { temperature } = options.method { temperature } else { 1.0 };
        for (name, value) in [("noise", options.noise), ("penalty", options.penalty), ("temperature", temperature)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ControlError::Setting { name, value, expected: "a positive finite number" });
            }
        }
        let size = options.knots * m.control.len();
        let sample = Sample { data: Data::new(m)?, rollout: Rollout::default(), knots: vec![0.0; size] };
        let lambda = vec![0.0; (options.steps + 1) * cost.constraint_dim()];
        let deviation = (0..options.knots).flat_map(|_| scales(m)).map(|s| s * options.noise).collect();
        Ok(Self {
            knots: vec![0.0; size],
            deviation,
            best: Rollout::default(),
            samples: vec![sample; options.samples],
            multipliers: Multipliers { weight: options.penalty, lambda },
            improvements: 0,
            options,
        })
    }

    /// Sets all knots to some controls, nu.
    ///
    /// # Errors
    /// If there is another number of controls.
    pub fn start(&mut self, m: &Model, ctrl: &[f64]) -> Result<(), ControlError> {
        check_length("ctrl", ctrl.len(), m.control.len())?;
        self.knots.chunks_exact_mut(ctrl.len().max(1)).for_each(|knot| knot.copy_from_slice(ctrl));
        Ok(())
    }

    /// Moves the plan on by some steps.
    pub fn shift(&mut self, m: &Model, steps: usize) {
        let (nu, rate, kind) = (m.control.len(), self.knots_per_step(), self.options.interpolation);
        let old = self.knots.clone();
        for (i, knot) in self.knots.chunks_exact_mut(nu.max(1)).enumerate() {
            interpolate(&old, i as f64 + steps as f64 * rate, kind, knot);
        }
        if let Method::Cem { .. } = self.options.method {
            let fresh = (0..self.options.knots).flat_map(|_| scales(m)).map(|s| s * self.options.noise);
            self.deviation.iter_mut().zip(fresh).for_each(|(d, f)| *d = d.max(f));
        }
    }

    fn knots_per_step(&self) -> f64 {
        (self.options.knots - 1) as f64 / self.options.steps as f64
    }

    /// Writes the planned controls of a step.
    pub fn control(&self, m: &Model, step: usize, ctrl: &mut [f64]) {
        interpolate(&self.knots, step as f64 * self.knots_per_step(), self.options.interpolation, ctrl);
        crate::riccati::clamp(m, ctrl);
    }

    /// Simulates all samples from a state, on the threads of the current rayon pool, and takes the next knots from them;
    /// returns the least cost.
    ///
    /// # Errors
    /// If the state isn't one of the model, or a step is refused.
    pub fn improve(&mut self, m: &Model, cost: &Cost, state: &State) -> Result<f64, ControlError> {
        check_state(m, state)?;
        self.improvements += 1;
        let (rate, options, multipliers) = (self.knots_per_step(), &self.options, &self.multipliers);
        let (mean, deviation, round) = (&self.knots, &self.deviation, self.improvements);
        let run = |(i, sample): (usize, &mut Sample)| {
            let mut random = Random::new([options.seed, round, i as u64]);
            sample.knots.clone_from(mean);
            if i > 0 {
                sample.knots.iter_mut().zip(deviation).for_each(|(x, s)| *x += s * random.normal());
            }
            let nu = m.control.len().max(1);
            sample.knots.chunks_exact_mut(nu).for_each(|knot| crate::riccati::clamp(m, knot));
            let knots = &sample.knots;
            let drive =
                |n: usize, _: &State, u: &mut [f64]| interpolate(knots, n as f64 * rate, options.interpolation, u);
            sample.rollout.run(m, &mut sample.data, cost, multipliers, (state, options.steps), drive)
        };
        self.samples.par_iter_mut().enumerate().map(run).collect::<Vec<_>>().into_iter().collect::<Result<(), _>>()?;
        let mut order: Vec<usize> = (0..self.samples.len()).collect();
        order.sort_by(|&a, &b| self.samples[a].rollout.cost.total_cmp(&self.samples[b].rollout.cost).then(a.cmp(&b)));
        let least = self.samples[order[0]].rollout.cost;
        if !least.is_finite() {
            return Err(ControlError::Diverged);
        }
        match self.options.method {
            Method::Predictive => self.knots.clone_from(&self.samples[order[0]].knots),
            Method::Cem { elites } => {
                order.truncate(elites);
                self.average(order.iter().map(|&i| (i, 1.0)));
                let floor: Vec<f64> = scales(m).map(|s| s * self.options.least_noise).collect();
                for (k, deviation) in self.deviation.iter_mut().enumerate() {
                    let squares: f64 = order.iter().map(|&i| (self.samples[i].knots[k] - self.knots[k]).powi(2)).sum();
                    *deviation = (squares / elites as f64).sqrt().max(floor[k % floor.len()]);
                }
            }
            Method::Mppi { temperature } => {
                let weight = |i: usize| (-(self.samples[i].rollout.cost - least) / temperature).exp();
                let weights: Vec<(usize, f64)> = order.iter().map(|&i| (i, weight(i))).collect();
                self.average(weights.into_iter());
            }
        }
        self.best.clone_from(&self.samples[order[0]].rollout);
        Ok(least)
    }

    /// Takes the weighted mean of samples for knots.
    fn average(&mut self, weights: impl Iterator<Item = (usize, f64)> + Clone) {
        let sum: f64 = weights.clone().map(|(_, w)| w).sum();
        self.knots.fill(0.0);
        for (i, w) in weights {
            mj_math::dense::axpy(&mut self.knots, w / sum, &self.samples[i].knots);
        }
    }
}

/// Half the range of each control; 1 without a range.
fn scales(m: &Model) -> impl Iterator<Item = f64> {
    m.control.ids().map(|i| {
        let [lower, upper] = m.control.ctrlrange[i];
        if m.control.ctrllimited[i] { 0.5 * (upper - lower) } else { 1.0 }
    })
}
