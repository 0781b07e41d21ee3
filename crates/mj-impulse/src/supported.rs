//! Options that the early releases had, and those that they did not.

use mj_model::{BiasType, DynType, IntegratorType, Model, TrnType, enable};

/// A model asks for something that came after velocity stepping.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("velocity stepping doesn't know {0}")]
pub struct Unsupported(pub String);

/// Everything in a model that this pipeline can't honour.
pub fn unsupported(m: &Model) -> Vec<Unsupported> {
    let mut found = Vec::new();
    let mut refuse = |what: String| found.push(Unsupported(what));
    for a in m.actuator.ids() {
        let label = || format!("of actuator {}", a.index());
        if matches!(m.actuator.dyntype[a], DynType::DcMotor) || m.actuator.biastype[a] == BiasType::DcMotor {
            refuse(format!("the DC motor {}", label()));
        }
        if m.actuator.trntype[a] == TrnType::Body {
            refuse(format!("the adhesion {}", label()));
        }
    }
    for t in m.tendon.ids() {
        if m.tendon.frictionloss[t] > 0.0 {
            refuse(format!("dry friction of tendons (tendon {})", t.index()));
        }
        if m.tendon.armature[t] > 0.0 {
            refuse(format!("armature of tendons (tendon {})", t.index()));
        }
    }
    if m.geom.adhesion.iter().chain(m.pair.adhesion.iter()).any(|&a| a != 0.0) {
        refuse("surfaces that stick".into());
    }
    if m.opt.enabled(enable::SLEEP) {
        refuse("sleeping trees".into());
    }
    if !m.flex.is_empty() {
        refuse("flexes".into());
    }
    if m.opt.enabled(enable::DIAGEXACT) {
        refuse("the exact diagonal (flag diagexact)".into());
    }
    if m.opt.integrator == IntegratorType::Discrete {
        refuse("the integrator `discrete`".into());
    }
    if m.nplastic > 0 {
        refuse("plastic springs".into());
    }
    if m.nhistory > 0 {
        refuse("delays".into());
    }
    found
}
