//! Symmetric matrices with a band along the diagonal and dense rows at the bottom.
//!
//! Of `ntotal` rows the last `ndense` are dense, the others hold `nband` entries up to the diagonal. The entries are
//! stored row by row: (ntotal - ndense) * nband of the band, then ndense * ntotal.

use super::matrices::check_vector;
use crate::args::typed::{Matrix, OutMatrix, OutVector, ensure};
use mj_math::{MINVAL, dense};
use pyo3::PyResult;
use pyo3::exceptions::PyTypeError;
use std::ops::Range;

super::functions! {
    /// Returns the address of entry (i, i) in a band-dense matrix.
    fn mju_bandDiag(i: i32, ntotal: i32, nband: i32, ndense: i32) -> PyResult<i32> {
        let [row, total, band, dense] = [i, ntotal, nband, ndense].map(i128::from);
        let sparse = total - dense;
        let address =
            if row < sparse { row * band + band - 1 } else { sparse * band + (row - sparse) * total + row };
        address.try_into().map_err(|_| PyTypeError::new_err(format!("the address {address} exceeds 32 bits")))
    }

    /// Writes the dense form of a band-dense matrix: its lower triangle, and its upper triangle too where `flg_sym` is
    /// true.
    fn mju_band2Dense(
        res: OutMatrix, mat: Vec<f64>, ntotal: i32, nband: i32, ndense: i32, flg_sym: bool,
    ) -> PyResult<()> {
        let layout = Layout::new("mat", mat.len(), ntotal, nband, ndense)?;
        let n = layout.total;
        res.expect("res", n, n)?;
        let mut values = vec![0.0; n * n];
        for i in 0..n {
            let (first, row) = layout.row(i, &mat);
            for (j, &x) in (first..).zip(row) {
                values[i * n + j] = x;
                if flg_sym {
                    values[j * n + i] = x;
                }
            }
        }
        res.write(values)
    }

    /// Writes the band-dense form of a dense symmetric matrix, whose lower triangle is read.
    fn mju_dense2Band(res: OutVector, mat: Matrix, ntotal: i32, nband: i32, ndense: i32) -> PyResult<()> {
        let layout = Layout::new("res", res.len(), ntotal, nband, ndense)?;
        let n = layout.total;
        let size = (mat.rows, mat.columns);
        ensure!(size == (n, n), "`mat` must be an array of shape ({n}, {n}), not {size:?}");
        let mut values = res.values();
        for i in 0..n {
            let (first, places) = layout.places(i);
            values[places].copy_from_slice(&mat.row(i)[first..=i]);
        }
        res.write(values)
    }

    /// Multiplies a band-dense matrix by `nvec` vectors, the columns of `vec` (ntotal x nvec); `res` is of the same
    /// shape. Without `flg_sym` only the lower triangle counts.
    fn mju_bandMulMatVec(
        res: OutMatrix, mat: Matrix, vec: Matrix, ntotal: i32, nband: i32, ndense: i32, nvec: i32, flg_sym: bool,
    ) -> PyResult<()> {
        let layout = Layout::new("mat", mat.values.len(), ntotal, nband, ndense)?;
        let n = layout.total;
        let size = (vec.rows, vec.columns);
        ensure!(
            size.0 == n && i32::try_from(size.1) == Ok(nvec),
            "`vec` must be an array of shape ({n}, {nvec}), not {size:?}"
        );
        res.expect("res", n, vec.columns)?;
        let columns = vec.columns;
        let mut product = vec![0.0; n * columns];
        for k in 0..columns {
            let x: Vec<f64> = (0..n).map(|i| vec.values[i * columns + k]).collect();
            for (i, y) in layout.multiply(&mat.values, &x, flg_sym).into_iter().enumerate() {
                product[i * columns + k] = y;
            }
        }
        res.write(product)
    }

    /// Factors a band-dense matrix in place as L * L', after adding `diagadd + diagmul * mat[i, i]` to its diagonal,
    /// and returns the least entry of the diagonal of L; 0 if the matrix isn't positive definite, and then its entries
    /// are of no use.
    fn mju_cholFactorBand(
        mat: OutVector, ntotal: i32, nband: i32, ndense: i32, diagadd: f64, diagmul: f64,
    ) -> PyResult<f64> {
        let layout = Layout::new("mat", mat.len(), ntotal, nband, ndense)?;
        let mut values = mat.values();
        let least = layout.factor(&mut values, diagadd, diagmul);
        mat.write(values)?;
        Ok(least)
    }

    /// Solves (L * L') * res = vec, where `mat` is the factor of a band-dense matrix.
    fn mju_cholSolveBand(
        res: OutVector, mat: Vec<f64>, vec: Vec<f64>, ntotal: i32, nband: i32, ndense: i32,
    ) -> PyResult<()> {
        let layout = Layout::new("mat", mat.len(), ntotal, nband, ndense)?;
        check_vector("res", res.len(), layout.total, "row")?;
        check_vector("vec", vec.len(), layout.total, "row")?;
        let mut x = vec;
        layout.solve(&mat, &mut x);
        res.write(x)
    }
}

