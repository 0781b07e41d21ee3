//! Factorization of a positive semidefinite matrix, whose dependent rows are found and left out.

use mj_math::dense::dot;

/// A pivot below this share of the greatest diagonal is a row that depends on those before it.
const DEPENDENT: f64 = 1e-10;

/// P A Pᵀ ≈ L Lᵀ with the greatest remaining diagonal as pivot, stopped at the rank.
#[derive(Clone, Debug, Default)]
pub(crate) struct SemidefiniteFactor {
    /// L, in pivot order: n×n, of which the first `rank` columns count.
    l: Vec<f64>,
    n: usize,
    rank: usize,
    /// Row of A at each place.
    order: Vec<usize>,
    work: Vec<f64>,
}

impl SemidefiniteFactor {
    /// Factors a symmetric positive semidefinite matrix (n×n, row-major).
    pub fn factor(&mut self, a: &[f64], n: usize) {
        self.n = n;
        self.order.clear();
        self.order.extend(0..n);
        self.l.clear();
        self.l.resize(n * n, 0.0);
        self.work.clear();
        self.work.extend((0..n).map(|i| a[i * n + i]));
        let least = DEPENDENT * self.work.iter().fold(0.0, |s: f64, &x| s.max(x));
        self.rank = 0;
        while self.rank < n {
            let k = self.rank;
            // Diagonal left over, of the row now at place i, is work[i].
            let Some(pivot) = (k..n).max_by(|&i, &j| self.work[i].total_cmp(&self.work[j])) else { break };
            // Also stops on numbers that are none.
            if self.work[pivot] <= least || !self.work[pivot].is_finite() {
                break;
            }
            self.order.swap(k, pivot);
            self.work.swap(k, pivot);
            for c in 0..k {
                self.l.swap(k * n + c, pivot * n + c);
            }
            let d = self.work[k].sqrt();
            self.l[k * n + k] = d;
            for i in k + 1..n {
                let s =
                    a[self.order[i] * n + self.order[k]] - dot(&self.l[i * n..i * n + k], &self.l[k * n..k * n + k]);
                let v = s / d;
                self.l[i * n + k] = v;
                self.work[i] -= v * v;
            }
            self.rank += 1;
        }
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// L⁻¹ P b into `out` (rank numbers): half of a solution, so that ‖half(b)‖² = bᵀA⁺b.
    pub fn half(&self, b: impl Fn(usize) -> f64, out: &mut [f64]) {
        for i in 0..self.rank {
            let row = &self.l[i * self.n..];
            out[i] = (b(self.order[i]) - dot(&row[..i], &out[..i])) / row[i];
        }
    }

    /// The other half: x with A x = b on the independent rows and zero on the others, from [`Self::half`]
    /// of b, which is destroyed.
    pub fn finish(&self, half: &mut [f64], x: &mut [f64]) {
        for i in (0..self.rank).rev() {
            half[i] /= self.l[i * self.n + i];
            for j in 0..i {
                half[j] -= self.l[i * self.n + j] * half[i];
            }
        }
        x.fill(0.0);
        for i in 0..self.rank {
            x[self.order[i]] = half[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A = B Bᵀ of a chosen rank: found, and a right-hand side in its range is met by all rows.
        #[test]
        fn consistent_systems_are_solved(n in 1usize..8, rank in 1usize..8, seed in prop::collection::vec(-1.0..1.0f64, 64), x in prop::collection::vec(-1.0..1.0f64, 8)) {
            let rank = rank.min(n);
            let entry = |i: usize, k: usize| seed[i * 8 + k] + f64::from(u8::from(i == k));
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    a[i * n + j] = (0..rank).map(|k| entry(i, k) * entry(j, k)).sum();
                }
            }
            let b: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x[..n])).collect();
            let mut f = SemidefiniteFactor::default();
            f.factor(&a, n);
            prop_assert!(f.rank() <= rank);
            let (mut half, mut y) = (vec![0.0; n], vec![0.0; n]);
            f.half(|i| b[i], &mut half);
            f.finish(&mut half, &mut y);
            for i in 0..n {
                let got = dot(&a[i * n..(i + 1) * n], &y);
                prop_assert!((got - b[i]).abs() < 1e-6, "{got} {}", b[i]);
            }
        }
    }
}
