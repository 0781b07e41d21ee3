//! Small dense matrices whose rows are a fixed number of groups of four: every loop has a length that the
//! compiler knows, so that there are no remainders and no bounds to check.
//!
//! The factorization is A = LᵀDL, from the last row up, four rows at a time: within a kinematic tree the
//! last dofs are the leaves, so that zeros of the tree stay zeros, and those are skipped by looking at bits.
//! Numbers above the diagonal, in the group that holds it, are undefined.

use crate::simd::{F64x4, Kernel, Simd, dispatch, scalar};
use crate::tree::pattern::TreePattern;
use std::array::from_fn;

mod factor;

pub use factor::{Pivots, export_factor, factor, inverses, solve};

/// Greatest length of a row.
pub const LIMIT: usize = 64;

/// Number of groups of four for rows of `n` numbers, at most [`LIMIT`].
#[inline]
pub fn groups(n: usize) -> usize {
    match n.div_ceil(4) {
        g @ 0..=8 => g.max(1),
        g => g.next_multiple_of(2),
    }
}

/// A kernel over rows of a fixed number of groups.
pub trait Fixed {
    /// Result of the kernel.
    type Output;

    /// Runs it. Mark it, and whatever it calls that is hot, `#[inline(always)]`.
    fn run<S: Simd, const C: usize>(self, s: S) -> Self::Output;
}

/// Runs a kernel for rows of that many groups, as [`groups`] gives them.
#[inline(always)]
pub fn fixed<K: Fixed>(groups: usize, k: K) -> K::Output {
    match groups {
        1 => scalar(With::<K, 1>(k)),
        2 => dispatch(With::<K, 2>(k)),
        3 => dispatch(With::<K, 3>(k)),
        4 => dispatch(With::<K, 4>(k)),
        5 => dispatch(With::<K, 5>(k)),
        6 => dispatch(With::<K, 6>(k)),
        7 => dispatch(With::<K, 7>(k)),
        8 => dispatch(With::<K, 8>(k)),
        10 => dispatch(With::<K, 10>(k)),
        12 => dispatch(With::<K, 12>(k)),
        14 => dispatch(With::<K, 14>(k)),
        _ => dispatch(With::<K, 16>(k)),
    }
}

struct With<K, const C: usize>(K);

impl<K: Fixed, const C: usize> Kernel for With<K, C> {
    type Output = K::Output;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> K::Output {
        self.0.run::<S, C>(s)
    }
}

/// A row of a matrix, or a vector: `C` groups of four.
pub type Row<const C: usize> = [[f64; 4]; C];

/// The rows of a matrix.
#[inline(always)]
pub fn rows<const C: usize>(a: &[f64]) -> &[Row<C>] {
    a.as_chunks().0.as_chunks().0
}

/// The rows of a matrix, to be changed.
#[inline(always)]
pub fn rows_mut<const C: usize>(a: &mut [f64]) -> &mut [Row<C>] {
    a.as_chunks_mut().0.as_chunks_mut().0
}

/// A vector.
#[inline(always)]
pub fn vector<const C: usize>(x: &[f64]) -> &Row<C> {
    x.as_chunks().0.first_chunk().expect("a padded vector")
}

/// A vector, to be changed.
#[inline(always)]
pub fn vector_mut<const C: usize>(x: &mut [f64]) -> &mut Row<C> {
    x.as_chunks_mut().0.first_chunk_mut().expect("a padded vector")
}

/// A row in lanes.
#[inline(always)]
pub fn lanes<S: Simd, const C: usize>(s: S, x: &Row<C>) -> [F64x4<S>; C] {
    from_fn(|k| F64x4::new(s, &x[k]))
}

/// A x.
#[inline(always)]
pub fn mul<S: Simd, const C: usize>(s: S, a: &[Row<C>], x: &Row<C>, y: &mut [f64]) {
    let x = lanes(s, x);
    for (y, a) in y.iter_mut().zip(a) {
        let mut sum = F64x4::new(s, &a[0]) * x[0];
        for k in 1..C {
            sum = sum.plus(F64x4::new(s, &a[k]), x[k]);
        }
        *y = sum.sum();
    }
}

/// Aᵀ f: for a symmetric A the faster product.
#[inline(always)]
pub fn mul_transposed<S: Simd, const C: usize>(s: S, a: &[Row<C>], f: &[f64], y: &mut Row<C>) {
    let mut sums = [F64x4::splat(s, 0.0); C];
    // Zeros aren't left out: where they are can't be predicted.
    for (a, &f) in a.iter().zip(f) {
        let f = F64x4::splat(s, f);
        for k in 0..C {
            sums[k] = sums[k].plus(f, F64x4::new(s, &a[k]));
        }
    }
    for k in 0..C {
        y[k] = sums[k].get();
    }
}

