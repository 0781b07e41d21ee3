//! The Hessian H = M + Σ Bᵀ W B of the cost, and its factor.

use crate::hessian::panels::Panels;
use crate::hessian::product::{Rows, add_product};
use mj_math::MultiRhs;
use mj_math::block::Block;
use mj_math::simd::{Kernel, Simd, dispatch_from};
use mj_problem::cost::elliptic;
use mj_problem::{ConstraintState, Problem};

/// The Newton system of one connected problem in blocks.
#[derive(Clone, Debug, Default)]
pub struct BlockSparseSystem {
    panels: Panels,
    /// M + Jᵀ D J over rows in their quadratic zone.
    base: Vec<f64>,
    /// Factor of the base plus the cones.
    l: Vec<f64>,
    /// Where in the base the entries of the stiffness below its diagonal go.
    stiffness_at: Vec<u32>,
    /// Panels of `l` that are to be factored.
    marked: Vec<bool>,
    /// Cones that are part of the factor.
    cones: Vec<bool>,
    /// Where a block of rows goes.
    segments: Vec<Segment>,
    /// A block's rows that have any weight, and their coefficients W B.
    values: Vec<f64>,
    coef: Vec<f64>,
    work: Vec<f64>,
    /// Weights with which rows are added to the base, and the rows that have any: those that entered or left their
    /// quadratic zone.
    weights: Vec<f64>,
    changed: Vec<u32>,
}

/// Columns of a block of rows that lie in one panel, at consecutive positions.
#[derive(Clone, Copy, Debug)]
struct Segment {
    panel: usize,
    /// First column in the block, and their number.
    at: usize,
    len: usize,
    /// Position of the first.
    position: usize,
}

impl BlockSparseSystem {
    /// Assembles and factors the Hessian for the given row states.
    pub fn factor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        self.prepare(p);
        self.base.clear();
        self.base.resize(self.panels.len(), 0.0);
        self.l.resize(self.panels.len(), 0.0);
        self.add_inertia(p);
        self.cones.clear();
        self.cones.resize(p.rows.cones.len(), false);
        self.marked.clear();
        self.marked.resize(self.panels.panels.len(), true);
        self.change(p, |i| state[i].quadratic_share());
        self.refactor(p, jar, state);
    }

    fn add_inertia(&mut self, p: &Problem) {
        let mut dof = 0;
        while dof < p.nv() {
            let (n, first) = (self.panels.rest_of_tree(dof), self.panels.position_of(dof));
            let panel = &self.panels.panels[self.panels.panel_of(dof)];
            let (width, diagonal) = (panel.width(), first - panel.first);
            for i in 0..n {
                let row = &mut self.base[panel.adr + (diagonal + i) * width + panel.m + diagonal..][..i + 1];
                let entries = p.pattern.row(dof + i);
                for (&c, &v) in p.pattern.colind[entries.clone()].iter().zip(&p.m[entries]) {
                    row[c as usize - dof] = v;
                }
            }
            dof += n;
        }
        if let Some(stiffness) = p.stiffness {
            for (i, &v) in stiffness.diagonal.iter().enumerate() {
                self.base[self.panels.place_of(i, i)] += v;
            }
            for (&at, &v) in self.stiffness_at.iter().zip(&stiffness.values) {
                self.base[at as usize] += v;
            }
        }
    }

    /// Lays out the panels, and finds where the entries of the stiffness go unless they are laid out as before.
    fn prepare(&mut self, p: &Problem) {
        let known = self.panels.prepare(p);
        let Some(stiffness) = p.stiffness else { return self.stiffness_at.clear() };
        if known && self.stiffness_at.len() == stiffness.values.len() {
            return;
        }
        self.stiffness_at.clear();
        for i in 0..p.nv() {
            let columns = &stiffness.colind[stiffness.row(i)];
            self.stiffness_at.extend(columns.iter().map(|&c| self.panels.place_of(i, c as usize) as u32));
        }
    }

    /// Adds rows with these parts of their D to the base, and marks their panels.
    fn change(&mut self, p: &Problem, part: impl Fn(usize) -> f64) {
        self.weights.clear();
        self.weights.extend(p.rows.d.iter().enumerate().map(|(i, d)| d * part(i)));
        self.changed.clear();
        // As many as ever change, so that a later step doesn't have to grow it.
        self.changed.reserve(p.nefc());
        self.changed.extend((0..p.nefc() as u32).filter(|&i| self.weights[i as usize] != 0.0));
        dispatch_from(self.panels.len(), AddChanged { system: self, p });
    }

    /// Follows a change of row states from `old`; returns the number of rows, nefc, if it factored anew, or 0.
    pub fn update(&mut self, p: &Problem, jar: &[f64], old: &[ConstraintState], state: &[ConstraintState]) -> u32 {
        self.marked.fill(false);
        self.change(p, |i| state[i].quadratic_share() - old[i].quadratic_share());
        let curved = self.mark_cones(p, state);
        if self.changed.is_empty() && !curved {
            return 0;
        }
        self.panels.close(&mut self.marked);
        self.refactor(p, jar, state);
        p.nefc() as u32
    }

    /// Solves H x = b in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        self.panels.solve(&self.l, x, &mut self.work);
    }

    /// Takes the factor in the form for many right sides.
    pub fn export_factor(&self, out: &mut MultiRhs) {
        self.panels.export_factor(&self.l, out);
    }

    /// Marks the panels of cones that are in their middle zone or were when the factor was made.
    /// Whether there are any.
    fn mark_cones(&mut self, p: &Problem, state: &[ConstraintState]) -> bool {
        let mut any = false;
        for (i, c) in p.rows.cones.iter().enumerate() {
            if self.cones[i] || state[c.row as usize] == ConstraintState::Cone {
                any = true;
                self.find_segments(p, p.rows.jac.block_of(c.row as usize));
                self.segments.iter().for_each(|s| self.marked[s.panel] = true);
            }
        }
        any
    }

    /// Factors base plus cones, as far as panels are marked.
    fn refactor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        for (k, panel) in self.panels.panels.iter().enumerate() {
            if self.marked[k] {
                self.l[panel.range()].copy_from_slice(&self.base[panel.range()]);
            }
        }
        dispatch_from(self.panels.len(), AddCones { system: self, p, jar, state });
        self.panels.factor(&mut self.l, &self.marked);
    }

    /// Adds the rows of a block to the base, by their weights.
    #[inline(always)]
    fn add_rows<P: Simd>(&mut self, p: &Problem, b: &Block) {
        let ncol = b.ncol as usize;
        self.segments.clear();
        if ncol == 0 {
            return;
        }
        self.coef.clear();
        self.values.clear();
        let mut rows = 0;
        for (k, row) in p.rows.jac.values(b).chunks_exact(ncol).enumerate() {
            let w = self.weights[b.row as usize + k];
            if w != 0.0 {
                self.coef.extend(row.iter().map(|x| w * x));
                self.values.extend_from_slice(row);
                rows += 1;
            }
        }
        if rows > 0 {
            self.find_segments(p, b);
            add_block::<P>(&mut self.base, &self.panels, &self.segments, &self.coef, &self.values, ncol, rows);
        }
    }

    /// Splits a block's columns by tree.
    #[inline(always)]
    fn find_segments(&mut self, p: &Problem, b: &Block) {
        self.segments.clear();
        let mut at = 0;
        for r in p.rows.jac.runs(b) {
            let (mut dof, end) = (r.start as usize, (r.start + r.len) as usize);
            while dof < end {
                let (panel, position) = (self.panels.panel_of(dof), self.panels.position_of(dof));
                let len = self.panels.rest_of_tree(dof).min(end - dof);
                self.segments.push(Segment { panel, at, len, position });
                (dof, at) = (dof + len, at + len);
            }
        }
    }
}

