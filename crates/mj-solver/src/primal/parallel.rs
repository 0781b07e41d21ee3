//! Islands shared out among threads.
//!
//! A share is a run of islands with about as many blocks of rows as any other. Each is solved with memory of its own
//! and what is found doesn't depend on what the memory was used for before, so that neither the number of shares nor
//! the threads that they run on change a bit.

use crate::island::find::Islands;
use crate::primal::island_solver::IslandSolver;
use crate::primal::joint_space::Direction;
use mj_problem::{Island, Problem, Solution};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::ops::Range;

/// All shares, and their memory.
#[derive(Clone, Debug, Default)]
pub struct ParallelIslands(Vec<Share>);

#[derive(Clone, Debug, Default)]
struct Share {
    islands: Range<usize>,
    solver: IslandSolver,
    /// Solution of the whole, of which only the share's own islands are of any meaning.
    solution: Solution,
}

impl ParallelIslands {
    /// Solves all islands of a problem in `n` shares, at most one an island; `out` is sized for the problem.
    pub fn solve(&mut self, p: &Problem, islands: &Islands, direction: Direction, n: usize, out: &mut Solution) {
        let n = n.min(islands.count());
        self.0.resize_with(n.max(self.0.len()), Share::default);
        let shares = &mut self.0[..n];
        let mut next = 0;
        for (k, share) in shares.iter_mut().enumerate() {
            let end = islands.divide(k + 1, n);
            share.islands = next..end;
            next = end;
        }
        #[cfg(feature = "parallel")]
        shares.par_iter_mut().for_each(|share| share.solve(p, islands, direction));
        #[cfg(not(feature = "parallel"))]
        shares.iter_mut().for_each(|share| share.solve(p, islands, direction));
        shares.iter().for_each(|share| share.put_back(p, islands, out));
    }
}

impl Share {
    fn solve(&mut self, p: &Problem, islands: &Islands, direction: Direction) {
        self.solution.resize(p);
        for i in self.islands.clone() {
            self.solver.solve_island(p, islands, i, direction, &mut self.solution);
        }
    }

    fn put_back(&self, p: &Problem, islands: &Islands, out: &mut Solution) {
        let own = &self.solution;
        let stats = out.stats.len() as u32;
        out.stats.extend_from_slice(&own.stats);
        out.islands.extend(own.islands.iter().map(|i| Island { stat: stats + i.stat, ..*i }));
        for i in self.islands.clone() {
            for dofs in islands.dofs(i) {
                out.qacc[dofs.clone()].copy_from_slice(&own.qacc[dofs.clone()]);
                out.qfrc_constraint[dofs.clone()].copy_from_slice(&own.qfrc_constraint[dofs]);
            }
            islands.for_each_block(p, i, |b| {
                let b = &p.rows.jac.blocks()[b];
                let rows = b.row as usize..(b.row + b.nrow) as usize;
                out.efc_force[rows.clone()].copy_from_slice(&own.efc_force[rows.clone()]);
                out.efc_state[rows.clone()].copy_from_slice(&own.efc_state[rows]);
            });
        }
    }
}
