//! Dense kernels on the last rows of lower triangles: n rows of m + n columns, the last n of which
//! are a lower triangle (m = 0: all of a matrix).
//!
//! The factorization is A = LᵀL, from the last row up, and not the more usual A = LLᵀ: in a
//! kinematic tree the last dofs are the leaves, so that zeros of A stay zeros of L wherever A has
//! the tree's pattern, and every inner loop runs over the head of a row.

use crate::hessian::product::{Rows, add_product};
use mj_math::MINVAL;
use mj_math::dense::{axpy, dot};
use mj_math::simd::Simd;

/// Rows of a triangle that are factored among themselves: two strips of a product.
const ROWS: usize = 6;

/// Factors A = LᵀL in place as far as these rows go; what is above the diagonal is of no meaning.
/// Pivots below [`MINVAL`] are lifted to it; returns how many were.
#[inline(always)]
pub fn factor<P: Simd>(a: &mut [f64], n: usize, m: usize) -> usize {
    let w = m + n;
    let mut lifted = 0;
    let mut end = n;
    // A few rows at a time: first by all rows below in one product, then by each other.
    while end > 0 {
        let first = end.saturating_sub(ROWS);
        let (above, below) = a.split_at_mut(end * w);
        if end < n {
            let columns = Rows { values: &below[m + first..], stride: w };
            let rows = Rows { values: below, stride: w };
            let size = (end - first, m + end, n - end);
            add_product::<P>(&mut above[first * w..], w, columns, rows, size, -1.0, true);
        }
        for p in (first..end).rev() {
            lifted += pivot(a, w, m, p);
            update_above(a, w, m, p, first);
        }
        end = first;
    }
    lifted
}

/// Makes row `p`, already updated by the rows below, a row of L.
#[inline(always)]
fn pivot(a: &mut [f64], w: usize, m: usize, p: usize) -> usize {
    let row = &mut a[p * w..p * w + m + p + 1];
    let mut d = row[m + p];
    let bad = d.is_nan() || d < MINVAL;
    if bad {
        d = MINVAL;
    }
    let d = d.sqrt();
    row[m + p] = d;
    let inv = 1.0 / d;
    for x in &mut row[..m + p] {
        *x *= inv;
    }
    usize::from(bad)
}

/// Subtracts the outer product of row `p` from rows first..p.
#[inline(always)]
fn update_above(a: &mut [f64], w: usize, m: usize, p: usize, first: usize) {
    let (above, row) = a.split_at_mut(p * w);
    let row = &row[..m + p];
    for i in first..p {
        if row[m + i] != 0.0 {
            axpy(&mut above[i * w..i * w + m + i + 1], -row[m + i], &row[..m + i + 1]);
        }
    }
}

/// First half of solving LᵀL x = b, in place and as far as these rows go: Lᵀ from the last row up.
#[inline(always)]
pub fn solve_up(l: &[f64], n: usize, m: usize, x: &mut [f64]) {
    let w = m + n;
    for i in (0..n).rev() {
        let row = &l[i * w..i * w + m + i + 1];
        let xi = x[m + i] / row[m + i];
        x[m + i] = xi;
        if xi != 0.0 {
            axpy(&mut x[..m + i], -xi, &row[..m + i]);
        }
    }
}

/// Second half: L from the first row down.
#[inline(always)]
pub fn solve_down(l: &[f64], n: usize, m: usize, x: &mut [f64]) {
    let w = m + n;
    for i in 0..n {
        let row = &l[i * w..i * w + m + i + 1];
        x[m + i] = (x[m + i] - dot(&row[..m + i], &x[..m + i])) / row[m + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::simd::Separate;
    use proptest::prelude::*;

    fn product(l: &[f64], n: usize) -> Vec<f64> {
        let mut a = vec![0.0; n * n];
        for k in 0..n {
            for i in 0..=k {
                for j in 0..=k {
                    a[i * n + j] += l[k * n + i] * l[k * n + j];
                }
            }
        }
        a
    }

    proptest! {
        #[test]
        fn factor_and_solve(n in 1usize..14, seed in prop::collection::vec(-1.0..1.0f64, 196), x in prop::collection::vec(-1.0..1.0f64, 14)) {
            let mut a = product(&seed[..n * n], n);
            for i in 0..n {
                a[i * n + i] += 0.5;
            }
            let mut l = a.clone();
            prop_assert_eq!(factor::<Separate>(&mut l, n, 0), 0);
            let back = product(&l, n);
            for (p, q) in back.iter().zip(&a) {
                prop_assert!((p - q).abs() < 1e-10);
            }
            let mut y: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x[..n])).collect();
            solve_up(&l, n, 0, &mut y);
            solve_down(&l, n, 0, &mut y);
            for i in 0..n {
                prop_assert!((y[i] - x[i]).abs() < 1e-8);
            }
        }
    }
}