/// Makes a matrix, of which the lower triangle is given, symmetric.
#[inline(always)]
pub fn mirror<const C: usize>(a: &mut [Row<C>]) {
    let fours = a.as_chunks_mut::<4>().0;
    for b in 0..C {
        for k in 0..b {
            let t: [[f64; 4]; 4] = from_fn(|r| fours[b][r][k]);
            for l in 0..4 {
                fours[k][l][b] = from_fn(|r| t[r][l]);
            }
        }
        let t: [[f64; 4]; 4] = from_fn(|r| fours[b][r][b]);
        for l in 0..4 {
            fours[b][l][b] = from_fn(|r| t[l.max(r)][l.min(r)]);
        }
    }
}

/// H += Σ xᵣᵀ cᵣ over R rows x, where c = W x has its column `i` from `coefficients(i)`; only `columns`
/// of x differ from zero.
#[inline(always)]
pub fn add_outer<S: Simd, const C: usize, const R: usize>(
    s: S,
    h: &mut [Row<C>],
    x: [&Row<C>; R],
    mut columns: u64,
    coefficients: impl Fn(usize) -> [f64; R],
) {
    let first = columns.trailing_zeros() as usize / 4;
    while columns != 0 {
        let i = columns.trailing_zeros() as usize;
        columns &= columns - 1;
        let c = coefficients(i);
        let h = &mut h[i];
        for k in first..(i / 4 + 1).min(C) {
            let mut sum = F64x4::new(s, &h[k]);
            for r in 0..R {
                sum = sum.plus(F64x4::splat(s, c[r]), F64x4::new(s, &x[r][k]));
            }
            h[k] = sum.get();
        }
    }
}

/// Where the rows of a matrix of a tree's pattern can have entries before their diagonals, as bits.
#[inline]
pub fn entries(pattern: &TreePattern, mask: &mut Vec<u64>) {
    mask.clear();
    for i in 0..pattern.n() {
        let columns = &pattern.colind[pattern.row(i)];
        let before = &columns[..columns.len() - 1];
        mask.push(match before.last() {
            Some(&parent) if pattern.rownnz[parent as usize] as usize == before.len() => {
                mask[parent as usize] | 1 << parent
            }
            _ => before.iter().fold(0, |bits, &c| bits | 1 << c),
        });
    }
}

/// Where the entries of a matrix of a tree's pattern lie in rows of a fixed length: which are copied to which place, four
/// neighbours at a time where a row has so many, one by one elsewhere.
#[derive(Debug, Default, PartialEq)]
pub struct Places {
    fours: Vec<[u32; 2]>,
    ones: Vec<[u32; 2]>,
}

impl Clone for Places {
    fn clone(&self) -> Self {
        Self { fours: self.fours.clone(), ones: self.ones.clone() }
    }

    // Unlike the derived one it keeps the memory.
    fn clone_from(&mut self, from: &Self) {
        self.fours.clone_from(&from.fours);
        self.ones.clone_from(&from.ones);
    }
}

impl Places {
    /// For a pattern and rows of `width`; what was there before is lost.
    #[inline]
    pub fn find(&mut self, pattern: &TreePattern, width: usize) {
        self.fours.clear();
        self.ones.clear();
        for i in 0..pattern.n() {
            let from = pattern.row(i).start;
            let columns = &pattern.colind[pattern.row(i)];
            let mut at = 0;
            for run in columns.chunk_by(|a, b| a + 1 == *b) {
                let copy = |k: usize| [(from + at + k) as u32, (i * width) as u32 + run[k]];
                if run.len() < 4 {
                    self.ones.extend((0..run.len()).map(copy));
                } else {
                    // The last four overlap those before.
                    self.fours.extend((0..run.len() - 3).step_by(4).map(copy));
                    self.fours.extend((!run.len().is_multiple_of(4)).then(|| copy(run.len() - 4)));
                }
                at += run.len();
            }
        }
    }
}

