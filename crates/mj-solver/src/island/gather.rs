//! The problem of one island, gathered from the whole, and its solution, scattered back.
//!
//! A step's problem mostly has the layout of the step before: then its numbers alone are gathered.

use crate::island::find::Islands;
use mj_math::SparseSymmetric;
use mj_math::block::Run;
use mj_problem::{ConeRows, ConstraintState, Problem, Recorded, Solution};
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
    /// Numbers of its cones in the whole.
    cones: Vec<u32>,
    /// First dof in the part of each tree of the whole.
    tree_at: Vec<u32>,
    runs: Vec<Run>,
    /// Addresses of the entries of the stiffness in the whole.
    stiffness: Vec<u32>,
    own: Recorded,
    /// Number of the island, and count of changes of the islands, for which the rest but the numbers was arranged.
    arranged: Option<(usize, u64)>,
}

impl IslandProblem {
    /// Gathers island `i` of `p`; `islands` must be one object in all calls.
    pub(crate) fn gather(&mut self, p: &Problem, islands: &Islands, i: usize) {
        let wanted = Some((i, islands.changes()));
        if self.arranged != wanted {
            self.arrange(p, islands, i);
            self.arranged = wanted;
        }
        let (mut at, mut entry) = (0, 0);
        let (own, whole) = (&mut self.own, &p.rows);
        for dofs in islands.dofs(i) {
            let entries = entries(p, &dofs);
            copy(&mut own.m[entry..], &p.m[entries.clone()]);
            copy(&mut own.ld[entry..], &p.ld[entries.clone()]);
            copy(&mut own.dinv[at..], &p.dinv[dofs.clone()]);
            copy(&mut own.qfrc_smooth[at..], &p.qfrc_smooth[dofs.clone()]);
            copy(&mut own.qacc_smooth[at..], &p.qacc_smooth[dofs.clone()]);
            copy(&mut own.qacc_warmstart[at..], &p.qacc_warmstart[dofs.clone()]);
            if let (Some(own), Some(whole)) = (&mut own.stiffness, p.stiffness) {
                copy(&mut own.diagonal[at..], &whole.diagonal[dofs.clone()]);
            }
            (at, entry) = (at + dofs.len(), entry + entries.len());
        }
        if let (Some(own), Some(whole)) = (&mut own.stiffness, p.stiffness) {
            own.values.iter_mut().zip(&self.stiffness).for_each(|(to, &from)| *to = whole.values[from as usize]);
        }
        for (k, &block) in islands.blocks(i).iter().enumerate() {
            copy(own.jac.block_values_mut(k), whole.jac.values(&whole.jac.blocks()[block as usize]));
        }
        let own_rows = own.d.iter_mut().zip(&mut own.r).zip(own.aref.iter_mut().zip(&mut own.frictionloss));
        for (&row, ((d, r), (aref, loss))) in self.rows.iter().zip(own_rows) {
            let row = row as usize;
            (*d, *r, *aref, *loss) = (whole.d[row], whole.r[row], whole.aref[row], whole.frictionloss[row]);
        }
        for (own, &cone) in own.cones.iter_mut().zip(&self.cones) {
            *own = ConeRows { row: own.row, ..whole.cones[cone as usize] };
        }
    }

    /// Arranges everything but the numbers.
    fn arrange(&mut self, p: &Problem, islands: &Islands, i: usize) {
        self.clear();
        self.tree_at.resize(p.tree.last().map_or(0, |&t| t as usize + 1), 0);
        for dofs in islands.dofs(i) {
            self.tree_at[p.tree[dofs.start] as usize] = self.dofs.len() as u32;
            self.add_tree(p, dofs);
        }
        self.own.stiffness = p.stiffness.map(|whole| self.arrange_stiffness(p, whole, islands));
        let own = &mut self.own;
        own.jac.clear(self.dofs.len());
        let mut cones = (0..).zip(p.rows.cones).peekable();
        for &k in islands.blocks(i) {
            let b = &p.rows.jac.blocks()[k as usize];
            // A run may reach over the end of a tree into the next; both are in this island, one after the other.
            let place = |r: &Run| Run { start: islands.place_in(p, &self.tree_at, r.start), len: r.len };
            self.runs.clear();
            self.runs.extend(p.rows.jac.runs(b).iter().map(place));
            let (first, end) = (own.jac.nrows() as u32, b.row + b.nrow);
            own.jac.push(b.nrow as usize, &self.runs);
            self.rows.extend(b.row..end);
            // A cone's rows lie in one block.
            while let Some((k, c)) = cones.next_if(|(_, c)| c.row < end) {
                if c.row >= b.row {
                    own.cones.push(ConeRows { row: first + c.row - b.row, ..*c });
                    self.cones.push(k);
                }
            }
        }
        own.ne = self.rows.partition_point(|&r| (r as usize) < p.rows.ne);
        own.nf = self.rows.partition_point(|&r| (r as usize) < p.rows.ne + p.rows.nf) - own.ne;
        for v in [&mut own.m, &mut own.ld] {
            v.resize(own.pattern.colind.len(), 0.0);
        }
        for v in [&mut own.dinv, &mut own.qfrc_smooth, &mut own.qacc_smooth, &mut own.qacc_warmstart] {
            v.resize(self.dofs.len(), 0.0);
        }
        for v in [&mut own.d, &mut own.r, &mut own.aref, &mut own.frictionloss] {
            v.resize(self.rows.len(), 0.0);
        }
    }

