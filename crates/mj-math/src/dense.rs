//! Small dense kernels over contiguous slices. Matrices are row-major.

use crate::MINVAL;
use crate::simd::Simd;

/// Σ aᵢ bᵢ, in four independent partial sums so that it vectorizes.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut s = [0.0; 4];
    let (ca, cb) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = ca.remainder().iter().zip(cb.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in ca.zip(cb) {
        for k in 0..4 {
            s[k] += x[k] * y[k];
        }
    }
    (s[0] + s[2]) + (s[1] + s[3]) + tail
}

/// F64x4 dot products with one vector.
#[inline(always)]
pub fn dot4<P: Simd>(rows: [&[f64]; 4], x: &[f64]) -> [f64; 4] {
    let n = x.len();
    let [a, b, c, d] = rows.map(|r| &r[..n]);
    // Simd of four columns for each row; the rows are independent, so that the sums overlap.
    let mut s = [[0.0; 4]; 4];
    let whole = n - n % 4;
    let mut i = 0;
    while i < whole {
        for k in 0..4 {
            let x = x[i + k];
            s[0][k] = P::plus(s[0][k], a[i + k], x);
            s[1][k] = P::plus(s[1][k], b[i + k], x);
            s[2][k] = P::plus(s[2][k], c[i + k], x);
            s[3][k] = P::plus(s[3][k], d[i + k], x);
        }
        i += 4;
    }
    let mut y = s.map(|s| (s[0] + s[2]) + (s[1] + s[3]));
    for i in whole..n {
        y[0] += a[i] * x[i];
        y[1] += b[i] * x[i];
        y[2] += c[i] * x[i];
        y[3] += d[i] * x[i];
    }
    y
}

/// y += Σ aₖ·xₖ over four vectors, in one pass over y.
#[inline(always)]
pub fn axpy4<P: Simd>(y: &mut [f64], a: [f64; 4], x: [&[f64]; 4]) {
    let n = y.len();
    let x = x.map(|x| &x[..n]);
    let (yc, yt) = y.as_chunks_mut::<4>();
    for (i, y) in yc.iter_mut().enumerate() {
        let mut sum = *y;
        for r in 0..4 {
            let x = &x[r].as_chunks::<4>().0[i];
            for k in 0..4 {
                sum[k] = P::plus(sum[k], a[r], x[k]);
            }
        }
        *y = sum;
    }
    for (i, y) in (n - n % 4..n).zip(yt) {
        *y = (0..4).fold(*y, |sum, r| P::plus(sum, a[r], x[r][i]));
    }
}

/// y += s·x.
#[inline]
pub fn axpy(y: &mut [f64], s: f64, x: &[f64]) {
    let n = y.len().min(x.len());
    let (y, x) = (&mut y[..n], &x[..n]);
    let (yc, yt) = y.as_chunks_mut::<4>();
    let (xc, xt) = x.as_chunks::<4>();
    for (y, x) in yc.iter_mut().zip(xc) {
        for k in 0..4 {
            y[k] += s * x[k];
        }
    }
    for (y, x) in yt.iter_mut().zip(xt) {
        *y += s * x;
    }
}

/// y = s·x.
#[inline]
pub fn scale_into(y: &mut [f64], s: f64, x: &[f64]) {
    let n = y.len().min(x.len());
    let (y, x) = (&mut y[..n], &x[..n]);
    let (yc, yt) = y.as_chunks_mut::<4>();
    let (xc, xt) = x.as_chunks::<4>();
    for (y, x) in yc.iter_mut().zip(xc) {
        *y = x.map(|x| s * x);
    }
    for (y, x) in yt.iter_mut().zip(xt) {
        *y = s * x;
    }
}

/// y += s·x + t·z.
#[inline]
pub fn axpy2(y: &mut [f64], s: f64, x: &[f64], t: f64, z: &[f64]) {
    let n = y.len().min(x.len()).min(z.len());
    let (y, x, z) = (&mut y[..n], &x[..n], &z[..n]);
    let (yc, yt) = y.as_chunks_mut::<4>();
    let (xc, xt) = x.as_chunks::<4>();
    let (zc, zt) = z.as_chunks::<4>();
    for ((y, x), z) in yc.iter_mut().zip(xc).zip(zc) {
        for k in 0..4 {
            y[k] += s * x[k] + t * z[k];
        }
    }
    for ((y, x), z) in yt.iter_mut().zip(xt).zip(zt) {
        *y += s * x + t * z;
    }
}

