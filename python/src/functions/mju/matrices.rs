//! Dense matrices, row-major.

use crate::args::typed::{Matrix, OutMatrix, OutVector, ensure};
use mj_math::dense;
use pyo3::PyResult;

super::functions! {
    /// Multiplies a matrix by a vector: res = mat * vec.
    fn mju_mulMatVec(res: OutVector, mat: Matrix, vec: Vec<f64>) -> PyResult<()> {
        check_vector("res", res.len(), mat.rows, "row")?;
        check_vector("vec", vec.len(), mat.columns, "column")?;
        res.write((0..mat.rows).map(|i| dense::dot(mat.row(i), &vec)))
    }

    /// Multiplies the transpose of a matrix by a vector: res = mat' * vec.
    fn mju_mulMatTVec(res: OutVector, mat: Matrix, vec: Vec<f64>) -> PyResult<()> {
        check_vector("res", res.len(), mat.columns, "column")?;
        check_vector("vec", vec.len(), mat.rows, "row")?;
        res.write(combination(vec.into_iter(), &mat))
    }

    /// Multiplies a square matrix by vectors from both sides and returns vec1' * mat * vec2.
    fn mju_mulVecMatVec(vec1: Vec<f64>, mat: Matrix, vec2: Vec<f64>) -> PyResult<f64> {
        check_square("mat", mat.rows, mat.columns)?;
        check_vector("vec1", vec1.len(), mat.rows, "row")?;
        check_vector("vec2", vec2.len(), mat.columns, "column")?;
        Ok((0..mat.rows).fold(0.0, |sum, i| sum + vec1[i] * dense::dot(mat.row(i), &vec2)))
    }

    /// Transposes a matrix: res = mat'.
    fn mju_transpose(res: OutMatrix, mat: Matrix) -> PyResult<()> {
        res.expect("res", mat.columns, mat.rows)?;
        res.write(transposed(&mat).values)
    }

    /// Computes the symmetric part of a square matrix: res = (mat + mat') / 2.
    fn mju_symmetrize(res: OutMatrix, mat: Matrix) -> PyResult<()> {
        check_square("mat", mat.rows, mat.columns)?;
        res.expect("res", mat.rows, mat.columns)?;
        let other = transposed(&mat);
        res.write(mat.values.iter().zip(other.values).map(|(a, b)| 0.5 * (a + b)))
    }

    /// Sets a square matrix to the identity.
    fn mju_eye(mat: OutMatrix) -> PyResult<()> {
        check_square("mat", mat.rows, mat.columns)?;
        let n = mat.rows;
        mat.write((0..n).flat_map(|i| (0..n).map(move |j| if i == j { 1.0 } else { 0.0 })))
    }

    /// Multiplies two matrices: res = mat1 * mat2.
    fn mju_mulMatMat(res: OutMatrix, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
        ensure!(
            mat1.columns == mat2.rows,
            "`mat1` has {} columns; it must have as many as `mat2` has rows, which is {}", mat1.columns, mat2.rows
        );
        res.expect("res", mat1.rows, mat2.columns)?;
        res.write((0..mat1.rows).flat_map(|i| combination(mat1.row(i).iter().copied(), &mat2)))
    }

    /// Multiplies a matrix by the transpose of another: res = mat1 * mat2'.
    fn mju_mulMatMatT(res: OutMatrix, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
        ensure!(
            mat1.columns == mat2.columns,
            "`mat1` has {} columns; it must have as many as `mat2`, which is {}", mat1.columns, mat2.columns
        );
        res.expect("res", mat1.rows, mat2.rows)?;
        let (mat1, mat2) = (&mat1, &mat2);
        res.write((0..mat1.rows).flat_map(|i| (0..mat2.rows).map(move |j| dense::dot(mat1.row(i), mat2.row(j)))))
    }

    /// Multiplies the transpose of a matrix by another: res = mat1' * mat2.
    fn mju_mulMatTMat(res: OutMatrix, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
        ensure!(
            mat1.rows == mat2.rows,
            "`mat1` has {} rows; it must have as many as `mat2`, which is {}", mat1.rows, mat2.rows
        );
        res.expect("res", mat1.columns, mat2.columns)?;
        let left = transposed(&mat1);
        res.write((0..left.rows).flat_map(|i| combination(left.row(i).iter().copied(), &mat2)))
    }

    /// Computes res = mat' * diag * mat, where `diag` holds the entries of a diagonal matrix; None stands for the
    /// identity.
    fn mju_sqrMatTD(res: OutMatrix, mat: Matrix, diag: Option<Vec<f64>>) -> PyResult<()> {
        res.expect("res", mat.columns, mat.columns)?;
        if let Some(diag) = &diag {
            check_vector("diag", diag.len(), mat.rows, "row")?;
        }
        let n = mat.columns;
        let mut square = vec![0.0; n * n];
        for j in 0..mat.rows {
            let (row, weight) = (mat.row(j), diag.as_ref().map_or(1.0, |diag| diag[j]));
            if weight == 0.0 {
                continue;
            }
            for (i, sum) in square.chunks_exact_mut(n.max(1)).enumerate() {
                let scale = row[i] * weight;
                if scale != 0.0 {
                    dense::axpy(&mut sum[..=i], scale, &row[..=i]);
                }
            }
        }
        for i in 0..n {
            for k in 0..i {
                square[k * n + i] = square[i * n + k];
            }
        }
        res.write(square)
    }
}

/// Sum of a matrix's rows, weighted. Rows of no weight are left out, even where they hold no numbers.
fn combination(weights: impl Iterator<Item = f64>, mat: &Matrix) -> Vec<f64> {
    let mut sum = vec![0.0; mat.columns];
    for (k, weight) in weights.enumerate().filter(|(_, weight)| *weight != 0.0) {
        dense::axpy(&mut sum, weight, mat.row(k));
    }
    sum
}

fn transposed(mat: &Matrix) -> Matrix {
    let (rows, columns) = (mat.columns, mat.rows);
    let values = (0..rows).flat_map(|i| (0..columns).map(move |j| mat.values[j * rows + i])).collect();
    Matrix { rows, columns, values }
}

/// Raises a `TypeError` unless a vector has one number for each row or column of the matrix.
pub(super) fn check_vector(name: &str, len: usize, n: usize, of_each: &str) -> PyResult<()> {
    ensure!(len == n, "`{name}` has {len} numbers; it must have one for each {of_each} of the matrix, which is {n}");
    Ok(())
}

/// Raises a `TypeError` unless a matrix is square.
pub(super) fn check_square(name: &str, rows: usize, columns: usize) -> PyResult<()> {
    ensure!(rows == columns, "`{name}` must be a square matrix, not one of shape ({rows}, {columns})");
    Ok(())
}
