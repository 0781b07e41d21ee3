//! Kernels over rows of fixed length.

use mj_math::block::Block;
use mj_math::fixed::{
    Fixed, Pivots, Places, Row, add_outer, expand, factor, mirror, mul, mul_transposed, rows, rows_mut, solve, vector,
    vector_mut,
};
use mj_math::simd::Simd;
use mj_problem::cost::elliptic;
use mj_problem::{ConeRows, Problem};
use std::array::from_fn;

/// The columns of a block, as bits.
pub(super) fn columns(p: &Problem, b: &Block) -> u64 {
    p.rows.jac.runs(b).iter().filter(|r| r.len > 0).fold(0, |bits, r| bits | (u64::MAX >> (64 - r.len)) << r.start)
}

/// Writes M and J.
pub(crate) struct Load<'a> {
    pub p: &'a Problem<'a>,
    pub places: &'a Places,
    pub m: &'a mut [f64],
    pub jac: &'a mut [f64],
}

impl Fixed for Load<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, _: S) {
        let (p, m) = (self.p, rows_mut::<C>(self.m));
        expand(p.nv(), p.m, self.places, m);
        mirror(m);
        let jac = p.rows.jac;
        let rows = rows_mut::<C>(self.jac);
        for b in jac.blocks() {
            let values = jac.values(b);
            let n = b.ncol as usize;
            let rows = &mut rows[b.row as usize..(b.row + b.nrow) as usize];
            rows.fill([[0.0; 4]; C]);
            let mut at = 0;
            for r in jac.runs(b) {
                let (start, len) = (r.start as usize, r.len as usize);
                let from = values.chunks_exact(n.max(1)).map(|row| &row[at..at + len]);
                let to = rows.iter_mut().map(|row| &mut row.as_flattened_mut()[start..start + len]);
                to.zip(from).for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(to, from)| *to = *from));
                at += len;
            }
        }
    }
}

pub(crate) struct Mul<'a> {
    pub a: &'a [f64],
    pub x: &'a [f64],
    pub y: &'a mut [f64],
}

impl Fixed for Mul<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) {
        mul::<S, C>(s, rows(self.a), vector(self.x), self.y);
    }
}

pub(crate) struct MulTransposed<'a> {
    pub a: &'a [f64],
    pub f: &'a [f64],
    pub y: &'a mut [f64],
}

impl Fixed for MulTransposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) {
        mul_transposed::<S, C>(s, rows(self.a), self.f, vector_mut(self.y));
    }
}

/// Copies what a factorization reads.
pub(crate) struct Lower<'a> {
    pub from: &'a [f64],
    pub to: &'a mut [f64],
}

impl Fixed for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, _: S) {
        for (i, (from, to)) in rows::<C>(self.from).iter().zip(rows_mut::<C>(self.to)).enumerate() {
            for (to, from) in to.iter_mut().zip(from).take(i / 4 + 1) {
                *to = *from;
            }
        }
    }
}

/// H += Σ wᵣ JᵣᵀJᵣ.
pub(crate) struct AddRows<'a> {
    pub h: &'a mut [f64],
    pub jac: &'a [f64],
    pub p: &'a Problem<'a>,
    pub weights: &'a [f64],
}

impl Fixed for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) {
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
fn add<S: Simd, const C: usize, const R: usize>(
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
pub(crate) struct AddCone<'a> {
    pub h: &'a mut [f64],
    pub jac: &'a [f64],
    pub p: &'a Problem<'a>,
    pub cone: &'a ConeRows,
    pub jar: &'a [f64],
}

impl AddCone<'_> {
    #[inline(always)]
    fn add<S: Simd, const C: usize, const R: usize>(self, s: S) {
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
    fn run<S: Simd, const C: usize>(self, s: S) {
        match self.cone.dim {
            3 => self.add::<S, C, 3>(s),
            4 => self.add::<S, C, 4>(s),
            _ => self.add::<S, C, 6>(s),
        }
    }
}

/// Factors a matrix of fixed rows: see [`factor`].
pub(crate) struct Factor<'a> {
    pub l: &'a mut [f64],
    pub pivots: &'a mut [Pivots],
    pub mask: &'a [u64],
}

impl Fixed for Factor<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) -> Option<usize> {
        factor::<S, C>(s, rows_mut(self.l), self.pivots, self.mask)
    }
}

/// Solves with the factor: see [`solve`].
pub(crate) struct Solve<'a> {
    pub l: &'a [f64],
    pub pivots: &'a [Pivots],
    pub x: &'a mut [f64],
}

impl Fixed for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) {
        solve::<S, C>(s, rows(self.l), self.pivots, vector_mut(self.x));
    }
}
