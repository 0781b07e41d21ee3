//! Islands: groups of kinematic trees that constraints connect. The problem falls apart into one
//! problem an island, and trees that no row touches need no solver.

use mj_math::TreePattern;
use mj_math::block::{Block, Run};
use mj_problem::Problem;
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
    /// The layout that was sorted last, whether it is one island, and how many layouts have been sorted.
    layout: Layout,
    connected: bool,
    changes: u64,
}

/// All of a problem but its numbers. A step's problem mostly has the layout of the step before.
#[derive(Clone, Debug, Default)]
struct Layout {
    tree: Vec<u32>,
    pattern: TreePattern,
    blocks: Vec<Block>,
    runs: Vec<Run>,
    /// First row and number of rows of each cone.
    cones: Vec<[u32; 2]>,
    /// Numbers of rows of equalities and of friction loss.
    kinds: [usize; 2],
    /// Rows and columns of the stiffness.
    stiffness: [Vec<u32>; 2],
}

impl Layout {
    /// Takes over the layout of a problem; returns whether it differs from the last.
    fn update(&mut self, p: &Problem) -> bool {
        let (blocks, runs) = p.rows.jac.layout();
        let cones = p.rows.cones.iter().map(|c| [c.row, c.dim]);
        let kinds = [p.rows.ne, p.rows.nf];
        let stiffness = p.stiffness.map_or([&[][..]; 2], |k| [&k.rowadr, &k.colind]);
        let known_trees = self.tree == p.tree && self.pattern == *p.pattern && self.stiffness == stiffness;
        let known_rows = self.kinds == kinds && self.blocks == blocks && self.runs == runs;
        if known_trees && known_rows && cones.clone().eq(self.cones.iter().copied()) {
            return false;
        }
        // They change with the model alone.
        if !known_trees {
            p.tree.clone_into(&mut self.tree);
            self.pattern.clone_from(p.pattern);
            self.stiffness = stiffness.map(<[u32]>::to_vec);
        }
        blocks.clone_into(&mut self.blocks);
        runs.clone_into(&mut self.runs);
        self.cones.clear();
        self.cones.extend(cones);
        self.kinds = kinds;
        true
    }
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Finds the islands of a problem.
    pub fn find(&mut self, p: &Problem) {
        self.whole = !p.settings.islands || p.tree.first() == p.tree.last();
        if self.whole {
            return;
        }
        if self.layout.update(p) {
            self.changes += 1;
            self.connected = self.sort(p);
        }
        self.whole = self.connected;
    }

    /// Sorts trees and blocks by islands; returns whether there is but one, over all dofs.
    fn sort(&mut self, p: &Problem) -> bool {
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
        // Trees that stiffness couples are in an island where any of them has rows.
        if let Some(stiffness) = p.stiffness {
            for (i, &t) in p.tree.iter().enumerate() {
                for &c in &stiffness.colind[stiffness.row(i)] {
                    if p.tree[c as usize] != t {
                        self.merge(p.tree[c as usize], t);
                    }
                }
            }
            for t in 0..ntree {
                if self.island[t] != NONE {
                    let root = self.root(t as u32);
                    self.island[root as usize] = root;
                }
            }
            for t in 0..ntree {
                let root = self.root(t as u32) as usize;
                self.island[t] = if self.island[root] == NONE { NONE } else { t as u32 };
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
        if n == 1 && self.tree_adr[0] as usize == ntree {
            return true;
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
        false
    }

    /// Number of times that the islands, or their trees and blocks, have changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether the problem is one island over all dofs (or islands are off).
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Number of islands.
    pub fn count(&self) -> usize {
        if self.whole { 1 } else { self.tree_adr.len() - 1 }
    }

    /// Calls `f` with each block of rows of island `i`, in row order.
    pub fn for_each_block(&self, p: &Problem, i: usize, mut f: impl FnMut(usize)) {
        if self.whole {
            (0..p.rows.jac.blocks().len()).for_each(f);
        } else {
            self.blocks(i).iter().for_each(|&b| f(b as usize));
        }
    }

    /// The dofs of island `i`, tree by tree; the islands are not one whole.
    pub fn dofs(&self, i: usize) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let trees = &self.trees[self.tree_adr[i] as usize..self.tree_adr[i + 1] as usize];
        trees.iter().map(|&t| self.tree_dof[t as usize] as usize..self.tree_dof[t as usize + 1] as usize)
    }

    /// The blocks of rows of island `i`, which is not the whole.
    pub fn blocks(&self, i: usize) -> &[u32] {
        &self.blocks[self.block_adr[i] as usize..self.block_adr[i + 1] as usize]
    }

    /// The place of a dof among those of an island, where `tree_at` tells that of the first dof of its tree.
    pub fn place_in(&self, p: &Problem, tree_at: &[u32], dof: u32) -> u32 {
        let t = p.tree[dof as usize] as usize;
        dof - self.tree_dof[t] + tree_at[t]
    }

    /// The first island that begins at or behind the `k`-th of `n` equal parts of all blocks of rows; not of a whole.
    pub fn divide(&self, k: usize, n: usize) -> usize {
        let at = self.blocks.len() * k / n;
        self.block_adr.partition_point(|&a| (a as usize) < at).min(self.count())
    }

    /// Trace of the inertia of island `i`, and its number of dofs.
    pub fn trace(&self, p: &Problem, i: usize) -> (f64, usize) {
        let trace = |dofs: Range<usize>| (dofs.clone().map(|d| p.m[p.pattern.diag(d)]).sum::<f64>(), dofs.len());
        if self.whole {
            return trace(0..p.nv());
        }
        self.dofs(i).map(trace).fold((0.0, 0), |sum, tree| (sum.0 + tree.0, sum.1 + tree.1))
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
