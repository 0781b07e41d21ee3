//! The Hessian H = M + Σ Bᵀ W B of a small problem, and its factor.

use mj_math::ManySides;
use mj_math::block::Block;
use mj_math::fixed::{Fixed, Pivots, Row, add_outer, factor, fixed, rows, rows_mut, solve, take_apart, vector_mut};
use mj_math::lanes::Lanes;
use mj_problem::cost::elliptic;
use mj_problem::{ConeRows, ConstraintState, Problem};
use std::array::from_fn;

/// Hessian of one connected problem.
#[derive(Clone, Debug, Default)]
pub struct Hessian {
    /// M + Jᵀ D J over rows in their quadratic zone.
    base: Vec<f64>,
    /// Factor DL of the base plus the cones.
    l: Vec<f64>,
    pivots: Vec<Pivots>,
    /// Where the factor's rows can have entries, diagonal left out.
    mask: Vec<u64>,
    /// Weights with which rows are added to the base.
    weights: Vec<f64>,
    /// Whether a cone is part of the factor.
    curved: bool,
}

/// The columns of a block, as bits.
fn columns(p: &Problem, b: &Block) -> u64 {
    p.rows.jac.runs(b).iter().filter(|r| r.len > 0).fold(0, |bits, r| bits | (u64::MAX >> (64 - r.len)) << r.start)
}

fn quadratic(s: ConstraintState) -> bool {
    s == ConstraintState::Quadratic
}

/// 1 for rows in their quadratic zone, else 0: as a number, since branches that can't be predicted cost more.
fn share(s: ConstraintState) -> f64 {
    f64::from(u8::from(quadratic(s)))
}

impl Hessian {
    /// Assembles and factors the Hessian for the given row states, from M and the entries that its rows can have.
    pub fn factor(
        &mut self,
        groups: usize,
        (m, tree): (&[f64], &[u64]),
        jac: &[f64],
        p: &Problem,
        jar: &[f64],
        state: &[ConstraintState],
    ) {
        self.base.clear();
        self.base.extend_from_slice(m);
        self.l.resize(m.len(), 0.0);
        self.pivots.resize(groups, Pivots::default());
        self.find_entries(tree, p);
        self.weights.clear();
        self.weights.extend(p.rows.d.iter().zip(state).map(|(d, &s)| d * share(s)));
        self.refactor(groups, jac, p, jar, state, true);
    }

    /// Follows a change of row states from `old`; returns nefc if it factored anew, else 0.
    pub fn update(
        &mut self,
        groups: usize,
        jac: &[f64],
        p: &Problem,
        jar: &[f64],
        old: &[ConstraintState],
        state: &[ConstraintState],
    ) -> u32 {
        let curved = self.curved || p.rows.cones.iter().any(|c| state[c.row as usize] == ConstraintState::Cone);
        let changed = old.iter().zip(state).any(|(&a, &b)| quadratic(a) != quadratic(b));
        if !changed && !curved {
            return 0;
        }
        if changed {
            self.weights.clear();
            let states = old.iter().zip(state);
            self.weights.extend(p.rows.d.iter().zip(states).map(|(d, (&a, &b))| d * (share(b) - share(a))));
        }
        self.refactor(groups, jac, p, jar, state, changed);
        state.len() as u32
    }

    /// Adds rows by their weights, and factors.
    fn refactor(
        &mut self,
        groups: usize,
        jac: &[f64],
        p: &Problem,
        jar: &[f64],
        state: &[ConstraintState],
        rows_changed: bool,
    ) {
        if rows_changed {
            fixed(groups, AddRows { h: &mut self.base, jac, p, weights: &self.weights });
        }
        fixed(groups, Lower { from: &self.base, to: &mut self.l });
        self.curved = false;
        for c in p.rows.cones.iter().filter(|c| state[c.row as usize] == ConstraintState::Cone) {
            self.curved = true;
            fixed(groups, AddCone { h: &mut self.l, jac, p, cone: c, jar });
        }
        fixed(groups, Factor { l: &mut self.l, pivots: &mut self.pivots, mask: &self.mask });
    }

    /// Solves H x = b in place.
    pub fn solve(&self, groups: usize, x: &mut [f64]) {
        fixed(groups, Solve { l: &self.l, pivots: &self.pivots, x });
    }

    /// Exports the factor in the form for many right sides.
    pub fn export_factor(&self, n: usize, out: &mut ManySides) {
        take_apart(n, &self.l, &self.pivots, &self.mask, out);
    }

