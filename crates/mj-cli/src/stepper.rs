//! Stepping by the engine with any solver, or by velocity stepping.

use crate::failure::Failure;
use crate::{impulse, solvers};
use mj_engine::{Convergence, Data, Model, step, step_strict};
use mj_impulse::Pipeline;

/// Method that advances a state, selected by `--solver`.
pub enum Stepper {
    /// The engine's pipeline, of forces.
    Forces,
    /// Velocity stepping, of impulses: a pipeline of its own, which leaves everything in `Data` but the state alone.
    Impulses(Box<Pipeline>),
}

impl Stepper {
    /// Makes the named stepper; one with the model's own solver without a name.
    ///
    /// `settings` are those of velocity stepping, as `NAME=VALUE`.
    pub fn new(name: Option<&str>, settings: &[String], model: &str, m: &Model, d: &mut Data) -> Result<Self, Failure> {
        if !settings.is_empty() && name != Some(solvers::IMPULSE) {
            let problem = "these are settings of velocity stepping; give --solver impulse, too";
            return Err(Failure::Usage(format!("--impulse {}: {problem}", settings[0])));
        }
        match name {
            Some(solvers::IMPULSE) => {
                let pipeline = Pipeline::new(m, impulse::options(settings)?)
                    .map_err(|reason| Failure::VelocityStepping { model: model.into(), reason })?;
                Ok(Self::Impulses(Box::new(pipeline)))
            }
            _ => {
                d.solver = name.map(solvers::by_name).transpose()?;
                Ok(Self::Forces)
            }
        }
    }

    /// Makes one step. Velocity stepping always stops at a number that is not finite.
    pub fn step(&mut self, model: &str, m: &Model, d: &mut Data, strict: bool) -> Result<(), Failure> {
        match self {
            Self::Forces if strict => {
                step_strict(m, d).map_err(|reason| Failure::Diverged { model: model.into(), reason })
            }
            Self::Forces => Ok(step(m, d)?),
            Self::Impulses(p) => {
                p.step(m, &mut d.state);
                let s = &d.state;
                let finite = s.qpos.iter().chain(&s.qvel).chain(&s.act).all(|x| x.is_finite());
                if finite { Ok(()) } else { Err(Failure::NotFinite { model: model.into(), time: s.time }) }
            }
        }
    }

    /// Returns the number of contacts of the last step.
    pub fn contacts(&self, d: &Data) -> usize {
        match self {
            Self::Forces => d.contacts.len(),
            Self::Impulses(p) => p.contacts.list.len(),
        }
    }

    /// Returns the number of solver iterations of the last step.
    pub fn iterations(&self, d: &Data) -> u32 {
        match self {
            Self::Forces => d.solution.niter(),
            Self::Impulses(p) => p.sweeps,
        }
    }

    /// Records whether the engine's solver reached its tolerance in the last step.
    pub fn observe(&self, m: &Model, d: &Data, convergence: &mut Convergence) {
        if let Self::Forces = self {
            convergence.observe(m, d);
        }
    }

    /// Returns the number of sensor readings that a step computes.
    pub fn sensors(&self, m: &Model) -> usize {
        match self {
            Self::Forces => m.nsensordata,
            Self::Impulses(_) => 0,
        }
    }
}
