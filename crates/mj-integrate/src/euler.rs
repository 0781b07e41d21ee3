//! Semi-implicit Euler, implicit in joint damping.

use crate::{Rates, advance};
use mj_dynamics::{JointInertia, Transmissions, factor_damped, has_implicit_damping};
use mj_model::{Model, State};

/// What Euler's method needs of a state's evaluation.
#[derive(Clone, Copy, Debug)]
pub struct EulerInputs<'a> {
    /// Joint-space inertia.
    pub inertia: &'a JointInertia,
    /// Transmissions.
    pub transmissions: &'a Transmissions,
    /// Force without constraints, nv.
    pub qfrc_smooth: &'a [f64],
    /// Constraint force, nv.
    pub qfrc_constraint: &'a [f64],
    /// Acceleration, nv.
    pub qacc: &'a [f64],
    /// Rate of change of activation, na.
    pub act_dot: &'a [f64],
}

/// Memory of [`euler`].
#[derive(Clone, Debug, Default)]
pub struct EulerWorkspace {
    /// Factor of M + hD.
    qH: Vec<f64>,
    /// 1/D of the factor.
    qHDiagInv: Vec<f64>,
    /// Acceleration.
    qacc: Vec<f64>,
}

/// One step of semi-implicit Euler: the velocity by an acceleration in which joint damping is
/// taken at the end of the step,
///
/// v' = v + h (M + hD)⁻¹ (f + f_c),  q' = q ⊕ h v',
///
/// where D is the diagonal of joint damping at the present velocity. Without damping (or with
/// `eulerdamp` disabled) the acceleration given is used as it is.
///
/// Manual: Computation, "Numerical integration".
pub fn euler(m: &Model, s: &mut State, inputs: EulerInputs<'_>, ws: &mut EulerWorkspace) {
    let mut rates = Rates { act_dot: inputs.act_dot, qacc: inputs.qacc, qvel: None };
    if has_implicit_damping(m) {
        ws.qH.resize(m.m_pattern.nnz(), 0.0);
        ws.qHDiagInv.resize(m.nv(), 0.0);
        factor_damped(m, inputs.inertia, &s.qvel, m.opt.timestep, &mut ws.qH, &mut ws.qHDiagInv);
        ws.qacc.clear();
        ws.qacc.extend(inputs.qfrc_smooth.iter().zip(inputs.qfrc_constraint).map(|(a, b)| a + b));
        m.m_pattern.solve(&ws.qH, &ws.qHDiagInv, &mut ws.qacc);
        rates.qacc = &ws.qacc;
    }
    advance(m, s, inputs.transmissions, rates);
}
