//! Derivatives of differences and steps of quaternions.

use crate::args::typed::{OutFixed, OutMatrix, ensure};
use mj_math::{DMat3, DVec3, inverse_dexp, quat, real, spatial_map};
use pyo3::PyResult;

super::functions! {
    /// Computes the derivatives of `mju_subQuat` by rotations of `qa` and of `qb`, each in its own axes: 3 x 3
    /// matrices, or None where one is not wanted.
    fn mjd_subQuat(qa: Vec<f64>, qb: Vec<f64>, Da: Option<OutMatrix>, Db: Option<OutMatrix>) -> PyResult<()> {
        for (name, q) in [("qa", &qa), ("qb", &qb)] {
            ensure!(q.len() == 4, "`{name}` must be four numbers, not {}", q.len());
        }
        for (name, d) in [("Da", &Da), ("Db", &Db)] {
            let size = d.as_ref().map_or(9, |d| d.rows * d.columns);
            ensure!(size == 9, "`{name}` must be nine numbers, not {size}");
        }
        let u = quat::sub(quat::read(&qa), quat::read(&qb));
        let [x, y, z] = DVec3::AXES.map(|axis| inverse_dexp(u, axis));
        let by_a = DMat3::from_cols(x, y, z);
        if let Some(d) = Da {
            d.write(by_a.transpose().to_cols_array())?;
        }
        if let Some(d) = Db {
            // Minus the transpose, row-major.
            d.write((-by_a).to_cols_array())?;
        }
        Ok(())
    }

    /// Computes the derivatives of `mju_quatIntegrate`, as rotations in the axes of the quaternion that it leads to,
    /// row-major: by a rotation of the quaternion (3 x 3), by the product of angular velocity and time (3 x 3) and by
    /// the time (3).
    fn mjd_quatIntegrate(
        vel: DVec3, scale: f64, Dquat: OutFixed<9>, Dvel: OutFixed<9>, Dscale: OutFixed<3>,
    ) -> PyResult<()> {
        let u = scale * vel;
        Dquat.set(quat::to_mat(quat::exp(-u)))?;
        Dvel.set(differential(u))?;
        Dscale.set(vel)
    }
}

/// Right differential of the exponential map: the rotation, in the axes of exp(u), by a change of the rotation vector
/// u.
///
/// I − (1 − cos θ)/θ² [u] + (θ − sin θ)/θ³ [u]², θ = |u|.
fn differential(u: DVec3) -> DMat3 {
    let theta2 = u.length_squared();
    let (b, c) = if theta2 < 1e-3 {
        // Series of the coefficients: their closed forms cancel at small angles.
        let theta4 = theta2 * theta2;
        (0.5 - theta2 / 24.0 + theta4 / 720.0, 1.0 / 6.0 - theta2 / 120.0 + theta4 / 5040.0)
    } else {
        let theta = theta2.sqrt();
        let half = real::sin(0.5 * theta) / theta;
        (2.0 * half * half, (theta - real::sin(theta)) / (theta2 * theta))
    };
    let cross = spatial_map::cross(u);
    DMat3::IDENTITY - b * cross + c * cross * cross
}