    /// Entries that H can have, and what elimination adds: the entries of a row beyond its last one pass on to the row
    /// of that last one.
    fn find_entries(&mut self, tree: &[u64], p: &Problem) {
        self.mask.clear();
        self.mask.extend_from_slice(tree);
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
                self.mask[rest.trailing_zeros() as usize] |= all;
                rest &= rest - 1;
            }
        }
        if !added {
            return;
        }
        for i in (0..p.nv()).rev() {
            let before = self.mask[i] & ((1 << i) - 1);
            self.mask[i] = before;
            if before != 0 {
                self.mask[before.ilog2() as usize] |= before;
            }
        }
    }
}

/// Copies what a factorization reads.
struct Lower<'a> {
    from: &'a [f64],
    to: &'a mut [f64],
}

impl Fixed for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes, const C: usize>(self, _: S) {
        for (i, (from, to)) in rows::<C>(self.from).iter().zip(rows_mut::<C>(self.to)).enumerate() {
            for (to, from) in to.iter_mut().zip(from).take(i / 4 + 1) {
                *to = *from;
            }
        }
    }
}

/// H += Σ wᵣ JᵣᵀJᵣ.
struct AddRows<'a> {
    h: &'a mut [f64],
    jac: &'a [f64],
    p: &'a Problem<'a>,
    weights: &'a [f64],
}

impl Fixed for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes, const C: usize>(self, s: S) {
        let (h, jac) = (rows_mut::<C>(self.h), rows::<C>(self.jac));
        for b in self.p.rows.jac.blocks() {
            let own = b.row as usize..(b.row + b.nrow) as usize;
            let (jac, weights) = (&jac[own.clone()], &self.weights[own]);
            // Rows that have any weight, four at a time.
            let (mut at, mut w) = ([0; 4], [0.0; 4]);
            let mut n = 0;
            for (i, &weight) in weights.iter().enumerate() {
                (at[n], w[n]) = (i, weight);
                n += usize::from(weight != 0.0);
                if n == 4 {
                    add::<S, C, 4>(s, h, jac, at, w, columns(self.p, b));
                    n = 0;
                }
            }
            match n {
                0 => {}
                1 => add::<S, C, 1>(s, h, jac, [at[0]], [w[0]], columns(self.p, b)),
                2 => add::<S, C, 2>(s, h, jac, [at[0], at[1]], [w[0], w[1]], columns(self.p, b)),
                _ => add::<S, C, 3>(s, h, jac, [at[0], at[1], at[2]], [w[0], w[1], w[2]], columns(self.p, b)),
            }
        }
    }
}

#[inline(always)]
fn add<S: Lanes, const C: usize, const R: usize>(
    s: S,
    h: &mut [Row<C>],
    jac: &[Row<C>],
    at: [usize; R],
    w: [f64; R],
    columns: u64,
) {
    let x = at.map(|i| &jac[i]);
    add_outer(s, h, x, columns, |i| from_fn(|r| w[r] * x[r].as_flattened()[i]));
}

/// H += Jᵀ W J over the rows of one cone.
struct AddCone<'a> {
    h: &'a mut [f64],
    jac: &'a [f64],
    p: &'a Problem<'a>,
    cone: &'a ConeRows,
    jar: &'a [f64],
}

impl AddCone<'_> {
    #[inline(always)]
    fn add<S: Lanes, const C: usize, const R: usize>(self, s: S) {
        let (h, a) = (rows_mut::<C>(self.h), self.cone.row as usize);
        let Some(x) = rows::<C>(self.jac)[a..].first_chunk::<R>() else { return };
        let mut w = [0.0; 36];
        elliptic::hessian(self.cone, &self.p.rows.d[a..a + R], &self.jar[a..a + R], &mut w[..R * R]);
        let w = w.as_chunks::<R>().0;
        let columns = columns(self.p, self.p.rows.jac.block_of(a));
        let image = |i: usize| from_fn(|r| (0..R).map(|k| w[r][k] * x[k].as_flattened()[i]).sum());
        add_outer(s, h, x.each_ref(), columns, image);
    }
}

impl Fixed for AddCone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes, const C: usize>(self, s: S) {
        match self.cone.dim {
            3 => self.add::<S, C, 3>(s),
            4 => self.add::<S, C, 4>(s),
            _ => self.add::<S, C, 6>(s),
        }
    }
}

/// Factors a matrix of fixed rows: see [`factor`].
pub struct Factor<'a> {
    pub l: &'a mut [f64],
    pub pivots: &'a mut [Pivots],
    pub mask: &'a [u64],
}

impl Fixed for Factor<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Lanes, const C: usize>(self, s: S) -> Option<usize> {
        factor::<S, C>(s, rows_mut(self.l), self.pivots, self.mask)
    }
}

/// Solves with the factor: see [`solve`].
pub struct Solve<'a> {
    pub l: &'a [f64],
    pub pivots: &'a [Pivots],
    pub x: &'a mut [f64],
}

impl Fixed for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes, const C: usize>(self, s: S) {
        solve::<S, C>(s, rows(self.l), self.pivots, vector_mut(self.x));
    }
}
