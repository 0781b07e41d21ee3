//! The problem of one island, gathered from the whole, and its solution, scattered back.

use crate::island::find::Islands;
use mj_math::block::{Run, append};
use mj_problem::{ConeRows, ConstraintState, Problem, Recorded, RowView, Solution};
use std::ops::Range;

/// The minimum of an island's problem. Vectors over the dofs may be longer than that, padded with zeros.
pub(crate) struct IslandSolution<'a> {
    pub qacc: &'a [f64],
    pub qfrc: &'a [f64],
    pub force: &'a [f64],
    pub state: &'a [ConstraintState],
}

/// The problem of one island, with rows and dofs of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandProblem {
    dofs: Vec<u32>,
    rows: Vec<u32>,
    /// First dof in the part of each tree of the whole.
    tree_at: Vec<u32>,
    runs: Vec<Run>,
    /// It has all rows of the whole, which are borrowed then, but for their Jacobian.
    all_rows: bool,
    own: Recorded,
}

impl IslandProblem {
    /// Gathers island `i` of `p`.
    pub(crate) fn gather(&mut self, p: &Problem, islands: &Islands, i: usize) {
        self.clear();
        self.tree_at.resize(p.tree.last().map_or(0, |&t| t as usize + 1), 0);
        for dofs in islands.dofs(i) {
            self.tree_at[p.tree[dofs.start] as usize] = self.dofs.len() as u32;
            self.add_tree(p, dofs);
        }
        let blocks = islands.blocks(i);
        self.all_rows = blocks.len() == p.rows.jac.blocks().len();
        // A run may reach over the end of a tree into the next; both are in this island, and next to each other in it.
        let place = |start: u32| islands.place_in(p, &self.tree_at, start);
        if self.all_rows {
            self.own.jac.clone_moved(p.rows.jac, self.dofs.len(), place);
            return;
        }
        self.own.jac.clear(self.dofs.len());
        let mut cones = p.rows.cones.iter().peekable();
        let mut rows = 0..0;
        for &k in blocks {
            let b = &p.rows.jac.blocks()[k as usize];
            self.runs.clear();
            self.runs.extend(p.rows.jac.runs(b).iter().map(|r| Run { start: place(r.start), len: r.len }));
            let first = self.own.jac.nrows() as u32;
            self.own.jac.push_values(b.nrow as usize, &self.runs, p.rows.jac.values(b));
            // A cone's rows lie in one block.
            let end = b.row + b.nrow;
            while let Some(c) = cones.next_if(|c| c.row < end) {
                if c.row >= b.row {
                    self.own.cones.push(ConeRows { row: first + c.row - b.row, ..*c });
                }
            }
            // Blocks that follow one another are taken at once.
            if b.row != rows.end {
                add_rows(&mut self.own, &mut self.rows, p, rows);
                rows = b.row..b.row;
            }
            rows.end = end;
        }
        add_rows(&mut self.own, &mut self.rows, p, rows);
    }

    /// Adds the dofs of one tree.
    fn add_tree(&mut self, p: &Problem, dofs: Range<usize>) {
        let entries = entries(p, &dofs);
        let (first, base, adr) = (dofs.start as u32, self.dofs.len() as u32, self.own.m.len() as u32);
        let own = &mut self.own;
        self.dofs.extend(first..dofs.end as u32);
        own.tree.extend(std::iter::repeat_n(base, dofs.len()));
        own.pattern.rownnz.extend_from_slice(&p.pattern.rownnz[dofs.clone()]);
        let addresses = p.pattern.rowadr[dofs.clone()].iter();
        own.pattern.rowadr.extend(addresses.map(|x| x - entries.start as u32 + adr));
        own.pattern.colind.extend(p.pattern.colind[entries.clone()].iter().map(|c| c - first + base));
        append(&mut own.m, &p.m[entries.clone()]);
        append(&mut own.ld, &p.ld[entries]);
        append(&mut own.dinv, &p.dinv[dofs.clone()]);
        append(&mut own.qfrc_smooth, &p.qfrc_smooth[dofs.clone()]);
        append(&mut own.qacc_smooth, &p.qacc_smooth[dofs.clone()]);
        append(&mut own.qacc_warmstart, &p.qacc_warmstart[dofs]);
    }

