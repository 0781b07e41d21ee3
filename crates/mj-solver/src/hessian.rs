//! The Hessian H = M + Σ Bᵀ W B of the cost, and its factor.

use crate::dense;
use crate::problem::Problem;
use mj_constraint::ConstraintState;
use mj_constraint::cost::elliptic;
use mj_math::block::{Block, Run};
use mj_math::dense::{axpy, axpy4};

/// Hessian of one connected problem, dense.
#[derive(Clone, Debug, Default)]
pub struct Hessian {
    n: usize,
    /// M + Jᵀ D J over rows in their quadratic zone; lower triangle.
    base: Vec<f64>,
    /// Factor of the base plus the cones.
    l: Vec<f64>,
    /// Whether `l` is the factor of `base` alone, so that it can be updated row by row.
    plain: bool,
    /// Coefficients of a block's rows: W B.
    coef: Vec<f64>,
    /// A cone's Hessian.
    cone: Vec<f64>,
    /// A row to update the factor with.
    row: Vec<f64>,
    /// Rows that entered or left their quadratic zone.
    changed: Vec<u32>,
}

/// Cost of a rank-one update relative to a multiply-add of a factorization: square root, divisions
/// and latency of each rotation.
const ROTATION: usize = 60;

impl Hessian {
    /// Assembles and factors the Hessian for the given row states.
    pub fn build(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        let n = p.nv();
        self.n = n;
        self.base.clear();
        self.base.resize(n * n, 0.0);
        for i in 0..n {
            for a in p.pattern.row(i) {
                self.base[i * n + p.pattern.colind[a] as usize] = p.m[a];
            }
        }
        self.row.clear();
        self.row.resize(n, 0.0);
        for b in p.rows.jac.blocks() {
            let rows = b.row as usize..(b.row + b.nrow) as usize;
            let weight = |r: usize| if state[r] == ConstraintState::Quadratic { p.rows.d[r] } else { 0.0 };
            if rows.clone().any(|r| state[r] == ConstraintState::Quadratic) {
                diagonal_coefficients(p, b, &mut self.coef, weight);
                add_block(&mut self.base, n, p.rows.jac.runs(b), p.rows.jac.values(b), &self.coef);
            }
        }
        self.factor(p, jar, state);
    }

    /// Follows a change of row states from `old`; returns the number of rank-one updates, or nefc
    /// if it factored anew.
    pub fn update(
        &mut self,
        p: &Problem,
        jar: &[f64],
        old: &[ConstraintState],
        state: &[ConstraintState],
        cones: bool,
    ) -> u32 {
        let n = self.n;
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        self.changed.clear();
        // As many as ever change, so that a later step doesn't have to grow it.
        self.changed.reserve(state.len());
        let mut work = 0;
        for i in 0..state.len() {
            if quadratic(old[i]) != quadratic(state[i]) {
                self.changed.push(i as u32);
                work += (ROTATION + 2 * n) * p.rows.jac.block_of(i).ncol as usize;
            }
        }
        if self.changed.is_empty() && !cones && self.plain {
            return 0;
        }
        let mut sign_of = |i: usize| {
            if quadratic(old[i]) == quadratic(state[i]) {
                0.0
            } else if quadratic(state[i]) {
                p.rows.d[i]
            } else {
                -p.rows.d[i]
            }
        };
        let mut at = 0;
        while at < self.changed.len() {
            let b = p.rows.jac.block_of(self.changed[at] as usize);
            while at < self.changed.len() && self.changed[at] < b.row + b.nrow {
                at += 1;
            }
            diagonal_coefficients(p, b, &mut self.coef, &mut sign_of);
            add_block(&mut self.base, n, p.rows.jac.runs(b), p.rows.jac.values(b), &self.coef);
        }
        let factoring = n * n * n / 6 + 10 * n * n;
        if cones || !self.plain || work > factoring {
            self.factor(p, jar, state);
            return state.len() as u32;
        }
        for k in 0..self.changed.len() {
            let i = self.changed[k] as usize;
            let scale = p.rows.d[i].sqrt();
            let mut top = 0;
            p.rows.jac.for_each_in_row(i, |c, v| {
                self.row[c] = v * scale;
                top = c + 1;
            });
            let lifted = dense::update(&mut self.l, n, &mut self.row, top, quadratic(state[i]));
            self.row[..top].fill(0.0);
            if lifted > 0 {
                // Rounding lost a pivot: start over.
                self.factor(p, jar, state);
                return state.len() as u32;
            }
        }
        self.changed.len() as u32
    }

