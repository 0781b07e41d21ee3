//! Numbers that went bad are caught before they spread: a warning, and a reset where `autoreset`
//! is on.

use crate::data::Data;
use mj_math::MAXVAL;
use mj_model::{Model, Warning, disable};

/// First number that is not finite or too large.
pub(crate) fn first_bad(v: &[f64]) -> Option<usize> {
    // As a rule there is none: eight at a time, without a branch for each.
    let good = |x: &f64| x.abs() <= MAXVAL;
    let (eights, rest) = v.as_chunks::<8>();
    let all = eights.iter().all(|eight| eight.iter().fold(true, |all, x| all & good(x))) && rest.iter().all(good);
    if all { None } else { v.iter().position(|x| !good(x)) }
}

/// Returns whether a time step is positive and finite.
pub(crate) fn is_time_step(h: f64) -> bool {
    h > 0.0 && h.is_finite()
}

/// Resets on a bad position or velocity, and warns of a bad time step. Manual: "Simulation", "Divergence".
pub fn state(m: &Model, d: &mut Data) {
    if !is_time_step(m.opt.timestep) {
        d.warn(Warning::BadTimestep, 0);
    }
    vector(m, d, |d| &d.state.qpos, Warning::BadQpos);
    vector(m, d, |d| &d.state.qvel, Warning::BadQvel);
}

/// Resets if a number of a vector is bad.
pub fn vector(m: &Model, d: &mut Data, of: impl Fn(&Data) -> &[f64], kind: Warning) {
    if let Some(i) = first_bad(of(d)) {
        handle(m, d, kind, i);
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
