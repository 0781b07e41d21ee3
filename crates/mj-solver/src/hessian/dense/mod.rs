//! Connected problems of few dofs, as dense matrices with rows padded to whole vectors.
//!
//! Blocks, runs of columns and panels save work in large problems, and cost more than they save where a row has a few
//! dozen entries: here every loop has a length that the compiler knows. Zeros of the tree are
//! still skipped where that is a matter of looking at bits: in assembling and factoring the Hessian.

mod kernels;

pub(crate) use kernels::{Factor, Solve};

use kernels::{AddCone, AddRows, Load, Lower, Mul, MulTransposed, columns};
use mj_math::fixed::{Pivots, Places, entries, export_factor, fixed, groups};
use mj_math::{MultiRhs, TreePattern};
use mj_problem::{ConstraintState, Problem};

/// A small problem's matrices.
#[derive(Clone, Debug, Default)]
pub struct DenseSystem {
    /// Groups of four in a row.
    groups: usize,
    /// The pattern of M, its entries as bits, and where they lie.
    pattern: TreePattern,
    mask: Vec<u64>,
    places: Places,
    /// M, symmetric; rows beyond the dofs are those of the identity.
    m: Vec<f64>,
    /// J.
    jac: Vec<f64>,
    /// M + Jᵀ D J over rows in their quadratic zone.
    base: Vec<f64>,
    /// Factor DL of the base plus the cones.
    l: Vec<f64>,
    pivots: Vec<Pivots>,
    /// Entries that the factor's rows can have, diagonal left out.
    factor_mask: Vec<u64>,
    /// Weights with which rows are added to the base.
    weights: Vec<f64>,
    /// Whether a cone is part of the factor.
    curved: bool,
}

impl DenseSystem {
    /// Takes over a problem's matrices.
    pub fn load(&mut self, p: &Problem) {
        self.groups = groups(p.nv());
        let w = self.width();
        self.m.resize(w * w, 0.0);
        self.jac.resize(p.nefc() * w, 0.0);
        // A step's problem mostly has the pattern of the step before.
        if self.pattern != *p.pattern {
            self.pattern.rownnz.clone_from(&p.pattern.rownnz);
            self.pattern.rowadr.clone_from(&p.pattern.rowadr);
            self.pattern.colind.clone_from(&p.pattern.colind);
            entries(p.pattern, &mut self.mask);
            self.mask.resize(w, 0);
            self.places.find(p.pattern, w);
        }
        fixed(self.groups, Load { p, places: &self.places, m: &mut self.m, jac: &mut self.jac });
    }

    /// Length of a vector over the dofs, padding included.
    pub fn width(&self) -> usize {
        4 * self.groups
    }

    /// y = M x; vectors are padded with zeros.
    pub fn mul_m(&self, x: &[f64], y: &mut [f64]) {
        fixed(self.groups, MulTransposed { a: &self.m, f: x, y });
    }

    /// y = J x.
    pub fn mul_jac(&self, x: &[f64], y: &mut [f64]) {
        fixed(self.groups, Mul { a: &self.jac, x, y });
    }

    /// y = Jᵀ f.
    pub fn mul_jac_transposed(&self, f: &[f64], y: &mut [f64]) {
        fixed(self.groups, MulTransposed { a: &self.jac, f, y });
    }

    /// Assembles and factors the Hessian for the given row states.
    pub fn factor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        self.base.clear();
        self.base.extend_from_slice(&self.m);
        self.l.resize(self.m.len(), 0.0);
        self.pivots.resize(self.groups, Pivots::default());
        self.find_entries(p);
        self.weights.clear();
        self.weights.extend(p.rows.d.iter().zip(state).map(|(d, &s)| d * s.quadratic_share()));
        self.refactor(p, jar, state, true);
    }

    /// Follows a change of row states from `old`; returns nefc if it factored anew, else 0.
    pub fn update(&mut self, p: &Problem, jar: &[f64], old: &[ConstraintState], state: &[ConstraintState]) -> u32 {
        let curved = self.curved || p.rows.cones.iter().any(|c| state[c.row as usize] == ConstraintState::Cone);
        let changed = old.iter().zip(state).any(|(&a, &b)| a.quadratic_share() != b.quadratic_share());
        if !changed && !curved {
            return 0;
        }
        if changed {
            self.weights.clear();
            let states = old.iter().zip(state);
            self.weights.extend(
                p.rows.d.iter().zip(states).map(|(d, (&a, &b))| d * (b.quadratic_share() - a.quadratic_share())),
            );
        }
        self.refactor(p, jar, state, changed);
        state.len() as u32
    }

    /// Adds rows by their weights, and factors.
    fn refactor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState], rows_changed: bool) {
        let Self { groups, jac, base, l, pivots, factor_mask, weights, .. } = self;
        if rows_changed {
            fixed(*groups, AddRows { h: base, jac, p, weights });
        }
        fixed(*groups, Lower { from: base, to: l });
        self.curved = false;
        for cone in p.rows.cones.iter().filter(|c| state[c.row as usize] == ConstraintState::Cone) {
            self.curved = true;
            fixed(*groups, AddCone { h: l, jac, p, cone, jar });
        }
        fixed(*groups, Factor { l, pivots, mask: factor_mask });
    }

    /// Solves H x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        fixed(self.groups, Solve { l: &self.l, pivots: &self.pivots, x });
    }

    /// Exports the Hessian's factor of `n` dofs in the form for many right sides.
    pub fn export_factor(&self, n: usize, out: &mut MultiRhs) {
        export_factor(n, &self.l, &self.pivots, &self.factor_mask, out);
    }

    /// Entries that H can have, and what elimination adds: the entries of a row beyond its last one pass on to the row
    /// of that last one.
    fn find_entries(&mut self, p: &Problem) {
        let Self { mask: tree, factor_mask: mask, .. } = self;
        mask.clone_from(tree);
        let mut added = false;
        for b in p.rows.jac.blocks() {
            let all = columns(p, b);
            // Columns of one chain, as those of a contact with the world, are in M's pattern.
            if all == 0 || all & !(tree[all.ilog2() as usize] | 1 << all.ilog2()) == 0 {
                continue;
            }
            added = true;
            let mut rest = all;
            while rest != 0 {
                mask[rest.trailing_zeros() as usize] |= all;
                rest &= rest - 1;
            }
        }
        if !added {
            return;
        }
        for i in (0..p.nv()).rev() {
            let before = mask[i] & ((1 << i) - 1);
            mask[i] = before;
            if before != 0 {
                mask[before.ilog2() as usize] |= before;
            }
        }
    }
}
