//! A symmetric positive definite matrix in blocks, one row of blocks (a panel) for each supernode of kinematic trees,
//! and where its entries lie.
//!
//! M has no entries between trees, and a contact connects two of them: the Hessian of a pile is
//! sparse, and dense within the 6×6 blocks of free bodies. Trees are eliminated in an order that
//! keeps it so ([`Elimination`], [`Supernodes`]); within a tree the last dofs, which are the leaves, go first, so that
//! zeros of the tree stay zeros. Dofs are numbered backwards in the order of elimination: their positions. The matrix
//! is a lower triangle over positions, and a panel the rows of consecutive ones, row-major, without the columns where
//! it has no entry. So every inner loop runs over the head of a row, and the columns that two panels share are mostly
//! contiguous in both.

use crate::hessian::ordering::Elimination;
use crate::hessian::stiff_edges::StiffEdges;
use crate::hessian::supernodes::Supernodes;
use mj_math::MultiRhs;
use mj_problem::Problem;

/// How panels lie in memory. Panels are numbered in the order of elimination.
#[derive(Clone, Debug, Default)]
pub struct Panels {
    /// First dof of each node (tree with dofs), and nv.
    node_dof: Vec<u32>,
    /// Node of each dof.
    node: Vec<u32>,
    /// Number of dofs of each node.
    size: Vec<u32>,
    /// Pairs of nodes that rows connect, as they were found.
    edges: Vec<(u32, u32)>,
    found: Vec<(u32, u32)>,
    stiff: StiffEdges,
    elimination: Elimination,
    supernodes: Supernodes,
    /// Position of the first dof of each node, and the node's panel.
    position: Vec<u32>,
    panel: Vec<u32>,
    /// Dof at each position.
    dof: Vec<u32>,
    pub(super) panels: Vec<Panel>,
    /// Columns of all panels before their own, in ascending positions.
    columns: Vec<Columns>,
    /// For each panel, columns of earlier ones that belong to it.
    sources: Vec<Source>,
    total: usize,
}

/// One row of blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Panel {
    /// Position of the first own dof.
    pub first: usize,
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

    /// Range of the own positions.
    #[inline]
    pub fn positions(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.n
    }
}

/// Columns of a panel that belong to a later one, at consecutive positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub panel: u32,
    /// Position of the first, and their number.
    pub first: u32,
    pub len: u32,
    /// First column in the panel.
    pub at: u32,
}

impl Columns {
    /// Range of the positions.
    #[inline]
    pub fn positions(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }

    /// Range of the columns.
    #[inline]
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.at as usize..(self.at + self.len) as usize
    }
}

