//! The dual problem: minimize ½ fᵀ(A + R) f + fᵀ(J q̈_smooth − aref) over feasible forces, with
//! A = J M⁻¹ Jᵀ.
//!
//! A is never formed. What changes with a force is the acceleration q̈ = q̈_smooth + M⁻¹Jᵀ f; with it
//! at hand the gradient of row i is Jᵢ q̈ − arefᵢ + Rᵢ fᵢ, and a change of fᵢ adds a multiple of
//! column i of B = M⁻¹Jᵀ, which reaches over the trees that the row touches and no further.

use crate::islands::Islands;
use crate::problem::Problem;
use mj_constraint::cost::Kind;
use mj_constraint::{ConeRows, ConstraintState};
use mj_math::block::Run;
use mj_math::dense::dot;
use mj_math::{BlockRows, MINVAL};

/// Least diagonal of a block of A without R.
const LEAST_DIAGONAL: f64 = 1e-10;

/// State of a dual solver.
#[derive(Clone, Debug, Default)]
pub struct Dual {
    /// Acceleration at the present forces, nv.
    pub qacc: Vec<f64>,
    /// Forces, nefc.
    pub force: Vec<f64>,
    /// Columns of B, as rows.
    b: BlockRows,
    /// A within each block (nrow×nrow), and where each block's part starts.
    a: Vec<f64>,
    a_adr: Vec<u32>,
    /// Block of each row.
    block: Vec<u32>,
    runs: Vec<Run>,
    column: Vec<f64>,
}

/// Rows that are updated together.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// First row.
    pub row: u32,
    /// What bounds their force.
    pub bound: Bound,
}

/// What bounds the force of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    Free,
    /// Friction loss: an interval.
    Interval,
    /// Not negative.
    Positive,
    /// The elliptic cone of this number.
    Cone(u32),
}

impl Unit {
    /// Number of rows.
    pub fn dim(&self, p: &Problem) -> usize {
        match self.bound {
            Bound::Cone(c) => p.rows.cones[c as usize].dim as usize,
            _ => 1,
        }
    }

    /// Brings a force back to what is feasible: the nearest bound, or at a cone the same normal force.
    pub fn bound(&self, p: &Problem, f: &mut [f64]) {
        match self.bound {
            Bound::Free => {}
            Bound::Interval => {
                let loss = p.rows.frictionloss[self.row as usize];
                f[0] = f[0].max(-loss).min(loss);
            }
            Bound::Positive => f[0] = f[0].max(0.0),
            Bound::Cone(_) if f[0] < 0.0 => f.fill(0.0),
            Bound::Cone(c) => {
                let normal = f[0];
                project_friction(&mut f[1..], normal, &p.rows.cones[c as usize].friction, false);
            }
        }
    }
}

impl Dual {
    /// Prepares a problem: B and the diagonal blocks of A; forces zero.
    pub fn prepare(&mut self, p: &Problem) {
        self.qacc.clear();
        self.qacc.extend_from_slice(p.qacc_smooth);
        self.force.clear();
        self.force.resize(p.nefc(), 0.0);
        self.b.clear(p.nv());
        self.a.clear();
        self.a_adr.clear();
        self.block.clear();
        self.column.clear();
        self.column.resize(p.nv(), 0.0);
        let jac = p.rows.jac;
        for (k, block) in jac.blocks().iter().enumerate() {
            self.block.extend(std::iter::repeat_n(k as u32, block.nrow as usize));
            self.runs.clear();
            for r in jac.runs(block) {
                let (first, last) = (r.start as usize, (r.start + r.len) as usize - 1);
                let start = p.tree.partition_point(|&t| t < p.tree[first]);
                let end = p.tree.partition_point(|&t| t <= p.tree[last]);
                push_run(&mut self.runs, start as u32, end as u32);
            }
            let nrow = block.nrow as usize;
            let columns = self.b.push(nrow, &self.runs);
            let width = columns.len() / nrow.max(1);
            for k in 0..nrow {
                for r in &self.runs {
                    self.column[r.start as usize..(r.start + r.len) as usize].fill(0.0);
                }
                jac.for_each_in_row(block.row as usize + k, |c, v| self.column[c] = v);
                let mut at = k * width;
                for r in &self.runs {
                    let (start, len) = (r.start as usize, r.len as usize);
                    solve_range(p, &mut self.column, start, start + len);
                    columns[at..at + len].copy_from_slice(&self.column[start..start + len]);
                    at += len;
                }
            }
            self.a_adr.push(self.a.len() as u32);
            for i in 0..nrow {
                for j in 0..nrow {
                    let mut sum = 0.0;
                    self.b.for_each_in_row(block.row as usize + j, |c, v| self.column[c] = v);
                    let (runs, values) = jac.row(block.row as usize + i);
                    let mut at = 0;
                    for r in runs {
                        let (start, len) = (r.start as usize, r.len as usize);
                        sum += dot(&values[at..at + len], &self.column[start..start + len]);
                        at += len;
                    }
                    self.a.push(sum);
                }
            }
        }
    }

