//! The matrices of a connected problem in the form that suits its size: small and dense, or large and in blocks.

use crate::hessian::block_sparse::BlockSparseSystem;
use crate::hessian::dense::DenseSystem;
use crate::policy;
use crate::vector::padded;
use mj_math::MultiRhs;
use mj_problem::{ConstraintState, Problem};

/// A problem's matrices. Vectors over the dofs are padded with zeros to [`NewtonSystem::width`].
#[derive(Clone, Debug, Default)]
pub struct NewtonSystem {
    is_dense: bool,
    dense: DenseSystem,
    blocks: BlockSparseSystem,
    scratch: Vec<f64>,
}

impl NewtonSystem {
    /// Takes over a problem.
    pub fn load(&mut self, p: &Problem) {
        self.is_dense = policy::is_dense(p);
        if self.is_dense {
            return self.dense.load(p);
        }
        self.scratch.resize(p.nv(), 0.0);
    }

    /// Whether the problem has its small form.
    pub fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Length of a vector over the dofs.
    pub fn width(&self, p: &Problem) -> usize {
        if self.is_dense { self.dense.width() } else { padded(p.nv()) }
    }

    /// y = M x.
    pub fn mul_m(&self, p: &Problem, x: &[f64], y: &mut [f64]) {
        if self.is_dense {
            return self.dense.mul_m(x, y);
        }
        p.mul_m(x, y);
        y[p.nv()..].fill(0.0);
    }

    /// y = J x.
    pub fn mul_jac(&mut self, p: &Problem, x: &[f64], y: &mut [f64]) {
        if self.is_dense { self.dense.mul_jac(x, y) } else { p.rows.jac.mul(x, y, &mut self.scratch) }
    }

    /// y = Jᵀ f.
    pub fn mul_jac_transposed(&mut self, p: &Problem, f: &[f64], y: &mut [f64]) {
        if self.is_dense {
            return self.dense.mul_jac_transposed(f, y);
        }
        y.fill(0.0);
        p.rows.jac.mul_transposed_add(f, y, &mut self.scratch);
    }

    /// Assembles and factors the Hessian for the given row states.
    pub fn factor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        if self.is_dense { self.dense.factor(p, jar, state) } else { self.blocks.factor(p, jar, state) }
    }

    /// Follows a change of row states from `old`; returns the number of rows, nefc, if it factored
    /// anew.
    pub fn update(&mut self, p: &Problem, jar: &[f64], old: &[ConstraintState], state: &[ConstraintState]) -> u32 {
        if self.is_dense { self.dense.update(p, jar, old, state) } else { self.blocks.update(p, jar, old, state) }
    }

    /// Solves H x = b in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        if self.is_dense { self.dense.solve(x) } else { self.blocks.solve(&mut x[..self.scratch.len()]) }
    }

    /// Takes the factor of the Hessian of `n` dofs apart, for many right sides.
    pub fn export_factor(&self, n: usize, out: &mut MultiRhs) {
        if self.is_dense { self.dense.export_factor(n, out) } else { self.blocks.export_factor(out) }
    }
}
