//! What the engine supports so far.

use mj_model::{IntegratorType, Model, SolverType, enable};

/// An option asks for something that the engine doesn't have yet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option} = {value}: not supported yet; supported: {supported}")]
pub struct UnsupportedOption {
    /// Option.
    pub option: &'static str,
    /// Its value.
    pub value: &'static str,
    /// What is supported.
    pub supported: &'static str,
}

/// Checks that the engine supports a model's options.
///
/// # Errors
/// On the first option that it doesn't.
pub fn check_options(m: &Model) -> Result<(), UnsupportedOption> {
    let refuse = |option, value, supported| Err(UnsupportedOption { option, value, supported });
    if !matches!(m.opt.integrator, IntegratorType::Euler | IntegratorType::Rk4) {
        return refuse("opt.integrator", m.opt.integrator.keyword(), "Euler, RK4");
    }
    if m.opt.solver != SolverType::Newton {
        return refuse("opt.solver", m.opt.solver.keyword(), "Newton");
    }
    if m.opt.noslip_iterations > 0 {
        return refuse("opt.noslip_iterations", "positive", "0");
    }
    let flags = [
        (enable::SLEEP, "sleep"),
        (enable::DIAGEXACT, "diagexact"),
        (enable::IPC, "ipc"),
        (enable::SPECULATIVE, "speculative"),
        (enable::INVDISCRETE, "invdiscrete"),
        (enable::FWDINV, "fwdinv"),
    ];
    for (bit, name) in flags {
        if m.opt.enabled(bit) {
            return refuse("opt.enableflags", name, "energy, override");
        }
    }
    Ok(())
}
