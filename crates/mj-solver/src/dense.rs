//! Dense kernels on lower triangles stored by rows (n×n).
//!
//! The factorization is A = LᵀL, from the last row up, and not the more usual A = LLᵀ: in a
//! kinematic tree the last dofs are the leaves, so that zeros of A stay zeros of L wherever A has
//! the tree's pattern, and every inner loop runs over the head of a row.

use mj_math::MINVAL;
use mj_math::dense::{axpy, axpy4, dot};

/// Factors A = LᵀL in place; only the lower triangle is read and written. Pivots below [`MINVAL`]
/// are lifted to it; returns how many were.
pub fn factor(a: &mut [f64], n: usize) -> usize {
    let mut lifted = 0;
    let mut k = n;
    // Four rows at a time: first among themselves, then into the rows above in one pass.
    while k >= 4 {
        k -= 4;
        for p in (k..k + 4).rev() {
            lifted += pivot(a, n, p);
            update_above(a, n, p, k);
        }
        let (above, panel) = a.split_at_mut(k * n);
        let rows = [&panel[..k], &panel[n..n + k], &panel[2 * n..2 * n + k], &panel[3 * n..3 * n + k]];
        for i in 0..k {
            let c = [-rows[0][i], -rows[1][i], -rows[2][i], -rows[3][i]];
            if c == [0.0; 4] {
                continue;
            }
            axpy4(&mut above[i * n..i * n + i + 1], c, rows);
        }
    }
    for p in (0..k).rev() {
        lifted += pivot(a, n, p);
        update_above(a, n, p, 0);
    }
    lifted
}

/// Makes row `p`, already updated by the rows below, a row of L.
#[inline(always)]
fn pivot(a: &mut [f64], n: usize, p: usize) -> usize {
    let row = &mut a[p * n..p * n + p + 1];
    let mut d = row[p];
    let bad = d.is_nan() || d < MINVAL;
    if bad {
        d = MINVAL;
    }
    let d = d.sqrt();
    row[p] = d;
    let inv = 1.0 / d;
    for x in &mut row[..p] {
        *x *= inv;
    }
    usize::from(bad)
}

/// Subtracts the outer product of row `p` from rows first..p.
#[inline(always)]
fn update_above(a: &mut [f64], n: usize, p: usize, first: usize) {
    let (above, row) = a.split_at_mut(p * n);
    let row = &row[..p];
    for i in first..p {
        if row[i] != 0.0 {
            axpy(&mut above[i * n..i * n + i + 1], -row[i], &row[..i + 1]);
        }
    }
}

/// Solves LᵀL x = b in place.
pub fn solve(l: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        let row = &l[i * n..i * n + i + 1];
        let xi = x[i] / row[i];
        x[i] = xi;
        if xi != 0.0 {
            axpy(&mut x[..i], -xi, &row[..i]);
        }
    }
    for i in 0..n {
        let row = &l[i * n..i * n + i + 1];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
}

/// Makes L the factor of LᵀL ± x xᵀ; `x` is destroyed. `top` is one past its last non-zero.
/// Returns the number of pivots lifted to [`MINVAL`] (0: positive definite).
pub fn update(l: &mut [f64], n: usize, x: &mut [f64], top: usize, plus: bool) -> usize {
    let sign = if plus { 1.0 } else { -1.0 };
    let mut lifted = 0;
    for k in (0..top).rev() {
        let xk = x[k];
        if xk == 0.0 {
            continue;
        }
        let row = &mut l[k * n..k * n + k + 1];
        let lkk = row[k];
        let mut r2 = lkk * lkk + sign * xk * xk;
        if r2.is_nan() || r2 < MINVAL {
            r2 = MINVAL;
            lifted += 1;
        }
        // A rotation (or its hyperbolic kin) that takes (lkk, xk) to (r, 0).
        let r = r2.sqrt();
        let (c, s) = (lkk / r, xk / r);
        let (ic, t) = (r / lkk, xk / lkk);
        row[k] = r;
        let _ = s;
        for (l, x) in row[..k].iter_mut().zip(&mut x[..k]) {
            *l = c * (*l + sign * t * *x);
            *x = ic * *x - t * *l;
        }
    }
    lifted
}

#[cfg(test)]
mod tests {
    use super::*;
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
        fn factor_solve_update(n in 1usize..14, seed in prop::collection::vec(-1.0..1.0f64, 196), x in prop::collection::vec(-1.0..1.0f64, 14)) {
            let mut a = product(&seed[..n * n], n);
            for i in 0..n {
                a[i * n + i] += 0.5;
            }
            let mut l = a.clone();
            prop_assert_eq!(factor(&mut l, n), 0);
            let back = product(&l, n);
            for (p, q) in back.iter().zip(&a) {
                prop_assert!((p - q).abs() < 1e-10);
            }
            let mut y: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x[..n])).collect();
            solve(&l, n, &mut y);
            for i in 0..n {
                prop_assert!((y[i] - x[i]).abs() < 1e-8);
            }
            let mut up = x[..n].to_vec();
            prop_assert_eq!(update(&mut l, n, &mut up, n, true), 0);
            let back = product(&l, n);
            for i in 0..n {
                for j in 0..n {
                    prop_assert!((back[i * n + j] - a[i * n + j] - x[i] * x[j]).abs() < 1e-9);
                }
            }
            let mut down = x[..n].to_vec();
            prop_assert_eq!(update(&mut l, n, &mut down, n, false), 0);
            let back = product(&l, n);
            for (p, q) in back.iter().zip(&a) {
                prop_assert!((p - q).abs() < 1e-8);
            }
        }
    }
}