/// Where the entries of a band-dense matrix are stored.
struct Layout {
    total: usize,
    /// Number of rows above the dense ones.
    sparse: usize,
    band: usize,
}

impl Layout {
    /// Layout of an argument that holds `len` numbers.
    fn new(name: &str, len: usize, ntotal: i32, nband: i32, ndense: i32) -> PyResult<Self> {
        let wrong = || {
            PyTypeError::new_err(format!(
                "ntotal = {ntotal}, nband = {nband}, ndense = {ndense} are no band-dense matrix: it needs \
                 0 <= ndense <= ntotal, and nband >= 1 where ndense < ntotal"
            ))
        };
        let of = |n: i32| usize::try_from(n).map_err(|_| wrong());
        let (total, band, dense) = (of(ntotal)?, of(nband)?, of(ndense)?);
        let sparse = total.checked_sub(dense).ok_or_else(wrong)?;
        if sparse > 0 && band == 0 {
            return Err(wrong());
        }
        let size = sparse as u128 * band as u128 + dense as u128 * total as u128;
        ensure!(
            len as u128 == size,
            "`{name}` has {len} numbers; it must have (ntotal - ndense) * nband + ndense * ntotal = {size}"
        );
        Ok(Self { total, sparse, band })
    }

    /// First column of a row, and where its entries from there to the diagonal are stored.
    fn places(&self, i: usize) -> (usize, Range<usize>) {
        if i < self.sparse {
            let first = (i + 1).saturating_sub(self.band);
            let end = (i + 1) * self.band;
            (first, end - (i + 1 - first)..end)
        } else {
            let start = self.sparse * self.band + (i - self.sparse) * self.total;
            (0, start..start + i + 1)
        }
    }

    /// First column of a row, and its entries from there to the diagonal.
    fn row<'a>(&self, i: usize, values: &'a [f64]) -> (usize, &'a [f64]) {
        let (first, places) = self.places(i);
        (first, &values[places])
    }

    fn multiply(&self, mat: &[f64], x: &[f64], symmetric: bool) -> Vec<f64> {
        let mut y = vec![0.0; self.total];
        for i in 0..self.total {
            let (first, row) = self.row(i, mat);
            y[i] = dense::dot(row, &x[first..]);
            if symmetric {
                dense::axpy(&mut y[first..i], x[i], &row[..i - first]);
            }
        }
        y
    }

    /// Replaces a matrix by its factor and returns the least entry of its diagonal, or 0.
    fn factor(&self, mat: &mut [f64], add: f64, scale: f64) -> f64 {
        let mut least = if self.total == 0 { 0.0 } else { f64::INFINITY };
        for j in 0..self.total {
            let (first, places) = self.places(j);
            let diagonal = places.end - 1;
            let row = &mat[places.start..diagonal];
            let pivot = mat[diagonal] + (add + scale * mat[diagonal]) - dense::dot(row, row);
            if pivot.is_nan() || pivot < MINVAL {
                return 0.0;
            }
            mat[diagonal] = pivot.sqrt();
            least = least.min(mat[diagonal]);
            let inverse = 1.0 / mat[diagonal];
            for i in self.below(j) {
                // Columns before j that both rows have.
                let (other, at) = self.places(i);
                let start = first.max(other);
                let (upper, lower) = (&mat[places.start + start - first..diagonal], &mat[at.start + start - other..]);
                let entry = at.start + j - other;
                mat[entry] = (mat[entry] - dense::dot(upper, lower)) * inverse;
            }
        }
        least
    }

    /// Rows below the diagonal that have column j.
    fn below(&self, j: usize) -> impl Iterator<Item = usize> + use<> {
        let end = self.sparse.min(j.saturating_add(self.band));
        (j + 1..end).chain(self.sparse.max(j + 1)..self.total)
    }

    fn solve(&self, mat: &[f64], x: &mut [f64]) {
        for i in 0..self.total {
            let (first, row) = self.row(i, mat);
            let (row, diagonal) = (&row[..i - first], row[i - first]);
            x[i] = (x[i] - dense::dot(row, &x[first..i])) / diagonal;
        }
        for i in (0..self.total).rev() {
            let (first, row) = self.row(i, mat);
            x[i] /= row[i - first];
            let scale = -x[i];
            dense::axpy(&mut x[first..i], scale, &row[..i - first]);
        }
    }
}
