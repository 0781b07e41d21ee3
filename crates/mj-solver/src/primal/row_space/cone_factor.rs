//! Elliptic cones in their middle zone: coordinates z in which their rows are symmetric and definite.

use mj_problem::ConeRows;
use mj_problem::cost::elliptic;

/// The square root B of a cone's curvature W = B Bᵀ, lower triangle.
#[derive(Clone, Debug)]
pub(super) struct ConeFactor {
    row: usize,
    dim: usize,
    root: [[f64; 6]; 6],
}

impl ConeFactor {
    /// Factors the curvature of a cone where its rows are at `jar`.
    pub(super) fn new(c: &ConeRows, d: &[f64], jar: &[f64]) -> Self {
        let (row, dim) = (c.row as usize, c.dim as usize);
        let root = elliptic::curvature_root(c, &d[row..row + dim], &jar[row..row + dim]);
        Self { row, dim, root }
    }

    /// Right side z = −Bᵀ (motion of the rows), into `x`.
    pub(super) fn right_side(&self, jv: &[f64], x: &mut [f64]) {
        let (x, jv) = (&mut x[self.row..self.row + self.dim], &jv[self.row..self.row + self.dim]);
        for j in 0..self.dim {
            x[j] = -(j..self.dim).map(|k| self.root[k][j] * jv[k]).sum::<f64>();
        }
    }

    /// B z in place of z.
    pub(super) fn expand(&self, x: &mut [f64]) {
        let x = &mut x[self.row..self.row + self.dim];
        for j in (0..self.dim).rev() {
            x[j] = (0..=j).map(|k| self.root[j][k] * x[k]).sum();
        }
    }

    /// Transforms the cone's rows and columns, in the lower triangle of a matrix of `n` rows of `w` numbers, to the
    /// coordinates z, and adds 1 to their diagonal.
    pub(super) fn transform(&self, m: &mut [f64], w: usize, n: usize) {
        let Self { row: at, dim, root } = self;
        let (at, dim) = (*at, *dim);
        // Columns before it: Bᵀ from the left.
        for j in 0..at {
            for i in 0..dim {
                m[(at + i) * w + j] = (i..dim).map(|k| root[k][i] * m[(at + k) * w + j]).sum();
            }
        }
        // Rows after it: B from the right.
        for row in m.chunks_exact_mut(w).take(n).skip(at + dim) {
            let x = &mut row[at..at + dim];
            for j in 0..dim {
                x[j] = (j..dim).map(|k| x[k] * root[k][j]).sum();
            }
        }
        // Its own: BᵀA B + 1.
        let mut own = [[0.0; 6]; 6];
        for i in 0..dim {
            for j in 0..=i {
                own[i][j] = m[(at + i) * w + at + j];
                own[j][i] = own[i][j];
            }
        }
        for i in 0..dim {
            for j in 0..=i {
                let s: f64 = (i..dim).map(|k| root[k][i] * (j..dim).map(|l| own[k][l] * root[l][j]).sum::<f64>()).sum();
                m[(at + i) * w + at + j] = s + if i == j { 1.0 } else { 0.0 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The transformation of a matrix is Tᵀ A T + 1 at the cone, with T = diag(1, B, 1).
        #[test]
        fn transforms_rows_and_columns(g in prop::collection::vec(-1.0..1.0f64, 64), dim in 3usize..7) {
            let mut root = [[0.0; 6]; 6];
            for i in 0..dim {
                for j in 0..=i {
                    root[i][j] = g[(7 * i + j) % 64];
                }
            }
            let (row, n, width) = (2, dim + 4, 12);
            let a = |i: usize, j: usize| g[(i.max(j) * 5 + i.min(j)) % 64];
            let t = |i: usize, j: usize| match (i.wrapping_sub(row), j.wrapping_sub(row)) {
                (i, j) if i < dim && j < dim => root[i][j],
                _ => f64::from(u8::from(i == j)),
            };
            let mut m: Vec<f64> = (0..width * width).map(|at| a(at / width, at % width)).collect();
            ConeFactor { row, dim, root }.transform(&mut m, width, n);
            for i in 0..n {
                for j in 0..=i {
                    let s: f64 = (0..n).map(|k| t(k, i) * (0..n).map(|l| a(k, l) * t(l, j)).sum::<f64>()).sum();
                    let own = i == j && (row..row + dim).contains(&i);
                    prop_assert!((m[i * width + j] - s - f64::from(u8::from(own))).abs() < 1e-12);
                }
            }
        }
    }
}