/// Adds the changed rows to the base, by their weights, and marks their panels.
struct AddChanged<'a> {
    system: &'a mut BlockSparseSystem,
    p: &'a Problem<'a>,
}

impl Kernel for AddChanged<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { system: h, p } = self;
        let mut at = 0;
        while at < h.changed.len() {
            let b = p.rows.jac.block_of(h.changed[at] as usize);
            while at < h.changed.len() && h.changed[at] < b.row + b.nrow {
                at += 1;
            }
            h.add_rows::<P>(p, b);
            h.segments.iter().for_each(|s| h.marked[s.panel] = true);
        }
    }
}

/// Adds the cones that their contacts are on, and notes which.
struct AddCones<'a> {
    system: &'a mut BlockSparseSystem,
    p: &'a Problem<'a>,
    jar: &'a [f64],
    state: &'a [ConstraintState],
}

impl Kernel for AddCones<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { system: h, p, jar, state } = self;
        let mut cone = [0.0; 36];
        for (i, c) in p.rows.cones.iter().enumerate() {
            let (a, dim) = (c.row as usize, c.dim as usize);
            h.cones[i] = state[a] == ConstraintState::Cone;
            if !h.cones[i] {
                continue;
            }
            let b = p.rows.jac.block_of(a);
            let (ncol, first) = (b.ncol as usize, a - b.row as usize);
            let values = &p.rows.jac.values(b)[first * ncol..(first + dim) * ncol];
            h.find_segments(p, b);
            let curvature = &mut cone[..dim * dim];
            elliptic::hessian(c, &p.rows.d[a..a + dim], &jar[a..a + dim], curvature);
            h.coef.clear();
            h.coef.resize(dim * ncol, 0.0);
            // The cone's BlockSparseSystem is symmetric: W B = Wᵀ B.
            let (w, b) = (Rows { values: curvature, stride: dim }, Rows { values, stride: ncol });
            add_product::<P>(&mut h.coef, ncol, w, b, (dim, ncol, dim), 1.0, false);
            add_block::<P>(&mut h.l, &h.panels, &h.segments, &h.coef, values, ncol, dim);
        }
    }
}

/// Adds Bᵀ C to panels, for rows B (k×ncol) and C = W B.
#[inline(always)]
fn add_block<P: Simd>(
    h: &mut [f64],
    panels: &Panels,
    segments: &[Segment],
    coef: &[f64],
    values: &[f64],
    ncol: usize,
    k: usize,
) {
    for (i, s) in segments.iter().enumerate() {
        for t in &segments[..=i] {
            // The matrix is a lower triangle over positions.
            let (row, col) = if s.position >= t.position { (s, t) } else { (t, s) };
            let panel = &panels.panels[row.panel];
            // Connected trees have entries; anything else would be no Hessian of these rows.
            let Some(first) = panels.column(panel, col.position) else { continue };
            let at = panel.adr + (row.position - panel.first) * panel.width() + first;
            let a = Rows { values: &coef[row.at..], stride: ncol };
            let b = Rows { values: &values[col.at..], stride: ncol };
            add_product::<P>(&mut h[at..], panel.width(), a, b, (row.len, col.len, k), 1.0, row.at == col.at);
        }
    }
}
