//! The matrices of a connected problem in the form that suits its size: small and dense, or large and in blocks.

use crate::compact::Compact;
use crate::groups::padded;
use crate::hessian::Hessian;
use mj_math::ManySides;
use mj_problem::{ConstraintState, Problem};

/// A problem's matrices. Vectors over the dofs are padded with zeros to [`Form::width`].
#[derive(Clone, Debug, Default)]
pub struct Form {
    small: bool,
    compact: Compact,
    hessian: Hessian,
    scratch: Vec<f64>,
}

impl Form {
    /// Takes over a problem.
    pub fn load(&mut self, p: &Problem) {
        self.small = Compact::fits(p);
        if self.small {
            return self.compact.load(p);
        }
        self.scratch.resize(p.nv(), 0.0);
    }

    /// Whether the problem has its small form.
    pub fn is_small(&self) -> bool {
        self.small
    }

    /// Length of a vector over the dofs.
    pub fn width(&self, p: &Problem) -> usize {
        if self.small { self.compact.width() } else { padded(p.nv()) }
    }

    /// y = M x.
    pub fn mul_m(&self, p: &Problem, x: &[f64], y: &mut [f64]) {
        if self.small {
            return self.compact.mul_m(x, y);
        }
        p.pattern.mul(p.m, x, y);
        y[p.nv()..].fill(0.0);
    }

    /// y = J x.
    pub fn mul_jac(&mut self, p: &Problem, x: &[f64], y: &mut [f64]) {
        if self.small { self.compact.mul_jac(x, y) } else { p.rows.jac.mul(x, y, &mut self.scratch) }
    }

    /// y = Jᵀ f.
    pub fn mul_jac_transposed(&mut self, p: &Problem, f: &[f64], y: &mut [f64]) {
        if self.small {
            return self.compact.mul_jac_transposed(f, y);
        }
        y.fill(0.0);
        p.rows.jac.mul_transposed_add(f, y, &mut self.scratch);
    }

    /// Assembles and factors the Hessian for the given row states.
    pub fn build(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        if self.small { self.compact.build(p, jar, state) } else { self.hessian.build(p, jar, state) }
    }

    /// Follows a change of row states from `old`; returns the number of rank-one updates, or nefc if it factored
    /// anew.
    pub fn update(&mut self, p: &Problem, jar: &[f64], old: &[ConstraintState], state: &[ConstraintState]) -> u32 {
        if self.small { self.compact.update(p, jar, old, state) } else { self.hessian.update(p, jar, old, state) }
    }

    /// Solves H x = b in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        if self.small { self.compact.solve(x) } else { self.hessian.solve(&mut x[..self.scratch.len()]) }
    }

    /// Takes the factor of the Hessian of `n` dofs apart, for many right sides.
    pub fn take_apart(&self, n: usize, out: &mut ManySides) {
        if self.small { self.compact.take_apart(n, out) } else { self.hessian.take_apart(out) }
    }
}
