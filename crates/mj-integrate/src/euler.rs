//! Semi-implicit Euler, implicit in joint damping.

use crate::{Rates, advance};
use mj_dynamics::{
    JointInertia, Transmissions, damping_slope, factor_damped, factor_damped_padded, has_implicit_damping, mul_m,
};
use mj_math::{ManySides, PaddedFactor};
use mj_model::{DofId, Model, State};

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
    /// Whether the workspace still holds the factor of M + hD, at another velocity perhaps.
    pub factored: bool,
}

/// Memory of [`euler`].
#[derive(Clone, Debug, Default)]
pub struct EulerWorkspace {
    /// Factor of M + hD.
    qH: Vec<f64>,
    /// 1/D of the factor.
    qHDiagInv: Vec<f64>,
    /// The factor in rows of fixed length, where those are faster: then the others are not in use.
    padded: PaddedFactor,
    /// Acceleration.
    qacc: Vec<f64>,
}

impl EulerWorkspace {
    /// Takes the factor of M + hD of the last step apart, for many right sides. That step must have had implicit damping.
    pub fn take_apart(&self, m: &Model, out: &mut ManySides) {
        if self.padded.is_known() {
            self.padded.take_apart(m.nv(), out);
        } else {
            m.m_pattern.take_apart(&self.qH, &self.qHDiagInv, out);
        }
    }

    /// Writes the factor LᵀDL of M + hD of the last step, in the pattern of M, and 1/D (nv). Returns false, and writes
    /// nothing, if no step has made one.
    pub fn write_factor(&self, m: &Model, ld: &mut [f64], dinv: &mut [f64]) -> bool {
        if self.padded.is_known() {
            self.padded.write(&m.m_pattern, ld, dinv);
        } else if self.qH.len() == ld.len() && self.qHDiagInv.len() == dinv.len() {
            ld.copy_from_slice(&self.qH);
            dinv.copy_from_slice(&self.qHDiagInv);
        } else {
            return false;
        }
        true
    }
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
        if !inputs.factored && s.awake.everything() && PaddedFactor::suits(&m.m_pattern) {
            singular = factor_damped_padded(m, s, inputs.inertia, h, &mut ws.padded);
        } else if !inputs.factored {
            ws.padded.forget();
            ws.qH.resize(m.m_pattern.nnz(), 0.0);
            ws.qHDiagInv.resize(m.nv(), 0.0);
            singular = factor_damped(m, s, inputs.inertia, h, &mut ws.qH, &mut ws.qHDiagInv);
        }
        ws.qacc.clear();
        ws.qacc.extend(inputs.qfrc_smooth.iter().zip(inputs.qfrc_constraint).map(|(a, b)| a + b));
        if ws.padded.is_known() {
            ws.padded.solve(&mut ws.qacc);
        } else {
            for dofs in &s.awake.dofs {
                m.m_pattern.solve_rows(dofs.clone(), &ws.qH, &ws.qHDiagInv, &mut ws.qacc);
            }
        }
        rates.qacc = &ws.qacc;
    }
    advance(m, s, inputs.transmissions, rates);
    singular
}

/// y = (M + hD) x, with the matrix that [`euler`] inverts: the force that gives the acceleration x
/// over a step. Without implicit damping that is M x.
pub fn mul_euler(m: &Model, s: &State, inertia: &JointInertia, x: &[f64], y: &mut [f64]) {
    mul_m(m, inertia, x, y);
    if has_implicit_damping(m) {
        for d in m.dof.ids() {
            let i = d.index();
            y[i] += m.opt.timestep * damping_slope(m, d, s.qvel[i]) * x[i];
        }
    }
}