    /// Entry of A for two rows of one block.
    pub fn a(&self, p: &Problem, i: usize, j: usize) -> f64 {
        let k = self.block[i] as usize;
        let b = &p.rows.jac.blocks()[k];
        self.a[self.a_adr[k] as usize + (i - b.row as usize) * b.nrow as usize + j - b.row as usize]
    }

    /// Copies the block of A for `out`'s rows from `row` on (dim×dim) without R, its diagonal bounded
    /// below.
    pub fn block_without_r(&self, p: &Problem, row: usize, dim: usize, out: &mut [f64]) {
        for i in 0..dim {
            for j in 0..dim {
                let a = self.a(p, row + i, row + j);
                out[i * dim + j] = if i == j { a.max(LEAST_DIAGONAL) } else { a };
            }
        }
    }

    /// Jᵢ q̈ − arefᵢ: the gradient of the dual cost without its R part.
    pub fn residual(&self, p: &Problem, i: usize) -> f64 {
        row_times(p.rows.jac.row(i), &self.qacc, -p.rows.aref[i])
    }

    /// Sets the force of row `i`, and the acceleration with it.
    pub fn set(&mut self, i: usize, f: f64) {
        let delta = f - self.force[i];
        if delta == 0.0 {
            return;
        }
        self.force[i] = f;
        add_row(self.b.row(i), delta, &mut self.qacc);
    }

    /// y = A x over the rows of some units; `dofs` is scratch over the dofs.
    pub fn multiply(&self, p: &Problem, units: &[Unit], x: &[f64], y: &mut [f64], dofs: &mut [f64]) {
        let rows = || units.iter().flat_map(|u| u.row as usize..u.row as usize + u.dim(p));
        for i in rows() {
            self.b.row(i).0.iter().for_each(|r| dofs[r.start as usize..(r.start + r.len) as usize].fill(0.0));
        }
        for i in rows().filter(|&i| x[i] != 0.0) {
            add_row(self.b.row(i), x[i], dofs);
        }
        for i in rows() {
            y[i] = row_times(p.rows.jac.row(i), dofs, 0.0);
        }
    }

    /// Dual cost of the present forces; `smooth` is scratch.
    pub fn cost(&self, p: &Problem, smooth: &mut Vec<f64>, work: &mut Vec<f64>) -> f64 {
        smooth.resize(p.nefc(), 0.0);
        work.resize(p.nv(), 0.0);
        p.rows.jac.mul(p.qacc_smooth, smooth, work);
        let mut s = 0.0;
        for i in 0..p.nefc() {
            let f = self.force[i];
            s += 0.5 * f * (smooth[i] - p.rows.aref[i] + self.residual(p, i) + p.rows.r[i] * f);
        }
        s
    }

    /// Units of one island in row order, and the trace of its M.
    pub fn units(&self, p: &Problem, islands: &Islands, i: usize, out: &mut Vec<Unit>) {
        out.clear();
        islands.for_each_block(p, i, |k| {
            let b = &p.rows.jac.blocks()[k];
            let mut row = b.row as usize;
            let end = row + b.nrow as usize;
            while row < end {
                let mut step = 1;
                let bound = if row < p.rows.ne {
                    Bound::Free
                } else if row < p.rows.ne + p.rows.nf {
                    Bound::Interval
                } else if let Ok(c) = p.rows.cones.binary_search_by_key(&(row as u32), |c| c.row) {
                    step = p.rows.cones[c].dim as usize;
                    Bound::Cone(c as u32)
                } else {
                    Bound::Positive
                };
                out.push(Unit { row: row as u32, bound });
                row += step;
            }
        });
    }

