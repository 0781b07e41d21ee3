//! The Hessian of a problem's cost at one acceleration, factored once for many right sides.

use crate::hessian::system::NewtonSystem;
use mj_math::MultiRhs;
use mj_problem::{ConstraintState, Problem};

/// H = M + JᵀSJ, with S the second derivative of the rows' cost at an acceleration, and its factor, in the form in which
/// [`Newton`](crate::Newton) has it.
///
/// What answers how an optimum moves: where the problem's gradient changes by g, its acceleration changes by
/// −H⁻¹g (implicit differentiation). Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct CostHessian {
    system: NewtonSystem,
    jar: Vec<f64>,
    /// A vector over the dofs, padded as the form wants it.
    padded: Vec<f64>,
    sides: MultiRhs,
}

impl CostHessian {
    /// Assembles and factors the Hessian at the acceleration `qacc` (nv), where the rows have these states (nefc). All
    /// dofs are one problem: islands only show in its zeros.
    pub fn factor(&mut self, p: &Problem, qacc: &[f64], state: &[ConstraintState]) {
        self.system.load(p);
        self.padded.clear();
        self.padded.resize(self.system.width(p), 0.0);
        self.padded[..p.nv()].copy_from_slice(qacc);
        self.jar.resize(p.nefc(), 0.0);
        self.system.mul_jac(p, &self.padded, &mut self.jar);
        self.jar.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
        self.system.factor(p, &self.jar, state);
        self.padded.fill(0.0);
    }

    /// Solves H x = b in place, nv numbers.
    pub fn solve(&mut self, x: &mut [f64]) {
        self.padded[..x.len()].copy_from_slice(x);
        self.system.solve(&mut self.padded);
        x.copy_from_slice(&self.padded[..x.len()]);
    }

    /// Solves H X = B in place for many right sides: a row of `width` numbers for each of the `n` dofs, a multiple of
    /// [`mj_math::many::PADDING`].
    pub fn solve_many(&mut self, n: usize, x: &mut [f64], width: usize) {
        self.system.export_factor(n, &mut self.sides);
        self.sides.solve(x, width);
    }
}