    /// The island's problem.
    pub(crate) fn problem<'a>(&'a self, p: &Problem<'a>) -> Problem<'a> {
        let own = self.own.problem();
        let rows = if self.all_rows { RowView { jac: &self.own.jac, ..p.rows } } else { own.rows };
        Problem { settings: p.settings, rows, ..own }
    }

    /// Scatters the island's solution.
    pub(crate) fn scatter(&self, solution: &IslandSolution, out: &mut Solution) {
        let IslandSolution { qacc, qfrc, force, state } = *solution;
        for (k, &d) in self.dofs.iter().enumerate() {
            out.qacc[d as usize] = qacc[k];
            out.qfrc_constraint[d as usize] = qfrc[k];
        }
        if self.all_rows {
            out.efc_force.copy_from_slice(force);
            out.efc_state.copy_from_slice(state);
            return;
        }
        for (k, &r) in self.rows.iter().enumerate() {
            out.efc_force[r as usize] = force[k];
            out.efc_state[r as usize] = state[k];
        }
    }

    fn clear(&mut self) {
        for v in [&mut self.dofs, &mut self.rows, &mut self.own.tree] {
            v.clear();
        }
        for v in [
            &mut self.own.m,
            &mut self.own.ld,
            &mut self.own.dinv,
            &mut self.own.qfrc_smooth,
            &mut self.own.qacc_smooth,
            &mut self.own.qacc_warmstart,
            &mut self.own.d,
            &mut self.own.r,
            &mut self.own.aref,
            &mut self.own.frictionloss,
        ] {
            v.clear();
        }
        for v in [&mut self.own.pattern.rownnz, &mut self.own.pattern.rowadr, &mut self.own.pattern.colind] {
            v.clear();
        }
        self.own.cones.clear();
        (self.own.ne, self.own.nf) = (0, 0);
    }
}

/// Where the entries of a tree's rows lie.
fn entries(p: &Problem, dofs: &Range<usize>) -> Range<usize> {
    p.pattern.row(dofs.start).start..p.pattern.row(dofs.end - 1).end
}

/// Adds rows of the whole to a part's own.
fn add_rows(own: &mut Recorded, list: &mut Vec<u32>, p: &Problem, rows: Range<u32>) {
    let (whole, at) = (&p.rows, rows.start as usize..rows.end as usize);
    let of = |kind: Range<usize>| at.end.min(kind.end).saturating_sub(at.start.max(kind.start));
    own.ne += of(0..whole.ne);
    own.nf += of(whole.ne..whole.ne + whole.nf);
    append(&mut own.d, &whole.d[at.clone()]);
    append(&mut own.r, &whole.r[at.clone()]);
    append(&mut own.aref, &whole.aref[at.clone()]);
    append(&mut own.frictionloss, &whole.frictionloss[at]);
    list.extend(rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dual::state::tests::forest;
    use proptest::prelude::*;

    proptest! {
        /// Problems gathered before leave no trace.
        #[test]
        fn memory_is_reused(
            sizes in prop::collection::vec(1usize..6, 2..8),
            pairs in prop::collection::vec((0usize..8, 0usize..8), 2..14),
            seed in prop::collection::vec(-1.0..1.0f64, 97),
        ) {
            let mut numbers = forest(&sizes, &pairs, &seed[1..]);
            numbers.cones.iter_mut().for_each(|c| c.mu = 0.5);
            numbers.qacc_warmstart.fill(1.0);
            let [first, layout] = [&pairs[..], &pairs[1..]].map(|pairs| forest(&sizes, pairs, &seed));
            let (mut islands, mut parts) = (Islands::default(), vec![IslandProblem::default(); sizes.len()]);
            for problem in [&first, &numbers, &layout, &first] {
                let p = problem.problem();
                islands.find(&p);
                if islands.is_whole() {
                    continue;
                }
                for i in 0..islands.count() {
                    let mut fresh = IslandProblem::default();
                    fresh.gather(&p, &islands, i);
                    parts[i].gather(&p, &islands, i);
                    prop_assert_eq!(&parts[i].own, &fresh.own);
                    prop_assert_eq!((&parts[i].dofs, &parts[i].rows), (&fresh.dofs, &fresh.rows));
                }
            }
        }
    }
}
