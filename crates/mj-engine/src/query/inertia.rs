//! The joint-space inertia, as a dense matrix and as a linear map.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::query::{QueryError, check_length};
use mj_model::Model;

/// Writes the joint-space inertia densely into `out` (nv×nv, row-major; `mj_fullM`).
///
/// Example: [`mul_m`].
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
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 1 0 0"/>
///     <body pos="1 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 1 0 0"/></body></body>
///     </worldbody></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// forward(&m, &mut d)?;
/// let (mut inertia, mut y) = ([0.0; 4], [0.0; 2]);
/// full_m(&m, &d, &mut inertia)?;
/// mul_m(&m, &d, &[1.0, 0.0], &mut y)?;
/// assert!((y[0] - inertia[0]).abs() < 1e-12 && (y[1] - inertia[2]).abs() < 1e-12);
///
/// // Solving gives the vector back, with the factor of M and with its dense form.
/// let dense = solve_dense(&inertia, &y)?.unwrap();
/// solve_m(&m, &d, &mut y)?;
/// assert!((y[0] - 1.0).abs() < 1e-9 && (dense[0] - 1.0).abs() < 1e-9 && (y[1] - dense[1]).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
/// Example: [`mul_m`].
///
/// # Errors
/// If data and model don't fit together, or the vector has another length.
pub fn solve_m(m: &Model, d: &Data, x: &mut [f64]) -> Result<(), QueryError> {
    check_data(m, d)?;
    check_length("x", x.len(), m.nv())?;
    d.smooth.inertia.solve(m, x);
    Ok(())
}
