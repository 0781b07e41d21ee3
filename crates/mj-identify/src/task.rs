//! Tasks of identification by name: a model, parameters that follow from a seed, a noisy log, and a test of success.

use crate::error::IdentifyError;
use crate::fit::{Fit, Identification, Options, Unknown};
use crate::log::{Log, LogBuilder};
use crate::statistics::Estimate;
use mj_engine::{Data, LoadError, Model, load_str, set_const, step};
use mj_math::random::Random;

/// Noise of a channel relative to its standard deviation over the log.
const NOISE: f64 = 0.01;

/// Samples of a log, and time steps between two.
const SAMPLES: usize = 300;
const SUBSTEPS: usize = 4;

/// Greatest relative difference of a true parameter from the model's.
const OFF: f64 = 0.3;

/// Task of identification.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Name.
    pub name: &'static str,
    /// Description, a line.
    pub about: &'static str,
    /// Model in MJCF.
    pub xml: &'static str,
    /// Parameters to be found.
    pub parameters: &'static [&'static str],
}

/// Condition of success of all tasks.
pub const SUCCESS: &str = "each parameter within three standard deviations of the truth, and these at most 15 % of it";

/// Outcome of a task for a seed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether the condition of success holds.
    pub success: bool,
    /// True values of the parameters.
    pub truth: Vec<f64>,
    /// Fit.
    pub fit: Fit,
}

const ALL: &[Task] = &[
    Task {
        name: "identify_pendulum",
        about: "finds mass, damping and friction of a pendulum driven by a known torque",
        xml: include_str!("../models/pendulum.xml"),
        parameters: &["body_mass[bob]", "dof_damping[hinge]", "dof_frictionloss[hinge]"],
    },
    Task {
        name: "identify_arm",
        about: "finds the load of an arm, the damping of its joints and the gain of a motor",
        xml: include_str!("../models/arm.xml"),
        parameters: &[
            "body_mass[load]",
            "body_ipos[load,0]",
            "dof_damping[turn]",
            "dof_damping[shoulder]",
            "dof_damping[elbow]",
            "actuator_gainprm[elbow,0]",
        ],
    },
];

impl Task {
    /// Returns all tasks.
    pub fn all() -> &'static [Task] {
        ALL
    }

    /// Compiles the model, which has the values that a fit begins with.
    ///
    /// # Errors
    /// If it has errors.
    pub fn model(&self) -> Result<Model, LoadError> {
        load_str(self.xml)
    }

    /// Makes the log of a seed, with noise, and the true values of the parameters.
    ///
    /// # Errors
    /// If the model can't be simulated.
    pub fn log(&self, m: &Model, seed: u64) -> Result<(Log, Vec<f64>), IdentifyError> {
        let mut random = Random::new([41, seed, self.name.len() as u64]);
        let (mut truth, mut values) = (m.clone(), Vec::new());
        for u in self.unknowns(m)? {
            let x = u.parameter.value(m).unwrap_or_default() * random.uniform(1.0 - OFF, 1.0 + OFF);
            let wrong = |e: &dyn std::fmt::Display| IdentifyError::Value {
                name: u.parameter.to_string(),
                reason: e.to_string(),
            };
            u.parameter.set(&mut truth, x).map_err(|e| wrong(&e))?;
            values.push(x);
        }
        set_const(&mut truth)?;
        let mut d = Data::new(&truth)?;
        let waves: Vec<[f64; 2]> =
            (0..m.nu()).map(|_| [random.uniform(0.5, 1.5), random.uniform(0.0, std::f64::consts::TAU)]).collect();
        let (mut time, mut ctrl, mut qpos, mut qvel) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..SAMPLES {
            let t = d.state.time;
            let drive = |[rate, phase]: &[f64; 2]| 0.8 * (std::f64::consts::TAU * rate * t + phase).sin();
            d.state.ctrl.iter_mut().zip(&waves).for_each(|(u, wave)| *u = drive(wave));
            time.push(t);
            ctrl.extend_from_slice(&d.state.ctrl);
            qpos.extend_from_slice(&d.state.qpos);
            qvel.extend_from_slice(&d.state.qvel);
            for _ in 0..SUBSTEPS {
                step(&truth, &mut d)?;
            }
        }
        add_noise(&mut qpos, m.nq(), &mut random);
        add_noise(&mut qvel, m.nv(), &mut random);
        let arrays =
            LogBuilder { time: Some(time), ctrl: Some(ctrl), qpos: Some(qpos), qvel: Some(qvel), sensordata: None };
        Ok((arrays.build(m)?, values))
    }

    /// Fits the log of a seed.
    ///
    /// # Errors
    /// If the fit fails.
    pub fn run(&self, m: &Model, seed: u64) -> Result<Outcome, IdentifyError> {
        let (log, truth) = self.log(m, seed)?;
        let unknowns = self.unknowns(m)?;
        let options = Options { window: 30, ..Options::default() };
        let fit = Identification { model: m.clone(), start: None, unknowns, options }.fit(&log, |_| true)?;
        let good = |e: &Estimate, x: f64| (e.value - x).abs() <= 3.0 * e.std && e.std <= 0.15 * x.abs();
        let success = fit.estimates.iter().zip(&truth).all(|(e, x)| good(e, *x));
        Ok(Outcome { success, truth, fit })
    }

    fn unknowns(&self, m: &Model) -> Result<Vec<Unknown>, IdentifyError> {
        self.parameters.iter().map(|name| Unknown::parse(m, name)).collect()
    }
}

/// Adds noise to each of `width` channels.
fn add_noise(x: &mut [f64], width: usize, random: &mut Random) {
    for i in 0..width {
        let of = |x: &[f64]| x.iter().skip(i).step_by(width).copied().collect::<Vec<f64>>();
        let channel = of(x);
        let mean = channel.iter().sum::<f64>() / channel.len() as f64;
        let square = channel.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / channel.len() as f64;
        x.iter_mut().skip(i).step_by(width).for_each(|x| *x += NOISE * square.sqrt() * random.normal());
    }
}
