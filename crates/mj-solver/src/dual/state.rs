//! The dual problem of an island: minimize ½ fᵀ(A + R) f + fᵀ(J q̈_smooth − aref) over feasible forces, with
//! A = J M⁻¹ Jᵀ.
//!
//! A = W Wᵀ, W being half of the way to M⁻¹Jᵀ. With few rows A is formed ([`Delassus`]), and what follows the forces
//! is the gradient: a change of a force adds a multiple of a row of A. With many it is z = Wᵀ(f − f₀), f₀ being the
//! forces at the start ([`SparseWhitened`]): a row of W reaches over no more than the dofs that its constraint touches and their
//! ancestors. The gradient of a row is then Wᵢz more than it was at the start.
//!
//! Either follows the forces linearly, so that extrapolated forces have the extrapolated vector.

use crate::dual::delassus::Delassus;
use crate::dual::unit::DualUnit;
use crate::dual::whitened::{Dofs, add};
use crate::dual::whitened_sparse::SparseWhitened;
use crate::island::find::Islands;
use crate::policy;
use mj_math::simd::Simd;
use mj_problem::{Problem, Solution};

/// State of a dual solver. Rows are those of the units that it has been given, in their order.
#[derive(Clone, Debug, Default)]
pub struct DualState {
    /// Forces.
    pub force: Vec<f64>,
    /// Regularization.
    pub r: Vec<f64>,
    /// Rows in the problem.
    rows: Vec<u32>,
    dofs: Dofs,
    /// Whether A is formed.
    pub small: bool,
    whole: Delassus,
    root: SparseWhitened,
    /// What follows the forces: the gradient without its R part, padded, or z; and what it was before the last sweep.
    following: Vec<[f64; 4]>,
    before: Vec<[f64; 4]>,
    /// The gradient at the start, where A is not formed.
    start: Vec<f64>,
    /// A within each unit (nrow×nrow).
    a: Vec<f64>,
    /// 1 / (Aᵢᵢ + Rᵢ) of units of one row.
    pub inverse: Vec<f64>,
}

impl DualState {
    /// Takes over the rows of some units of an island, which are numbered for it, with forces and the gradient
    /// J q̈ − aref at these forces, both over all rows of the problem.
    #[inline(always)]
    pub fn load<P: Simd>(
        &mut self,
        p: &Problem,
        (islands, island): (&Islands, usize),
        units: &mut [DualUnit],
        force: &[f64],
        gradient: &[f64],
    ) {
        self.rows.clear();
        let mut entries = 0;
        for u in units.iter_mut() {
            (u.row, u.a) = (self.rows.len() as u32, entries);
            entries += u.nrow * u.nrow;
            self.rows.extend(u.first..u.first + u.nrow);
        }
        self.force.clear();
        self.r.clear();
        self.start.clear();
        for &i in &self.rows {
            self.force.push(force[i as usize]);
            self.r.push(p.rows.r[i as usize]);
            self.start.push(gradient[i as usize]);
        }
        self.form::<P>(p, (islands, island), units, self.rows.len() <= policy::DELASSUS_ROWS);
    }

    /// Forms A, or W.
    #[inline(always)]
    fn form<P: Simd>(&mut self, p: &Problem, (islands, island): (&Islands, usize), units: &[DualUnit], small: bool) {
        self.small = small;
        self.dofs.clear(p);
        let align = if small { 1 } else { 8 };
        if islands.is_whole() {
            self.dofs.add(p, 0..p.nv(), align);
        } else {
            islands.dofs(island).for_each(|dofs| self.dofs.add(p, dofs, align));
        }
        self.following.clear();
        if small {
            self.whole.form_part::<P>(p, &self.rows, &self.dofs);
            self.following.resize(self.whole.width() / 4, [0.0; 4]);
            self.following.as_flattened_mut()[..self.start.len()].copy_from_slice(&self.start);
        } else {
            self.root.form::<P>(p, &self.rows, &self.dofs);
            self.following.resize(2 * self.dofs.len().div_ceil(8), [0.0; 4]);
        }
        self.a.clear();
        self.inverse.clear();
        self.inverse.resize(self.force.len(), 0.0);
        for u in units {
            let rows = u.row as usize..u.row as usize + u.dim();
            for i in rows.clone() {
                for j in rows.clone() {
                    self.a.push(if self.small { self.whole.entry(i, j) } else { self.root.entry::<P>(i, j) });
                }
            }
            if u.dim() == 1 {
                let i = u.row as usize;
                self.inverse[i] = 1.0 / (self.a(u, 0, 0) + self.r[i]);
            }
        }
    }

    /// Writes the forces to their places in the problem.
    pub fn put_back(&self, force: &mut [f64]) {
        for (&i, &f) in self.rows.iter().zip(&self.force) {
            force[i as usize] = f;
        }
    }

