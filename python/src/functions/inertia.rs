//! Products with the joint-space inertia and with the Jacobian of the constraints.

use super::{Any, D, M, read, register};
use crate::args::{Out, numbers, vector, wrong};
use crate::model::derived;
use mj_engine::{self as engine, Model, StepError};
use pyo3::prelude::*;

/// Returns the entries of an inertia (nC) of those of an array: `M` (nC), or `qM` (nM), which is in older order.
fn entries(m: &Model, value: Any) -> PyResult<Vec<f64>> {
    let (n, older) = (m.m_pattern.nnz(), derived::inertia_to_older(m));
    let (_, packed) = numbers::<f64>("M", value)?;
    // Where they are equally long, a mark tells them apart.
    let is_older = packed.len() == derived::older_len(m) && (packed.len() != n || value.hasattr("by_ancestors")?);
    if is_older { Ok(older.iter().map(|&k| packed[k as usize]).collect()) } else { vector("M", value, n) }
}

/// Writes the joint-space inertia as a dense matrix, nv × nv. The older order of arguments (m, dst, M) is understood too,
/// with `MjData.M` or `MjData.qM` as the last.
#[pyfunction]
#[pyo3(name = "mj_fullM", signature = (m, d, dst = None, **older))]
#[allow(non_snake_case)]
fn mj_full_m(m: M, d: Any, dst: Option<Any>, older: Option<&Bound<'_, pyo3::types::PyDict>>) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let n = model.nv();
    let dense = |packed: &[f64]| {
        let mut out = vec![0.0; n * n];
        model.m_pattern.to_dense(packed, &mut out);
        out
    };
    let last = match (dst, older.and_then(|o| o.get_item("M").transpose()).transpose()?) {
        (Some(last), _) => last.clone(),
        (None, Some(packed)) => packed,
        (None, None) => return Err(wrong("dst", "an array of shape (nv, nv)", d)),
    };
    if let Ok(d) = d.cast::<crate::data::DataCore>() {
        let out = Out::<f64>::matrix("dst", &last, n, n)?;
        let packed = read(m, d, |_, d| Ok::<_, StepError>(d.smooth.inertia.M.clone()))?;
        return out.write(dense(&packed));
    }
    let out = Out::<f64>::matrix("dst", d, n, n)?;
    out.write(dense(&entries(&model, &last)?))
}

/// Multiplies the joint-space inertia with a vector.
#[pyfunction]
#[pyo3(name = "mj_mulM")]
fn mj_mul_m(m: M, d: D, res: Any, vec: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let (out, x) = (Out::<f64>::sized("res", res, n)?, vector::<f64>("vec", vec, n)?);
    let mut y = vec![0.0; n];
    read(m, d, |m, d| engine::mul_m(m, d, &x, &mut y))?;
    out.write(y)
}

/// Multiplies the square root of the joint-space inertia, of its factor LᵀDL, with a vector: D^½ L x.
#[pyfunction]
#[pyo3(name = "mj_mulM2")]
fn mj_mul_m2(m: M, d: D, res: Any, vec: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let (out, x) = (Out::<f64>::sized("res", res, n)?, vector::<f64>("vec", vec, n)?);
    let y = read(m, d, |m, d| {
        engine::check_data(m, d)?;
        let (p, inertia) = (&m.m_pattern, &d.smooth.inertia);
        let of_row = |i: usize| {
            let row = p.row(i);
            let below: f64 =
                row.clone().filter(|k| *k != p.diag(i)).map(|k| inertia.qLD[k] * x[p.colind[k] as usize]).sum();
            (x[i] + below) / inertia.qLDiagInv[i].sqrt()
        };
        Ok::<_, StepError>((0..n).map(of_row).collect::<Vec<_>>())
    })?;
    out.write(y)
}

/// Solves M x = y for each row of y.
#[pyfunction]
#[pyo3(name = "mj_solveM")]
fn mj_solve_m(m: M, d: D, x: Any, y: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let (out, mut rows) = rows_of(x, y, n)?;
    read(m, d, |m, d| rows.chunks_exact_mut(n.max(1)).try_for_each(|row| engine::solve_m(m, d, row)))?;
    out.write(rows)
}

