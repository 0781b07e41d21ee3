//! Factor and solution of a matrix in panels.

use crate::hessian::panels::{Panel, Panels, Source};
use crate::hessian::product::{Rows, add_product};
use crate::hessian::triangle;
use mj_math::simd::{Kernel, Simd, dispatch_from};

impl Panels {
    /// Factors the marked panels, which hold the matrix, as A = LᵀL, given that the others are factored.
    /// Returns the number of pivots that were lifted.
    pub fn factor(&self, l: &mut [f64], marked: &[bool]) -> usize {
        dispatch_from(self.len(), Factor { panels: self, l, marked })
    }

    /// Solves LᵀL x = b in place. Memory in `work` grows to twice the number of dofs.
    pub fn solve(&self, l: &[f64], x: &mut [f64], work: &mut Vec<f64>) {
        work.resize(2 * self.dofs(), 0.0);
        dispatch_from(self.len(), Solve { panels: self, l, x, work });
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
        for (p, _) in self.panels.panels.iter().zip(self.marked).filter(|(_, marked)| **marked) {
            let (before, panel) = self.l.split_at_mut(p.adr);
            let panel = &mut panel[..p.n * p.width()];
            for s in self.panels.sources(p) {
                subtract::<P>(self.panels, p, panel, s, before);
            }
            lifted += triangle::factor::<P>(panel, p.n, p.m);
        }
        lifted
    }
}

/// Subtracts from a panel what the elimination of an earlier one leaves in the rows of these columns.
#[inline(always)]
fn subtract<P: Simd>(panels: &Panels, p: &Panel, panel: &mut [f64], s: &Source, before: &[f64]) {
    let source = &panels.panels[s.panel as usize];
    let (stride, width) = (p.width(), source.width());
    let values = &before[source.range()];
    let shared = panels.shared(s);
    let rows = &shared[shared.len() - 1];
    let a = Rows { values: &values[rows.at as usize..], stride: width };
    let panel = &mut panel[(rows.first as usize - p.first) * stride..];
    // Columns of the source up to these, in runs that are contiguous here too.
    let mut mine = panels.columns(p);
    let mut place = |position: u32| {
        if position as usize >= p.first {
            return p.m + position as usize - p.first;
        }
        while mine[0].first + mine[0].len <= position {
            mine = &mine[1..];
        }
        (mine[0].at + position - mine[0].first) as usize
    };
    let mut i = 0;
    while i < shared.len() {
        let target = place(shared[i].first);
        let from = shared[i].at as usize;
        let mut to = from + shared[i].len as usize;
        i += 1;
        while i < shared.len() && place(shared[i].first) == target + to - from {
            to += shared[i].len as usize;
            i += 1;
        }
        let b = Rows { values: &values[from..], stride: width };
        let size = (rows.len as usize, to - from, source.n);
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
        let (at, row) = work.split_at_mut(x.len());
        for (at, &dof) in at.iter_mut().zip(panels.dof_at()) {
            *at = x[dof as usize];
        }
        for p in &panels.panels {
            let row = gather(panels, p, at, row);
            triangle::solve_up(&l[p.range()], p.n, p.m, row);
            scatter(panels, p, row, at);
        }
        for p in panels.panels.iter().rev() {
            let row = gather(panels, p, at, row);
            triangle::solve_down(&l[p.range()], p.n, p.m, row);
            at[p.positions()].copy_from_slice(&row[p.m..]);
        }
        for (at, &dof) in at.iter().zip(panels.dof_at()) {
            x[dof as usize] = *at;
        }
    }
}

/// Entries of a vector at a panel's columns.
#[inline(always)]
fn gather<'a>(panels: &Panels, p: &Panel, x: &[f64], row: &'a mut [f64]) -> &'a mut [f64] {
    for c in panels.columns(p) {
        row[c.columns()].copy_from_slice(&x[c.positions()]);
    }
    row[p.m..p.width()].copy_from_slice(&x[p.positions()]);
    &mut row[..p.width()]
}

#[inline(always)]
fn scatter(panels: &Panels, p: &Panel, row: &[f64], x: &mut [f64]) {
    for c in panels.columns(p) {
        x[c.positions()].copy_from_slice(&row[c.columns()]);
    }
    x[p.positions()].copy_from_slice(&row[p.m..p.width()]);
}
