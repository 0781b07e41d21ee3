//! A symmetric positive definite matrix in blocks, one row of blocks (a panel) for each kinematic
//! tree, and its factor A = LᵀL.
//!
//! M has no entries between trees, and a contact connects two of them: the Hessian of a pile is
//! sparse, and dense within the 6×6 blocks of free bodies. Trees are eliminated in an order that
//! keeps it so ([`Elimination`]); within a tree the last dofs, which are the leaves, go first, so that
//! zeros of the tree stay zeros. The panel of a tree is row-major: first the columns of the trees
//! eliminated later, the last of them first, then its own. So every inner loop runs over the head of
//! a row, and the columns that two panels share are mostly contiguous in both.

use crate::hessian::ordering::Elimination;
use crate::hessian::product::{Rows, add_product};
use crate::hessian::stiff_edges::StiffEdges;
use crate::hessian::triangle;
use crate::policy;
use mj_math::MultiRhs;
use mj_math::simd::{Kernel, Simd, dispatch_from};
use mj_problem::Problem;

/// How panels lie in memory. Panels are numbered in the order of elimination.
#[derive(Clone, Debug, Default)]
pub struct Panels {
    /// First dof of each node (tree with dofs), and nv.
    node_dof: Vec<u32>,
    /// Node of each dof.
    pub node: Vec<u32>,
    /// Number of dofs of each node.
    size: Vec<u32>,
    /// Pairs of nodes that rows connect, as they were found.
    edges: Vec<(u32, u32)>,
    found: Vec<(u32, u32)>,
    stiff: StiffEdges,
    elimination: Elimination,
    pub panels: Vec<Panel>,
    /// Columns of all panels, and where they start in the panel: the last eliminated first.
    columns: Vec<Column>,
    /// For each panel, the earlier ones that have columns of it.
    sources: Vec<Source>,
    total: usize,
}

/// One row of blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Panel {
    /// First dof.
    pub dof: usize,
    /// Number of own dofs: rows, and the last columns.
    pub n: usize,
    /// Number of columns before the own ones.
    pub m: usize,
    /// Address of the first value.
    pub adr: usize,
    /// First and one past the last entry in `columns`.
    columns: (usize, usize),
    /// First and one past the last entry in `sources`.
    sources: (usize, usize),
}

impl Panel {
    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.m + self.n
    }

    /// Range of the values.
    #[inline]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.adr..self.adr + self.n * self.width()
    }
}

/// Columns of a panel that belong to a later one.
#[derive(Clone, Copy, Debug)]
struct Column {
    panel: u32,
    /// First column in the panel.
    at: u32,
}

/// An earlier panel that has columns of this one.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
    panel: u32,
    /// Which of its entries in `columns`.
    column: u32,
}

impl Panels {
    /// Lays out the panels of a problem. What was found the last time is kept where the trees are
    /// connected the same way. Returns whether it was.
    pub fn prepare(&mut self, p: &Problem) -> bool {
        let same_trees = self.same_trees(p);
        if !same_trees {
            self.find_trees(p);
        }
        std::mem::swap(&mut self.edges, &mut self.found);
        self.find_edges(p);
        if same_trees && self.edges == self.found {
            return true;
        }
        self.elimination.find(&self.size, &self.edges);
        self.lay_out();
        false
    }

    fn same_trees(&self, p: &Problem) -> bool {
        let n = p.nv();
        self.node.len() == n && (1..n).all(|i| (p.tree[i] == p.tree[i - 1]) == (self.node[i] == self.node[i - 1]))
    }

    fn find_trees(&mut self, p: &Problem) {
        for v in [&mut self.node_dof, &mut self.node, &mut self.size] {
            v.clear();
        }
        for i in 0..p.nv() {
            if i == 0 || p.tree[i] != p.tree[i - 1] {
                self.node_dof.push(i as u32);
            }
            self.node.push(self.node_dof.len() as u32 - 1);
        }
        self.node_dof.push(p.nv() as u32);
        self.size.extend(self.node_dof.windows(2).map(|w| w[1] - w[0]));
    }

