//! A simulation's state as a whole: reset, back to a keyframe, saved and restored, in and out of vectors.

use crate::data::{DISTURBED, Data, READY};
use crate::entry::check_data;
use crate::entry::check_state;
use crate::errors::element::{ElementKey, find};
use crate::errors::query::QueryError;
use crate::errors::step::{DataError, StepError};
use crate::pipeline::forward::{Known, evaluate};
use crate::sleep::{fall_asleep, publish};
use mj_model::*;

impl Data {
    /// Data in the model's reset state, of which the poses are computed; call
    /// [`forward`](crate::forward) for other results.
    ///
    /// # Errors
    /// If the model's options ask for something that the engine doesn't support yet, or its
    /// [parameters](Model::check_parameters) are of no use.
    pub fn new(m: &Model) -> Result<Self, DataError> {
        let mut d = Self::awake(m)?;
        begin_asleep(m, &mut d);
        Ok(d)
    }

    /// Data in the reset state of a variation of the model that `self` was made for. Hooks, a solver and colliders of your
    /// own are taken over.
    ///
    /// # Errors
    /// As [`Data::new`].
    pub fn for_variation(&self, m: &Model) -> Result<Self, DataError> {
        let mut fresh = Self::new(m)?;
        fresh.take_over(self);
        Ok(fresh)
    }

    /// Back to the model's reset state; warnings stay counted.
    pub fn reset(&mut self, m: &Model) {
        self.state.reset(m);
        self.qacc.fill(0.0);
        self.contact_memory.clear();
        self.sensordata.fill(0.0);
        self.solver_fwdinv = [0.0; 2];
        self.energy = [0.0; 2];
        self.ws.kinetic_known = false;
        begin_asleep(m, self);
    }
}

/// All trees awake but, where sleeping is on, those that the model wants to begin asleep. Those of
/// them that can't sleep, since they touch or are tied to others that don't, stay awake.
fn begin_asleep(m: &Model, d: &mut Data) {
    d.sleep.tree_asleep.as_mut_slice().fill(DISTURBED);
    d.state.awake.wake_all(m);
    let begins_asleep = |t: TreeId| m.tree.sleep_policy[t] == SleepPolicy::Init;
    if !m.opt.enabled(enable::SLEEP) || !m.tree.ids().any(begins_asleep) {
        return;
    }
    evaluate(m, d, Known::Nothing, true);
    for t in m.tree.ids().filter(|&t| begins_asleep(t)) {
        d.sleep.tree_asleep[t] = READY;
    }
    fall_asleep(m, d);
    for t in m.tree.ids().filter(|&t| begins_asleep(t)) {
        if !d.sleep.is_asleep(t) {
            d.sleep.tree_asleep[t] = DISTURBED;
        }
    }
    publish(m, d);
    d.smooth.actuation.qacc_smooth.fill(0.0);
    d.smooth.actuation.qfrc_smooth.fill(0.0);
    d.contacts.list.clear();
    d.rows.clear(m);
}

/// Trees that the model wants to begin asleep and that are awake.
pub(crate) fn reluctant(m: &Model, d: &Data) -> impl Iterator<Item = TreeId> {
    m.tree.ids().filter(|&t| m.tree.sleep_policy[t] == SleepPolicy::Init && !d.sleep.is_asleep(t))
}

/// Resets data to a keyframe (`mj_resetDataKeyframe`).
///
/// Example: [`get_state`].
///
/// # Errors
/// If there is no such keyframe, or data and model don't fit together.
pub fn reset_to_key(m: &Model, d: &mut Data, key: impl ElementKey<KeyId>) -> Result<(), QueryError> {
    check_data(m, d)?;
    let key = find(m, key)?;
    d.reset(m);
    d.state.set_key(m, key);
    publish(m, d);
    Ok(())
}

/// Makes a state that was saved the present one. Results stay those of the state before, until the next evaluation.
///
/// Every input of a step is in a state, so that the simulation goes on from it bit by bit as it did when it was saved,
/// unless trees sleep: which do is kept with the data. To restore that too, clone the data.
///
/// Example: [`get_state`].
///
/// # Errors
/// If a vector of the state has another length than the model needs, or data and model don't fit together.
pub fn restore_state(m: &Model, d: &mut Data, state: &State) -> Result<(), StepError> {
    crate::entry::check_data(m, d)?;
    check_state(m, state)?;
    let awake = std::mem::take(&mut d.state.awake);
    d.state.clone_from(state);
    d.state.awake = awake;
    Ok(())
}

/// Writes the components of a signature into `out`, one after the other (`mj_getState`);
/// [`state_size`](mj_model::state_size) tells how many numbers they are.
///
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/></body></worldbody>
///     <keyframe><key name="up" qpos=".3" qvel="2"/></keyframe></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// reset_to_key(&m, &mut d, "up")?;
/// let mut saved = vec![0.0; state_size(&m, Signature::PHYSICS)?];
/// get_state(&m, &d, Signature::PHYSICS, &mut saved)?;
/// assert_eq!(saved, [0.3, 2.0]);
///
/// let whole: State = d.state.clone();
/// step(&m, &mut d)?;
/// assert!(d.state.qpos[0] > 0.3);
/// set_state(&m, &mut d, Signature::PHYSICS, &saved)?;
/// assert_eq!(d.state.qpos, [0.3]);
/// restore_state(&m, &mut d, &whole)?;
/// assert_eq!(d.state.time, 0.0);
///
/// // Vectors must keep their lengths.
/// check_state(&m, &whole)?;
/// check_data(&m, &d)?;
/// d.state.qvel.clear();
/// assert!(check_state(&m, &d.state).is_err() && check_data(&m, &d).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the signature is not valid, `out` has another length, or data and model don't fit together.
pub fn get_state(m: &Model, d: &Data, signature: Signature, out: &mut [f64]) -> Result<(), QueryError> {
    check_data(m, d)?;
    Ok(d.state.get(m, signature, out)?)
}

/// Sets the components of a signature from a vector (`mj_setState`).
///
/// Example: [`get_state`].
///
/// # Errors
/// If the signature is not valid, the vector has another length, or data and model don't fit together.
pub fn set_state(m: &Model, d: &mut Data, signature: Signature, from: &[f64]) -> Result<(), QueryError> {
    check_data(m, d)?;
    Ok(d.state.set(m, signature, from)?)
}
