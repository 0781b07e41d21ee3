//! Matrices of the last step's integrator.

use crate::data::Data;
use crate::pipeline::forward::problem;
use mj_math::TreePattern;
use mj_model::{IntegratorType, Model};

/// Factor LᵀDL of a matrix in the pattern of the inertia.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InertiaFactor {
    /// Entries of L, with D on the diagonal, in the pattern of M.
    pub ld: Vec<f64>,
    /// 1/D, nv.
    pub dinv: Vec<f64>,
}

/// Copies the factor of the inertia with implicit forces of the last step (`qH`): M + hD with Euler's method, the symmetric
/// part of M − h ∂f/∂v with `implicitfast`, the effective inertia with `discrete`. None for other integrators, and if no
/// step has made one.
///
/// ```
/// use mj_engine::*;
///
/// // A mass of 2 kg with a damper of 3 N s/m: M + h D = 2.03 kg.
/// let step_by = |integrator: &str| {
///     let m = load_str(&format!(
///         r#"<mujoco><option integrator="{integrator}" timestep="0.01"/><worldbody><body>
///         <joint type="slide" damping="3"/><geom size=".1" mass="2"/></body></worldbody></mujoco>"#
///     ))?;
///     let mut d = Data::new(&m)?;
///     step(&m, &mut d)?;
///     Ok::<_, Box<dyn std::error::Error>>((m, d))
/// };
/// let (m, d) = step_by("Euler")?;
/// assert!((integrator_factor(&m, &d).unwrap().ld[0] - 2.03).abs() < 1e-12);
/// assert!(velocity_derivative(&m, &d).is_none());
/// let (m, d) = step_by("implicit")?;
/// assert_eq!(velocity_derivative(&m, &d).unwrap().lower, [-3.0]);
/// assert!((velocity_factor(&m, &d).unwrap().lower[0] - 2.03).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn integrator_factor(m: &Model, d: &Data) -> Option<InertiaFactor> {
    let mut factor = InertiaFactor { ld: vec![0.0; m.m_pattern.nnz()], dinv: vec![0.0; m.nv()] };
    let known = match m.opt.integrator {
        IntegratorType::Euler => d.ws.euler.factor.write(m, &mut factor.ld, &mut factor.dinv),
        IntegratorType::ImplicitFast => {
            let InertiaFactor { ld, dinv } = &mut factor;
            d.ws.implicit.write_symmetric_factor(m, &d.smooth.inertia.M, ld, dinv)
        }
        IntegratorType::Discrete => {
            let p = problem(m, d);
            copy_to((p.ld, p.dinv), &mut factor)
        }
        _ => false,
    };
    known.then_some(factor)
}

/// Copies a factor, if its size is right.
fn copy_to((ld, dinv): (&[f64], &[f64]), to: &mut InertiaFactor) -> bool {
    let fits = ld.len() == to.ld.len() && dinv.len() == to.dinv.len();
    if fits {
        to.ld.copy_from_slice(ld);
        to.dinv.copy_from_slice(dinv);
    }
    fits
}

/// An unsymmetric matrix in the pattern of dofs on one path from the root.
#[derive(Clone, Copy, Debug)]
pub struct PathMatrix<'a> {
    /// Each dof with its ancestors.
    pub pattern: &'a TreePattern,
    /// Entries (i, j) with j an ancestor of i, or i itself.
    pub lower: &'a [f64],
    /// Entries (j, i) with j an ancestor of i.
    pub upper: &'a [f64],
}

/// Borrows the derivative of the smooth forces by velocity that the last step of an implicit integrator computed (`qDeriv`).
/// With `implicitfast`, that of free bodies which carry no joints holds the bias force's too. None with other integrators.
///
/// Example: [`integrator_factor`].
pub fn velocity_derivative<'a>(m: &Model, d: &'a Data) -> Option<PathMatrix<'a>> {
    let implicit = matches!(m.opt.integrator, IntegratorType::Implicit | IntegratorType::ImplicitFast);
    path_matrix(implicit, m, d.ws.implicit.velocity_derivative())
}

/// Borrows the factor U D L of M − h ∂f/∂v of the last step of the integrator `implicit` (`qLU`), as
/// [`TreePattern::factor_lu`] leaves it. None with other integrators.
///
/// Example: [`integrator_factor`].
pub fn velocity_factor<'a>(m: &Model, d: &'a Data) -> Option<PathMatrix<'a>> {
    path_matrix(m.opt.integrator == IntegratorType::Implicit, m, d.ws.implicit.velocity_lu())
}

fn path_matrix<'a>(
    wanted: bool,
    m: &Model,
    (pattern, lower, upper): (&'a TreePattern, &'a [f64], &'a [f64]),
) -> Option<PathMatrix<'a>> {
    let nnz = pattern.nnz();
    let fits = wanted && pattern.n() == m.nv() && lower.len() == nnz && upper.len() == nnz;
    fits.then_some(PathMatrix { pattern, lower, upper })
}
