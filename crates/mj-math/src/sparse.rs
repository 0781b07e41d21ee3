//! Symmetric matrices with few entries in any places.

/// A symmetric matrix, of which the diagonal and the entries below it are stored, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseSymmetric {
    /// Diagonal.
    pub diagonal: Vec<f64>,
    /// First entry below the diagonal of each row, and the number of all; one number more than rows.
    pub rowadr: Vec<u32>,
    /// Columns of the entries, ascending in each row, all before the diagonal.
    pub colind: Vec<u32>,
    /// Values of the entries.
    pub values: Vec<f64>,
}

impl SparseSymmetric {
    /// Makes a matrix of zeros with `n` rows and the given entries below the diagonal: pairs of row and column, ascending.
    pub fn zeros(n: usize, entries: &[(u32, u32)]) -> Self {
        let mut rowadr = vec![0; n + 1];
        for &(row, column) in entries {
            debug_assert!(column < row && (row as usize) < n);
            rowadr[row as usize + 1] += 1;
        }
        for i in 0..n {
            rowadr[i + 1] += rowadr[i];
        }
        let colind = entries.iter().map(|&(_, column)| column).collect();
        Self { diagonal: vec![0.0; n], rowadr, colind, values: vec![0.0; entries.len()] }
    }

    /// Number of rows.
    #[inline]
    pub fn n(&self) -> usize {
        self.diagonal.len()
    }

    /// Addresses of a row's entries below the diagonal.
    #[inline]
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.rowadr[i] as usize..self.rowadr[i + 1] as usize
    }

    /// Address of an entry below the diagonal; none where the matrix has none there.
    pub fn address(&self, row: usize, column: u32) -> Option<usize> {
        let entries = self.row(row);
        self.colind[entries.clone()].binary_search(&column).ok().map(|k| entries.start + k)
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.diagonal.fill(0.0);
        self.values.fill(0.0);
    }

    /// y += A x; what lies beyond the rows in longer vectors is left alone.
    pub fn mul_add(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..self.n() {
            let entries = self.row(i);
            let (own, mut sum) = (x[i], self.diagonal[i] * x[i]);
            for (&c, &v) in self.colind[entries.clone()].iter().zip(&self.values[entries]) {
                sum += v * x[c as usize];
                y[c as usize] += v * own;
            }
            y[i] += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn product_is_that_of_the_dense_matrix(
            n in 1usize..8,
            present in prop::collection::vec(any::<bool>(), 64),
            seed in prop::collection::vec(-1.0..1.0f64, 80),
        ) {
            let below = (0..n as u32).flat_map(|i| (0..i).map(move |j| (i, j)));
            let entries: Vec<_> = below.filter(|&(i, j)| present[(8 * i + j) as usize]).collect();
            let mut a = SparseSymmetric::zeros(n, &entries);
            a.diagonal.copy_from_slice(&seed[..n]);
            let mut dense = vec![0.0; n * n];
            (0..n).for_each(|i| dense[i * n + i] = seed[i]);
            for (k, &(i, j)) in entries.iter().enumerate() {
                prop_assert_eq!(a.address(i as usize, j), Some(k));
                a.values[k] = seed[8 + k];
                dense[i as usize * n + j as usize] = seed[8 + k];
                dense[j as usize * n + i as usize] = seed[8 + k];
            }
            let x = &seed[40..40 + n];
            let mut y = seed[50..50 + n].to_vec();
            a.mul_add(x, &mut y);
            for i in 0..n {
                let expected = seed[50 + i] + (0..n).map(|j| dense[i * n + j] * x[j]).sum::<f64>();
                prop_assert!((y[i] - expected).abs() < 1e-12);
            }
        }
    }
}
