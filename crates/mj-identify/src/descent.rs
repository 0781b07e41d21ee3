//! The descent: Gauss-Newton steps within bounds, and the noise of each channel from the residuals that are left.

use crate::error::IdentifyError;
use crate::fit::{Fit, Identification, Iteration, Options, Unknown};
use crate::inertia;
use crate::log::Log;
use crate::normal::Normal;
use crate::statistics::{Estimate, spread};
use crate::window::{Problem, Rows, Simulator, Window};
use mj_engine::model::enable;
use mj_engine::model::model::ModelParameter;
use mj_engine::{Data, Model, State, check_state, set_const, step};
use mj_math::{BoxQp, box_qp};
use rayon::prelude::*;

/// Damping of the first step.
const DAMPING: f64 = 1e-6;

/// A window whose mean square of residuals is this many times that of the median doesn't fit.
const MISFIT: f64 = 4.0;

/// A descent that is stuck goes on where other initial states take at least this part from the sum of squares.
const UNSTUCK: f64 = 1e-3;

/// State of a fit.
pub(crate) struct Work<'a> {
    log: &'a Log,
    unknowns: &'a [Unknown],
    parameters: Vec<ModelParameter>,
    pub(crate) model: Model,
    pub(crate) values: Vec<f64>,
    size: Vec<f64>,
    pub(crate) windows: Vec<Window>,
    /// Whether initial states are unknown, too.
    pub(crate) free: bool,
    noise: Vec<f64>,
    pub(crate) rows: Vec<Rows>,
    /// Windows that fit as well as the others do: the rest don't count.
    fits: Vec<bool>,
    /// Damping of the parameters' steps, and of each window's initial state.
    damping: f64,
    pub(crate) damping_of: Vec<f64>,
}

impl<'a> Work<'a> {
    /// Begins at the values of the model and the states of the log.
    pub fn new(of: &'a Identification, log: &'a Log) -> Result<Self, IdentifyError> {
        let mut model = of.model.clone();
        // Derivatives are those of the optimum.
        model.opt.tolerance = model.opt.tolerance.min(1e-12);
        model.opt.iterations = model.opt.iterations.max(200);
        // Trees that may fall asleep have no derivatives.
        model.opt.enableflags &= !enable::SLEEP;
        let values: Vec<f64> = of.unknowns.iter().filter_map(|u| u.parameter.value(&model)).collect();
        let m = &model;
        let size = |u: &Unknown| {
            let (typical, span) = (u.parameter.typical_change(m), (u.upper - u.lower).abs());
            if typical != 0.0 { typical } else { u.prior.map_or(if span.is_finite() { span } else { 1.0 }, |p| p[1]) }
        };
        let free = log.qpos[..m.nq()].iter().all(|x| x.is_finite());
        let length = if free && of.options.window >= 2 { of.options.window } else { log.samples };
        let activations = activations(of, m, log)?;
        let mut windows = Vec::new();
        let mut first = 0;
        while first + 1 < log.samples {
            let count = length.min(log.samples - first);
            let mut start = start(of, m, log, first)?;
            start.act.copy_from_slice(&activations[first * m.na..(first + 1) * m.na]);
            windows.push(Window { first, count, start });
            first += count - 1;
        }
        Ok(Self {
            log,
            unknowns: &of.unknowns,
            parameters: of.unknowns.iter().map(|u| u.parameter.clone()).collect(),
            size: of.unknowns.iter().map(size).collect(),
            values,
            free,
            noise: first_noise(m, log, of.options.noise),
            rows: Vec::new(),
            fits: vec![true; windows.len()],
            damping: DAMPING,
            damping_of: vec![DAMPING; windows.len()],
            windows,
            model,
        })
    }

    /// Simulates all windows.
    pub(crate) fn simulate(
        &self,
        m: &Model,
        windows: &[Window],
        with_jacobian: bool,
    ) -> Result<Vec<Rows>, IdentifyError> {
        let mut nudged = Vec::new();
        if with_jacobian && self.log.sensordata.iter().any(|x| x.is_finite()) {
            for (p, x) in self.parameters.iter().zip(&self.values) {
                let step = p.difference(&self.model);
                nudged.push((self.edited(&[(p, x + step)])?, step));
            }
        }
        let (log, parameters, noise, nudged) = (self.log, &self.parameters[..], &self.noise[..], &nudged[..]);
        let problem = Problem { m, log, parameters, noise, nudged };
        windows
            .par_iter()
            .map_init(
                || None,
                |simulator, w| {
                    let simulator = match simulator {
                        Some(simulator) => simulator,
                        none => none.insert(Simulator::new(m)?),
                    };
                    simulator.run(problem, w, with_jacobian)
                },
            )
            .collect()
    }

