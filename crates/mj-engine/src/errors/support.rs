//! Combinations of options that no simulation can use.

use mj_collide::continuous::resolves_flexes;
use mj_model::{BodyId, FlexId, IntegratorType, JointId, JointType, Model, SolverType, disable, enable, id_range};

/// An option doesn't go with what else the model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option `{option}` = `{value}`: not with {with}; use {instead}")]
pub struct UnsupportedOption {
    /// Attribute of MJCF `option` or `flag`.
    pub option: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The parts of the model that it doesn't go with.
    pub with: &'static str,
    /// Values to use in its place.
    pub instead: &'static str,
}

/// Everything among a model's options that doesn't go with the rest of it, as in the reference (manual: Computation,
/// "Numerical integration", `discrete`).
///
/// Example: [`explain`](crate::explain).
pub fn unsupported_options(m: &Model) -> Vec<UnsupportedOption> {
    let mut found = Vec::new();
    let asleep = m.opt.enabled(enable::SLEEP) && m.opt.disabled(disable::ISLAND);
    if m.flex.is_empty() && !m.opt.enabled(enable::IPC) && !asleep {
        return found;
    }
    let mut refuse = |option, value, with, instead| found.push(UnsupportedOption { option, value, with, instead });
    let any = |of: &dyn Fn(FlexId) -> bool| m.flex.ids().any(|f| !m.flex.rigid[f] && of(f));
    let (elastic, passive) = (any(&|f| m.flex_is_elastic(f)), any(&|f| m.flex_is_passive(f)));
    let discrete = m.opt.integrator == IntegratorType::Discrete;
    if m.opt.enabled(enable::IPC) && !discrete {
        refuse("ipc", "enable", "integrators other than `discrete`", "`discrete`, or no `ipc`");
    } else if m.opt.enabled(enable::IPC) {
        refuse_with_ipc(m, &mut refuse);
    }
    const SMALL_STEPS: &str = "`discrete`, or `Euler` with a small time step";
    match m.opt.integrator {
        IntegratorType::Implicit if elastic => refuse("integrator", "implicit", "elastic flexes", SMALL_STEPS),
        IntegratorType::ImplicitFast if elastic => refuse("integrator", "implicitfast", "elastic flexes", SMALL_STEPS),
        _ => {}
    }
    if passive && !discrete {
        refuse("integrator", m.opt.integrator.keyword(), "passive contacts of flexes", "`discrete`");
    }
    if !discrete {
        return found;
    }
    if elastic || passive {
        const WITH: &str = "the integrator `discrete` and flexes that are elastic or have passive contacts";
        if m.opt.solver == SolverType::Pgs {
            refuse("solver", "PGS", WITH, "`Newton` or `CG`");
        }
        if m.opt.noslip_iterations > 0 {
            refuse("noslip_iterations", "positive", WITH, "0");
        }
    }
    if any(&|f| m.flex.edgestiffness[f] != 0.0 || m.flex.edgedamping[f] != 0.0) {
        const INSTEAD: &str = "elasticity, equality constraints of edges, or another integrator";
        refuse("integrator", "discrete", "edges of flexes that have stiffness or damping", INSTEAD);
    }
    if asleep {
        refuse("integrator", "discrete", "sleep without islands", "the flag `island`, or no sleep");
    }
    found
}

/// What doesn't go with contacts of flexes by continuous collision.
fn refuse_with_ipc(m: &Model, refuse: &mut impl FnMut(&'static str, &'static str, &'static str, &'static str)) {
    const NONE: &str = "`disable`, or no `ipc`";
    if m.opt.solver == SolverType::Pgs {
        refuse("solver", "PGS", "the flag `ipc`", "`Newton` or `CG`");
    }
    if m.opt.enabled(enable::SLEEP) {
        refuse("sleep", "enable", "the flag `ipc`", NONE);
    }
    if m.opt.enabled(enable::FWDINV) {
        refuse("fwdinv", "enable", "the flag `ipc`", NONE);
    }
    let parent = |b: &BodyId| (*b != BodyId::WORLD).then(|| m.body.parentid[*b]);
    let slides =
        |b: BodyId| id_range(m.body.jntadr[b], m.body.jntnum[b]).all(|j: JointId| m.jnt.r#type[j] == JointType::Slide);
    let swept = |f: FlexId| {
        let vertices = &m.flex_data.vertbodyid[m.flex.vertadr[f] as usize..][..m.flex.vertnum[f] as usize];
        vertices.iter().flatten().all(|&b| std::iter::successors(Some(b), parent).all(slides))
    };
    if m.flex.ids().any(|f| resolves_flexes(m, [f, f]) && !swept(f)) {
        const WITH: &str = "flexes of dimension 2 on bodies that joints other than slides move";
        refuse("ipc", "enable", WITH, "bodies that are static or slide, or contacts of the default kind");
    }
}