/// Euclidean norm.
#[inline]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Cholesky factorization in place: on return the lower triangle of `a` (n×n, row-major) holds L
/// with A = L Lᵀ; the strict upper triangle is not touched. Pivots below [`MINVAL`] are replaced
/// by it; returns how many were (0: positive definite).
pub fn cholesky(a: &mut [f64], n: usize) -> usize {
    factor(a, n, MINVAL, |x| x)
}

/// Factors as [`cholesky`], with `least` in the place of pivots below it and zeros in the columns below them; returns
/// the rank, the number of the other pivots.
pub fn cholesky_rank(a: &mut [f64], n: usize, least: f64) -> usize {
    n - factor(a, n, least, |_| 0.0)
}

/// Factors in place and returns how many pivots were below `least`; `below_deficient` maps the entries below those.
#[inline(always)]
fn factor(a: &mut [f64], n: usize, least: f64, below_deficient: impl Fn(f64) -> f64) -> usize {
    let mut deficient = 0;
    for j in 0..n {
        let (above, below) = a.split_at_mut((j + 1) * n);
        let row_j = &mut above[j * n..];
        let mut d = row_j[j] - dot(&row_j[..j], &row_j[..j]);
        let is_deficient = d.is_nan() || d < least;
        if is_deficient {
            d = least;
            deficient += 1;
        }
        let d = d.sqrt();
        row_j[j] = d;
        let inv = 1.0 / d;
        let row_j = &row_j[..j];
        for row_i in below.chunks_exact_mut(n) {
            let x = (row_i[j] - dot(&row_i[..j], row_j)) * inv;
            row_i[j] = if is_deficient { below_deficient(x) } else { x };
        }
    }
    deficient
}

/// Solves L Lᵀ x = b in place, with L from [`cholesky`].
pub fn cholesky_solve(l: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let row = &l[i * n..i * n + i + 1];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    // Back substitution by rows of L, so that memory is walked along rows.
    for i in (0..n).rev() {
        let row = &l[i * n..i * n + i + 1];
        x[i] /= row[i];
        let xi = x[i];
        axpy(&mut x[..i], -xi, &row[..i]);
    }
}

/// Updates L so that L Lᵀ becomes L Lᵀ ± x xᵀ (`plus` chooses the sign); `x` is destroyed. Returns
/// the number of pivots that had to be lifted to [`MINVAL`] (0: the result is positive definite).
pub fn cholesky_update(l: &mut [f64], n: usize, x: &mut [f64], plus: bool) -> usize {
    let sign = if plus { 1.0 } else { -1.0 };
    let mut deficient = 0;
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        let lkk = l[k * n + k];
        let mut r2 = lkk * lkk + sign * x[k] * x[k];
        if r2.is_nan() || r2 < MINVAL {
            r2 = MINVAL;
            deficient += 1;
        }
        let r = r2.sqrt();
        let (c, s) = (r / lkk, x[k] / lkk);
        let inv = 1.0 / c;
        l[k * n + k] = r;
        for i in k + 1..n {
            let lik = (l[i * n + k] + sign * s * x[i]) * inv;
            x[i] = c * x[i] - s * lik;
            l[i * n + k] = lik;
        }
    }
    deficient
}

/// Solves A x = b in place by elimination with row pivoting; `a` (n×n, row-major) is destroyed.
/// Returns whether A was regular; if not, `x` holds nothing of use.
pub fn lu_solve(a: &mut [f64], n: usize, x: &mut [f64]) -> bool {
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        let d = a[pivot * n + k];
        if d.is_nan() || d.abs() < MINVAL {
            return false;
        }
        if pivot != k {
            let (above, below) = a.split_at_mut(pivot * n);
            above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
            x.swap(k, pivot);
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &above[k * n + k..];
        for (i, other) in below.chunks_exact_mut(n).enumerate() {
            let f = other[k] / d;
            axpy(&mut other[k..], -f, row);
            x[k + 1 + i] -= f * x[k];
        }
    }
    for k in (0..n).rev() {
        let row = &a[k * n..(k + 1) * n];
        x[k] = (x[k] - dot(&row[k + 1..], &x[k + 1..n])) / row[k];
    }
    true
}

