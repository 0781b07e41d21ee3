//! From forces to the actuators that make them.

use super::node::Effort;
use super::path::Path;
use crate::error::ControlError;
use crate::riccati::clamp;
use mj_engine::{Data, Model, State, forward};
use mj_math::dense::dot;
use mj_math::{BoxQp, box_qp};

/// Weight of half the squared force where something drives a dof, unless it is set otherwise.
const WEIGHT: f64 = 1e-3;

/// Finds weights and limits of the forces: no limits where an actuator moves a dof, no force elsewhere.
pub(super) fn efforts(m: &Model) -> Result<Vec<Effort>, ControlError> {
    let mut d = Data::new(m)?;
    forward(m, &mut d)?;
    let mut efforts = vec![Effort { weight: 0.0, range: [0.0; 2] }; m.nv()];
    let moments = &d.smooth.transmissions.actuator_moment;
    for o in m.output.ids() {
        let (runs, _) = moments.row(o.index());
        for dof in runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize) {
            efforts[dof] = Effort { weight: WEIGHT, range: [f64::NEG_INFINITY, f64::INFINITY] };
        }
    }
    Ok(efforts)
}

/// Controls within their ranges whose actuators come next to a force (nv) at a step of a path, by least squares.
pub(super) fn of(m: &Model, start: &State, path: &Path, step: usize, force: &[f64]) -> Result<Vec<f64>, ControlError> {
    if m.na > 0 {
        let expected = "a model without activations: their forces don't follow from the control of a step";
        return Err(ControlError::Setting { name: "na", value: m.na as f64, expected });
    }
    let (nq, nv, nu) = (m.nq(), m.nv(), m.control.len());
    let mut d = Data::new(m)?;
    d.state.clone_from(start);
    d.state.qpos.copy_from_slice(&path.qpos[step * nq..(step + 1) * nq]);
    d.state.qvel.copy_from_slice(&path.qvel[step * nv..(step + 1) * nv]);
    let mut at = |ctrl: &[f64]| -> Result<Vec<f64>, ControlError> {
        d.state.ctrl.copy_from_slice(ctrl);
        forward(m, &mut d)?;
        Ok(d.smooth.actuation.qfrc_actuator.clone())
    };
    let mut first = vec![0.0; nu];
    clamp(m, &mut first);
    let missing: Vec<f64> = force.iter().zip(at(&first)?).map(|(f, a)| a - f).collect();
    // The force is linear in the control, so that any difference tells its slope.
    let mut columns = Vec::with_capacity(nu);
    for i in 0..nu {
        let [mut up, mut down] = [first.clone(), first.clone()];
        (up[i], down[i]) = (up[i] + 1e-3, down[i] - 1e-3);
        clamp(m, &mut up);
        clamp(m, &mut down);
        let width = up[i] - down[i];
        let (a, b) = (at(&up)?, at(&down)?);
        columns
            .push(a.iter().zip(&b).map(|(a, b)| if width > 0.0 { (a - b) / width } else { 0.0 }).collect::<Vec<_>>());
    }
    let mut hessian = vec![0.0; nu * nu];
    for (i, a) in columns.iter().enumerate() {
        columns.iter().enumerate().for_each(|(j, b)| hessian[i * nu + j] = dot(a, b));
    }
    // Actuators that pull on one another share the force equally.
    let scale = (0..nu).map(|i| hessian[i * nu + i]).fold(0.0, f64::max);
    (0..nu).for_each(|i| hessian[i * nu + i] += 1e-10 * scale.max(1e-6));
    let gradient: Vec<f64> = columns.iter().map(|a| dot(a, &missing)).collect();
    let limit = |side: usize, none: f64| {
        let of = |c| if m.control.ctrllimited[c] { m.control.ctrlrange[c][side] } else { none };
        m.control.ids().zip(&first).map(|(c, u)| of(c) - u).collect::<Vec<f64>>()
    };
    let (lower, upper) = (limit(0, f64::NEG_INFINITY), limit(1, f64::INFINITY));
    let mut change = vec![0.0; nu];
    // The matrix is positive definite, so that whatever ends the search is as near to the minimum as rounding lets it be.
    let _ = box_qp(&hessian, &gradient, &lower, &upper, &mut change, &mut BoxQp::default());
    first.iter_mut().zip(&change).for_each(|(u, by)| *u += by);
    clamp(m, &mut first);
    Ok(first)
}
