//! Quadratic programs with bounds.

use crate::args::typed::{Matrix, OutMatrix, OutVector, ensure};
use mj_math::{BoxQp, BoxQpError, box_qp};
use pyo3::PyResult;

super::functions! {
    /// Minimizes 0.5 * x' * H * x + x' * g with lower <= x <= upper, and returns the number of free dimensions, where x
    /// is at no bound; -1 if H isn't positive definite there or no descent is found.
    ///
    /// `res` (n) holds the point to start from and gets the solution. `R` (n * (n + 7) numbers) gets the Cholesky
    /// factor of the free dimensions' part of H in the lower triangle of its first nfree * nfree numbers, row-major;
    /// `index` (n, or None) gets the free dimensions in its first nfree numbers. The lower triangle of `H` (n x n) is
    /// read. `lower` and `upper` are n numbers each, or None.
    ///
    /// Source: Tassa, Mansard, Todorov, "Control-limited differential dynamic programming", 2014.
    fn mju_boxQP(
        res: OutVector, R: OutMatrix, index: Option<OutVector<i32>>, H: Matrix, g: Vec<f64>, lower: Option<Vec<f64>>,
        upper: Option<Vec<f64>>,
    ) -> PyResult<i32> {
        let n = res.len();
        let room = R.rows * R.columns;
        ensure!(room == n * (n + 7), "`R` has {room} numbers; it must have n * (n + 7) = {}", n * (n + 7));
        let size = (H.rows, H.columns);
        ensure!(size == (n, n), "`H` must be an array of shape ({n}, {n}), not {size:?}");
        let lengths = [
            ("g", Some(g.len())),
            ("index", index.as_ref().map(OutVector::len)),
            ("lower", lower.as_ref().map(Vec::len)),
            ("upper", upper.as_ref().map(Vec::len)),
        ];
        for (name, len) in lengths {
            let len = len.unwrap_or(n);
            ensure!(len == n, "`{name}` has {len} numbers; it must have as many as `res`, which is {n}");
        }
        if n == 0 {
            return Err(crate::error::fatal_anywhere("`res` is empty; the problem needs at least one dimension"));
        }

        let lower = lower.unwrap_or_else(|| vec![f64::NEG_INFINITY; n]);
        let upper = upper.unwrap_or_else(|| vec![f64::INFINITY; n]);
        let mut x = res.values();
        let mut out = BoxQp::default();
        let found = match box_qp(&symmetric(&H), &g, &lower, &upper, &mut x, &mut out) {
            Err(error @ BoxQpError::Length { .. }) => return Err(crate::error::fatal_anywhere(error.to_string())),
            solved => solved.is_ok(),
        };
        res.write(x)?;
        let mut factor = R.values();
        let rank = out.free.len();
        for (i, (to, from)) in factor.chunks_mut(rank.max(1)).zip(out.factor.chunks(rank.max(1))).enumerate() {
            to[..=i].copy_from_slice(&from[..=i]);
        }
        R.write(factor)?;
        if let Some(index) = index {
            index.write(out.free.iter().map(|&i| i as i32))?;
        }
        Ok(if found { rank as i32 } else { -1 })
    }
}

/// The entries of a square matrix with its lower triangle on both sides of its diagonal.
fn symmetric(mat: &Matrix) -> Vec<f64> {
    let n = mat.rows;
    let entry = |i: usize, j: usize| mat.values[i.max(j) * n + i.min(j)];
    (0..n).flat_map(|i| (0..n).map(move |j| entry(i, j))).collect()
}
