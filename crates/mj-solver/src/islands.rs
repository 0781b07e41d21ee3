//! Islands: groups of kinematic trees that constraints connect. The problem falls apart into one
//! problem an island, and trees that no row touches need no solver.

use crate::problem::{Problem, Solution};
use crate::recorded::Recorded;
use mj_constraint::rows::RowView;
use mj_constraint::{ConeRows, ConstraintState};
use mj_math::block::Run;
use std::ops::Range;

/// Which trees and blocks of rows belong to which island.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// First dof of each tree, and nv.
    tree_dof: Vec<u32>,
    /// Parent in the forest of merged trees.
    parent: Vec<u32>,
    /// Island of each tree; NONE: no rows.
    island: Vec<u32>,
    /// First entry in `trees` of each island, and their number.
    tree_adr: Vec<u32>,
    trees: Vec<u32>,
    /// First entry in `blocks` of each island, and their number.
    block_adr: Vec<u32>,
    blocks: Vec<u32>,
    whole: bool,
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Finds the islands of a problem.
    pub fn find(&mut self, p: &Problem) {
        self.whole = true;
        if !p.settings.islands || p.tree.first() == p.tree.last() {
            return;
        }
        let ntree = p.tree.last().map_or(0, |&t| t as usize + 1);
        self.tree_dof.clear();
        for (i, &t) in p.tree.iter().enumerate() {
            while self.tree_dof.len() <= t as usize {
                self.tree_dof.push(i as u32);
            }
        }
        self.tree_dof.push(p.nv() as u32);

        // Merge the trees of each block; a tree with rows has an island, at first its own number.
        self.parent.clear();
        self.parent.extend(0..ntree as u32);
        self.island.clear();
        self.island.resize(ntree, NONE);
        let jac = p.rows.jac;
        for b in jac.blocks() {
            let mut first = NONE;
            for r in jac.runs(b) {
                for t in p.tree[r.start as usize]..=p.tree[(r.start + r.len) as usize - 1] {
                    self.island[t as usize] = t;
                    if first == NONE {
                        first = t;
                    } else if t != first {
                        self.merge(first, t);
                    }
                }
            }
        }
        // Number islands by their first trees, and count their trees and blocks.
        self.tree_adr.clear();
        self.block_adr.clear();
        let mut n = 0;
        for t in 0..ntree {
            if self.island[t] == NONE {
                continue;
            }
            let root = self.root(t as u32) as usize;
            if root == t {
                self.island[t] = n;
                n += 1;
                self.tree_adr.push(0);
            } else {
                self.island[t] = self.island[root];
            }
            self.tree_adr[self.island[t] as usize] += 1;
        }
        self.whole = n == 1 && self.tree_adr[0] as usize == ntree;
        if self.whole {
            return;
        }
        self.block_adr.resize(n as usize, 0);
        for b in jac.blocks() {
            if let Some(r) = jac.runs(b).first() {
                self.block_adr[self.island[p.tree[r.start as usize] as usize] as usize] += 1;
            }
        }
        // Sort both by island, stably.
        let (ntrees, nblocks) = (starts(&mut self.tree_adr), starts(&mut self.block_adr));
        self.trees.clear();
        self.trees.resize(ntrees as usize, 0);
        self.blocks.clear();
        self.blocks.resize(nblocks as usize, 0);
        for t in 0..ntree {
            if self.island[t] != NONE {
                place(&mut self.tree_adr, self.island[t], t as u32, &mut self.trees);
            }
        }
        for (i, b) in jac.blocks().iter().enumerate() {
            if let Some(r) = jac.runs(b).first() {
                place(&mut self.block_adr, self.island[p.tree[r.start as usize] as usize], i as u32, &mut self.blocks);
            }
        }
        shift(&mut self.tree_adr, ntrees);
        shift(&mut self.block_adr, nblocks);
    }

    /// Whether the problem is one island over all dofs (or islands are off).
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Number of islands.
    pub fn len(&self) -> usize {
        if self.whole { 1 } else { self.tree_adr.len() - 1 }
    }

    /// Calls `f` with each block of rows of island `i`, in row order.
    pub fn for_each_block(&self, p: &Problem, i: usize, mut f: impl FnMut(usize)) {
        if self.whole {
            (0..p.rows.jac.blocks().len()).for_each(f);
        } else {
            self.blocks[self.block_adr[i] as usize..self.block_adr[i + 1] as usize].iter().for_each(|&b| f(b as usize));
        }
    }

    /// The dofs of island `i`, tree by tree; the islands are not one whole.
    pub fn dofs(&self, i: usize) -> impl Iterator<Item = Range<usize>> {
        let trees = &self.trees[self.tree_adr[i] as usize..self.tree_adr[i + 1] as usize];
        trees.iter().map(|&t| self.tree_dof[t as usize] as usize..self.tree_dof[t as usize + 1] as usize)
    }

    /// The first island that begins at or behind the `k`-th of `n` equal parts of all blocks of rows; not of a whole.
    pub fn divide(&self, k: usize, n: usize) -> usize {
        let at = self.blocks.len() * k / n;
        self.block_adr.partition_point(|&a| (a as usize) < at).min(self.len())
    }

    /// Trace of the inertia of island `i`, and its number of dofs.
    pub fn trace(&self, p: &Problem, i: usize) -> (f64, usize) {
        let sum = |a: usize, b: usize| (a..b).map(|d| p.m[p.pattern.diag(d)]).sum::<f64>();
        if self.whole {
            return (sum(0, p.nv()), p.nv());
        }
        let mut total = (0.0, 0);
        for &t in &self.trees[self.tree_adr[i] as usize..self.tree_adr[i + 1] as usize] {
            let (a, b) = (self.tree_dof[t as usize] as usize, self.tree_dof[t as usize + 1] as usize);
            total = (total.0 + sum(a, b), total.1 + b - a);
        }
        total
    }

    fn root(&mut self, mut t: u32) -> u32 {
        while self.parent[t as usize] != t {
            let up = self.parent[self.parent[t as usize] as usize];
            self.parent[t as usize] = up;
            t = up;
        }
        t
    }

    fn merge(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        // The least tree stays the root, so that islands can be numbered in one pass.
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// Turns counts into first addresses; returns the total.
fn starts(counts: &mut [u32]) -> u32 {
    let mut at = 0;
    for c in counts {
        at += std::mem::replace(c, at);
    }
    at
}

/// Puts an item at its bin's next address.
fn place(next: &mut [u32], bin: u32, item: u32, out: &mut [u32]) {
    let at = &mut next[bin as usize];
    out[*at as usize] = item;
    *at += 1;
}

/// Turns next addresses, all bins being full, back into first addresses with the total last.
fn shift(next: &mut Vec<u32>, total: u32) {
    next.insert(0, 0);
    debug_assert_eq!(next.last(), Some(&total));
}

/// One island's problem, gathered.
#[derive(Clone, Debug, Default)]
pub struct Part {
    dofs: Vec<u32>,
    rows: Vec<u32>,
    /// First dof in the part of each tree of the whole.
    tree_at: Vec<u32>,
    runs: Vec<Run>,
    /// It has all rows of the whole, which are borrowed then, but for their Jacobian.
    all_rows: bool,
    own: Recorded,
}

impl Part {
    /// Gathers island `i` of `p`.
    pub fn extract(&mut self, p: &Problem, islands: &Islands, i: usize) {
        self.clear();
        self.tree_at.resize(islands.island.len(), 0);
        for &t in &islands.trees[islands.tree_adr[i] as usize..islands.tree_adr[i + 1] as usize] {
            let (a, b) = (islands.tree_dof[t as usize], islands.tree_dof[t as usize + 1]);
            let base = self.dofs.len() as u32;
            self.tree_at[t as usize] = base;
            self.dofs.extend(a..b);
            self.add_tree(p, a as usize, b as usize, base);
        }
        let blocks = &islands.blocks[islands.block_adr[i] as usize..islands.block_adr[i + 1] as usize];
        self.all_rows = blocks.len() == p.rows.jac.blocks().len();
        // A run may reach over the end of a tree into the next; both are in this island, and next to each other in it.
        let place = |start: u32| {
            let t = p.tree[start as usize] as usize;
            start - islands.tree_dof[t] + self.tree_at[t]
        };
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
            self.own.jac.push(b.nrow as usize, &self.runs).copy_from_slice(p.rows.jac.values(b));
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

    /// Adds the dofs a..b of one tree.
    fn add_tree(&mut self, p: &Problem, a: usize, b: usize, base: u32) {
        let entries = p.pattern.rowadr[a] as usize..p.pattern.row(b - 1).end;
        let (offset, adr) = (a as u32, self.own.m.len() as u32);
        self.own.tree.extend(std::iter::repeat_n(base, b - a));
        self.own.pattern.rownnz.extend_from_slice(&p.pattern.rownnz[a..b]);
        self.own.pattern.rowadr.extend(p.pattern.rowadr[a..b].iter().map(|x| x - p.pattern.rowadr[a] + adr));
        self.own.pattern.colind.extend(p.pattern.colind[entries.clone()].iter().map(|c| c - offset + base));
        self.own.m.extend_from_slice(&p.m[entries.clone()]);
        self.own.ld.extend_from_slice(&p.ld[entries]);
        self.own.dinv.extend_from_slice(&p.dinv[a..b]);
        self.own.qfrc_smooth.extend_from_slice(&p.qfrc_smooth[a..b]);
        self.own.qacc_smooth.extend_from_slice(&p.qacc_smooth[a..b]);
        self.own.qacc_warmstart.extend_from_slice(&p.qacc_warmstart[a..b]);
    }

    /// The island's problem.
    pub fn problem<'a>(&'a self, p: &Problem<'a>) -> Problem<'a> {
        let own = self.own.problem();
        let rows = if self.all_rows { RowView { jac: &self.own.jac, ..p.rows } } else { own.rows };
        Problem { settings: p.settings, rows, ..own }
    }

    /// Scatters the island's results.
    pub fn put_back(&self, qacc: &[f64], qfrc: &[f64], force: &[f64], state: &[ConstraintState], out: &mut Solution) {
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

/// Adds rows of the whole to a part's own.
fn add_rows(own: &mut Recorded, list: &mut Vec<u32>, p: &Problem, rows: Range<u32>) {
    let (whole, at) = (&p.rows, rows.start as usize..rows.end as usize);
    let of = |kind: Range<usize>| at.end.min(kind.end).saturating_sub(at.start.max(kind.start));
    own.ne += of(0..whole.ne);
    own.nf += of(whole.ne..whole.ne + whole.nf);
    own.d.extend_from_slice(&whole.d[at.clone()]);
    own.r.extend_from_slice(&whole.r[at.clone()]);
    own.aref.extend_from_slice(&whole.aref[at.clone()]);
    own.frictionloss.extend_from_slice(&whole.frictionloss[at]);
    list.extend(rows);
}