    /// Zones of the rows' costs as the forces tell them.
    pub fn states(&self, p: &Problem, out: &mut [ConstraintState]) {
        for (kind, a, b) in p.rows.runs() {
            for i in a..b {
                let f = self.force[i];
                out[i] = match kind {
                    Kind::Equality => ConstraintState::Quadratic,
                    Kind::FrictionLoss if f <= -p.rows.frictionloss[i] => ConstraintState::LinearPos,
                    Kind::FrictionLoss if f >= p.rows.frictionloss[i] => ConstraintState::LinearNeg,
                    Kind::FrictionLoss => ConstraintState::Quadratic,
                    Kind::OneSided if f <= 0.0 => ConstraintState::Satisfied,
                    Kind::OneSided => ConstraintState::Quadratic,
                    Kind::Elliptic(c) => cone_state(c, &self.force[a..b]),
                };
            }
        }
    }
}

/// A number plus a row of blocks times a vector.
fn row_times((runs, values): (&[Run], &[f64]), x: &[f64], mut s: f64) -> f64 {
    let mut at = 0;
    for r in runs {
        let (start, len) = (r.start as usize, r.len as usize);
        s += dot(&values[at..at + len], &x[start..start + len]);
        at += len;
    }
    s
}

/// x += a row of blocks times a number.
fn add_row((runs, values): (&[Run], &[f64]), by: f64, x: &mut [f64]) {
    let mut at = 0;
    for r in runs {
        let (start, len) = (r.start as usize, r.len as usize);
        mj_math::dense::axpy(&mut x[start..start + len], by, &values[at..at + len]);
        at += len;
    }
}

/// Zone of an elliptic cone by its force, in the coordinates that make the cone round: f₀/μ, f_j/μ_j.
fn cone_state(c: &ConeRows, f: &[f64]) -> ConstraintState {
    let n = f[0] / c.mu;
    let t = f[1..].iter().zip(&c.friction).map(|(f, m)| (f / m) * (f / m)).sum::<f64>().sqrt();
    if c.mu * n >= t {
        ConstraintState::Satisfied
    } else if n + c.mu * t <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// Adds start..end to ascending runs that may overlap or touch it.
fn push_run(runs: &mut Vec<Run>, start: u32, end: u32) {
    match runs.last_mut() {
        Some(r) if start <= r.start + r.len => r.len = r.len.max(end - r.start),
        _ => runs.push(Run { start, len: end - start }),
    }
}

/// Solves M x = b for the dofs a..b of whole trees.
fn solve_range(p: &Problem, x: &mut [f64], a: usize, b: usize) {
    for i in (a..b).rev() {
        let xi = x[i];
        if xi != 0.0 {
            let r = p.pattern.row(i);
            let last = r.len() - 1;
            for (&c, &v) in p.pattern.colind[r.clone()][..last].iter().zip(&p.ld[r][..last]) {
                x[c as usize] -= v * xi;
            }
        }
    }
    for i in a..b {
        let r = p.pattern.row(i);
        let last = r.len() - 1;
        let mut s = x[i] * p.dinv[i];
        for (&c, &v) in p.pattern.colind[r.clone()][..last].iter().zip(&p.ld[r][..last]) {
            s -= v * x[c as usize];
        }
        x[i] = s;
    }
}

/// How exactly [`ellipsoid_minimum`] is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// As the reference does: by a root of |y|² − r², which takes many steps from far outside, to an absolute tolerance;
    /// a matrix that is nearly singular has no minimum.
    Quick,
    /// By a root of 1/r − 1/|y|, which is nearly linear (Moré & Sorensen, "Computing a trust region step", 1983), to a
    /// relative tolerance.
    Exact,
}

