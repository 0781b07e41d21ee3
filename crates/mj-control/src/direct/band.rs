//! Symmetric matrices with a band, and their Cholesky factors.

use mj_math::dense::{axpy, dot};

/// Lower half of a symmetric matrix, row by row: row i has the columns from i − `width` to i.
#[derive(Clone, Debug, Default)]
pub(super) struct Band {
    n: usize,
    width: usize,
    entries: Vec<f64>,
}

impl Band {
    /// Makes it a matrix of zeros with `n` rows and `width` numbers left of the diagonal.
    pub fn reset(&mut self, n: usize, width: usize) {
        (self.n, self.width) = (n, width);
        self.entries.clear();
        self.entries.resize(n * (width + 1), 0.0);
    }

    /// Borrows the entries of row i from column `first` on, which is in the band, to the diagonal.
    fn row(&self, i: usize, first: usize) -> &[f64] {
        let end = (i + 1) * (self.width + 1);
        &self.entries[end - 1 - (i - first)..end]
    }

    fn row_mut(&mut self, i: usize, first: usize) -> &mut [f64] {
        let end = (i + 1) * (self.width + 1);
        &mut self.entries[end - 1 - (i - first)..end]
    }

    /// Adds scale · row rowᵀ, where the row begins at column `first`.
    pub fn add_outer(&mut self, first: usize, row: &[f64], scale: f64) {
        for (k, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            axpy(self.row_mut(first + k, first), scale * x, &row[..=k]);
        }
    }

    /// Factors the matrix, with its diagonal greater by a part and no entry of it below `least`, into L Lᵀ. Returns whether it is
    /// positive definite.
    ///
    /// Source: Golub, Van Loan, "Matrix computations", 4th edition, section 4.3.5.
    pub fn factor(&self, part: f64, least: f64, out: &mut Self) -> bool {
        out.clone_from(self);
        for i in 0..self.n {
            let left = i.saturating_sub(self.width);
            for j in left..i {
                let shared = left.max(j.saturating_sub(self.width));
                let sum = dot(&out.row(i, shared)[..j - shared], &out.row(j, shared)[..j - shared]);
                let pivot = out.row(j, j)[0];
                let entry = &mut out.row_mut(i, j)[0];
                *entry = (*entry - sum) / pivot;
            }
            let row = out.row(i, left);
            let diagonal = row[i - left];
            let square = (diagonal * (1.0 + part)).max(least) - dot(&row[..i - left], &row[..i - left]);
            // Not a number is not positive.
            if !(square > 0.0 && square.is_finite()) {
                return false;
            }
            out.row_mut(i, i)[0] = square.sqrt();
        }
        true
    }

    /// Solves L Lᵀ x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        for i in 0..self.n {
            let left = i.saturating_sub(self.width);
            let row = self.row(i, left);
            x[i] = (x[i] - dot(&row[..i - left], &x[left..i])) / row[i - left];
        }
        for i in (0..self.n).rev() {
            let left = i.saturating_sub(self.width);
            let row = self.row(i, left);
            x[i] /= row[i - left];
            let scale = -x[i];
            axpy(&mut x[left..i], scale, &row[..i - left]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_factor_solves(n in 1usize..9, width in 0usize..4, x in prop::collection::vec(-1.0..1.0f64, 80)) {
            let mut band = Band::default();
            band.reset(n, width);
            let mut dense = vec![0.0; n * n];
            for first in 0..n {
                let length = (width + 1).min(n - first);
                let row = &x[first..first + length];
                band.add_outer(first, row, 2.0);
                for (i, a) in row.iter().enumerate() {
                    row.iter().enumerate().for_each(|(j, b)| dense[(first + i) * n + first + j] += 2.0 * a * b);
                }
            }
            (0..n).for_each(|i| dense[i * n + i] = (dense[i * n + i] * 1.1).max(0.5));
            let mut factor = Band::default();
            prop_assume!(band.factor(0.1, 0.5, &mut factor));
            let want = &x[40..40 + n];
            let mut got: Vec<f64> = (0..n).map(|i| dot(&dense[i * n..(i + 1) * n], want)).collect();
            factor.solve(&mut got);
            for (a, b) in got.iter().zip(want) {
                prop_assert!((a - b).abs() < 1e-6, "{got:?} {want:?}");
            }
        }
    }
}
