//! The fit from beginning to end: checks, and a descent for each estimate of the noise.

use crate::descent::Work;
use crate::error::IdentifyError;
use crate::fit::{Fit, Identification, Iteration};
use crate::inertia;
use crate::log::Log;

impl Identification {
    /// Fits the parameters to a log. `watch` gets each step and may end the fit by returning false.
    ///
    /// # Errors
    /// If the log measures nothing, the bounds leave no room, or the simulation diverges from the first values.
    pub fn fit(&self, log: &Log, mut watch: impl FnMut(&Iteration) -> bool) -> Result<Fit, IdentifyError> {
        self.check(log)?;
        let mut work = Work::new(self, log)?;
        let mut iterations = Vec::new();
        let mut go_on = true;
        for round in 0..=self.options.noise_rounds {
            go_on = go_on && work.descend(&self.options, &mut iterations, &mut watch)?;
            if round < self.options.noise_rounds {
                work.estimate_noise();
            }
        }
        work.finish(self, iterations)
    }

    fn check(&self, log: &Log) -> Result<(), IdentifyError> {
        if self.unknowns.is_empty() {
            return Err(IdentifyError::NoParameters);
        }
        if !log.has_measurements() {
            return Err(IdentifyError::Empty);
        }
        let setting =
            |name: &str, value, expected| Err(IdentifyError::Setting { name: name.to_string(), value, expected });
        let (tolerance, noise) = (self.options.tolerance, self.options.noise);
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return setting("tolerance", tolerance, "a number between 0 and 1");
        }
        if !(noise > 0.0 && noise.is_finite()) {
            return setting("noise", noise, "a positive number");
        }
        inertia::check(&self.model, &self.unknowns)?;
        for u in &self.unknowns {
            let (name, value) = (u.parameter.describe(&self.model), u.parameter.value(&self.model));
            let Some(value) = value.filter(|x| x.is_finite()) else {
                return setting(&name, f64::NAN, "a finite number of the model");
            };
            if !(u.lower < u.upper && (u.lower..=u.upper).contains(&value)) {
                return setting(&name, value, "a value within bounds of which the lower is less than the upper");
            }
            if let Some([_, std]) = u.prior.filter(|[mean, std]| !(mean.is_finite() && *std > 0.0)) {
                return setting(&name, std, "a prior with a finite mean and a positive standard deviation");
            }
        }
        Ok(())
    }
}
