//! The dual problem: minimize ½ fᵀ(A + R) f + fᵀ(J q̈_smooth − aref) over feasible forces, with
//! A = J M⁻¹ Jᵀ.
//!
//! In large problems A is never formed. What changes with a force is the acceleration q̈ = q̈_smooth +
//! M⁻¹Jᵀ f; with it at hand the gradient of row i is Jᵢ q̈ − arefᵢ + Rᵢ fᵢ, and a change of fᵢ adds a
//! multiple of column i of B = M⁻¹Jᵀ, which reaches over the trees that the row touches and no further.
//! In small problems A is cheaper than B ([`Delassus`]), and the gradient itself is what changes.

use crate::delassus::Delassus;
use crate::friction::{project_friction, squared_size};
use crate::islands::Islands;
use crate::problem::Problem;
use mj_constraint::{ConeRows, ConstraintState};
use mj_math::BlockRows;
use mj_math::block::Run;
use mj_math::dense::dot;

/// Least diagonal of a block of A without R.
const LEAST_DIAGONAL: f64 = 1e-10;

/// Greatest number of rows for which A is formed. A change of a force goes over a row of A; without A it goes over
/// two rows of dofs, but for every force that is looked at, changed or not.
const ROWS: usize = 128;

/// And of dofs.
const DOFS: usize = 64;

/// State of a dual solver.
#[derive(Clone, Debug, Default)]
pub struct Dual {
    /// Forces, nefc.
    pub force: Vec<f64>,
    /// Whether A is formed. If so, `gradient` follows the forces: A f + J q̈_smooth − aref, padded; it starts from
    /// `free`. Else it is the acceleration that follows them, and what is below is in use.
    small: bool,
    whole: Delassus,
    gradient: Vec<f64>,
    free: Vec<f64>,
    /// Acceleration at the present forces, nv.
    qacc: Vec<f64>,
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
    /// Number of rows.
    nrow: u32,
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
    #[inline(always)]
    pub fn dim(&self) -> usize {
        self.nrow as usize
    }

    /// Brings a force back to what is feasible: the nearest bound, or at a cone the same normal force.
    #[inline(always)]
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
                project_friction(&mut f[1..], normal, &p.rows.cones[c as usize].friction);
            }
        }
    }
}

impl Dual {
    /// Prepares a problem, with forces zero; a small one with A formed, if `whole` is wanted.
    pub fn prepare(&mut self, p: &Problem, whole: bool) {
        self.force.clear();
        self.force.resize(p.nefc(), 0.0);
        self.small = whole && p.nefc() <= ROWS && p.nv() <= DOFS;
        if self.small {
            self.whole.form(p, 0);
            self.free.clear();
            self.free.resize(self.whole.width(), 0.0);
            self.column.resize(p.nv(), 0.0);
            p.rows.jac.mul(p.qacc_smooth, &mut self.free, &mut self.column);
            self.free.iter_mut().zip(p.rows.aref).for_each(|(g, aref)| *g -= aref);
            self.gradient.clone_from(&self.free);
        } else {
            self.prepare_columns(p);
        }
    }

