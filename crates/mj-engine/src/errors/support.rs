//! Combinations of options that no simulation can use.

use mj_model::{FlexId, IntegratorType, Model, SolverType, enable};

/// An option doesn't go with what else the model has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option `{option}` = `{value}`: not with {with}; use {instead}")]
pub struct UnsupportedOption {
    /// Attribute of MJCF `option` or `flag`.
    pub option: &'static str,
    /// Its value.
    pub value: &'static str,
    /// What it doesn't go with.
    pub with: &'static str,
    /// What to use instead.
    pub instead: &'static str,
}

/// Everything among a model's options that doesn't go with the rest of it, as in the reference (manual: Computation,
/// "Numerical integration", `discrete`).
pub fn unsupported_options(m: &Model) -> Vec<UnsupportedOption> {
    let mut found = Vec::new();
    let mut refuse = |option, value, with, instead| found.push(UnsupportedOption { option, value, with, instead });
    let any = |of: &dyn Fn(FlexId) -> bool| m.flex.ids().any(|f| !m.flex.rigid[f] && of(f));
    let elastic = any(&|f| m.flex_is_elastic(f));
    if m.opt.enabled(enable::IPC) {
        refuse("ipc", "enable", "this version of the engine", "contacts of the default kind");
    }
    const ELASTIC: &str = "flexes that are elastic";
    const PASSIVE: &str = "flexes with passive contacts";
    let passive = m.flex.ids().any(|f| m.flex_is_passive(f));
    match m.opt.integrator {
        IntegratorType::Implicit if elastic => {
            refuse("integrator", "implicit", ELASTIC, "`discrete`, or `Euler` with a small time step")
        }
        IntegratorType::ImplicitFast if elastic => {
            refuse("integrator", "implicitfast", ELASTIC, "`discrete`, or `Euler` with a small time step");
        }
        IntegratorType::Discrete => {
            const STIFF: &str = "the integrator `discrete` and flexes that are elastic or have passive contacts";
            if (elastic || passive) && m.opt.solver == SolverType::Pgs {
                refuse("solver", "PGS", STIFF, "`Newton` or `CG`");
            }
            if (elastic || passive) && m.opt.noslip_iterations > 0 {
                refuse("noslip_iterations", "positive", STIFF, "0");
            }
            if any(&|f| m.flex.edgestiffness[f] != 0.0 || m.flex.edgedamping[f] != 0.0) {
                refuse(
                    "integrator",
                    "discrete",
                    "edges of flexes that have stiffness or damping",
                    "elasticity, equality constraints of edges, or another integrator",
                );
            }
        }
        integrator if passive => {
            let name = match integrator {
                IntegratorType::Rk4 => "RK4",
                IntegratorType::Implicit => "implicit",
                IntegratorType::ImplicitFast => "implicitfast",
                _ => "Euler",
            };
            refuse("integrator", name, PASSIVE, "`discrete`");
        }
        _ => {}
    }
    found
}