/// Minimizes ½ xᵀA x + bᵀx over the ellipsoid Σ (xᵢ/dᵢ)² ≤ r², for at most five dimensions. Returns
/// whether the bound is active; x = 0 where there is no minimum.
///
/// In y = x/d the bound is a ball, and the minimum is y = −(Â + λ)⁻¹ b̂ with the least λ ≥ 0 that
/// brings it inside: a root of a function that Newton's method approaches from the left, from 0.
pub fn ellipsoid_minimum(a: &[f64], b: &[f64], d: &[f64], r: f64, search: Search, x: &mut [f64]) -> bool {
    const TOLERANCE: f64 = 1e-10;
    let exact = search == Search::Exact;
    let least = if exact { 0.0 } else { TOLERANCE };
    let n = x.len();
    let (mut l, mut y, mut z) = ([0.0; 25], [0.0; 5], [0.0; 5]);
    let mut lambda = 0.0;
    for _ in 0..20 {
        for i in 0..n {
            for j in 0..n {
                l[i * n + j] = a[i * n + j] * d[i] * d[j];
            }
            l[i * n + i] += lambda;
            y[i] = -b[i] * d[i];
        }
        if !positive_definite(&mut l[..n * n], n, least) {
            x.fill(0.0);
            return false;
        }
        mj_math::dense::cholesky_solve(&l[..n * n], n, &mut y[..n]);
        let square = dot(&y[..n], &y[..n]);
        let excess = square - r * r;
        if excess < if exact { TOLERANCE * r * r } else { TOLERANCE } {
            break;
        }
        z[..n].copy_from_slice(&y[..n]);
        mj_math::dense::cholesky_solve(&l[..n * n], n, &mut z[..n]);
        let slope = dot(&y[..n], &z[..n]);
        let step = if exact { square / slope * (square.sqrt() - r) / r } else { excess / (2.0 * slope) };
        if step.is_nan() || step < if exact { TOLERANCE * lambda } else { TOLERANCE } {
            break;
        }
        lambda += step;
    }
    for i in 0..n {
        x[i] = y[i] * d[i];
    }
    lambda != 0.0
}

/// Cholesky factorization in place; whether the matrix is well enough conditioned to go on: up to
/// three dimensions its determinant is at least `least`, beyond them every pivot (which is what the
/// reference looks at, and tells redundant contacts from others).
fn positive_definite(a: &mut [f64], n: usize, least: f64) -> bool {
    if mj_math::dense::cholesky(a, n) > 0 {
        return false;
    }
    let pivots = (0..n).map(|i| a[i * n + i] * a[i * n + i]);
    if n <= 3 { pivots.product::<f64>() >= least } else { pivots.fold(f64::INFINITY, f64::min) >= least }
}

/// Scales friction forces to the ellipsoid of a normal force: onto it, or only if outside it.
pub fn project_friction(friction: &mut [f64], normal: f64, mu: &[f64], always: bool) {
    let s: f64 = friction.iter().zip(mu).map(|(f, m)| (f / m) * (f / m)).sum();
    if always || s > normal * normal {
        let scale = (normal * normal / s.max(MINVAL)).sqrt();
        friction.iter_mut().for_each(|f| *f *= scale);
    }
}

/// Change of a quadratic cost with Hessian `a` and gradient `res` over a step.
pub fn cost_change(a: &[f64], step: &[f64], res: &[f64]) -> f64 {
    let n = step.len();
    let mut s = 0.0;
    for i in 0..n {
        s += step[i] * (0.5 * dot(&a[i * n..(i + 1) * n], step) + res[i]);
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// No feasible point nearby is better.
        #[test]
        fn ellipsoid_minimum_is_one(exact: bool, n in 2usize..6, seed in prop::collection::vec(-1.0..1.0f64, 25), b in prop::collection::vec(-3.0..3.0f64, 5), step in prop::collection::vec(-1.0..1.0f64, 5)) {
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    a[i * n + j] = dot(&seed[i * n..(i + 1) * n], &seed[j * n..(j + 1) * n]) + if i == j { 0.3 } else { 0.0 };
                }
            }
            let d: Vec<f64> = (0..n).map(|i| 0.5 + seed[i].abs()).collect();
            let r = 0.8;
            let mut x = vec![0.0; n];
            let search = if exact { Search::Exact } else { Search::Quick };
            let active = ellipsoid_minimum(&a, &b[..n], &d, r, search, &mut x);
            let size = |x: &[f64]| x.iter().zip(&d).map(|(x, d)| (x / d).powi(2)).sum::<f64>().sqrt();
            prop_assert!(size(&x) <= r + 1e-6);
            prop_assert_eq!(active, size(&x) > r - 1e-4 && active);
            for t in [0.1, 0.01] {
                let mut y: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + t * s).collect();
                let s = size(&y);
                if s > r {
                    y.iter_mut().for_each(|y| *y *= r / s);
                }
                let value = |x: &[f64]| cost_change(&a, x, &b[..n]);
                prop_assert!(value(&y) >= value(&x) - 1e-6);
            }
        }
    }
}
