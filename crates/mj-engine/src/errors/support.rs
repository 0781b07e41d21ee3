//! Options that the engine supports so far.

use mj_model::{FlexId, IntegratorType, Model, enable};

/// An option asks for something that the engine doesn't have yet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option `{option}` = `{value}`: not supported yet; supported: {supported}")]
pub struct UnsupportedOption {
    /// Attribute of MJCF `option` or `flag`.
    pub option: &'static str,
    /// Its value.
    pub value: &'static str,
    /// Values that are supported.
    pub supported: &'static str,
}

/// Everything among a model's options that the engine doesn't support yet.
pub fn unsupported_options(m: &Model) -> Vec<UnsupportedOption> {
    let mut found = Vec::new();
    let mut refuse = |option, value, supported| found.push(UnsupportedOption { option, value, supported });
    let flags = [(enable::IPC, "ipc")];
    for (bit, name) in flags {
        if m.opt.enabled(bit) {
            refuse(name, "enable", "disable");
        }
    }
    let any = |of: &dyn Fn(FlexId) -> bool| m.flex.ids().any(|f| !m.flex.rigid[f] && of(f));
    let integrator = match m.opt.integrator {
        IntegratorType::Implicit => "implicit",
        IntegratorType::ImplicitFast => "implicitfast",
        IntegratorType::Discrete => "discrete",
        _ => return found,
    };
    if any(&|f| m.flex_is_elastic(f)) {
        refuse("integrator", integrator, "Euler and RK4, with a small time step, where flexes are elastic");
    }
    if integrator == "discrete" && any(&|f| m.flex.edgestiffness[f] != 0.0 || m.flex.edgedamping[f] != 0.0) {
        refuse("integrator", integrator, "others, where the edges of flexes have stiffness or damping");
    }
    found
}