/// Columns of an earlier panel that belong to this one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Source {
    pub panel: u32,
    /// Which of its entries in `columns`.
    pub column: u32,
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
        self.supernodes.find(&self.elimination, &self.size);
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
        self.place_nodes();
        self.columns.clear();
        self.total = 0;
        for k in 0..self.panels.len() {
            let (first, m) = (self.columns.len(), self.find_columns(k));
            let panel = &mut self.panels[k];
            (panel.m, panel.adr, panel.columns) = (m, self.total, (first, self.columns.len()));
            self.total += panel.n * panel.width();
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
        for k in 0..self.panels.len() {
            let (first, last) = self.panels[k].columns;
            for i in first..last {
                let target = &mut self.panels[self.columns[i].panel as usize];
                self.sources[target.sources.1] = Source { panel: k as u32, column: i as u32 };
                target.sources.1 += 1;
            }
        }
    }

    /// Gives dofs their positions and panels.
    fn place_nodes(&mut self) {
        let (n, s) = (self.size.len(), &self.supernodes);
        self.position.resize(n, 0);
        self.panel.resize(n, 0);
        self.dof.resize(self.node.len(), 0);
        self.panels.clear();
        let mut position = self.node.len();
        for (k, group) in s.start.windows(2).enumerate() {
            let end = position;
            for &node in &s.order[group[0] as usize..group[1] as usize] {
                let (node, dof) = (node as usize, self.node_dof[node as usize]);
                let size = self.size[node] as usize;
                position -= size;
                self.position[node] = position as u32;
                self.panel[node] = k as u32;
                for i in 0..size {
                    self.dof[position + i] = dof + i as u32;
                }
            }
            self.panels.push(Panel { first: position, n: end - position, ..Panel::default() });
        }
    }

    /// Adds the columns of a panel before its own, which are those of its last node; returns their number.
    fn find_columns(&mut self, k: usize) -> usize {
        let e = &mut self.elimination;
        let last = self.supernodes.order[self.supernodes.start[k + 1] as usize - 1];
        let rank = e.rank[last as usize] as usize;
        let later = &mut e.later[e.start[rank] as usize..e.start[rank + 1] as usize];
        later.sort_unstable_by_key(|&j| self.position[j as usize]);
        let (begin, mut m) = (self.columns.len(), 0);
        for &j in later.iter() {
            let (panel, first, len) = (self.panel[j as usize], self.position[j as usize], self.size[j as usize]);
            match self.columns[begin..].last_mut() {
                Some(c) if c.panel == panel && c.first + c.len == first => c.len += len,
                _ => self.columns.push(Columns { panel, first, len, at: m }),
            }
            m += len;
        }
        m as usize
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Number of dofs.
    pub(super) fn dofs(&self) -> usize {
        self.dof.len()
    }

    /// Dof at each position.
    pub(super) fn dof_at(&self) -> &[u32] {
        &self.dof
    }

    /// Position of a dof.
    #[inline]
    pub fn position_of(&self, dof: usize) -> usize {
        let node = self.node[dof] as usize;
        self.position[node] as usize + dof - self.node_dof[node] as usize
    }

    /// Panel of a dof.
    #[inline]
    pub fn panel_of(&self, dof: usize) -> usize {
        self.panel[self.node[dof] as usize] as usize
    }

    /// Number of dofs of this dof's tree from it on; their positions are consecutive.
    #[inline]
    pub fn rest_of_tree(&self, dof: usize) -> usize {
        self.node_dof[self.node[dof] as usize + 1] as usize - dof
    }

    /// Columns of a panel before its own.
    #[inline]
    pub(super) fn columns(&self, p: &Panel) -> &[Columns] {
        &self.columns[p.columns.0..p.columns.1]
    }

    /// Columns of earlier panels that belong to a panel, in the order of elimination.
    #[inline]
    pub(super) fn sources(&self, p: &Panel) -> &[Source] {
        &self.sources[p.sources.0..p.sources.1]
    }

    /// The columns of an earlier panel up to those that belong to a later one.
    #[inline]
    pub(super) fn shared(&self, s: &Source) -> &[Columns] {
        &self.columns[self.panels[s.panel as usize].columns.0..=s.column as usize]
    }

    /// Column of a position in a panel that is connected with it, or has it.
    #[inline]
    pub fn column(&self, p: &Panel, position: usize) -> Option<usize> {
        if position >= p.first {
            return Some(p.m + position - p.first);
        }
        let c = self.columns(p).iter().find(|c| c.positions().contains(&position))?;
        Some(c.at as usize + position - c.first as usize)
    }

    /// Address of the entry of two dofs that share a tree, or an edge.
    pub fn place_of(&self, i: usize, j: usize) -> usize {
        let (a, b) = (self.position_of(i), self.position_of(j));
        let p = &self.panels[self.panel_of(if a > b { i } else { j })];
        let column = self.column(p, a.min(b)).expect("connected dofs");
        p.adr + (a.max(b) - p.first) * p.width() + column
    }

    /// Marks whatever depends on a marked panel.
    pub fn close(&self, marked: &mut [bool]) {
        for (k, p) in self.panels.iter().enumerate() {
            // All that a panel is connected with later is connected with its parent, which is eliminated first of these.
            if marked[k]
                && let Some(parent) = self.columns(p).last()
            {
                marked[parent.panel as usize] = true;
            }
        }
    }

    /// Takes the factor LᵀL apart as one with a unit diagonal.
    pub fn export_factor(&self, l: &[f64], out: &mut MultiRhs) {
        out.clear();
        for p in &self.panels {
            for (i, row) in l[p.range()].chunks_exact(p.width()).enumerate().rev() {
                let inv = 1.0 / row[p.m + i];
                let others = self.columns(p).iter().flat_map(|c| c.positions().zip(&row[c.columns()]));
                let own = (p.first..p.first + i).zip(&row[p.m..p.m + i]);
                let entries = others.chain(own).map(|(position, x)| (self.dof[position] as usize, x * inv));
                out.push(self.dof[p.first + i] as usize, inv * inv, entries);
            }
        }
    }
}

fn push_edge(edges: &mut Vec<(u32, u32)>, e: (u32, u32)) {
    if edges.last() != Some(&e) {
        edges.push(e);
    }
}