    /// Pairs of nodes in one block of rows; runs of equal pairs are noted once.
    fn find_edges(&mut self, p: &Problem) {
        self.edges.clear();
        if self.size.len() < 2 {
            return;
        }
        if let Some(stiffness) = p.stiffness {
            self.edges.extend_from_slice(self.stiff.of(stiffness, &self.node));
        }
        let jac = p.rows.jac;
        for b in jac.blocks() {
            let runs = jac.runs(b);
            let ends =
                |r: &mj_math::block::Run| (self.node[r.start as usize], self.node[(r.start + r.len) as usize - 1]);
            for (i, r) in runs.iter().enumerate().filter(|(_, r)| r.len > 0) {
                let (first, last) = ends(r);
                for a in first..=last {
                    for c in a + 1..=last {
                        push_edge(&mut self.edges, (a, c));
                    }
                    for s in runs[i + 1..].iter().filter(|s| s.len > 0) {
                        let (other, end) = ends(s);
                        (other..=end).filter(|&c| c != a).for_each(|c| push_edge(&mut self.edges, (a, c)));
                    }
                }
            }
        }
    }

    fn lay_out(&mut self) {
        let e = &mut self.elimination;
        let n = self.size.len();
        self.panels.clear();
        self.columns.clear();
        self.sources.clear();
        self.total = 0;
        for k in 0..n {
            let node = e.order[k] as usize;
            let later = &mut e.later[e.start[k] as usize..e.start[k + 1] as usize];
            later.sort_unstable_by_key(|&j| std::cmp::Reverse(e.rank[j as usize]));
            let first = self.columns.len();
            let mut m = 0;
            for &j in later.iter() {
                self.columns.push(Column { panel: e.rank[j as usize], at: m });
                m += self.size[j as usize];
            }
            let (size, m) = (self.size[node] as usize, m as usize);
            self.panels.push(Panel {
                dof: self.node_dof[node] as usize,
                n: size,
                m,
                adr: self.total,
                columns: (first, self.columns.len()),
                sources: (0, 0),
            });
            self.total += size * (m + size);
        }
        // The columns the other way round: count, place, in the order of elimination.
        for c in &self.columns {
            self.panels[c.panel as usize].sources.1 += 1;
        }
        let mut at = 0;
        for p in &mut self.panels {
            let count = p.sources.1;
            p.sources = (at, at);
            at += count;
        }
        self.sources.resize(at, Source::default());
        for k in 0..n {
            let (first, last) = self.panels[k].columns;
            for i in first..last {
                let target = &mut self.panels[self.columns[i].panel as usize];
                self.sources[target.sources.1] = Source { panel: k as u32, column: i as u32 };
                target.sources.1 += 1;
            }
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Panel of a dof.
    #[inline]
    pub fn panel_of(&self, dof: usize) -> usize {
        self.elimination.rank[self.node[dof] as usize] as usize
    }

    /// First column in panel `k` of a panel that is eliminated later, or of its own.
    #[inline]
    pub fn column(&self, k: usize, other: usize) -> Option<usize> {
        let p = &self.panels[k];
        if k == other {
            return Some(p.m);
        }
        let (first, last) = p.columns;
        self.columns[first..last].iter().find(|c| c.panel as usize == other).map(|c| c.at as usize)
    }

    /// Address of the entry of two dofs that share a tree, or an edge.
    pub fn place_of(&self, i: usize, j: usize) -> usize {
        let (a, b) = (self.panel_of(i), self.panel_of(j));
        // The panel eliminated first holds the entries; within one panel, the later dof's row.
        let (row, column) = if (a, std::cmp::Reverse(i)) <= (b, std::cmp::Reverse(j)) { (i, j) } else { (j, i) };
        let (k, other) = (a.min(b), a.max(b));
        let panel = &self.panels[k];
        let first = self.column(k, other).expect("connected dofs") + column - self.panels[other].dof;
        panel.adr + (row - panel.dof) * panel.width() + first
    }

    /// Marks whatever depends on a marked panel.
    pub fn close(&self, marked: &mut [bool]) {
        for (k, p) in self.panels.iter().enumerate() {
            // All that a panel is connected with later is connected with its parent.
            if marked[k]
                && let Some(parent) = self.parent(p)
            {
                marked[parent] = true;
            }
        }
    }

    /// Multiply-adds of factoring panel `k`.
    pub fn work(&self, k: usize) -> usize {
        let p = &self.panels[k];
        let (first, last) = p.sources;
        let from = self.sources[first..last].iter().map(|s| {
            let (source, at) = (&self.panels[s.panel as usize], self.columns[s.column as usize].at as usize);
            source.n * p.n * (at + p.n)
        });
        from.sum::<usize>() + p.n * p.n * (p.m + p.n / 3 + 1) / 2
    }

    /// Factors the marked panels, which hold the matrix, given that the others are factored.
    /// Returns the number of pivots that were lifted.
    pub fn factor(&self, l: &mut [f64], marked: &[bool]) -> usize {
        dispatch_from(self.total, Factor { panels: self, l, marked })
    }

    /// First column in a panel of a column of another, both walked from their first.
    #[inline(always)]
    fn place(&self, mine: &[Column], at: &mut usize, c: &Column, k: usize, own: usize) -> usize {
        if c.panel as usize == k {
            return own;
        }
        while mine[*at].panel != c.panel {
            *at += 1;
        }
        mine[*at].at as usize
    }

    /// Solves LᵀL x = b in place; `work` holds at least as many numbers as the widest panel has
    /// columns.
    pub fn solve(&self, l: &[f64], x: &mut [f64], work: &mut [f64]) {
        dispatch_from(self.total, Solve { panels: self, l, x, work });
    }

    /// Takes the factor LᵀL apart as one with a unit diagonal.
    pub fn export_factor(&self, l: &[f64], out: &mut MultiRhs) {
        out.clear();
        for p in &self.panels {
            let later = &self.columns[p.columns.0..p.columns.1];
            for (i, row) in l[p.range()].chunks_exact(p.width()).enumerate().rev() {
                let inv = 1.0 / row[p.m + i];
                let others = later.iter().flat_map(|c| {
                    let (other, at) = (&self.panels[c.panel as usize], c.at as usize);
                    (other.dof..other.dof + other.n).zip(&row[at..at + other.n])
                });
                let own = (p.dof..p.dof + i).zip(&row[p.m..p.m + i]);
                out.push(p.dof + i, inv * inv, others.chain(own).map(|(dof, x)| (dof, x * inv)));
            }
        }
    }

    /// Makes L the factor of LᵀL + sign·x xᵀ, sign = ±1; the first entries of `x`, in the order of elimination, are in panel
    /// `first`; `x` is left zero. `work` holds at least as many numbers as `x`. Returns the number of pivots that were
    /// lifted.
    pub fn update(&self, l: &mut [f64], x: &mut [f64], first: usize, sign: f64, work: &mut [f64]) -> usize {
        dispatch_from(self.total, Update { panels: self, l, x, first, sign, work })
    }

    /// The panel that is eliminated first among the later ones that a panel is connected with.
    #[inline(always)]
    fn parent(&self, p: &Panel) -> Option<usize> {
        self.columns[p.columns.0..p.columns.1].last().map(|c| c.panel as usize)
    }

    /// Cost of [`Self::update`] for one vector, in multiply-adds of a factorization. A rotation is a chain of a root
    /// and divisions; an entry takes six operations that load and store, and is gathered and scattered a panel.
    pub fn update_work(&self, first: usize) -> usize {
        let (mut next, mut work) = (Some(first), 0);
        while let Some(k) = next {
            let p = &self.panels[k];
            work += p.n * (policy::UPDATE_ROTATION + policy::UPDATE_ENTRY * p.width());
            next = self.parent(p);
        }
        work
    }

    /// Entries of a vector at a panel's columns.
    #[inline(always)]
    fn gather<'a>(&self, p: &Panel, x: &[f64], work: &'a mut [f64]) -> &'a mut [f64] {
        for c in &self.columns[p.columns.0..p.columns.1] {
            let (other, at) = (&self.panels[c.panel as usize], c.at as usize);
            work[at..at + other.n].copy_from_slice(&x[other.dof..other.dof + other.n]);
        }
        work[p.m..p.width()].copy_from_slice(&x[p.dof..p.dof + p.n]);
        &mut work[..p.width()]
    }

