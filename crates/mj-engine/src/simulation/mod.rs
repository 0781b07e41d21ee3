//! A model and its data as one value.

mod queries;
mod state;

use crate::data::Data;
use crate::data::Hooks;
use crate::derivative::{StepDerivative, step_derivative};
use crate::differences::TransitionError;
use crate::entry::check_data;
use crate::errors::step::DataError;
use crate::errors::step::StepError;
use crate::load::{LoadError, compile, load, load_str, unsupported};
use crate::pipeline::inverse::{InverseError, inverse};
use crate::pipeline::step;
use crate::rollout::{RolloutError, RolloutPlan, Trajectory, rollout_plan};
use mj_model::{Model, Spec, State};
use mj_problem::OwnedSolver;
use std::path::Path;
use std::sync::Arc;

/// A simulation: a model, shared with whoever else uses it, and the data that belong to it.
///
/// Everything is also there as a function of [`Model`] and [`Data`], which [`Simulation::parts`] lends. Elements are
/// found by id, name or number ([`ElementKey`](crate::ElementKey)).
///
/// A clone shares the model and copies the data. Editing the model, by [`Simulation::model_mut`], copies it first where
/// it is shared, so that no other simulation sees the change.
///
/// Simulations are `Send` and `Sync`.
///
/// # Errors of a step
///
/// [`Simulation::step`] returns a `Result`: the vectors of [`Simulation::data_mut`] can be resized, data can be exchanged
/// for those of another model, and a hook can call `step` again. Each of these is an error with a sentence, never a
/// panic. Through the other methods of a simulation none can happen.
///
/// ```
/// use mj_engine::prelude::*;
///
/// let mut sim = Simulation::from_xml(
///     r#"<mujoco><worldbody><body name="ball" pos="0 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#,
/// )?;
/// for _ in 0..100 {
///     sim.step()?;
/// }
/// assert!(sim.body("ball")?.xpos().z < 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    model: Arc<Model>,
    data: Data,
}

impl Simulation {
    /// Makes a simulation of a model, in its reset state.
    ///
    /// # Errors
    /// If the model's options ask for something that the engine doesn't support.
    pub fn new(model: impl Into<Arc<Model>>) -> Result<Self, DataError> {
        let model = model.into();
        let data = Data::new(&model)?;
        Ok(Self { model, data })
    }

    /// Loads an MJCF or URDF file, an archive with a model, or a binary model.
    ///
    /// # Errors
    /// If the file can't be read or has errors; all of them are in the result.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::new(load(path)?).map_err(unsupported)
    }

    /// Loads MJCF text that includes no files.
    ///
    /// # Errors
    /// If the text has errors; all of them are in the result.
    pub fn from_xml(text: &str) -> Result<Self, LoadError> {
        Self::new(load_str(text)?).map_err(unsupported)
    }

    /// Compiles a model that was made or edited by program.
    ///
    /// # Errors
    /// If the model has errors; all of them are in the result.
    pub fn from_spec(spec: &Spec) -> Result<Self, LoadError> {
        Self::new(compile(spec)?).map_err(unsupported)
    }

    /// Compiles an edited model and goes on in it from the present state: what both models have under one name keeps
    /// position, velocity, activation and control, what is new starts from the reset state
    /// ([`State::remap`]). Hooks, a solver, colliders and the filter of contacts are taken over. Poses and other results
    /// are those of the new model.
    ///
    /// # Errors
    /// If the model has errors; the simulation stays as it was then.
    pub fn recompile(&mut self, spec: &Spec) -> Result<(), LoadError> {
        let mut next = Self::from_spec(spec)?;
        if check_data(&self.model, &self.data).is_ok() {
            let awake = std::mem::take(&mut next.data.state.awake);
            next.data.state = self.data.state.remap(&self.model, &next.model);
            next.data.state.awake = awake;
        }
        next.data.take_over(&self.data);
        // Refused only inside a hook, where nothing can call this.
        let _ = step::forward(&next.model, &mut next.data);
        *self = next;
        Ok(())
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the model as it is shared.
    pub fn shared_model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the model's parameters for editing. The model is copied first if others share it; assets never are.
    pub fn model_mut(&mut self) -> &mut Model {
        Arc::make_mut(&mut self.model)
    }

    /// Returns the data.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the data for setting inputs, hooks or options.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// Returns model and data, for functions of both.
    pub fn parts(&mut self) -> (&Model, &mut Data) {
        (&self.model, &mut self.data)
    }

    /// Installs hooks: laws of the user's that the pipeline calls. Clones of the simulation share them.
    pub fn set_hooks(&mut self, hooks: impl Hooks + 'static) {
        self.data.hooks = Some(Arc::new(hooks));
    }

    /// Puts a solver in the place of the model's; clones of the simulation get copies of it.
    pub fn set_solver(&mut self, solver: impl OwnedSolver + 'static) {
        self.data.solver = Some(Box::new(solver));
    }

    /// Makes a time step (`mj_step`).
    ///
    /// # Errors
    /// If data and model don't fit together: see the [type](Simulation#errors-of-a-step).
    pub fn step(&mut self) -> Result<(), StepError> {
        step::step(&self.model, &mut self.data)
    }

    /// Makes a number of time steps.
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub fn steps(&mut self, n: usize) -> Result<(), StepError> {
        (0..n).try_for_each(|_| self.step())
    }

    /// Makes the first part of a time step: what depends on position and velocity (`mj_step1`).
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub fn step1(&mut self) -> Result<(), StepError> {
        step::step1(&self.model, &mut self.data)
    }

    /// Makes the second part of a time step: forces, acceleration, integration (`mj_step2`).
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub fn step2(&mut self) -> Result<(), StepError> {
        step::step2(&self.model, &mut self.data)
    }

    /// Computes everything up to the acceleration and the sensors at the present state (`mj_forward`).
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub fn forward(&mut self) -> Result<(), StepError> {
        step::forward(&self.model, &mut self.data)
    }

    /// Computes the force that gives the acceleration in `data.qacc`, into `data.qfrc_inverse` (`mj_inverse`).
    ///
    /// # Errors
    /// As [`inverse`](fn@inverse).
    pub fn inverse(&mut self) -> Result<(), InverseError> {
        inverse(&self.model, &mut self.data)
    }

    /// Returns the Jacobians of a step by position, velocity, activation and control at the present state, in closed form
    /// where there is one. For many, [`step_derivative`] keeps its memory.
    ///
    /// # Errors
    /// As [`step_derivative`].
    pub fn step_derivative(&mut self) -> Result<StepDerivative, TransitionError> {
        let mut out = StepDerivative::default();
        step_derivative(&self.model, &mut self.data, &mut out)?;
        Ok(out)
    }

    /// Simulates from each of the given states, in parallel, with copies of this simulation's data: hooks, a solver,
    /// colliders and the filter of contacts are those of this simulation.
    ///
    /// # Errors
    /// As [`rollout_plan`].
    pub fn rollout(&self, starts: &[State], plan: RolloutPlan<'_>) -> Result<Vec<Trajectory>, RolloutError> {
        rollout_plan(&self.model, starts, RolloutPlan { data: Some(&self.data), ..plan })
    }
}