    /// B and the diagonal blocks of A.
    fn prepare_columns(&mut self, p: &Problem) {
        self.qacc.clear();
        self.qacc.extend_from_slice(p.qacc_smooth);
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
                    p.pattern.solve_rows(start..start + len, p.ld, p.dinv, &mut self.column);
                    columns[at..at + len].copy_from_slice(&self.column[start..start + len]);
                    at += len;
                }
            }
            let adr = self.a.len();
            self.a_adr.push(adr as u32);
            self.a.resize(adr + nrow * nrow, 0.0);
            let own = &mut self.a[adr..];
            for j in 0..nrow {
                self.b.for_each_in_row(block.row as usize + j, |c, v| self.column[c] = v);
                for i in 0..=j {
                    let sum = row_times(jac.row(block.row as usize + i), &self.column, 0.0);
                    own[i * nrow + j] = sum;
                    own[j * nrow + i] = sum;
                }
            }
        }
    }

    /// Sets all forces to zero.
    pub fn release(&mut self, p: &Problem) {
        self.force.fill(0.0);
        if self.small {
            self.gradient.copy_from_slice(&self.free);
        } else {
            self.qacc.copy_from_slice(p.qacc_smooth);
        }
    }

    /// Entry of A for two rows of one block.
    #[inline(always)]
    pub fn a(&self, p: &Problem, i: usize, j: usize) -> f64 {
        if self.small {
            return self.whole.entry(i, j);
        }
        let k = self.block[i] as usize;
        let b = &p.rows.jac.blocks()[k];
        self.a[self.a_adr[k] as usize + (i - b.row as usize) * b.nrow as usize + j - b.row as usize]
    }

    /// Entry of A's diagonal, bounded below.
    #[inline(always)]
    pub fn diagonal(&self, p: &Problem, i: usize) -> f64 {
        self.a(p, i, i).max(LEAST_DIAGONAL)
    }

    /// Jᵢ q̈ − arefᵢ: the gradient of the dual cost without its R part.
    #[inline(always)]
    pub fn residual(&self, p: &Problem, i: usize) -> f64 {
        if self.small {
            return self.gradient[i];
        }
        row_times(p.rows.jac.row(i), &self.qacc, -p.rows.aref[i])
    }

    /// Sets the force of row `i`, and all gradients with it.
    #[inline(always)]
    pub fn set(&mut self, i: usize, f: f64) {
        let delta = f - self.force[i];
        if delta == 0.0 {
            return;
        }
        self.force[i] = f;
        if self.small {
            for (g, a) in self.gradient.as_chunks_mut::<4>().0.iter_mut().zip(self.whole.row(i)) {
                for k in 0..4 {
                    g[k] += delta * a[k];
                }
            }
            return;
        }
        add_row(self.b.row(i), delta, &mut self.qacc);
    }

    /// y = A x over the rows of some units; `dofs` is scratch over the dofs.
    pub fn multiply(&self, p: &Problem, units: &[Unit], x: &[f64], y: &mut [f64], dofs: &mut [f64]) {
        let rows = || units.iter().flat_map(|u| u.row as usize..u.row as usize + u.dim());
        if self.small {
            rows().for_each(|i| y[i] = rows().map(|j| self.whole.entry(i, j) * x[j]).sum());
            return;
        }
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
        if !self.small {
            smooth.resize(p.nefc(), 0.0);
            work.resize(p.nv(), 0.0);
            p.rows.jac.mul(p.qacc_smooth, smooth, work);
        }
        let mut s = 0.0;
        for i in 0..p.nefc() {
            let f = self.force[i];
            let free = if self.small { self.free[i] } else { smooth[i] - p.rows.aref[i] };
            s += 0.5 * f * (free + self.residual(p, i) + p.rows.r[i] * f);
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
                let mut dim = 1;
                let bound = if row < p.rows.ne {
                    Bound::Free
                } else if row < p.rows.ne + p.rows.nf {
                    Bound::Interval
                } else if let Ok(c) = p.rows.cones.binary_search_by_key(&(row as u32), |c| c.row) {
                    dim = p.rows.cones[c].dim;
                    Bound::Cone(c as u32)
                } else {
                    Bound::Positive
                };
                out.push(Unit { row: row as u32, nrow: dim, bound });
                row += dim as usize;
            }
        });
    }

    /// Zone of a unit's cost as its forces tell it.
    #[inline(always)]
    pub fn state(&self, p: &Problem, u: &Unit) -> ConstraintState {
        let i = u.row as usize;
        let f = self.force[i];
        match u.bound {
            Bound::Free => ConstraintState::Quadratic,
            Bound::Interval if f <= -p.rows.frictionloss[i] => ConstraintState::LinearPos,
            Bound::Interval if f >= p.rows.frictionloss[i] => ConstraintState::LinearNeg,
            Bound::Interval => ConstraintState::Quadratic,
            Bound::Positive if f <= 0.0 => ConstraintState::Satisfied,
            Bound::Positive => ConstraintState::Quadratic,
            Bound::Cone(c) => cone_state(&p.rows.cones[c as usize], &self.force[i..i + u.dim()]),
        }
    }
}

/// A number plus a row of blocks times a vector.
#[inline(always)]
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
#[inline(always)]
fn add_row((runs, values): (&[Run], &[f64]), by: f64, x: &mut [f64]) {
    let mut at = 0;
    for r in runs {
        let (start, len) = (r.start as usize, r.len as usize);
        mj_math::dense::axpy(&mut x[start..start + len], by, &values[at..at + len]);
        at += len;
    }
}

/// Zone of an elliptic cone by its force, in the coordinates that make the cone round: f₀/μ, f_j/μ_j.
#[inline(always)]
fn cone_state(c: &ConeRows, f: &[f64]) -> ConstraintState {
    let n = f[0] / c.mu;
    let t = squared_size(&f[1..], &c.friction).sqrt();
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
