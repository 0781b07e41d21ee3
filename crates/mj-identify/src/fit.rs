//! Problems of identification, and their outcome.

use crate::error::IdentifyError;
use crate::statistics::{Combination, Estimate};
use mj_engine::model::model::ModelParameter;
use mj_engine::{Model, State};

/// Parameter to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Parameter.
    pub parameter: ModelParameter,
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
    /// Mean and standard deviation of what is known of it beforehand.
    pub prior: Option<[f64; 2]>,
}

impl Unknown {
    /// Makes an unknown without a prior. Masses, moments of inertia, damping, stiffness, armature, friction and friction
    /// loss are not negative.
    ///
    /// # Errors
    /// If the text names no parameter of the model.
    pub fn parse(m: &Model, text: &str) -> Result<Self, IdentifyError> {
        Ok(Self::new(ModelParameter::parse(m, text)?))
    }

    /// Makes unknowns of the parameter that a text names, or of all numbers of a row where it gives none:
    /// `body_logcholesky[torso]` is the whole inertia of a body.
    ///
    /// # Errors
    /// If the text names no parameter of the model.
    pub fn parse_row(m: &Model, text: &str) -> Result<Vec<Self>, IdentifyError> {
        Ok(ModelParameter::parse_row(m, text)?.into_iter().map(Self::new).collect())
    }

    fn new(parameter: ModelParameter) -> Self {
        let positive = ["mass", "inertia", "damping", "stiffness", "armature", "friction", "frictionloss"];
        let lower = match parameter.field.split_once('_') {
            Some((_, field)) if positive.contains(&field) => 0.0,
            _ => f64::NEG_INFINITY,
        };
        Self { parameter, lower, upper: f64::INFINITY, prior: None }
    }
}

/// Settings of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Samples of a window: each begins from a state of its own. 0: the whole log.
    pub window: usize,
    /// Greatest number of Gauss-Newton steps, for each estimate of the noise.
    pub iterations: usize,
    /// The fit ends where a step changes every parameter by less than this part of its size.
    pub tolerance: f64,
    /// Times that the noise of each channel is estimated from the residuals. 0: it is `noise` of the channel's spread.
    pub noise_rounds: usize,
    /// First guess of the noise, relative to each channel's standard deviation over the log.
    pub noise: f64,
    /// A direction whose relative standard deviation is at least this is told as one that the data can't tell.
    pub unknown: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { window: 0, iterations: 50, tolerance: 1e-7, noise_rounds: 2, noise: 0.01, unknown: 1.0 }
    }
}

/// A problem of identification.
#[derive(Clone, Debug)]
pub struct Identification {
    /// Model, with the values to begin with.
    pub model: Model,
    /// State at the first sample, for what the log doesn't measure of it; without one, the model's initial state.
    pub start: Option<State>,
    /// Parameters to be found.
    pub unknowns: Vec<Unknown>,
    /// Settings.
    pub options: Options,
}

/// A Gauss-Newton step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Half the sum of squares of residuals over noise, with priors.
    pub cost: f64,
    /// Greatest change of a parameter relative to its size.
    pub change: f64,
}

/// Outcome of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Estimates, in the order of the unknowns.
    pub estimates: Vec<Estimate>,
    /// Mass, centre of mass and inertia matrix of each body of which log-Cholesky coordinates were unknown.
    pub inertias: Vec<Estimate>,
    /// Correlation of the estimates, n × n.
    pub correlation: Vec<f64>,
    /// Directions that the data can't tell.
    pub combinations: Vec<Combination>,
    /// Steps.
    pub iterations: Vec<Iteration>,
    /// Estimated noise of each channel: positions and velocities (nv each), sensors; NaN where nothing was measured.
    pub noise: Vec<f64>,
    /// Model with the estimates.
    pub model: Model,
    /// First sample of each window.
    pub windows: Vec<usize>,
    /// Whether each window counts: one that fits worse than the others, as where noise makes a contact of a distance, doesn't.
    pub fits: Vec<bool>,
    /// Simulated positions, velocities and sensors at the samples, window after window; sensors only where any was measured.
    pub simulated: [Vec<f64>; 3],
}