/// Writes the lower triangle of a matrix of a tree's pattern, whose entries have these places, and rows of the
/// identity behind it.
#[inline(always)]
pub fn expand<const C: usize>(n: usize, values: &[f64], places: &Places, a: &mut [Row<C>]) {
    for (i, row) in a.iter_mut().enumerate() {
        *row = [[0.0; 4]; C];
        if i >= n {
            row.as_flattened_mut()[i] = 1.0;
        }
    }
    let a = a.as_flattened_mut().as_flattened_mut();
    for &[from, to] in &places.fours {
        a[to as usize..to as usize + 4].copy_from_slice(&values[from as usize..from as usize + 4]);
    }
    for &[from, to] in &places.ones {
        a[to as usize] = values[from as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MINVAL;
    use proptest::prelude::*;

    /// A positive definite matrix of four groups.
    fn matrix(seed: &[f64]) -> Vec<Row<4>> {
        let at = |i: usize, j: usize| seed[(16 * i + j) % seed.len()];
        let mut a = vec![[[0.0; 4]; 4]; 16];
        for i in 0..16 {
            for j in 0..16 {
                let s: f64 = (0..16).map(|k| at(i, k) * at(j, k)).sum();
                a[i][j / 4][j % 4] = s + if i == j { 1.0 } else { 0.0 };
            }
        }
        a
    }

    /// A x, Aᵀ x, and the solution for A x with the factor of A.
    struct MulSolve<'a> {
        a: &'a [Row<4>],
        mask: &'a [u64],
        x: &'a Row<4>,
    }

    impl Kernel for MulSolve<'_> {
        type Output = (Option<usize>, [Row<4>; 3]);

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Self::Output {
            let [mut y, mut transposed] = [[[0.0; 4]; 4]; 2];
            let mut pivots = [Pivots::default(); 4];
            let mut l = self.a.to_vec();
            let lifted = factor(s, &mut l, &mut pivots, self.mask);
            mul(s, self.a, self.x, y.as_flattened_mut());
            mul_transposed(s, self.a, self.x.as_flattened(), &mut transposed);
            let mut x = y;
            solve(s, &l, &pivots, &mut x);
            (lifted, [y, transposed, x])
        }
    }

    proptest! {
        #[test]
        fn factors_and_solves(seed in prop::collection::vec(-1.0..1.0f64, 251), cut in 0usize..15) {
            let mut a = matrix(&seed);
            // A trunk and two branches, which only the trunk connects.
            let (trunk, branch) = (cut / 2, cut.max(cut / 2 + 1));
            let mut mask = [0u64; 16];
            for i in 0..16 {
                for j in 0..16 {
                    let apart = i.min(j) >= trunk && (i < branch) != (j < branch);
                    if apart {
                        a[i][j / 4][j % 4] = 0.0;
                    } else if i == j {
                        // Diagonal dominance, so that leaving entries out leaves it positive definite.
                        a[i][j / 4][j % 4] += 64.0;
                    }
                    if j < i && !apart {
                        mask[i] |= 1 << j;
                    }
                }
            }
            let x: Row<4> = from_fn(|k| from_fn(|l| seed[4 * k + l + 3]));
            let kernel = || MulSolve { a: &a, mask: &mask, x: &x };
            for (lifted, [y, transposed, solution]) in [dispatch(kernel()), scalar(kernel())] {
                prop_assert_eq!(lifted, None);
                for (i, y) in y.as_flattened().iter().enumerate() {
                    let sum: f64 = a[i].as_flattened().iter().zip(x.as_flattened()).map(|(a, x)| a * x).sum();
                    prop_assert!((y - sum).abs() < 1e-12);
                    prop_assert!((solution.as_flattened()[i] - x.as_flattened()[i]).abs() < 1e-10);
                    prop_assert!((transposed.as_flattened()[i] - sum).abs() < 1e-12);
                }
            }
            // The lower triangle tells the whole.
            let whole = a.clone();
            for i in 0..16 {
                for j in i + 1..16 {
                    a[i][j / 4][j % 4] = f64::NAN;
                }
            }
            mirror(&mut a);
            prop_assert_eq!(a, whole);
        }

        #[test]
        fn adds_outer_products(seed in prop::collection::vec(-1.0..1.0f64, 40), columns: u16) {
            let x: [Row<4>; 2] = from_fn(|r| from_fn(|k| from_fn(|l| {
                let i = 4 * k + l;
                if columns >> i & 1 == 1 { seed[16 * r + i] } else { 0.0 }
            })));
            let w = [seed[32], seed[33]];
            let mut h = vec![[[0.0; 4]; 4]; 16];
            add_outer(crate::simd::Separate, &mut h, [&x[0], &x[1]], u64::from(columns), |i| from_fn(|r| w[r] * x[r].as_flattened()[i]));
            for i in 0..16 {
                for j in 0..=i {
                    let want: f64 = (0..2).map(|r| w[r] * x[r].as_flattened()[i] * x[r].as_flattened()[j]).sum();
                    prop_assert!((h[i][j / 4][j % 4] - want).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn lifts_pivots() {
        let mut a = vec![[[0.0; 4]; 1]; 4];
        for i in 0..4 {
            a[i][0][i] = [1.0, -1.0, 0.0, 2.0][i];
        }
        let mut pivots = [Pivots::default(); 1];
        assert_eq!(factor(crate::simd::Separate, &mut a, &mut pivots, &[0; 4]), Some(2));
        assert_eq!(pivots[0].inv, [1.0, 1.0 / MINVAL, 1.0 / MINVAL, 0.5]);
    }
}