/// Multiplies each row of y with the inverse of the transposed square root of the inertia: D^-½ L⁻ᵀ y. `sqrtInvD` (nv) is
/// the square root of the inverse diagonal.
#[pyfunction]
#[pyo3(name = "mj_solveM2")]
#[allow(non_snake_case)]
fn mj_solve_m2(m: M, d: D, x: Any, y: Any, sqrtInvD: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let scale = vector::<f64>("sqrtInvD", sqrtInvD, n)?;
    let (out, mut rows) = rows_of(x, y, n)?;
    read(m, d, |m, d| {
        engine::check_data(m, d)?;
        for row in rows.chunks_exact_mut(n.max(1)) {
            m.m_pattern.solve_transposed(&d.smooth.inertia.qLD, row);
            row.iter_mut().zip(&scale).for_each(|(x, s)| *x *= s);
        }
        Ok::<_, StepError>(())
    })?;
    out.write(rows)
}

/// Rows of nv numbers to solve for, and where the solutions go.
fn rows_of<'py>(x: Any<'_, 'py>, y: Any, n: usize) -> PyResult<(Out<'py, f64>, Vec<f64>)> {
    let (shape, rows) = numbers::<f64>("y", y)?;
    if shape.last().is_some_and(|&last| last != n) || (n > 0 && rows.len() % n != 0) {
        return Err(wrong("y", &format!("rows of {n} numbers"), y));
    }
    Ok((Out::sized("x", x, rows.len())?, rows))
}

/// Multiplies the Jacobian of the constraint rows with a vector (nv), into `res` (nefc).
#[pyfunction]
#[pyo3(name = "mj_mulJacVec")]
fn mj_mul_jac_vec(m: M, d: D, res: Any, vec: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let x = vector::<f64>("vec", vec, n)?;
    let y = read(m, d, |m, d| {
        engine::check_data(m, d)?;
        Ok::<_, StepError>((0..d.rows.nefc()).map(|i| d.rows.jac.row_dot(i, &x)).collect::<Vec<_>>())
    })?;
    Out::<f64>::sized("res", res, y.len())?.write(y)
}

/// Multiplies the transposed Jacobian of the constraint rows with a vector (nefc), into `res` (nv).
#[pyfunction]
#[pyo3(name = "mj_mulJacTVec")]
fn mj_mul_jac_t_vec(m: M, d: D, res: Any, vec: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let out = Out::<f64>::sized("res", res, n)?;
    let nefc = d.get().look(m.py()).data.rows.nefc();
    let f = vector::<f64>("vec", vec, nefc)?;
    let y = read(m, d, |m, d| {
        engine::check_data(m, d)?;
        let mut y = vec![0.0; n];
        for (i, f) in f.iter().enumerate().take(d.rows.nefc()) {
            d.rows.jac.for_each_in_row(i, |column, x| y[column] += f * x);
        }
        Ok::<_, StepError>(y)
    })?;
    out.write(y)
}

/// Adds the joint-space inertia to a sparse matrix that has at least its pattern.
#[pyfunction]
#[pyo3(name = "mj_addM")]
fn mj_add_m(m: M, d: D, dst: Any, rownnz: Any, rowadr: Any, colind: Any) -> PyResult<()> {
    let n = m.get().current(m.py())?.nv();
    let out = Out::<f64>::of("dst", dst)?;
    let mut sum = out.to_vec();
    let [nnz, adr] = [vector::<i32>("rownnz", rownnz, n)?, vector::<i32>("rowadr", rowadr, n)?];
    let (_, columns) = numbers::<i32>("colind", colind)?;
    let (pattern, packed) = read(m, d, |m, d| {
        engine::check_data(m, d)?;
        Ok::<_, StepError>((m.m_pattern.clone(), d.smooth.inertia.M.clone()))
    })?;
    for i in 0..n {
        let start = usize::try_from(adr[i]).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(nnz[i]).unwrap_or(0));
        let row = columns.get(start..end).filter(|_| end <= sum.len());
        let row =
            row.ok_or_else(|| wrong("colind", &format!("the columns of row {i}, from {start} to {end}"), colind))?;
        for k in pattern.row(i) {
            let column = pattern.colind[k] as i32;
            let at = row.iter().position(|&c| c == column).map(|p| start + p);
            let at =
                at.ok_or_else(|| wrong("colind", &format!("a pattern that holds entry ({i}, {column})"), colind))?;
            sum[at] += packed[k];
        }
    }
    out.write(sum)
}

register! { mj_full_m mj_mul_m mj_mul_m2 mj_solve_m mj_solve_m2 mj_mul_jac_vec mj_mul_jac_t_vec mj_add_m }
