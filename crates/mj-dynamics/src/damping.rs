//! What an integrator treats implicitly of the dampers.

use crate::buffers::JointInertia;
use crate::passive::dof_damping;
use crate::poly;
use mj_model::*;

/// Whether Euler's rule has damping to integrate implicitly: any damped dof, neither dampers nor
/// implicit damping disabled.
pub fn has_implicit_damping(m: &Model) -> bool {
    !m.opt.disabled(disable::EULERDAMP)
        && !m.opt.disabled(disable::DAMPER)
        && m.dof.ids().any(|d| {
            m.dof.damping[d] > 0.0 || m.dof.dampingpoly[d] != [0.0; 2] || m.jnt.actuatorid[m.dof.jntid[d]].is_some()
        })
}

/// Derivative −∂`qfrc_damper`/∂`qvel` of a dof's own damper at the velocity `v`. Dampers of tendons
/// are not among these: Euler's rule leaves them explicit.
pub fn damping_slope(m: &Model, d: DofId, v: f64) -> f64 {
    let (b, p) = dof_damping(m, d);
    poly::damping_slope(b, p, v)
}

/// Factors M + h·D, D the damping's diagonal at `qvel`, into `ld` and `dinv` (the pattern of M).
/// Returns the dof whose pivot was not positive and was lifted, if any.
pub fn factor_damped(
    m: &Model,
    inertia: &JointInertia,
    qvel: &[f64],
    h: f64,
    ld: &mut [f64],
    dinv: &mut [f64],
) -> Option<DofId> {
    ld.copy_from_slice(&inertia.M);
    for d in m.dof.ids() {
        ld[m.m_pattern.diag(d.index())] += h * damping_slope(m, d, qvel[d.index()]);
    }
    m.m_pattern.factor(ld, dinv).map(DofId::new)
}
