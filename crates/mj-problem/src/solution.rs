//! The result of a solver.

use crate::problem::Problem;
use crate::state::ConstraintState;

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
    #[inline]
    pub fn of_states(state: &[ConstraintState], old: &[ConstraintState]) -> Self {
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

/// Holds the result of a solver. Reuse it: its vectors keep their memory.
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
    #[inline]
    pub fn reset(&mut self, p: &Problem) {
        self.resize(p);
        self.qacc.copy_from_slice(p.qacc_smooth);
        self.efc_force.fill(0.0);
        self.efc_state.fill(ConstraintState::Satisfied);
        self.qfrc_constraint.fill(0.0);
    }

    /// Sizes everything for a problem: keeps the values of accelerations and forces, and removes islands and statistics.
    pub fn resize(&mut self, p: &Problem) {
        self.qacc.resize(p.nv(), 0.0);
        self.efc_force.resize(p.nefc(), 0.0);
        self.efc_state.resize(p.nefc(), ConstraintState::Satisfied);
        self.qfrc_constraint.resize(p.nv(), 0.0);
        self.islands.clear();
        self.stats.clear();
    }

    /// Greatest number of iterations over the islands.
    #[inline]
    pub fn niter(&self) -> u32 {
        self.islands.iter().map(|i| i.niter).max().unwrap_or(0)
    }
}
