//! Jacobians of inverse dynamics by finite differences.

use super::Workers;
use crate::data::Data;
use crate::entry::check_data;
use crate::pipeline::forward::{Known, actuation};
use crate::pipeline::inverse::{InverseError, check, evaluate};
use mj_dynamics::integrate_pos;
use mj_model::{Model, enable};

/// Jacobians of inverse dynamics (f, s) = inverse(q, v, a), all row-major with a column a dof: force
/// and sensors by position (in the tangent space), velocity and acceleration. Reuse it: it keeps its
/// memory.
#[derive(Clone, Debug, Default)]
pub struct InverseJacobians {
    /// ∂f/∂q, nv×nv.
    pub f_q: Vec<f64>,
    /// ∂f/∂v, nv×nv.
    pub f_v: Vec<f64>,
    /// ∂f/∂a, nv×nv.
    pub f_a: Vec<f64>,
    /// ∂s/∂q, nsensordata×nv.
    pub s_q: Vec<f64>,
    /// ∂s/∂v, nsensordata×nv.
    pub s_v: Vec<f64>,
    /// ∂s/∂a, nsensordata×nv.
    pub s_a: Vec<f64>,
    /// One row a column: nv + nsensordata numbers.
    columns: Vec<f64>,
    workers: Workers<Vec<f64>>,
}

/// An input of inverse dynamics.
#[derive(Clone, Copy, Debug)]
enum Input {
    Acceleration,
    Velocity,
    Position,
}

/// Jacobians of [`inverse`](crate::inverse) at the present state and acceleration `d.qacc`, by
/// forward differences of size `eps`. With `actuation`, the force is what remains to be applied
/// beside the actuators: `qfrc_inverse` less `qfrc_actuator`.
///
/// Nudged accelerations use the results of the position and velocity stages again, nudged velocities
/// those of the position stage. Columns are computed by rayon's threads, and do not depend on their
/// number. The state and acceleration come out as they went in; other results in `d` do not.
///
/// Example: [`inverse`](crate::inverse).
///
/// # Errors
/// As [`inverse`](crate::inverse), and if `eps` is not positive.
pub fn inverse_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    with_actuation: bool,
    out: &mut InverseJacobians,
) -> Result<(), InverseError> {
    check_data(m, d)?;
    check(m)?;
    if m.opt.enabled(enable::SLEEP) {
        return Err(InverseError::Sleep);
    }
    if !(eps.is_finite() && eps > 0.0) {
        return Err(InverseError::Step(eps));
    }
    difference(m, d, eps, with_actuation, out);
    Ok(())
}

/// Finds forward differences, or with a negative `eps` backward differences.
pub(crate) fn difference(m: &Model, d: &mut Data, eps: f64, with_actuation: bool, out: &mut InverseJacobians) {
    let (nv, height) = (m.nv(), m.nv() + m.nsensordata);
    // Force and sensors, one below the other.
    let results = |d: &mut Data, known: Known, into: &mut Vec<f64>| {
        evaluate(m, d, known, true);
        into.clone_from(&d.qfrc_inverse);
        if with_actuation {
            actuation(m, d);
            into.iter_mut().zip(&d.smooth.actuation.qfrc_actuator).for_each(|(f, a)| *f -= a);
        }
        into.extend_from_slice(&d.sensordata);
    };
    let mut nominal = Vec::new();
    results(d, Known::Nothing, &mut nominal);
    let (state, qacc) = (d.state.clone(), d.qacc.clone());

    out.columns.clear();
    out.columns.resize(3 * nv * height, 0.0);
    out.workers.recruit(3 * nv);
    out.workers.equip(d);
    if nv > 0 {
        // Each input leaves alone the results that the next one uses.
        let inputs = [Input::Acceleration, Input::Velocity, Input::Position];
        for (input, columns) in inputs.into_iter().zip(out.columns.chunks_exact_mut(nv * height)) {
            out.workers.share(columns, height, d, |i, d, scratch, column| {
                let known = match input {
                    Input::Acceleration => {
                        d.qacc[i] += eps;
                        Known::Velocity
                    }
                    Input::Velocity => {
                        d.state.qvel[i] += eps;
                        Known::Position
                    }
                    Input::Position => {
                        scratch.clear();
                        scratch.resize(nv, 0.0);
                        scratch[i] = 1.0;
                        integrate_pos(m, &mut d.state.qpos, scratch, eps);
                        Known::Nothing
                    }
                };
                results(d, known, scratch);
                for ((x, b), a) in column.iter_mut().zip(scratch.iter()).zip(&nominal) {
                    *x = (b - a) / eps;
                }
                d.state.clone_from(&state);
                d.qacc.copy_from_slice(&qacc);
            });
        }
    }
    d.qfrc_inverse.copy_from_slice(&nominal[..nv]);

    let fill = |matrix: &mut Vec<f64>, rows: std::ops::Range<usize>, input: usize| {
        matrix.clear();
        let entry = |r: usize, c: usize| out.columns[(input * nv + c) * height + r];
        matrix.extend(rows.flat_map(|r| (0..nv).map(move |c| entry(r, c))));
    };
    fill(&mut out.f_a, 0..nv, 0);
    fill(&mut out.f_v, 0..nv, 1);
    fill(&mut out.f_q, 0..nv, 2);
    fill(&mut out.s_a, nv..height, 0);
    fill(&mut out.s_v, nv..height, 1);
    fill(&mut out.s_q, nv..height, 2);
}