    /// Arranges the stiffness between the island's dofs: all that its trees have.
    fn arrange_stiffness(&mut self, p: &Problem, whole: &SparseSymmetric, islands: &Islands) -> SparseSymmetric {
        let mut entries = Vec::new();
        for (i, &d) in (0..).zip(&self.dofs) {
            for at in whole.row(d as usize) {
                entries.push((i, islands.place_in(p, &self.tree_at, whole.colind[at])));
                self.stiffness.push(at as u32);
            }
        }
        SparseSymmetric::zeros(self.dofs.len(), &entries)
    }

    /// Adds the dofs of one tree.
    fn add_tree(&mut self, p: &Problem, dofs: Range<usize>) {
        let entries = entries(p, &dofs);
        let own = &mut self.own;
        let (first, base, adr) = (dofs.start as u32, self.dofs.len() as u32, own.pattern.colind.len() as u32);
        self.dofs.extend(first..dofs.end as u32);
        own.tree.extend(std::iter::repeat_n(base, dofs.len()));
        own.pattern.rownnz.extend_from_slice(&p.pattern.rownnz[dofs.clone()]);
        let addresses = p.pattern.rowadr[dofs].iter();
        own.pattern.rowadr.extend(addresses.map(|x| x - entries.start as u32 + adr));
        own.pattern.colind.extend(p.pattern.colind[entries].iter().map(|c| c - first + base));
    }

    /// The island's problem.
    pub(crate) fn problem<'a>(&'a self, p: &Problem<'a>) -> Problem<'a> {
        Problem { settings: p.settings, ..self.own.problem() }
    }

    /// Scatters the island's solution.
    pub(crate) fn scatter(&self, solution: &IslandSolution, out: &mut Solution) {
        let IslandSolution { qacc, qfrc, force, state } = *solution;
        for (k, &d) in self.dofs.iter().enumerate() {
            out.qacc[d as usize] = qacc[k];
            out.qfrc_constraint[d as usize] = qfrc[k];
        }
        for (k, &r) in self.rows.iter().enumerate() {
            out.efc_force[r as usize] = force[k];
            out.efc_state[r as usize] = state[k];
        }
    }

    fn clear(&mut self) {
        let Recorded { pattern, tree, cones, .. } = &mut self.own;
        let lists = [&mut self.dofs, &mut self.rows, &mut self.cones, &mut self.stiffness, tree];
        let patterns = [&mut pattern.rownnz, &mut pattern.rowadr, &mut pattern.colind];
        lists.into_iter().chain(patterns).for_each(Vec::clear);
        cones.clear();
    }
}

/// Where the entries of a tree's rows lie.
fn entries(p: &Problem, dofs: &Range<usize>) -> Range<usize> {
    p.pattern.row(dofs.start).start..p.pattern.row(dofs.end - 1).end
}

/// Copies numbers to the beginning of others. Of one, a call that copies costs more than it.
#[inline(always)]
fn copy(to: &mut [f64], from: &[f64]) {
    match *from {
        [x] => to[0] = x,
        _ => to[..from.len()].copy_from_slice(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dual::state::tests::forest;
    use proptest::prelude::*;

    proptest! {
        /// Gathered again after other numbers and after another layout, a part equals one that is gathered at first.
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
            let mut changes = Vec::new();
            for problem in [&first, &numbers, &layout, &first] {
                let p = problem.problem();
                islands.find(&p);
                changes.push(islands.changes());
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
            prop_assert_eq!(&changes, &[1, 1, 2, 3]);
        }
    }
}
