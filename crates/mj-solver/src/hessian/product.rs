//! The product that assembles Hessians and updates their factors: T ± AᵀB, for small blocks inside
//! larger row-major matrices.

use mj_math::simd::Simd;

/// A block of a row-major matrix: what it is stored in, and the distance between its rows.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Values from the block's first one on.
    pub values: &'a [f64],
    /// Distance between rows.
    pub stride: usize,
}

/// T += sign·AᵀB, where `t` is m×n with rows `stride` apart, A is k×m and B is k×n.
///
/// With `lower`, the last m columns of T are the diagonal block of a symmetric matrix, of which only
/// the lower triangle needs to be right.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // three matrices and their sizes
pub fn add_product<P: Simd>(
    t: &mut [f64],
    stride: usize,
    a: Rows,
    b: Rows,
    (m, n, k): (usize, usize, usize),
    sign: f64,
    lower: bool,
) {
    let mut i = 0;
    while i < m {
        let rows = (m - i).min(3);
        let columns = if lower { n - m + i + rows } else { n };
        let t = &mut t[i * stride..];
        let a = Rows { values: &a.values[i..], ..a };
        match rows {
            3 => strip::<P, 3>(t, stride, a, b, columns, k, sign),
            2 => strip::<P, 2>(t, stride, a, b, columns, k, sign),
            _ => strip::<P, 1>(t, stride, a, b, columns, k, sign),
        }
        i += rows;
    }
}

/// R rows of T, in tiles of up to twelve columns.
#[inline(always)]
fn strip<P: Simd, const R: usize>(t: &mut [f64], stride: usize, a: Rows, b: Rows, n: usize, k: usize, sign: f64) {
    let mut j = 0;
    while j < n {
        let t = &mut t[j..];
        let b = Rows { values: &b.values[j..], ..b };
        j += match n - j {
            12.. => tile::<P, R, 12>(t, stride, a, b, k, sign),
            6.. => tile::<P, R, 6>(t, stride, a, b, k, sign),
            4.. => tile::<P, R, 4>(t, stride, a, b, k, sign),
            2.. => tile::<P, R, 2>(t, stride, a, b, k, sign),
            _ => tile::<P, R, 1>(t, stride, a, b, k, sign),
        };
    }
}

/// R×C entries of T, summed in registers; returns C.
#[inline(always)]
fn tile<P: Simd, const R: usize, const C: usize>(
    t: &mut [f64],
    stride: usize,
    a: Rows,
    b: Rows,
    k: usize,
    sign: f64,
) -> usize {
    let mut sum = [[0.0; C]; R];
    for r in 0..k {
        let a: &[f64; R] = a.values[r * a.stride..].first_chunk().expect("a row of A");
        let b: &[f64; C] = b.values[r * b.stride..].first_chunk().expect("a row of B");
        for i in 0..R {
            for j in 0..C {
                sum[i][j] = P::plus(sum[i][j], a[i], b[j]);
            }
        }
    }
    for i in 0..R {
        let t: &mut [f64; C] = t[i * stride..].first_chunk_mut().expect("a row of T");
        for j in 0..C {
            t[j] = P::plus(t[j], sign, sum[i][j]);
        }
    }
    C
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::simd::Separate;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn adds_the_product(m in 1usize..9, extra in 0usize..9, k in 0usize..7, lower: bool, seed in prop::collection::vec(-1.0..1.0f64, 256)) {
            let n = m + extra;
            let (sa, sb, st) = (m + 2, n + 1, n + 3);
            let at = |x: usize| seed[x % 256];
            let a: Vec<f64> = (0..(k + 1) * sa).map(at).collect();
            let b: Vec<f64> = (0..(k + 1) * sb).map(|i| at(i * 3 + 1)).collect();
            let start: Vec<f64> = (0..m * st).map(|i| at(i * 5 + 2)).collect();
            let mut t = start.clone();
            let (ra, rb) = (Rows { values: &a, stride: sa }, Rows { values: &b, stride: sb });
            add_product::<Separate>(&mut t, st, ra, rb, (m, n, k), -1.0, lower);
            for i in 0..m {
                for j in 0..n {
                    if lower && j > extra + i {
                        continue;
                    }
                    let sum: f64 = (0..k).map(|r| a[r * sa + i] * b[r * sb + j]).sum();
                    prop_assert!((t[i * st + j] - start[i * st + j] + sum).abs() < 1e-12);
                }
            }
        }
    }
}
