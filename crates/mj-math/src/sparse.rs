//! Symmetric matrices with few entries in any places.

use crate::simd::{F64x4, Kernel, Simd, dispatch_from};

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
    /// First of each three rows whose entries are blocks of 3×3, ascending.
    triples: Vec<u32>,
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
        let values = vec![0.0; entries.len()];
        let mut a = Self { diagonal: vec![0.0; n], rowadr, colind, values, triples: Vec::new() };
        let mut i = 0;
        while i < n {
            let triple = a.is_triple(i);
            a.triples.extend(triple.then_some(i as u32));
            i += if triple { 3 } else { 1 };
        }
        a
    }

    /// Returns whether row `i` and the two after it have entries in all columns of the same triples, and in their own
    /// columns.
    fn is_triple(&self, i: usize) -> bool {
        if i + 3 > self.n() {
            return false;
        }
        let [first, second, third] = [i, i + 1, i + 2].map(|k| &self.colind[self.row(k)]);
        let own = [i as u32, i as u32 + 1];
        first.len() % 3 == 0
            && first.as_chunks::<3>().0.iter().all(|&[a, b, c]| b == a + 1 && c == a + 2)
            && second.strip_prefix(first) == Some(&own[..1])
            && third.strip_prefix(first) == Some(&own)
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
        dispatch_from(self.values.len(), MulAdd { a: self, x, y });
    }
}

/// y += A x.
struct MulAdd<'a> {
    a: &'a SparseSymmetric,
    x: &'a [f64],
    y: &'a mut [f64],
}

impl Kernel for MulAdd<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(mut self, p: P) {
        let mut triples = self.a.triples.iter().map(|&i| i as usize).peekable();
        let mut i = 0;
        while i < self.a.n() {
            if triples.next_if_eq(&i).is_some() {
                self.add_triple(p, i);
                i += 3;
            } else {
                self.add_row::<P>(i);
                i += 1;
            }
        }
    }
}

impl MulAdd<'_> {
    #[inline(always)]
    fn add_row<P: Simd>(&mut self, i: usize) {
        let Self { a, x, y } = self;
        let entries = a.row(i);
        let (own, mut sum) = (x[i], a.diagonal[i] * x[i]);
        for (&c, &v) in a.colind[entries.clone()].iter().zip(&a.values[entries]) {
            let c = c as usize;
            sum = P::plus(sum, v, x[c]);
            y[c] = P::plus(y[c], v, own);
        }
        y[i] += sum;
    }

    /// Adds three rows, block by block, in lanes of four, of which the last counts for nothing.
    #[inline(always)]
    fn add_triple<P: Simd>(&mut self, p: P, i: usize) {
        let Self { a, x, y } = self;
        let columns = a.colind[a.row(i)].as_chunks::<3>().0;
        let rows = [i, i + 1, i + 2].map(|k| &a.values[a.row(k).start..]);
        let own = [x[i], x[i + 1], x[i + 2]];
        let factors = own.map(|x| F64x4::splat(p, x));
        let mut sums = [F64x4::splat(p, 0.0); 3];
        for (k, &[c, _, _]) in columns.iter().enumerate() {
            let c = c as usize;
            // Columns lie before the rows, so that a fourth number follows. Only three are read from y: a number that was
            // written alone and is read with others waits.
            let at = F64x4::new(p, x[c..].first_chunk().expect("numbers of the rows follow"));
            let to: &mut [f64; 3] = y[c..].first_chunk_mut().expect("numbers of the rows follow");
            let mut image = F64x4::new(p, &[to[0], to[1], to[2], 0.0]);
            for r in 0..3 {
                let row = F64x4::new(p, rows[r][3 * k..].first_chunk().expect("an entry of the next row follows"));
                sums[r] = sums[r].plus(row, at);
                image = image.plus(row, factors[r]);
            }
            to.copy_from_slice(&image.get()[..3]);
        }
        let n = 3 * columns.len();
        let (xx, yy, zz) = (a.diagonal[i], a.diagonal[i + 1], a.diagonal[i + 2]);
        let (xy, xz, yz) = (rows[1][n], rows[2][n], rows[2][n + 1]);
        let [u, v, w] = own;
        let inner = [xx * u + xy * v + xz * w, xy * u + yy * v + yz * w, xz * u + yz * v + zz * w];
        for r in 0..3 {
            let [u, v, w, _] = sums[r].get();
            y[i + r] += u + v + w + inner[r];
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
            n in 1usize..14,
            single in 0u32..14,
            present in prop::collection::vec(any::<bool>(), 196),
            seed in prop::collection::vec(-1.0..1.0f64, 256),
        ) {
            // Rows from `single` on have entries anywhere, those before it in blocks.
            let block = |i: u32| if i < single { i / 3 } else { i };
            let below = (0..n as u32).flat_map(|i| (0..i).map(move |j| (i, j)));
            let given = |i, j| block(i) == block(j) || present[(14 * block(i) + block(j)) as usize];
            let entries: Vec<_> = below.filter(|&(i, j)| given(i, j)).collect();
            let mut a = SparseSymmetric::zeros(n, &entries);
            a.diagonal.copy_from_slice(&seed[..n]);
            let mut dense = vec![0.0; n * n];
            (0..n).for_each(|i| dense[i * n + i] = seed[i]);
            for (k, &(i, j)) in entries.iter().enumerate() {
                prop_assert_eq!(a.address(i as usize, j), Some(k));
                a.values[k] = seed[14 + k];
                dense[i as usize * n + j as usize] = seed[14 + k];
                dense[j as usize * n + i as usize] = seed[14 + k];
            }
            let x = &seed[110..110 + n];
            let mut y = seed[130..130 + n].to_vec();
            a.mul_add(x, &mut y);
            for i in 0..n {
                let expected = seed[130 + i] + (0..n).map(|j| dense[i * n + j] * x[j]).sum::<f64>();
                prop_assert!((y[i] - expected).abs() < 1e-12);
            }
        }
    }
}
