//! A simulation's state as a whole: back to a keyframe, saved and restored, in and out of vectors.

use crate::data::Data;
use crate::element::{ElementKey, find};
use crate::entry::{StepError, check_state};
use crate::query::{QueryError, check};
use crate::sleep;
use mj_model::*;

/// Resets data to a keyframe (`mj_resetDataKeyframe`).
///
/// # Errors
/// If there is no such keyframe, or data and model don't fit together.
pub fn reset_to_key(m: &Model, d: &mut Data, key: impl ElementKey<KeyId>) -> Result<(), QueryError> {
    check(m, d)?;
    let key = find(m, key)?;
    d.reset(m);
    d.state.set_key(m, key);
    sleep::publish(m, d);
    Ok(())
}

/// Makes a state that was saved the present one. Results stay those of the state before, until the next evaluation.
///
/// Every input of a step is in a state, so that the simulation goes on from it bit by bit as it did when it was saved,
/// unless trees sleep: which do is kept with the data. To restore that too, clone the data.
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
/// # Errors
/// If the signature is not valid, `out` has another length, or data and model don't fit together.
pub fn get_state(m: &Model, d: &Data, signature: Signature, out: &mut [f64]) -> Result<(), QueryError> {
    check(m, d)?;
    Ok(d.state.get(m, signature, out)?)
}

/// Sets the components of a signature from a vector (`mj_setState`).
///
/// # Errors
/// If the signature is not valid, the vector has another length, or data and model don't fit together.
pub fn set_state(m: &Model, d: &mut Data, signature: Signature, from: &[f64]) -> Result<(), QueryError> {
    check(m, d)?;
    Ok(d.state.set(m, signature, from)?)
}
