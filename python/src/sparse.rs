//! Sparse matrices as the reference's arrays have them: values row by row, with counts, addresses and columns.

use mj_math::BlockRows;

/// Number of entries of a row.
fn nnz(rows: &BlockRows, i: usize) -> usize {
    rows.row(i).0.iter().map(|run| run.len as usize).sum()
}

/// Column of each value.
pub fn colind(rows: &BlockRows) -> Vec<i32> {
    let mut out = Vec::new();
    (0..rows.nrows()).for_each(|i| rows.for_each_in_row(i, |column, _| out.push(column as i32)));
    out
}

/// Number of values of each row.
pub fn rownnz(rows: &BlockRows) -> Vec<i32> {
    (0..rows.nrows()).map(|i| nnz(rows, i) as i32).collect()
}

/// Address of each row's first value.
pub fn rowadr(rows: &BlockRows) -> Vec<i32> {
    starts(&rownnz(rows))
}

/// First address of each group of so many.
pub fn starts(counts: &[i32]) -> Vec<i32> {
    let mut next = 0;
    let mut start = |n: &i32| {
        next += n;
        next - n
    };
    counts.iter().map(&mut start).collect()
}

/// All numbers of a matrix, row-major.
pub fn dense(rows: &BlockRows) -> Vec<f64> {
    let mut out = vec![0.0; rows.nrows() * rows.ncols()];
    rows.to_dense(&mut out);
    out
}