    /// The model with other values of some parameters, and what is derived from them.
    fn edited(&self, values: &[(&ModelParameter, f64)]) -> Result<Model, IdentifyError> {
        let mut m = self.model.clone();
        for (p, x) in values {
            p.set(&mut m, *x).map_err(|e| IdentifyError::Value { name: p.to_string(), reason: e.to_string() })?;
        }
        set_const(&mut m)?;
        Ok(m)
    }

    /// Simulates all windows with their Jacobians, and leaves out those that diverge.
    fn linearize(&mut self) -> Result<(), IdentifyError> {
        self.rows = self.simulate(&self.model, &self.windows, true)?;
        self.fits.iter_mut().zip(&self.rows).for_each(|(fits, rows)| *fits &= !rows.diverged);
        if self.fits.contains(&true) { Ok(()) } else { Err(IdentifyError::Diverged) }
    }

    fn cost(&self, rows: &[Rows], values: &[f64]) -> f64 {
        let data: f64 = rows.iter().zip(&self.fits).filter(|(_, fits)| **fits).map(|(r, _)| r.square()).sum();
        let prior: f64 = self.priors().map(|(i, mean, std)| ((values[i] - mean) / std).powi(2)).sum();
        0.5 * (data + prior)
    }

    fn priors(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        self.unknowns.iter().enumerate().filter_map(|(i, u)| u.prior.map(|[mean, std]| (i, mean, std)))
    }

    /// Normal equations of each window, and of the parameters in units of their sizes.
    fn equations(&self, normals: &mut [Normal], damping: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = self.values.len();
        let (mut h, mut g) = (vec![0.0; n * n], vec![0.0; n]);
        let mut apart = (vec![0.0; n * n], vec![0.0; n]);
        for ((w, damping), fits) in normals.iter_mut().zip(damping).zip(&self.fits) {
            let (h, g) = if *fits { (&mut h, &mut g) } else { (&mut apart.0, &mut apart.1) };
            w.eliminate(*damping, h, g);
        }
        for (i, mean, std) in self.priors() {
            h[i * n + i] += 1.0 / (std * std);
            g[i] += (self.values[i] - mean) / (std * std);
        }
        for i in 0..n {
            g[i] *= self.size[i];
            (0..n).for_each(|j| h[i * n + j] *= self.size[i] * self.size[j]);
        }
        (h, g)
    }

    pub(crate) fn normals(&self) -> Vec<Normal> {
        let states = 2 * self.model.nv();
        self.rows.par_iter().map(|r| Normal::new(r, states, self.values.len(), self.free)).collect()
    }

    /// Descends to the least sum of squares at the present noise. Returns whether to go on.
    pub fn descend(
        &mut self,
        options: &Options,
        iterations: &mut Vec<Iteration>,
        watch: &mut impl FnMut(&Iteration) -> bool,
    ) -> Result<bool, IdentifyError> {
        self.settle()?;
        for _ in 0..options.iterations {
            self.linearize()?;
            let cost = self.cost(&self.rows, &self.values);
            let mut normals = self.normals();
            let mut change = None;
            for _ in 0..30 {
                change = self.improve(&mut normals, cost)?;
                if change.is_some() || self.damping > 1e9 {
                    break;
                }
            }
            self.damping = self.damping.min(1.0);
            self.damping_of.iter_mut().for_each(|d| *d = d.min(1.0));
            let iteration = Iteration { cost, change: change.unwrap_or(0.0) };
            iterations.push(iteration);
            if !watch(&iteration) {
                return Ok(false);
            }
            // A descent that is stuck may go on from other initial states.
            if iteration.change < options.tolerance && (change.is_some() || self.settle()? < UNSTUCK) {
                break;
            }
        }
        Ok(true)
    }

    /// Takes one damped step if it lowers the cost, and returns the greatest change of a parameter relative to its size.
    /// More damping is next if it doesn't.
    fn improve(&mut self, normals: &mut [Normal], cost: f64) -> Result<Option<f64>, IdentifyError> {
        let (mut h, g) = self.equations(normals, &self.damping_of);
        if let Some(step) = self.step(&mut h, &g, self.damping)
            && let Ok((model, values, windows)) = self.moved(&step, normals)
        {
            let rows = self.simulate(&model, &windows, false)?;
            for ((damping, new), old) in self.damping_of.iter_mut().zip(&rows).zip(&self.rows) {
                let factor = if new.square() <= old.square() { 0.1 } else { 10.0 };
                *damping = (*damping * factor).clamp(1e-12, 1e9);
            }
            if self.cost(&rows, &values) <= cost {
                (self.model, self.values, self.windows) = (model, values, windows);
                self.damping = (self.damping * 0.1).max(1e-12);
                return Ok(Some(step.iter().fold(0.0, |x: f64, s| x.max(s.abs()))));
            }
        }
        self.damping = (self.damping * 10.0).max(1e-9);
        Ok(None)
    }