    #[inline(always)]
    fn scatter(&self, p: &Panel, work: &[f64], x: &mut [f64]) {
        for c in &self.columns[p.columns.0..p.columns.1] {
            let (other, at) = (&self.panels[c.panel as usize], c.at as usize);
            x[other.dof..other.dof + other.n].copy_from_slice(&work[at..at + other.n]);
        }
        x[p.dof..p.dof + p.n].copy_from_slice(&work[p.m..p.width()]);
    }
}

/// See [`Panels::factor`].
struct Factor<'a> {
    panels: &'a Panels,
    l: &'a mut [f64],
    marked: &'a [bool],
}

impl Kernel for Factor<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<P: Simd>(self, _: P) -> usize {
        let mut lifted = 0;
        for (k, p) in self.panels.panels.iter().enumerate() {
            if !self.marked[k] {
                continue;
            }
            let (before, panel) = self.l.split_at_mut(p.adr);
            let panel = &mut panel[..p.n * p.width()];
            for s in &self.panels.sources[p.sources.0..p.sources.1] {
                subtract::<P>(self.panels, k, panel, s, before);
            }
            lifted += triangle::factor::<P>(panel, p.n, p.m);
        }
        lifted
    }
}

/// Subtracts what the elimination of an earlier panel leaves in panel `k`.
#[inline(always)]
fn subtract<P: Simd>(panels: &Panels, k: usize, panel: &mut [f64], s: &Source, before: &[f64]) {
    let (p, source) = (&panels.panels[k], &panels.panels[s.panel as usize]);
    let (stride, width) = (p.width(), source.width());
    let values = &before[source.range()];
    let shared = &panels.columns[source.columns.0..=s.column as usize];
    let own = shared[shared.len() - 1].at as usize;
    let a = Rows { values: &values[own..], stride: width };
    // Columns of the source up to its columns of this panel, in runs that are contiguous here too.
    let mine = &panels.columns[p.columns.0..p.columns.1];
    let mut at = 0;
    let mut i = 0;
    while i < shared.len() {
        let target = panels.place(mine, &mut at, &shared[i], k, p.m);
        let from = shared[i].at as usize;
        let mut to = from + panels.panels[shared[i].panel as usize].n;
        i += 1;
        while i < shared.len() && panels.place(mine, &mut at, &shared[i], k, p.m) == target + to - from {
            to += panels.panels[shared[i].panel as usize].n;
            i += 1;
        }
        let b = Rows { values: &values[from..], stride: width };
        let size = (p.n, to - from, source.n);
        add_product::<P>(&mut panel[target..], stride, a, b, size, -1.0, i == shared.len());
    }
}

