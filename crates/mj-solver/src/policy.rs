//! Every choice between two ways of computing one thing, with its threshold.
//!
//! Results agree to rounding whichever way is taken; thresholds were measured on whole steps of models on either side
//! of them, and a second way stays only if it brings its class of models 3% or more.

use mj_math::fixed::LIMIT;
use mj_problem::Problem;

/// Returns whether the Newton system is kept as dense matrices of fixed width, and not in blocks: problems of up to 32
/// dofs, and trees of up to 64, whose factor has no zeros between trees to save. With the stiffness of flexes they are
/// mostly larger, and have but the one form.
pub(crate) fn is_dense(p: &Problem) -> bool {
    p.stiffness.is_none() && (p.nv() <= 32 || (p.nv() <= LIMIT && p.tree.first() == p.tree.last()))
}

/// Returns whether Newton's method works in the space of the rows: where the rows' matrix is much smaller than the
/// Hessian, which is small itself below 16 dofs and large from 40 on.
pub(crate) fn in_row_space(p: &Problem) -> bool {
    let (nv, n) = (p.nv(), p.nefc());
    p.stiffness.is_none() && n <= LIMIT && (2 * n <= nv && nv >= 16 || n <= nv && nv >= 40)
}

/// Number of islands whose problems stay arranged from step to step: 11% of a step of four light islands.
pub(crate) const KEPT_ISLANDS: usize = 8;

/// Least regularization beside the diagonal of A = J M⁻¹ Jᵀ with which the rows' matrix is sure to be definite.
pub(crate) const ROW_SPACE_REGULARIZATION: f64 = 1e-9;

/// Greatest number of rows for which the dual solvers form A, and projected Gauss–Seidel factors the Hessian of a face. A change of a force goes over a row of A; without A it
/// goes over a row of W, but so does every look at a gradient.
pub(crate) const DELASSUS_ROWS: usize = 64;

/// Sweeps of projected Gauss–Seidel before steps in a subspace, with cones or where A is not formed, and from one of
/// them to the next.
pub(crate) const SWEEPS_BEFORE_SUBSPACE: u32 = 100;
pub(crate) const SWEEPS_BETWEEN_SUBSPACES: u32 = 10;

/// Dofs up to which the trees of a chain of the elimination tree share a panel of the factor, and how many times as many
/// values it may store then.
pub(crate) const SUPERNODE_DOFS: usize = 48;
pub(crate) const SUPERNODE_STORAGE: f64 = 1.1;

/// Iterations of conjugate gradients for a linear system with the stiffness of flexes, after which a factor is made.
pub(crate) const QUADRATIC_ITERATIONS: u32 = 300;

/// Dofs from which on a model that is solved by Newton's method has its acceleration without constraints from conjugate
/// gradients too.
pub(crate) const QUADRATIC_DOFS: usize = 300;
