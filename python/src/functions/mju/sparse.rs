//! Sparse matrices: compressed rows.
//!
//! Row i has `rownnz[i]` entries, stored from `rowadr[i]` on, in the columns that `colind` holds at their places.

use super::matrices::check_square;
use crate::args::typed::{Matrix, OutMatrix, OutVector, ensure};
use crate::error;
use pyo3::PyResult;

super::functions! {
    /// Writes the compressed rows of a dense matrix and returns 0; 1 if `res` and `colind` are too small, and then they
    /// are filled as far as they go.
    fn mju_dense2sparse(
        res: OutVector, mat: Matrix, rownnz: OutVector<i32>, rowadr: OutVector<i32>, colind: OutVector<i32>,
    ) -> PyResult<i32> {
        let room = res.len();
        let columns = colind.len();
        ensure!(columns == room, "`colind` has {columns} numbers; it must have as many as `res`, which is {room}");
        check_rows(mat.rows, rownnz.len(), rowadr.len())?;
        ensure!(i32::try_from(mat.columns.max(room)).is_ok(), "`mat` has too many columns");
        let (mut counts, mut addresses) = (rownnz.values(), rowadr.values());
        let (mut values, mut columns) = (Vec::new(), Vec::new());
        if room == 0 {
            return Ok(1);
        }
        let mut fits = true;
        'rows: for i in 0..mat.rows {
            addresses[i] = values.len() as i32;
            counts[i] = 0;
            for (j, &x) in mat.row(i).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                if values.len() == room {
                    fits = false;
                    break 'rows;
                }
                values.push(x);
                columns.push(j as i32);
                counts[i] += 1;
            }
        }
        res.write(values)?;
        rownnz.write(counts)?;
        rowadr.write(addresses)?;
        colind.write(columns)?;
        Ok((!fits).into())
    }

    /// Writes the dense form of a matrix given by compressed rows.
    fn mju_sparse2dense(
        res: OutMatrix, mat: Vec<f64>, rownnz: Vec<i32>, rowadr: Vec<i32>, colind: Vec<i32>,
    ) -> PyResult<()> {
        res.write(Sparse::new(res.rows, mat, rownnz, rowadr, colind)?.dense(res.columns, false)?)
    }

    /// Writes the dense form of a symmetric matrix, given by compressed rows of its lower triangle. Entries above the
    /// diagonal are left out.
    fn mju_sym2dense(
        res: OutMatrix, mat: Vec<f64>, rownnz: Vec<i32>, rowadr: Vec<i32>, colind: Vec<i32>,
    ) -> PyResult<()> {
        check_square("res", res.rows, res.columns)?;
        res.write(Sparse::new(res.rows, mat, rownnz, rowadr, colind)?.dense(res.columns, true)?)
    }
}

/// Raises a `TypeError` unless there is a number for each row.
fn check_rows(rows: usize, rownnz: usize, rowadr: usize) -> PyResult<()> {
    for (name, n) in [("rownnz", rownnz), ("rowadr", rowadr)] {
        ensure!(n == rows, "`{name}` has {n} numbers; it must have one for each row of the matrix, which is {rows}");
    }
    Ok(())
}

/// A matrix given by compressed rows.
pub(super) struct Sparse {
    values: Vec<f64>,
    counts: Vec<i32>,
    addresses: Vec<i32>,
    columns: Vec<i32>,
}

impl Sparse {
    /// From the arguments `mat`, `rownnz`, `rowadr` and `colind`, for a matrix of so many rows.
    pub(super) fn new(
        rows: usize,
        values: Vec<f64>,
        counts: Vec<i32>,
        addresses: Vec<i32>,
        columns: Vec<i32>,
    ) -> PyResult<Self> {
        check_rows(rows, counts.len(), addresses.len())?;
        Ok(Self { values, counts, addresses, columns })
    }

    /// Columns and entries of row `i`.
    pub(super) fn row(&self, i: usize) -> PyResult<impl Iterator<Item = (i32, f64)>> {
        let (count, address) = (self.counts[i], self.addresses[i]);
        let entries = || {
            let start = if count == 0 { 0 } else { usize::try_from(address).ok()? };
            let places = start..start.checked_add(usize::try_from(count).ok()?)?;
            let (columns, values) = (self.columns.get(places.clone())?, self.values.get(places)?);
            Some(columns.iter().copied().zip(values.iter().copied()))
        };
        entries().ok_or_else(|| {
            let (n, m) = (self.values.len(), self.columns.len());
            error::value(format!("row {i} has {count} entries from {address} on; `mat` has {n} numbers, `colind` {m}"))
        })
    }

    /// Entries of the dense matrix, row-major; of a `symmetric` one those of the lower triangle, on both sides.
    fn dense(&self, columns: usize, symmetric: bool) -> PyResult<Vec<f64>> {
        let mut dense = vec![0.0; self.counts.len() * columns];
        for i in 0..self.counts.len() {
            for (column, x) in self.row(i)? {
                let j = usize::try_from(column).ok().filter(|&j| j < columns).ok_or_else(|| {
                    error::value(format!("row {i} has an entry in column {column}; there are {columns} columns"))
                })?;
                if !symmetric || j <= i {
                    dense[i * columns + j] = x;
                }
                if symmetric && j < i {
                    dense[j * columns + i] = x;
                }
            }
        }
        Ok(dense)
    }
}
