//! Jacobians of a step and of inverse dynamics by finite differences.

use super::{Any, D, M, change, register};
use crate::args::Out;
use crate::data::Access;
use mj_engine::{self as engine, InverseJacobians, Transition};
use pyo3::prelude::*;

/// Writes a matrix where it is asked for.
fn write(name: &str, value: Option<Any>, shape: [usize; 2], numbers: &[f64]) -> PyResult<()> {
    let Some(value) = value else { return Ok(()) };
    Out::<f64>::matrix(name, value, shape[0], shape[1])?.write(numbers.iter().copied())
}

/// Checks a matrix before anything is computed.
fn check(name: &str, value: Option<Any>, shape: [usize; 2]) -> PyResult<()> {
    value.map_or(Ok(()), |value| Out::<f64>::matrix(name, value, shape[0], shape[1]).map(|_| ()))
}

fn transposed(rows: usize, columns: usize, numbers: &[f64]) -> Vec<f64> {
    (0..rows * columns).map(|k| numbers.get(k % rows * columns + k / rows).copied().unwrap_or(0.0)).collect()
}

/// Computes the Jacobians of a time step by finite differences: A and B of the state by state and control, C and D of the
/// sensors; each may be None.
#[pyfunction]
#[pyo3(name = "mjd_transitionFD", signature = (m, d, eps, flg_centered, A = None, B = None, C = None, D = None))]
#[allow(clippy::too_many_arguments, non_snake_case)] // the reference's signature
fn mjd_transition_fd(
    m: M,
    d: D,
    eps: f64,
    flg_centered: Any,
    A: Option<Any>,
    B: Option<Any>,
    C: Option<Any>,
    D: Option<Any>,
) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let (nx, nu, ns) = (2 * model.nv() + model.na, model.nu(), model.nsensordata);
    let centered = flg_centered.is_truthy()?;
    for (name, value, shape) in [("A", A, [nx, nx]), ("B", B, [nx, nu]), ("C", C, [ns, nx]), ("D", D, [ns, nu])] {
        check(name, value, shape)?;
    }
    let sensors = C.is_some() || D.is_some();
    let mut out = Transition::default();
    change(m, d, Access::Change, |m, d| {
        if sensors {
            engine::transition_fd(m, d, eps, centered, &mut out)
        } else {
            engine::state_transition_fd(m, d, eps, centered, &mut out)
        }
    })?;
    write("A", A, [nx, nx], &out.a)?;
    write("B", B, [nx, nu], &out.b)?;
    write("C", C, [ns, nx], &out.c)?;
    write("D", D, [ns, nu], &out.d)
}

/// Computes the Jacobians of inverse dynamics by finite differences: force and sensors by position, velocity and
/// acceleration, and inertia by position; each may be None. Their rows are what is differentiated by.
#[pyfunction]
#[pyo3(
    name = "mjd_inverseFD",
    signature = (m, d, eps, flg_actuation, DfDq = None, DfDv = None, DfDa = None, DsDq = None, DsDv = None, DsDa = None, DmDq = None)
)]
#[allow(clippy::too_many_arguments, non_snake_case)] // the reference's signature
fn mjd_inverse_fd(
    m: M,
    d: D,
    eps: f64,
    flg_actuation: Any,
    DfDq: Option<Any>,
    DfDv: Option<Any>,
    DfDa: Option<Any>,
    DsDq: Option<Any>,
    DsDv: Option<Any>,
    DsDa: Option<Any>,
    DmDq: Option<Any>,
) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let (nv, ns, nc) = (model.nv(), model.nsensordata, model.m_pattern.nnz());
    let actuation = flg_actuation.is_truthy()?;
    let forces = [("DfDq", DfDq), ("DfDv", DfDv), ("DfDa", DfDa)];
    let sensors = [("DsDq", DsDq), ("DsDv", DsDv), ("DsDa", DsDa)];
    for (name, value) in forces {
        check(name, value, [nv, nv])?;
    }
    for (name, value) in sensors {
        check(name, value, [nv, ns])?;
    }
    check("DmDq", DmDq, [nv, nc])?;
    let mut out = InverseJacobians::default();
    let by_position = DmDq.is_some();
    let mut inertias = Vec::new();
    change(m, d, Access::Change, |m, d| {
        engine::inverse_fd(m, d, eps, actuation, &mut out)?;
        if by_position {
            inertias = inertia_by_position(m, d, eps)?;
        }
        Ok::<_, engine::InverseError>(())
    })?;
    for ((name, value), numbers) in forces.into_iter().zip([&out.f_q, &out.f_v, &out.f_a]) {
        write(name, value, [nv, nv], &transposed(nv, nv, numbers))?;
    }
    for ((name, value), numbers) in sensors.into_iter().zip([&out.s_q, &out.s_v, &out.s_a]) {
        write(name, value, [nv, ns], &transposed(nv, ns, numbers))?;
    }
    write("DmDq", DmDq, [nv, nc], &inertias)
}

/// Change of the joint-space inertia with each dof's position, a row a dof, by forward differences.
fn inertia_by_position(m: &engine::Model, d: &mut engine::Data, eps: f64) -> Result<Vec<f64>, engine::StepError> {
    let (qpos, nv) = (d.state.qpos.clone(), m.nv());
    engine::fwd_position(m, d)?;
    let nominal = d.smooth.inertia.M.clone();
    let mut rows = Vec::with_capacity(nv * nominal.len());
    for dof in 0..nv {
        let mut direction = vec![0.0; nv];
        direction[dof] = 1.0;
        engine::integrate_pos(m, &mut d.state.qpos, &direction, eps);
        engine::kinematics(m, d)?;
        engine::com_pos(m, d)?;
        engine::tendon(m, d)?;
        engine::make_m(m, d)?;
        rows.extend(d.smooth.inertia.M.iter().zip(&nominal).map(|(a, b)| (a - b) / eps));
        d.state.qpos.copy_from_slice(&qpos);
    }
    engine::fwd_position(m, d)?;
    Ok(rows)
}

register! { mjd_transition_fd mjd_inverse_fd }
