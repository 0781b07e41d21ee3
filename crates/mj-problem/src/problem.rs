//! The problem that a solver is given.

use crate::rows::RowView;
use mj_math::{SparseSymmetric, TreePattern};

/// Solver settings, with the reference's names and defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Greatest number of iterations.
    pub iterations: u32,
    /// Termination tolerance, on quantities scaled by the trace of the inertia matrix.
    pub tolerance: f64,
    /// Greatest number of evaluations of one line search.
    pub ls_iterations: u32,
    /// Line-search tolerance, relative to `tolerance`.
    pub ls_tolerance: f64,
    /// Whether to start from `qacc_warmstart` where that is better than `qacc_smooth`.
    pub warmstart: bool,
    /// Whether to solve trees that no constraint connects apart.
    pub islands: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { iterations: 100, tolerance: 1e-8, ls_iterations: 50, ls_tolerance: 0.01, warmstart: true, islands: true }
    }
}

/// Minimize ½ (q̈ − q̈_smooth)ᵀ M (q̈ − q̈_smooth) + s(J q̈ − aref) over q̈.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Sparsity of M.
    pub pattern: &'a TreePattern,
    /// Values of M in that pattern.
    pub m: &'a [f64],
    /// The part of M beside `m`, between dofs of any trees: the stiffness of flexes over a time step.
    pub stiffness: Option<&'a SparseSymmetric>,
    /// Factor LᵀDL of M in that pattern ([`TreePattern::factor`]); with `stiffness`, of an approximation of M.
    pub ld: &'a [f64],
    /// 1/D, nv.
    pub dinv: &'a [f64],
    /// Kinematic tree of each dof, ascending: `m` has no entries between trees. nv.
    pub tree: &'a [u32],
    /// Force without constraints: M q̈_smooth, nv.
    pub qfrc_smooth: &'a [f64],
    /// Acceleration without constraints, nv.
    pub qacc_smooth: &'a [f64],
    /// Acceleration to start from, nv.
    pub qacc_warmstart: &'a [f64],
    /// Constraint rows. Those of an elliptic cone lie in one block; one-sided rows that share a block
    /// are pairs of opposing pyramid edges.
    pub rows: RowView<'a>,
    /// Settings.
    pub settings: Settings,
}

impl Problem<'_> {
    /// Number of degrees of freedom.
    #[inline]
    pub fn nv(&self) -> usize {
        self.qfrc_smooth.len()
    }

    /// Number of rows.
    #[inline]
    pub fn nefc(&self) -> usize {
        self.rows.nefc()
    }

    /// y = M x.
    #[inline]
    pub fn mul_m(&self, x: &[f64], y: &mut [f64]) {
        self.pattern.mul(self.m, x, y);
        if let Some(stiffness) = self.stiffness {
            stiffness.mul_add(x, y);
        }
    }

    /// Sum of the diagonal of M, without stiffness.
    #[inline]
    pub fn trace(&self) -> f64 {
        (0..self.nv()).map(|i| self.m[self.pattern.diag(i)]).sum()
    }
}
