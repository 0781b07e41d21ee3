//! The factor A = LᵀDL in place, and solutions with it.
//!
//! A solution for few unknowns is a chain of short steps that wait for each other. So each block of four rows on the
//! diagonal is inverted when it is factored: solving with it is then a product, whose parts don't.

use super::Row;
use crate::MINVAL;
use crate::many::MultiRhs;
use crate::simd::{F64x4, Simd};
use std::array::from_fn;

/// Factor of the four rows of a block on the diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pivots {
    /// 1/D.
    pub inv: [f64; 4],
    /// K = L⁻¹ of the block, below its diagonal of ones, row by row.
    k: [f64; 6],
}

/// 1/D of all rows.
pub fn inverses(pivots: &[Pivots]) -> impl Iterator<Item = f64> {
    pivots.iter().flat_map(|p| p.inv)
}

/// Factors A = LᵀDL in place, as DL. Bit j of `mask[i]` says whether the factor can have an
/// entry at (i, j), j < i. Pivots below [`MINVAL`] are lifted to it; returns the last row of which that is true.
#[inline(always)]
pub fn factor<S: Simd, const C: usize>(s: S, a: &mut [Row<C>], pivots: &mut [Pivots], mask: &[u64]) -> Option<usize> {
    let pivots: &mut [Pivots; C] = pivots.first_chunk_mut().expect("pivots of all rows");
    let mut lifted = None;
    for b in (0..C).rev() {
        let (above, block) = a.split_at_mut(4 * b);
        let block: &mut [Row<C>; 4] = block.first_chunk_mut().expect("four rows");
        let mut d: [[f64; 4]; 4] = from_fn(|r| block[r][b]);
        if let Some(p) = eliminate(&mut d, &mut pivots[b]) {
            lifted = lifted.or(Some(4 * b + p));
        }
        for r in 0..4 {
            block[r][b] = d[r];
        }
        let inv = pivots[b].inv;
        let [k10, k20, k21, k30, k31, k32] = pivots[b].k.map(|x| F64x4::splat(s, x));
        for k in 0..b {
            let [r0, r1, r2, r3] = from_fn(|r| F64x4::new(s, &block[r][k]));
            let r0 = r0.plus(k10, r1).plus(k20, r2).plus(k30, r3);
            let r1 = r1.plus(k21, r2).plus(k31, r3);
            let r2 = r2.plus(k32, r3);
            for (r, x) in [r0, r1, r2, r3].into_iter().enumerate() {
                block[r][k] = x.get();
            }
        }
        // Into the rows above, in one pass.
        let mut columns = mask[4 * b..4 * b + 4].iter().fold(0, |a, b| a | b) & ((1 << (4 * b)) - 1);
        while columns != 0 {
            let i = columns.trailing_zeros() as usize;
            columns &= columns - 1;
            let c: [_; 4] = from_fn(|r| F64x4::splat(s, block[r].as_flattened()[i] * inv[r]));
            let above = &mut above[i];
            for k in 0..(i / 4 + 1).min(C) {
                let mut x = F64x4::new(s, &above[k]);
                for r in 0..4 {
                    x = x.minus(c[r], F64x4::new(s, &block[r][k]));
                }
                above[k] = x.get();
            }
        }
    }
    lifted
}

/// Factors a block on the diagonal, of which the lower triangle is given; returns the last row whose pivot was lifted.
#[inline(always)]
fn eliminate(d: &mut [[f64; 4]; 4], pivots: &mut Pivots) -> Option<usize> {
    let mut lifted = None;
    let mut inv = [0.0; 4];
    let mut l = [[0.0; 4]; 4];
    for p in (0..4).rev() {
        if d[p][p] >= MINVAL {
        } else {
            d[p][p] = MINVAL;
            lifted = lifted.or(Some(p));
        }
        inv[p] = 1.0 / d[p][p];
        for q in 0..p {
            l[p][q] = d[p][q] * inv[p];
            for j in 0..q + 1 {
                d[q][j] -= l[p][q] * d[p][j];
            }
        }
    }
    let (k10, k21, k32) = (-l[1][0], -l[2][1], -l[3][2]);
    let (k20, k31) = (-l[2][0] - l[2][1] * k10, -l[3][1] - l[3][2] * k21);
    let k30 = -l[3][0] - l[3][1] * k10 - l[3][2] * k20;
    *pivots = Pivots { inv, k: [k10, k20, k21, k30, k31, k32] };
    lifted
}

/// The factor's first `n` rows, of which the others are those of the identity, entry by entry. `mask` is that of [`factor`].
pub fn export_factor(n: usize, dl: &[f64], pivots: &[Pivots], mask: &[u64], out: &mut MultiRhs) {
    let width = 4 * pivots.len();
    out.clear();
    for i in (0..n).rev() {
        let inv = pivots[i / 4].inv[i % 4];
        let row = &dl[i * width..(i + 1) * width];
        let mut columns = mask[i] & ((1 << i) - 1);
        out.push(
            i,
            inv,
            std::iter::from_fn(|| {
                let j = (columns != 0).then(|| columns.trailing_zeros() as usize)?;
                columns &= columns - 1;
                Some((j, row[j] * inv))
            }),
        );
    }
}

/// Solves A x = b in place with the factor of [`factor`].
#[inline(always)]
pub fn solve<S: Simd, const C: usize>(s: S, dl: &[Row<C>], pivots: &[Pivots], x: &mut Row<C>) {
    let fours = dl.as_chunks::<4>().0.first_chunk::<C>().expect("as many rows as columns");
    let pivots: &[Pivots; C] = pivots.first_chunk().expect("pivots of all rows");
    // Lᵀ, then D.
    for b in (0..C).rev() {
        let block = &fours[b];
        let ([i0, i1, i2, i3], [k10, k20, k21, k30, k31, k32]) = (pivots[b].inv, pivots[b].k);
        let [t0, t1, t2, t3] = x[b];
        let t = [
            ((t0 + k10 * t1) + (k20 * t2 + k30 * t3)) * i0,
            (t1 + (k21 * t2 + k31 * t3)) * i1,
            (t2 + k32 * t3) * i2,
            t3 * i3,
        ];
        x[b] = t;
        let t = t.map(|t| F64x4::splat(s, t));
        for k in 0..b {
            let row = |p: usize| F64x4::new(s, &block[p][k]);
            let y = F64x4::new(s, &x[k]).minus(t[0], row(0)).minus(t[1], row(1));
            x[k] = (y - (t[2] * row(2)).plus(t[3], row(3))).get();
        }
    }
    // L.
    for b in 0..C {
        let block = &fours[b];
        let mut sums = [F64x4::splat(s, 0.0); 4];
        for k in 0..b {
            let x = F64x4::new(s, &x[k]);
            for p in 0..4 {
                sums[p] = sums[p].plus(F64x4::new(s, &block[p][k]), x);
            }
        }
        let sums = sums.map(F64x4::get);
        let [s0, s1, s2, s3]: [F64x4<S>; 4] = from_fn(|l| F64x4::new(s, &from_fn(|p| sums[p][l])));
        let sum = (s0 + s2) + (s1 + s3);
        let [t0, t1, t2, t3] = F64x4::new(s, &x[b]).minus(sum, F64x4::new(s, &pivots[b].inv)).get();
        let [k10, k20, k21, k30, k31, k32] = pivots[b].k;
        x[b] = [t0, t1 + k10 * t0, t2 + (k20 * t0 + k21 * t1), (t3 + k30 * t0) + (k31 * t1 + k32 * t2)];
    }
}