/// Solves as [`lu_solve`] does, for a size known at compile time: twice as fast for the six dofs of a free body.
pub fn lu_solve_fixed<const N: usize>(a: &mut [[f64; N]; N], x: &mut [f64; N]) -> bool {
    for k in 0..N {
        let pivot = (k + 1..N).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
        let d = a[pivot][k];
        if d.is_nan() || d.abs() < MINVAL {
            return false;
        }
        if pivot != k {
            a.swap(pivot, k);
            x.swap(pivot, k);
        }
        let (row, right) = (a[k], x[k]);
        for i in k + 1..N {
            let f = a[i][k] / d;
            // Whole rows: what stands before the diagonal isn't read again.
            for (y, x) in a[i].iter_mut().zip(row) {
                *y -= f * x;
            }
            x[i] -= f * right;
        }
    }
    for k in (0..N).rev() {
        let rest: f64 = (k + 1..N).map(|j| a[k][j] * x[j]).sum();
        x[k] = (x[k] - rest) / a[k][k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spd(n: usize, seed: &[f64]) -> Vec<f64> {
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] =
                    dot(&seed[i * n..(i + 1) * n], &seed[j * n..(j + 1) * n]) + if i == j { 0.5 } else { 0.0 };
            }
        }
        a
    }

    #[test]
    fn lu_pivots_and_refuses_singular_matrices() {
        let mut x = [3.0, 2.0, 6.0];
        assert!(lu_solve(&mut [0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0], 3, &mut x));
        for (x, want) in x.iter().zip([1.75, 2.5, 0.25]) {
            assert!((x - want).abs() < 1e-12, "{x} {want}");
        }
        assert!(!lu_solve(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 1.0]));
        let mut x = [3.0, 2.0, 6.0];
        assert!(lu_solve_fixed(&mut [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]], &mut x));
        for (x, want) in x.iter().zip([1.75, 2.5, 0.25]) {
            assert!((x - want).abs() < 1e-12, "{x} {want}");
        }
        assert!(!lu_solve_fixed(&mut [[1.0, 2.0], [2.0, 4.0]], &mut [1.0, 1.0]));
    }

    #[test]
    fn a_deficient_pivot_leaves_its_column_empty() {
        let mut a = [4.0, 9.0, 9.0, 2.0, 1.0, 9.0, 6.0, 5.0, 13.0];
        assert_eq!(cholesky_rank(&mut a, 3, 0.25), 2);
        assert_eq!(a, [2.0, 9.0, 9.0, 1.0, 0.5, 9.0, 3.0, 0.0, 2.0]);
    }

    proptest! {
        #[test]
        fn factor_solve_and_update(n in 1usize..12, seed in prop::collection::vec(-1.0..1.0f64, 144), x in prop::collection::vec(-1.0..1.0f64, 12)) {
            let a = spd(n, &seed);
            let mut l = a.clone();
            prop_assert_eq!(cholesky(&mut l, n), 0);
            let mut y: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x[..n])).collect();
            cholesky_solve(&l, n, &mut y);
            for i in 0..n {
                prop_assert!((y[i] - x[i]).abs() < 1e-9);
            }
            // Update by x xᵀ, then down again.
            let before = l.clone();
            let mut up = x[..n].to_vec();
            prop_assert_eq!(cholesky_update(&mut l, n, &mut up, true), 0);
            for i in 0..n {
                for j in 0..=i {
                    let got = dot(&l[i * n..i * n + j + 1], &l[j * n..j * n + j + 1]);
                    prop_assert!((got - a[i * n + j] - x[i] * x[j]).abs() < 1e-9);
                }
            }
            let mut down = x[..n].to_vec();
            cholesky_update(&mut l, n, &mut down, false);
            for i in 0..n {
                for j in 0..=i {
                    prop_assert!((l[i * n + j] - before[i * n + j]).abs() < 1e-8);
                }
            }
        }
    }
}
