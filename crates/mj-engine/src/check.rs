//! Numbers that went bad are caught before they spread: a warning, and a reset where `autoreset`
//! is on.

use crate::data::Data;
use mj_math::MAXVAL;
use mj_model::{Model, Warning, disable};

/// First number that is not finite or too large.
pub(crate) fn first_bad(v: &[f64]) -> Option<usize> {
    v.iter().position(|x| x.is_nan() || x.abs() > MAXVAL)
}

/// Resets on a bad position or velocity. Manual: "Simulation", "Divergence".
pub fn state(m: &Model, d: &mut Data) {
    if let Some(i) = first_bad(&d.state.qpos) {
        handle(m, d, Warning::BadQpos, i);
    }
    if let Some(i) = first_bad(&d.state.qvel) {
        handle(m, d, Warning::BadQvel, i);
    }
}

/// Whether the acceleration is bad; resets then.
pub fn acceleration(m: &Model, d: &mut Data) -> bool {
    let Some(i) = first_bad(&d.qacc) else { return false };
    handle(m, d, Warning::BadQacc, i);
    true
}

fn handle(m: &Model, d: &mut Data, kind: Warning, i: usize) {
    d.warn(kind, i);
    if !m.opt.disabled(disable::AUTORESET) {
        d.reset(m);
    }
}
