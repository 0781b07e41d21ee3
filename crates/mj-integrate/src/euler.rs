//! Semi-implicit Euler, implicit in joint damping.

use crate::{Rates, advance};
use mj_dynamics::{DampedFactor, JointInertia, Transmissions, damping_slope, has_implicit_damping};
use mj_model::{DofId, Model, State};

/// Results of a state's evaluation that Euler's method reads.
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
    /// Whether the workspace still holds the factor of M + hD, at another velocity perhaps.
    pub factored: bool,
}

/// Memory of [`euler`].
#[derive(Clone, Debug, Default)]
pub struct EulerWorkspace {
    /// Factor of M + hD of the last step that had implicit damping.
    pub factor: DampedFactor,
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
/// Returns the dof whose pivot was not positive and was lifted, if any.
///
/// Manual: Computation, "Numerical integration".
pub fn euler(m: &Model, s: &mut State, inputs: EulerInputs<'_>, ws: &mut EulerWorkspace) -> Option<DofId> {
    let mut singular = None;
    let mut rates = Rates { act_dot: inputs.act_dot, qacc: inputs.qacc, qvel: None };
    let h = m.opt.timestep;
    if has_implicit_damping(m) {
        if !inputs.factored {
            singular = ws.factor.factor(m, s, inputs.inertia, h);
        }
        ws.qacc.clear();
        ws.qacc.extend(inputs.qfrc_smooth.iter().zip(inputs.qfrc_constraint).map(|(a, b)| a + b));
        ws.factor.solve(m, &s.awake, &mut ws.qacc);
        rates.qacc = &ws.qacc;
    }
    advance(m, s, inputs.transmissions, rates);
    singular
}

/// y = (M + hD) x, with the matrix that [`euler`] inverts: the force that gives the acceleration x
/// over a step. Without implicit damping that is M x.
pub fn mul_euler(m: &Model, s: &State, inertia: &JointInertia, x: &[f64], y: &mut [f64]) {
    inertia.mul(m, x, y);
    if has_implicit_damping(m) {
        for d in m.dof.ids() {
            let i = d.index();
            y[i] += m.opt.timestep * damping_slope(m, d, s.qvel[i]) * x[i];
        }
    }
}
