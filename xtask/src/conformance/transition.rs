//! Jacobians of a step against those of the reference, in this process: no command prints them.

use super::golden::Case;
use super::{Verdict, compare};
use crate::Result;
use crate::npz::Arrays;
use mj_engine::{Data, Model, Transition, load, transition_fd};
use mj_model::{IntegratorType, KeyId, SolverType};
use std::path::Path;

/// Step of the differences, that of the oracle.
const EPS: f64 = 1e-6;

/// Compares A, B, C and D in every recorded state.
pub fn judge(model: &Path, cases: &[Case], v: &mut Verdict) -> Result<()> {
    if cases.is_empty() {
        return Ok(());
    }
    let mut m = load(model)?;
    // As the oracle: a solver that runs to convergence, and one that converges to the last digits.
    m.opt.solver = SolverType::Newton;
    (m.opt.iterations, m.opt.tolerance) = (500, 1e-15);
    (m.opt.ls_iterations, m.opt.ls_tolerance) = (100, 1e-6);
    let mut found = Transition::default();
    for case in cases {
        let integrator = case.input.get("integrator").and_then(|a| a.data.first()).ok_or("no integrator recorded")?;
        m.opt.integrator = IntegratorType::from_code(*integrator as i32).ok_or("an unknown integrator")?;
        let mut d = Data::new(&m)?;
        set_state(&m, &case.input, &mut d)?;
        transition_fd(&m, &mut d, EPS, true, &mut found)?;
        for (name, got) in [("A", &found.a), ("B", &found.b), ("C", &found.c), ("D", &found.d)] {
            let why = format!("{name} with integrator {integrator}");
            compare::transition(name, &case.output, got, &why, v);
        }
    }
    Ok(())
}

/// Sets the recorded state.
pub fn set_state(m: &Model, from: &Arrays, d: &mut Data) -> Result<()> {
    let s = &mut d.state;
    if !m.key.is_empty() {
        s.set_key(m, KeyId::new(0));
    }
    for (name, to) in [
        ("qpos", &mut s.qpos),
        ("qvel", &mut s.qvel),
        ("act", &mut s.act),
        ("ctrl", &mut s.ctrl),
        ("qfrc_applied", &mut s.qfrc_applied),
        ("qacc_warmstart", &mut s.qacc_warmstart),
        ("plastic", &mut s.plastic),
    ] {
        let numbers = from.get(name).map_or(&[][..], |a| &a.data);
        if numbers.len() != to.len() {
            return Err(format!("{name}: {} numbers recorded, {} wanted", numbers.len(), to.len()).into());
        }
        to.copy_from_slice(numbers);
    }
    Ok(())
}
