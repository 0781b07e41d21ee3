//! Modes of strain: eigenvectors of a stiffness matrix.

/// Rounds of rotations at most.
const MOST: usize = 200;
/// Length of the entries off the diagonal that counts as zero.
const SMALL: f64 = 1e-12;
/// Stiffness below which a mode is none, as a share of the greatest.
const NEGLIGIBLE: f64 = 1e-8;

/// Diagonalizes a symmetric n×n matrix by Jacobi's rotations, row by row. Returns eigenvalues, and eigenvectors as columns, in
/// the order in which the diagonal has them.
fn eigenvectors(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..MOST {
        let off: f64 = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].powi(2)).sum();
        if off.is_nan() || off < SMALL * SMALL {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let x = a[p * n + q];
                if x.abs() < SMALL * 1e-3 {
                    continue;
                }
                let tau = (a[q * n + q] - a[p * n + p]) / (2.0 * x);
                let sign = if tau >= 0.0 { 1.0 } else { -1.0 };
                let t = sign / (tau.abs() + (1.0 + tau * tau).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = t * c;
                a[p * n + p] -= t * x;
                a[q * n + q] += t * x;
                (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
                for r in (0..n).filter(|&r| r != p && r != q) {
                    let (y, z) = (a[r * n + p], a[r * n + q]);
                    let (first, second) = (c * y - s * z, s * y + c * z);
                    (a[r * n + p], a[p * n + r]) = (first, first);
                    (a[r * n + q], a[q * n + r]) = (second, second);
                }
                for row in v.chunks_exact_mut(n) {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), v)
}

/// Returns the record of a stiffness matrix' modes, as long as the matrix: their number, then each times the root of its
/// stiffness. Modes without stiffness, such as motions of a rigid body, are left out. One `more` may follow.
pub(super) fn record(k: &[f64], n: usize, more: Option<Vec<f64>>) -> Vec<f64> {
    let (values, vectors) = eigenvectors(k.to_vec(), n);
    let greatest = values.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let mut out = vec![0.0];
    for (i, value) in values.iter().enumerate().filter(|(_, v)| -**v > greatest * NEGLIGIBLE) {
        let scale = (-value).sqrt();
        out.extend((0..n).map(|j| scale * vectors[j * n + i]));
    }
    out.extend(more.into_iter().flatten());
    out[0] = (out.len() / n) as f64;
    out.resize(n * n, 0.0);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_give_back_the_matrix() {
        let n = 6;
        let b: Vec<f64> = (0..3 * n).map(|i| ((i * i * 7 + 3 * i) % 11) as f64 - 5.0).collect();
        let k: Vec<f64> =
            (0..n * n).map(|e| -(0..3).map(|r| b[r * n + e / n] * b[r * n + e % n]).sum::<f64>()).collect();
        let record = record(&k, n, None);
        assert_eq!(record[0], 3.0);
        for (e, k) in k.iter().enumerate() {
            let sum: f64 = (0..3).map(|r| record[1 + r * n + e / n] * record[1 + r * n + e % n]).sum();
            assert!((sum + k).abs() < 1e-12 * 100.0);
        }
    }
}