    /// Solves H x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        dense::solve(&self.l, self.n, x);
    }

    /// Factors base plus cones.
    fn factor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        let n = self.n;
        self.l.clone_from(&self.base);
        self.plain = true;
        for c in p.rows.cones {
            let (a, dim) = (c.row as usize, c.dim as usize);
            if state[a] != ConstraintState::Cone {
                continue;
            }
            self.plain = false;
            let b = p.rows.jac.block_of(a);
            let (ncol, first) = (b.ncol as usize, a - b.row as usize);
            let values = &p.rows.jac.values(b)[first * ncol..(first + dim) * ncol];
            self.cone.resize(dim * dim, 0.0);
            elliptic::hessian(c, &p.rows.d[a..a + dim], &jar[a..a + dim], &mut self.cone);
            self.coef.clear();
            self.coef.resize(dim * ncol, 0.0);
            for (h, out) in self.cone.chunks_exact(dim).zip(self.coef.chunks_exact_mut(ncol.max(1))) {
                for (&h, row) in h.iter().zip(values.chunks_exact(ncol.max(1))) {
                    axpy(out, h, row);
                }
            }
            add_block(&mut self.l, n, p.rows.jac.runs(b), values, &self.coef);
        }
        dense::factor(&mut self.l, n);
    }
}

/// Coefficients W B of a block for diagonal weights.
fn diagonal_coefficients(p: &Problem, b: &Block, coef: &mut Vec<f64>, mut weight: impl FnMut(usize) -> f64) {
    let ncol = b.ncol as usize;
    coef.clear();
    for (k, row) in p.rows.jac.values(b).chunks_exact(ncol.max(1)).enumerate() {
        let w = weight(b.row as usize + k);
        coef.extend(row.iter().map(|x| w * x));
    }
}

/// Adds Bᵀ C to the lower triangle of `h`, for a block B of rows over `runs` and C = W B.
fn add_block(h: &mut [f64], n: usize, runs: &[Run], values: &[f64], coef: &[f64]) {
    let ncol: usize = runs.iter().map(|r| r.len as usize).sum();
    if ncol == 0 {
        return;
    }
    // Rows four at a time; rows without weight have no coefficients.
    let mut rows = [0usize; 4];
    let mut count = 0;
    let nrow = values.len() / ncol;
    for r in 0..nrow {
        if coef[r * ncol..(r + 1) * ncol].iter().any(|&c| c != 0.0) {
            rows[count] = r;
            count += 1;
        }
        if count == 4 || (count > 0 && r + 1 == nrow) {
            add_rows(h, n, runs, ncol, values, coef, &rows[..count]);
            count = 0;
        }
    }
}

/// Adds Σ over up to four rows.
#[inline(always)]
fn add_rows(h: &mut [f64], n: usize, runs: &[Run], ncol: usize, values: &[f64], coef: &[f64], rows: &[usize]) {
    let row = |k: usize| &values[rows[k] * ncol..(rows[k] + 1) * ncol];
    let mut a = 0;
    for (q, run) in runs.iter().enumerate() {
        for g in run.start as usize..(run.start + run.len) as usize {
            let c = |k: usize| coef[rows[k] * ncol + a];
            let mut at = 0;
            for (s, seg) in runs[..=q].iter().enumerate() {
                // The last segment ends at the diagonal.
                let len = if s == q { g - run.start as usize + 1 } else { seg.len as usize };
                let dst = &mut h[g * n + seg.start as usize..][..len];
                match rows.len() {
                    4 => axpy4(
                        dst,
                        [c(0), c(1), c(2), c(3)],
                        [&row(0)[at..], &row(1)[at..], &row(2)[at..], &row(3)[at..]],
                    ),
                    m => {
                        for k in 0..m {
                            axpy(dst, c(k), &row(k)[at..at + len]);
                        }
                    }
                }
                at += len;
            }
            a += 1;
        }
    }
}
