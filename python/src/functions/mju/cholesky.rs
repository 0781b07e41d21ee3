//! Cholesky factors of dense matrices, and eigenvalues of 3 x 3 matrices.

use super::matrices::{check_square, check_vector};
use crate::args::typed::{Matrix, OutFixed, OutMatrix, OutVector};
use mj_math::{DMat3, dense, eig3, quat};
use pyo3::PyResult;

super::functions! {
    /// Factors a symmetric matrix in place as mat = L * L' and returns its rank.
    ///
    /// The lower triangle is read, and replaced by L; what is above the diagonal is left as it is. A pivot below
    /// `mindiag` is replaced by it and counts as deficient.
    fn mju_cholFactor(mat: OutMatrix, mindiag: f64) -> PyResult<i32> {
        check_square("mat", mat.rows, mat.columns)?;
        let (n, mut l) = (mat.rows, mat.values());
        let rank = dense::cholesky_rank(&mut l, n, mindiag);
        mat.write(l)?;
        Ok(rank as i32)
    }

    /// Solves (L * L') * res = vec, where the lower triangle of `mat` is the factor L.
    fn mju_cholSolve(res: OutVector, mat: Matrix, vec: Vec<f64>) -> PyResult<()> {
        check_square("mat", mat.rows, mat.columns)?;
        check_vector("res", res.len(), mat.rows, "row")?;
        check_vector("vec", vec.len(), mat.rows, "row")?;
        let mut x = vec;
        dense::cholesky_solve(&mat.values, mat.rows, &mut x);
        res.write(x)
    }

    /// Updates a factor L in place, so that L * L' becomes L * L' + x * x', or - x * x' where `flg_plus` is 0, and
    /// returns the rank. `x` is used as working memory.
    fn mju_cholUpdate(mat: OutMatrix, x: OutVector, flg_plus: i32) -> PyResult<i32> {
        check_square("mat", mat.rows, mat.columns)?;
        check_vector("x", x.len(), mat.rows, "row")?;
        let (n, mut l, mut work) = (mat.rows, mat.values(), x.values());
        let deficient = dense::cholesky_update(&mut l, n, &mut work, flg_plus != 0);
        mat.write(l)?;
        x.write(work)?;
        Ok((n - deficient) as i32)
    }

    /// Computes eigenvalues (in decreasing order) and eigenvectors of a symmetric 3 x 3 matrix, given as nine numbers,
    /// and returns the number of iterations.
    ///
    /// The columns of `eigvec` are the eigenvectors; `quat` is the same rotation.
    fn mju_eig3(eigval: OutFixed<3>, eigvec: OutFixed<9>, quat: OutFixed<4>, mat: DMat3) -> PyResult<i32> {
        let (values, rotation, iterations) = eig3::in_step(mat);
        eigval.set(values)?;
        eigvec.set(quat::to_mat(rotation))?;
        quat.set(rotation)?;
        Ok(iterations as i32)
    }
}