    /// Damped Gauss-Newton step of the parameters within their bounds, in units of their sizes.
    fn step(&self, h: &mut [f64], g: &[f64], damping: f64) -> Option<Vec<f64>> {
        let n = self.values.len();
        let greatest = (0..n).fold(0.0, |x: f64, i| x.max(h[i * n + i]));
        (0..n).for_each(|i| h[i * n + i] += damping * h[i * n + i] + 1e-12 * greatest.max(1e-300));
        // No parameter changes by more than its size at once.
        let room = |bound: f64, i: usize| ((bound - self.values[i]) / self.size[i]).clamp(-1.0, 1.0);
        let lower: Vec<f64> = self.unknowns.iter().enumerate().map(|(i, u)| room(u.lower, i)).collect();
        let upper: Vec<f64> = self.unknowns.iter().enumerate().map(|(i, u)| room(u.upper, i)).collect();
        let mut step = vec![0.0; n];
        box_qp(h, g, &lower, &upper, &mut step, &mut BoxQp::default()).is_ok().then_some(step)
    }

    /// Parameters and initial states after a step.
    fn moved(&self, step: &[f64], normals: &[Normal]) -> Result<(Model, Vec<f64>, Vec<Window>), IdentifyError> {
        let m = &self.model;
        let step: Vec<f64> = step.iter().zip(&self.size).map(|(x, size)| x * size).collect();
        let moved = self.values.iter().zip(&step).zip(self.unknowns);
        let values: Vec<f64> = moved.map(|((x, dx), u)| (x + dx).clamp(u.lower, u.upper)).collect();
        let pairs: Vec<_> = self.parameters.iter().zip(values.iter().copied()).collect();
        let model = self.edited(&pairs)?;
        let mut windows = self.windows.clone();
        if self.free {
            for (w, normal) in windows.iter_mut().zip(normals) {
                w.shift(m, &normal.step(&step));
            }
        }
        Ok((model, values, windows))
    }

    /// Leaves out windows that fit worse than the others, where the descent met a false minimum; takes the noise of each
    /// channel from the residuals of the rest. What the unknowns took of them counts for all alike.
    pub fn estimate_noise(&mut self) {
        let means: Vec<f64> = self.rows.iter().map(|r| r.square() / r.residual.len().max(1) as f64).collect();
        let mut sorted = means.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted[sorted.len() / 2];
        self.fits = means.iter().map(|x| *x <= MISFIT * median).collect();
        let mut sums = vec![(0.0, 0usize); self.noise.len()];
        for (r, _) in self.rows.iter().zip(&self.fits).filter(|(_, fits)| **fits) {
            for (c, x) in r.channel.iter().zip(&r.residual) {
                sums[*c] = (sums[*c].0 + (x * self.noise[*c]).powi(2), sums[*c].1 + 1);
            }
        }
        let total: usize = sums.iter().map(|s| s.1).sum();
        let count = self.fits.iter().filter(|fits| **fits).count();
        let states = if self.free { 2 * self.model.nv() * count } else { 0 };
        let left = total.saturating_sub(states + self.values.len()).max(1) as f64;
        for (noise, (sum, count)) in self.noise.iter_mut().zip(sums).filter(|(_, s)| s.1 > 0) {
            let estimate = (sum / count as f64 * total as f64 / left).sqrt();
            *noise = estimate.max(*noise * 1e-6);
        }
    }