/// See [`Panels::solve`].
struct Solve<'a> {
    panels: &'a Panels,
    l: &'a [f64],
    x: &'a mut [f64],
    work: &'a mut [f64],
}

impl Kernel for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { panels, l, x, work } = self;
        let whole = panels.panels.len() == 1;
        for p in &panels.panels {
            if whole {
                triangle::solve_up(l, p.n, 0, x);
                triangle::solve_down(l, p.n, 0, x);
                return;
            }
            let work = panels.gather(p, x, work);
            triangle::solve_up(&l[p.range()], p.n, p.m, work);
            panels.scatter(p, work, x);
        }
        for p in panels.panels.iter().rev() {
            let work = panels.gather(p, x, work);
            triangle::solve_down(&l[p.range()], p.n, p.m, work);
            x[p.dof..p.dof + p.n].copy_from_slice(&work[p.m..]);
        }
    }
}

/// See [`Panels::update`].
struct Update<'a> {
    panels: &'a Panels,
    l: &'a mut [f64],
    x: &'a mut [f64],
    first: usize,
    sign: f64,
    work: &'a mut [f64],
}

impl Kernel for Update<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<P: Simd>(self, _: P) -> usize {
        let mut lifted = 0;
        let mut next = Some(self.first);
        while let Some(k) = next {
            let p = &self.panels.panels[k];
            let own = self.panels.gather(p, self.x, self.work);
            lifted += triangle::update::<P>(&mut self.l[p.range()], p.n, p.m, own, self.sign);
            own[p.m..].fill(0.0);
            self.panels.scatter(p, own, self.x);
            next = self.panels.parent(p);
        }
        lifted
    }
}

fn push_edge(edges: &mut Vec<(u32, u32)>, e: (u32, u32)) {
    if edges.last() != Some(&e) {
        edges.push(e);
    }
}
