//! How the reference and the regularization of a row change with its position and velocity.

use crate::rows::Rows;
use crate::softness::{least_regularization, resolved_slopes};
use mj_model::*;

/// Derivatives of a row: of jar = Ja − a_ref, and of the logarithm of D.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLaw {
    /// ∂jar by the velocity Jv.
    pub damping: f64,
    /// ∂jar by the position, at given impedance.
    pub stiffness: f64,
    /// ∂jar by the argument of the impedance.
    pub stiffening: f64,
    /// ∂jar by J̇v, where the row has that in its reference.
    pub bias: f64,
    /// ∂ ln D by the argument of the impedance.
    pub growth: f64,
}

impl RowLaw {
    /// Computes the derivatives of row `i`; those of a constraint's first row tell how all of its D grow.
    ///
    /// A row is a_ref = −b v − k d x − J̇v, x = pos − margin, with D ∝ d/(1 − d). With the integrator `discrete`
    /// (`fold.rs`), s = h b + h² k d, it is a_ref' = (a_ref − h k d v)/(1 + s), D' = D (1 + s), or D' is the D of the
    /// greatest impedance.
    pub fn new(m: &Model, rows: &Rows, i: usize) -> Self {
        let [k, b, d, slope] = rows.kbip[i];
        let x = rows.pos[i] - rows.margin[i];
        let growth = slope / (d * (1.0 - d));
        if m.opt.integrator != IntegratorType::Discrete {
            return Self { damping: b, stiffness: k * d, stiffening: k * slope * x, bias: 1.0, growth };
        }
        let h = m.opt.timestep;
        let [dk, db] = resolved(m, rows, i).map_or([0.0; 2], |by_impedance| by_impedance.map(|x| x * slope));
        let dkd = dk * d + k * slope;
        let folded = 1.0 + h * b + h * h * k * d;
        let change = h * db + h * h * dkd;
        let v = rows.vel[i];
        let cut = 1.0 / folded <= least_regularization(d);
        Self {
            damping: (b + h * k * d) / folded,
            stiffness: k * d / folded,
            stiffening: (dkd * (x + h * v) + db * v + rows.aref[i] * change) / folded,
            bias: 1.0 / folded,
            growth: if cut { 0.0 } else { growth + change / folded },
        }
    }

    /// Derivative of jar where position and impedance go together.
    pub fn whole(&self) -> f64 {
        self.stiffness + self.stiffening
    }
}

/// Derivatives of stiffness and damping by impedance, of a row whose spring the time step can't resolve.
fn resolved(m: &Model, rows: &Rows, i: usize) -> Option<[f64; 2]> {
    let [k, b, d, _] = rows.kbip[i];
    let own = rows.r#type[i] != ConstraintType::Equality && k != 0.0 && !m.opt.disabled(disable::REFSAFE);
    if own { resolved_slopes([k, b], d, m.opt.timestep) } else { None }
}
