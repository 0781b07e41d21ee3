//! The joint-space inertia, as a dense matrix and as a linear map.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::query::{QueryError, check_length};
use mj_model::Model;

/// Writes the joint-space inertia densely into `out` (nv×nv, row-major; `mj_fullM`).
///
/// # Errors
/// If data and model don't fit together, or `out` has another length.
pub fn full_m(m: &Model, d: &Data, out: &mut [f64]) -> Result<(), QueryError> {
    check_data(m, d)?;
    check_length("out", out.len(), m.nv() * m.nv())?;
    m.m_pattern.to_dense(&d.smooth.inertia.M, out);
    Ok(())
}

/// Multiplies a vector with the joint-space inertia, y = M x, both nv long (`mj_mulM`).
///
/// # Errors
/// If data and model don't fit together, or a vector has another length.
pub fn mul_m(m: &Model, d: &Data, x: &[f64], y: &mut [f64]) -> Result<(), QueryError> {
    check_data(m, d)?;
    check_length("x", x.len(), m.nv())?;
    check_length("y", y.len(), m.nv())?;
    d.smooth.inertia.mul(m, x, y);
    Ok(())
}

/// Solves M y = x in place with the factor of the joint-space inertia, nv long (`mj_solveM`).
///
/// # Errors
/// If data and model don't fit together, or the vector has another length.
pub fn solve_m(m: &Model, d: &Data, x: &mut [f64]) -> Result<(), QueryError> {
    check_data(m, d)?;
    check_length("x", x.len(), m.nv())?;
    d.smooth.inertia.solve(m, x);
    Ok(())
}
