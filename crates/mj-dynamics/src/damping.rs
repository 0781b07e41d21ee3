//! What an integrator treats implicitly of the dampers.

use crate::buffers::{JointInertia, Transmissions};
use crate::inertia::entries;
use crate::passive_joints::dof_damping;
use crate::poly;
use mj_math::PaddedFactor;
use mj_model::*;

/// Whether Euler's rule has damping to integrate implicitly: any damped dof, neither dampers nor
/// implicit damping disabled.
pub fn has_implicit_damping(m: &Model, trans: &Transmissions) -> bool {
    trans.passive.damped && !m.opt.disabled(disable::EULERDAMP) && !m.opt.disabled(disable::DAMPER)
}

/// Derivative −∂`qfrc_damper`/∂`qvel` of a dof's own damper at the velocity `v`. Dampers of tendons
/// are not among these: Euler's rule leaves them explicit.
#[inline]
pub fn damping_slope(m: &Model, d: DofId, v: f64) -> f64 {
    let (b, p) = dof_damping(m, d);
    poly::damping_slope(b, p, v)
}

/// Factors M + h·D, D the damping's diagonal at the state's velocity, in rows of fixed length, which must suit the
/// pattern of M; all dofs must be awake. Returns the dof whose pivot was not positive and was lifted, if any.
pub fn factor_damped_padded(
    m: &Model,
    s: &State,
    trans: &Transmissions,
    inertia: &JointInertia,
    h: f64,
    factor: &mut PaddedFactor,
) -> Option<DofId> {
    factor.fit(&inertia.padded);
    let slope = |d: usize| h * trans.passive.slope(d, s.qvel[d]);
    factor.factor(&m.m_pattern, &inertia.M, slope).map(DofId::new)
}

/// Factors M + h·D, D the damping's diagonal at the state's velocity, for the awake dofs into `ld` and `dinv` (the pattern of M).
/// Returns the dof whose pivot was not positive and was lifted, if any.
pub fn factor_damped(
    m: &Model,
    s: &State,
    trans: &Transmissions,
    inertia: &JointInertia,
    h: f64,
    ld: &mut [f64],
    dinv: &mut [f64],
) -> Option<DofId> {
    for dofs in &s.awake.dofs {
        let entries = entries(m, dofs);
        ld[entries.clone()].copy_from_slice(&inertia.M[entries]);
    }
    trans.passive.for_each_slope(s, |d, slope| ld[m.m_pattern.diag(d)] += h * slope);
    let mut singular = None;
    for dofs in s.awake.dofs.iter().rev() {
        singular = singular.or(m.m_pattern.factor_rows(dofs.clone(), ld, dinv));
    }
    singular.map(DofId::new)
}
