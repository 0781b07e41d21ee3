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
        res.write(to_dense(&res, &mat, &rownnz, &rowadr, &colind, false)?)
    }

    /// Writes the dense form of a symmetric matrix, given by compressed rows of its lower triangle.
    fn mju_sym2dense(
        res: OutMatrix, mat: Vec<f64>, rownnz: Vec<i32>, rowadr: Vec<i32>, colind: Vec<i32>,
    ) -> PyResult<()> {
        check_square("res", res.rows, res.columns)?;
        res.write(to_dense(&res, &mat, &rownnz, &rowadr, &colind, true)?)
    }
}

/// Raises a `TypeError` unless there is a number for each row.
pub(super) fn check_rows(rows: usize, rownnz: usize, rowadr: usize) -> PyResult<()> {
    for (name, n) in [("rownnz", rownnz), ("rowadr", rowadr)] {
        ensure!(n == rows, "`{name}` has {n} numbers; it must have one for each row of the matrix, which is {rows}");
    }
    Ok(())
}

/// Entries of a dense matrix, those of `symmetric` ones on both sides of the diagonal.
fn to_dense(
    res: &OutMatrix,
    mat: &[f64],
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    symmetric: bool,
) -> PyResult<Vec<f64>> {
    check_rows(res.rows, rownnz.len(), rowadr.len())?;
    let columns = res.columns;
    let mut values = vec![0.0; res.rows * columns];
    for i in 0..res.rows {
        for (&x, &column) in entries(i, mat, rownnz, rowadr, colind)? {
            let j = usize::try_from(column).ok().filter(|&j| j < columns).ok_or_else(|| {
                error::value(format!("row {i} has an entry in column {column}; there are {columns} columns"))
            })?;
            values[i * columns + j] = x;
            if symmetric {
                values[j * columns + i] = x;
            }
        }
    }
    Ok(values)
}

/// Entries of row `i` with their columns.
pub(super) fn entries<'a>(
    i: usize,
    mat: &'a [f64],
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &'a [i32],
) -> PyResult<impl Iterator<Item = (&'a f64, &'a i32)>> {
    let (start, count) = (rowadr[i], rownnz[i]);
    let places = || {
        let (start, count) = (usize::try_from(start).ok()?, usize::try_from(count).ok()?);
        let places = start..start.checked_add(count)?;
        Some(mat.get(places.clone())?.iter().zip(colind.get(places)?))
    };
    places().ok_or_else(|| {
        let (n, m) = (mat.len(), colind.len());
        error::value(format!("row {i} has {count} entries from {start} on; `mat` has {n} numbers, `colind` {m}"))
    })
}