    /// Entry of A for two rows of a unit, counted from its first.
    #[inline(always)]
    pub fn a(&self, u: &DualUnit, i: usize, j: usize) -> f64 {
        self.a[u.a as usize + i * u.dim() + j]
    }

    /// Jᵢ q̈ − arefᵢ: the gradient of the dual cost without its R part.
    #[inline(always)]
    pub fn residual<P: Simd>(&self, i: usize) -> f64 {
        if self.small {
            return self.following.as_flattened()[i];
        }
        self.start[i] + self.root.dot::<P>(i, self.following.as_chunks().0)
    }

    /// Sets the force of row `i`, and all gradients with it.
    #[inline(always)]
    pub fn set<P: Simd>(&mut self, i: usize, f: f64) {
        let delta = f - self.force[i];
        if delta == 0.0 {
            return;
        }
        self.force[i] = f;
        if self.small {
            for (g, a) in self.following.iter_mut().zip(self.whole.row(i)) {
                add::<P>(g, delta, a);
            }
        } else {
            self.root.add::<P>(i, delta, self.following.as_chunks_mut().0);
        }
    }

    /// Remembers where the forces are, for [`Self::extrapolate`].
    #[inline(always)]
    pub fn remember(&mut self) {
        self.before.clone_from(&self.following);
    }

    /// Moves the forces on by `beta` times their change since they were last remembered, when they were `before`, and
    /// remembers where they have been.
    #[inline(always)]
    pub fn extrapolate<P: Simd>(&mut self, beta: f64, before: &mut [f64]) {
        for (f, before) in self.force.iter_mut().zip(before) {
            let now = *f;
            *f += beta * (now - *before);
            *before = now;
        }
        for (x, before) in self.following.iter_mut().zip(&mut self.before) {
            let now = *x;
            for k in 0..4 {
                x[k] = P::plus(now[k], beta, now[k] - before[k]);
            }
            *before = now;
        }
    }

    /// A, where it is formed.
    #[inline(always)]
    pub fn formed(&self) -> Option<&Delassus> {
        self.small.then_some(&self.whole)
    }

    /// Changes the forces by `x`, with `y` = A x as [`Self::multiply`] has left it.
    #[inline(always)]
    pub fn advance<P: Simd>(&mut self, x: &[f64], y: &[f64]) {
        if self.small {
            self.force.iter_mut().zip(x).for_each(|(f, x)| *f += x);
            self.following.as_flattened_mut().iter_mut().zip(y).for_each(|(g, y)| *g += y);
            return;
        }
        for (i, x) in x.iter().enumerate() {
            self.set::<P>(i, self.force[i] + x);
        }
    }

    /// y = A x.
    #[inline(always)]
    pub fn multiply<P: Simd>(&mut self, x: &[f64], y: &mut [f64]) {
        let n = self.force.len();
        // The following vector is needed again; where it was before a sweep is not: momentum is dropped around these
        // products.
        self.before.clear();
        self.before.resize(self.following.len(), [0.0; 4]);
        if self.small {
            for (i, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                self.before.iter_mut().zip(self.whole.row(i)).for_each(|(y, a)| add::<P>(y, *x, a));
            }
            y.copy_from_slice(&self.before.as_flattened()[..n]);
            return;
        }
        for i in (0..n).filter(|&i| x[i] != 0.0) {
            self.root.add::<P>(i, x[i], self.before.as_chunks_mut().0);
        }
        for (i, y) in y.iter_mut().enumerate() {
            *y = self.root.dot::<P>(i, self.before.as_chunks().0);
        }
    }
}

/// Reports what follows from the forces of a solution: forces in joint space, and the acceleration.
pub fn respond(p: &Problem, work: &mut Vec<f64>, out: &mut Solution) {
    work.resize(p.nv(), 0.0);
    out.qfrc_constraint.fill(0.0);
    p.rows.jac.mul_transposed_add(&out.efc_force, &mut out.qfrc_constraint, work);
    accelerate(p, out);
}

/// The acceleration that follows from forces in joint space.
pub fn accelerate(p: &Problem, out: &mut Solution) {
    out.qacc.copy_from_slice(&out.qfrc_constraint);
    p.pattern.solve(p.ld, p.dinv, &mut out.qacc);
    for (a, s) in out.qacc.iter_mut().zip(p.qacc_smooth) {
        *a += s;
    }
}

/// J q̈ − aref.
pub fn gradient(p: &Problem, qacc: &[f64], work: &mut Vec<f64>, out: &mut Vec<f64>) {
    out.resize(p.nefc(), 0.0);
    work.resize(p.nv(), 0.0);
    p.rows.jac.mul(qacc, out, work);
    out.iter_mut().zip(p.rows.aref).for_each(|(x, aref)| *x -= aref);
}

#[cfg(test)]
pub(crate) mod tests;