    /// Computes the spread of the estimates.
    pub fn finish(mut self, of: &Identification, iterations: Vec<Iteration>) -> Result<Fit, IdentifyError> {
        self.linearize()?;
        let (mut h, g) = self.equations(&mut self.normals(), &vec![0.0; self.windows.len()]);
        let relative = spread(&h, &vec![1.0; self.values.len()], of.options.unknown);
        // A step that the descent could not take, since the derivatives don't tell what it does, is a doubt, too.
        let left = self.step(&mut h, &g, 0.0).unwrap_or_else(|| vec![1.0; self.values.len()]);
        let measured = |c: usize| self.rows.iter().any(|r| r.channel.contains(&c));
        let noise = (0..self.noise.len()).map(|c| if measured(c) { self.noise[c] } else { f64::NAN }).collect();
        let estimates = (0..self.values.len()).map(|i| Estimate {
            name: self.parameters[i].describe(&self.model),
            start: self.parameters[i].value(&of.model).unwrap_or(f64::NAN),
            value: self.values[i],
            std: relative.std[i].hypot(left[i]) * self.size[i],
            bounds: [self.unknowns[i].lower, self.unknowns[i].upper],
        });
        let mut simulated = [const { Vec::new() }; 3];
        for (r, w) in self.rows.iter().zip(&self.windows) {
            simulated.iter_mut().zip(&r.simulated).for_each(|(all, of_window)| all.extend_from_slice(of_window));
            if r.diverged {
                let (m, ns) = (&self.model, self.model.nsensordata);
                let of_sample = |k: &usize| self.log.sensordata[k * ns..(k + 1) * ns].iter().any(|x| x.is_finite());
                let measured = (w.first..w.first + w.count).filter(of_sample).count();
                let missing = [m.nq() * w.count, m.nv() * w.count, ns * measured];
                simulated.iter_mut().zip(missing).for_each(|(all, n)| all.resize(all.len() + n, f64::NAN));
            }
        }
        let estimates: Vec<Estimate> = estimates.collect();
        let std: Vec<f64> = estimates.iter().map(|e| e.std).collect();
        let inertias = inertia::estimates([&of.model, &self.model], self.unknowns, &std, &relative.correlation);
        let windows = self.windows.iter().map(|w| w.first).collect();
        self.model.opt = of.model.opt.clone();
        for (p, x) in self.parameters.iter().zip(&self.values).filter(|(p, _)| p.field.starts_with("opt.")) {
            let set = p.set(&mut self.model, *x);
            set.map_err(|e| IdentifyError::Value { name: p.to_string(), reason: e.to_string() })?;
        }
        Ok(Fit {
            estimates,
            inertias,
            correlation: relative.correlation,
            combinations: relative.combinations,
            iterations,
            noise,
            model: self.model,
            windows,
            fits: self.fits,
            simulated,
        })
    }
}

/// State at a sample as it was measured, with the given initial state for what was not.
fn start(of: &Identification, m: &Model, log: &Log, k: usize) -> Result<State, IdentifyError> {
    let mut s = match &of.start {
        Some(start) => start.clone(),
        None => Data::new(m)?.state,
    };
    check_state(m, &s)?;
    let (nq, nv) = (m.nq(), m.nv());
    let measured = log.qpos[k * nq..(k + 1) * nq].iter().zip(&mut s.qpos);
    measured.filter(|(x, _)| x.is_finite()).for_each(|(x, q)| *q = *x);
    let measured = log.qvel[k * nv..(k + 1) * nv].iter().zip(&mut s.qvel);
    measured.filter(|(x, _)| x.is_finite()).for_each(|(x, v)| *v = *x);
    mj_engine::normalize_quaternions(m, &mut s.qpos);
    Ok(s)
}

/// Activations at the samples, samples × na: those that follow from the log's controls along its states.
fn activations(of: &Identification, m: &Model, log: &Log) -> Result<Vec<f64>, IdentifyError> {
    let mut d = Data::new(m)?;
    let mut act = start(of, m, log, 0)?.act;
    let mut all = act.clone();
    for k in 0..if m.na > 0 { log.samples - 1 } else { 0 } {
        d.state.clone_from(&start(of, m, log, k)?);
        d.state.act.copy_from_slice(&act);
        d.state.ctrl.copy_from_slice(&log.ctrl[k * m.nu()..(k + 1) * m.nu()]);
        for _ in 0..log.substeps {
            step(m, &mut d)?;
        }
        act.copy_from_slice(&d.state.act);
        all.extend_from_slice(&act);
    }
    Ok(all)
}

/// A part of each channel's standard deviation over the log; of a channel that never changes, that part of 1.
fn first_noise(m: &Model, log: &Log, part: f64) -> Vec<f64> {
    let spread = |array: &[f64], width: usize, at: usize| {
        let x: Vec<f64> = array.iter().skip(at).step_by(width.max(1)).copied().filter(|x| x.is_finite()).collect();
        let mean = x.iter().sum::<f64>() / x.len().max(1) as f64;
        let std = (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len().max(1) as f64).sqrt();
        part * if std > 1e-9 { std } else { 1.0 }
    };
    let position = |d| {
        let j = m.dof.jntid[d];
        // Of a rotation: its numbers are of order 1.
        let single = matches!(m.jnt.r#type[j], mj_engine::model::JointType::Hinge | mj_engine::model::JointType::Slide);
        if single { spread(&log.qpos, m.nq(), m.jnt.qposadr[j] as usize) } else { part }
    };
    let velocities = (0..m.nv()).map(|i| spread(&log.qvel, m.nv(), i));
    let sensors = (0..m.nsensordata).map(|i| spread(&log.sensordata, m.nsensordata, i));
    m.dof.ids().map(position).chain(velocities).chain(sensors).collect()
}
