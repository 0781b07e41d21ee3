//! Jacobians of inverse dynamics: r itself, at an acceleration that is given.

use super::parameters::{ParameterColumns, nudge};
use super::{Columns, Equation, Nominal, Parts, terms};
use crate::checks::coverage::{self, Differences};
use crate::data::Data;
use crate::differences::{InverseJacobians, inverse_difference};
use crate::entry::check_data;
use crate::pipeline::forward::{Known, actuation};
use crate::pipeline::inverse::{InverseError, check, evaluate};
use mj_model::model::ModelParameter;
use mj_model::{Model, enable};

/// Step of differences of the whole.
const EPS: f64 = 1e-6;

/// Jacobians of inverse dynamics, f = inverse(q, v, a), row-major: df = F_q dq + F_v dv + F_a da + P dp, with positions in
/// the tangent space. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct InverseDerivative {
    /// ∂f/∂q, nv×nv.
    pub f_q: Vec<f64>,
    /// ∂f/∂v, nv×nv.
    pub f_v: Vec<f64>,
    /// ∂f/∂a, nv×nv: M + JᵀHJ, with H the second derivative of the constraints' cost.
    pub f_a: Vec<f64>,
    /// ∂f/∂p for the parameters given, nv×np.
    pub p: Vec<f64>,
    /// Blocks that were found by differences; `step` is the reason why all were.
    pub differences: Differences,
    /// Whether each parameter's column was found by differences.
    pub by_differences: Vec<bool>,
    nominal: Nominal,
    columns: Columns,
    parts: Option<Parts>,
    parameters: ParameterColumns,
    whole: [InverseJacobians; 2],
}

/// Computes the Jacobians of [`inverse`](crate::inverse) at the present state and acceleration `d.qacc`, in closed form where there is one:
/// by position, velocity, acceleration and parameters of the model. With `with_actuation`, the force is what remains to be
/// applied beside the actuators: `qfrc_inverse` less `qfrc_actuator`.
///
/// Coverage is that of [`step_derivative`](crate::step_derivative) and [`parameter_derivative`](crate::parameter_derivative), and
/// the rest comes from centered differences; but with the integrator `discrete` or the flag `invdiscrete`, hooks, flexes and
/// plugins all of it is by differences. State and acceleration come out as they went in; other results in `d` do not.
///
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><body><joint stiffness="3" damping="0.5"/><geom size=".1" mass="2" pos="1 0 0"/></body></worldbody>
///     </mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// let mut found = InverseDerivative::default();
/// inverse_derivative(&m, &mut d, false, &[], &mut found)?;
/// // f = (2 kg (1 m)² + I) a + 0.5 v + 3 q about a vertical axis.
/// assert!((found.f_q[0] - 3.0).abs() < 1e-9 && (found.f_v[0] - 0.5).abs() < 1e-9);
/// assert!((found.f_a[0] - (2.0 + 0.4 * 2.0 * 0.01)).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`inverse_fd`](crate::inverse_fd), and if a parameter is none of the model.
pub fn inverse_derivative(
    m: &Model,
    d: &mut Data,
    with_actuation: bool,
    parameters: &[ModelParameter],
    out: &mut InverseDerivative,
) -> Result<(), InverseError> {
    check_data(m, d)?;
    check(m)?;
    if m.opt.enabled(enable::SLEEP) {
        return Err(InverseError::Sleep);
    }
    if let Some(i) = parameters.iter().position(|p| p.value(m).is_none()) {
        return Err(InverseError::Parameter(i));
    }
    out.by_differences.clear();
    out.differences = coverage::of_inverse(m, d, with_actuation);
    if out.differences.step.is_some() {
        out.by_whole(m, d, with_actuation, parameters);
        return Ok(());
    }
    let equation = if with_actuation { Equation::InverseLessActuators } else { Equation::Inverse };
    let (nv, na) = (m.nv(), m.na);
    // Forces applied from outside are no part of it.
    let applied = std::mem::take(&mut d.state.xfrc_applied);
    d.state.xfrc_applied.resize(m.body.len(), [0.0; 6]);
    out.nominal.find_inverse(m, d, equation);
    out.columns.clear(2 * nv, nv, na);
    let mut parts = out.parts.take().filter(|p| p.nv == nv).unwrap_or_else(|| Parts::new(m));
    terms::prepare(m, d, &out.nominal, &mut parts);
    out.parameters.fill_closed(m, d, &out.nominal, &mut parts, parameters, &mut out.by_differences);
    terms::fill(m, d, &out.nominal, &mut parts, &mut out.columns, &mut out.differences);
    transpose(&out.columns.force[..nv * nv], nv, &mut out.f_q);
    transpose(&out.columns.force[nv * nv..2 * nv * nv], nv, &mut out.f_v);
    out.parameters.fill_others(m, d, &out.nominal, &mut parts, parameters, &out.by_differences);
    transpose(out.parameters.forces(), nv, &mut out.p);
    out.f_a.clear();
    out.f_a.extend_from_slice(&parts.by_acceleration[..nv * nv]);
    d.state.xfrc_applied = applied;
    d.qacc.copy_from_slice(&out.nominal.qacc);
    out.parts = Some(parts);
    Ok(())
}

/// Makes columns of rows that are `width` long.
fn transpose(rows: &[f64], width: usize, out: &mut Vec<f64>) {
    out.clear();
    let height = rows.len().checked_div(width).unwrap_or(0);
    out.extend((0..width).flat_map(|k| (0..height).map(move |i| rows[i * width + k])));
}

impl InverseDerivative {
    /// Finds all of it by differences.
    fn by_whole(&mut self, m: &Model, d: &mut Data, with_actuation: bool, parameters: &[ModelParameter]) {
        self.by_differences.resize(parameters.len(), true);
        let mut rows = Vec::new();
        let mut sides = [Vec::new(), Vec::new()];
        for parameter in parameters {
            let width = nudge(parameter, m, |m, side| {
                evaluate(m, d, Known::Nothing, false);
                sides[side].clone_from(&d.qfrc_inverse);
                if with_actuation {
                    actuation(m, d);
                    let forces = sides[side].iter_mut().zip(&d.smooth.actuation.qfrc_actuator);
                    forces.for_each(|(f, a)| *f -= a);
                }
            });
            rows.extend(sides[0].iter().zip(&sides[1]).map(|(a, b)| (a - b) / width));
        }
        transpose(&rows, m.nv(), &mut self.p);
        let [above, below] = &mut self.whole;
        inverse_difference(m, d, EPS, with_actuation, above);
        inverse_difference(m, d, -EPS, with_actuation, below);
        for (to, above, below) in [
            (&mut self.f_q, &above.f_q, &below.f_q),
            (&mut self.f_v, &above.f_v, &below.f_v),
            (&mut self.f_a, &above.f_a, &below.f_a),
        ] {
            to.clear();
            to.extend(above.iter().zip(below).map(|(a, b)| 0.5 * (a + b)));
        }
    }
}

impl Nominal {
    /// Runs inverse dynamics at the present acceleration.
    fn find_inverse(&mut self, m: &Model, d: &mut Data, equation: Equation) {
        self.equation = equation;
        evaluate(m, d, Known::Nothing, false);
        if equation.has_actuators() {
            actuation(m, d);
        }
        self.state.clone_from(&d.state);
        self.qacc.clone_from(&d.qacc);
        self.over_step.clone_from(&d.qacc);
        self.qvel.clone_from(&d.state.qvel);
    }
}
