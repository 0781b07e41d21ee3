//! What a solver is given and what it gives back.

use mj_constraint::{ConstraintState, RowView};
use mj_math::TreePattern;

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
    /// Factor LᵀDL of M in that pattern ([`TreePattern::factor`]).
    pub ld: &'a [f64],
    /// 1/D, nv.
    pub dinv: &'a [f64],
    /// Kinematic tree of each dof, ascending: M has no entries between trees. nv.
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

    /// Sum of the diagonal of M.
    pub(crate) fn trace(&self) -> f64 {
        (0..self.nv()).map(|i| self.m[self.pattern.diag(i)]).sum()
    }
}

/// Statistics of one iteration (`mjSolverStat`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stat {
    /// Cost reduction, scaled by 1/trace(M).
    pub improvement: f64,
    /// Gradient norm, scaled.
    pub gradient: f64,
    /// Slope at the end of the line search, scaled.
    pub lineslope: f64,
    /// Number of active rows.
    pub nactive: u32,
    /// Number of rows whose state changed.
    pub nchange: u32,
    /// Number of line-search evaluations.
    pub neval: u32,
    /// Number of rank-one updates of the factor; nefc for a factorization.
    pub nupdate: u32,
}

impl Stat {
    /// Counts active rows, and rows whose state changed.
    pub(crate) fn of_states(state: &[ConstraintState], old: &[ConstraintState]) -> Self {
        let mut stat = Self::default();
        for (s, o) in state.iter().zip(old) {
            stat.nactive += u32::from(*s != ConstraintState::Satisfied);
            stat.nchange += u32::from(s != o);
        }
        stat
    }
}

/// One connected group of trees that was solved apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Island {
    /// Number of dofs.
    pub nv: u32,
    /// Number of rows.
    pub nefc: u32,
    /// Number of iterations.
    pub niter: u32,
    /// First of its `niter` entries in [`Solution::stats`].
    pub stat: u32,
    /// Number of iterations that removed slip afterwards.
    pub noslip: u32,
}

/// What a solver gives back. Reuse it: its vectors keep their memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// Acceleration, nv.
    pub qacc: Vec<f64>,
    /// Force of each row, nefc.
    pub efc_force: Vec<f64>,
    /// Zone of each row's cost, nefc.
    pub efc_state: Vec<ConstraintState>,
    /// Constraint force in joint space: Jᵀ efc_force, nv.
    pub qfrc_constraint: Vec<f64>,
    /// Islands, in the order of their first trees.
    pub islands: Vec<Island>,
    /// Statistics of every iteration, island by island.
    pub stats: Vec<Stat>,
}

impl Solution {
    /// Sizes everything for a problem: the acceleration without constraints, no force.
    pub fn reset(&mut self, p: &Problem) {
        self.size(p);
        self.qacc.copy_from_slice(p.qacc_smooth);
        self.efc_force.fill(0.0);
        self.efc_state.fill(ConstraintState::Satisfied);
        self.qfrc_constraint.fill(0.0);
    }

    /// The same, but for what stands in it.
    pub(crate) fn size(&mut self, p: &Problem) {
        self.qacc.resize(p.nv(), 0.0);
        self.efc_force.resize(p.nefc(), 0.0);
        self.efc_state.resize(p.nefc(), ConstraintState::Satisfied);
        self.qfrc_constraint.resize(p.nv(), 0.0);
        self.islands.clear();
        self.stats.clear();
    }

    /// Greatest number of iterations over the islands.
    pub fn niter(&self) -> u32 {
        self.islands.iter().map(|i| i.niter).max().unwrap_or(0)
    }
}

/// A solver of constraint problems. It owns its workspace, which keeps its memory from call to
/// call; whoever steps owns the solver.
pub trait ConstraintSolver {
    /// Solves a problem.
    fn solve(&mut self, problem: &Problem, out: &mut Solution);
}
