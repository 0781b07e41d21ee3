//! Products and solutions of dense matrices, row-major, by faer on one thread: results don't depend on the number of threads.

use faer::linalg::matmul::matmul;
use faer::prelude::Solve;
use faer::{Accum, MatMut, MatRef, Par};

/// Matrix that is read: its numbers, rows and columns.
#[derive(Clone, Copy)]
pub(crate) struct View<'a>(pub &'a [f64], pub usize, pub usize);

impl<'a> View<'a> {
    fn faer(self) -> MatRef<'a, f64> {
        MatRef::from_row_major_slice(&self.0[..self.1 * self.2], self.1, self.2)
    }
}

/// C = A B.
pub(crate) fn multiply(c: &mut Vec<f64>, a: View<'_>, b: View<'_>) {
    c.resize(a.1 * b.2, 0.0);
    product(c, Accum::Replace, (a.1, b.2), a.faer(), b.faer());
}

/// C += Aᵀ B.
pub(crate) fn multiply_transposed_add(c: &mut [f64], a: View<'_>, b: View<'_>) {
    product(c, Accum::Add, (a.2, b.2), a.faer().transpose(), b.faer());
}

/// C += A Bᵀ.
pub(crate) fn multiply_by_transposed_add(c: &mut [f64], a: View<'_>, b: View<'_>) {
    product(c, Accum::Add, (a.1, b.1), a.faer(), b.faer().transpose());
}

fn product(c: &mut [f64], accum: Accum, (rows, columns): (usize, usize), a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    // Row-major memory is the transposed matrix's columns.
    let c = MatMut::from_column_major_slice_mut(&mut c[..rows * columns], columns, rows).transpose_mut();
    matmul(c, accum, a, b, 1.0, Par::Seq);
}

/// Solves A X = B by elimination with pivots.
pub(crate) fn solve(a: View<'_>, b: View<'_>) -> Vec<f64> {
    let x = a.faer().partial_piv_lu().solve(b.faer());
    (0..b.1).flat_map(|i| (0..b.2).map(move |j| (i, j))).map(|(i, j)| x[(i, j)]).collect()
}

/// Writes (A + Aᵀ)/2 over A, n × n.
pub(crate) fn symmetrize(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (a[i * n + j] + a[j * n + i]);
            (a[i * n + j], a[j * n + i]) = (mean, mean);
        }
    }
}
