//! Unsymmetric matrices with the sparsity of a kinematic tree.
//!
//! Where a row of the symmetric case stores the entries (i, j) with the ancestors j of i, here two
//! arrays share the pattern: `lower` holds (i, j), the diagonal included, and `upper` holds (j, i)
//! at the same place. Eliminating leaves first changes only pairs of ancestors of the leaf, which
//! the pattern holds, so that this factorization has no fill-in either.
//!
//! The pattern must be a whole forest: no dof may be marked `simple`.

use crate::{MINVAL, TreePattern, dense};

impl TreePattern {
    /// y = A x for the unsymmetric matrix (`lower`, `upper`).
    pub fn mul_unsymmetric(&self, lower: &[f64], upper: &[f64], x: &[f64], y: &mut [f64]) {
        y[..self.n()].fill(0.0);
        for i in 0..self.n() {
            let r = self.row(i);
            let last = r.len() - 1;
            let (cols, lo, up) = (&self.colind[r.clone()], &lower[r.clone()], &upper[r]);
            let mut yi = lo[last] * x[i];
            for k in 0..last {
                let c = cols[k] as usize;
                yi += lo[k] * x[c];
                y[c] += up[k] * x[i];
            }
            y[i] += yi;
        }
    }

    /// Factors A = U D L in place, U and L with unit diagonals: D is left on the diagonal of
    /// `lower`. Returns the first row, counted from the leaves, whose pivot was smaller in
    /// magnitude than [`MINVAL`] and was replaced by it.
    pub fn factor_lu(&self, lower: &mut [f64], upper: &mut [f64]) -> Option<usize> {
        let mut singular = None;
        for k in (0..self.n()).rev() {
            let rk = self.row(k);
            let last = rk.len() - 1;
            let (lo_head, lo_tail) = lower.split_at_mut(rk.start);
            let (up_head, up_tail) = upper.split_at_mut(rk.start);
            let (lo, up) = (&mut lo_tail[..=last], &mut up_tail[..last]);
            if lo[last].is_nan() || lo[last].abs() < MINVAL {
                lo[last] = MINVAL;
                singular = singular.or(Some(k));
            }
            let inv = 1.0 / lo[last];
            for j in (0..last).rev() {
                // The row of an ancestor is the beginning of this row.
                let rj = self.row(self.colind[rk.start + j] as usize);
                let (l, u) = (lo[j] * inv, up[j] * inv);
                dense::axpy(&mut lo_head[rj.clone()], -u, &lo[..=j]);
                dense::axpy(&mut up_head[rj.start..rj.end - 1], -l, &up[..j]);
                (lo[j], up[j]) = (l, u);
            }
        }
        singular
    }

    /// Solves A x = b in place with the factors of [`Self::factor_lu`].
    pub fn solve_lu(&self, lower: &[f64], upper: &[f64], x: &mut [f64]) {
        for i in (0..self.n()).rev() {
            let r = self.row(i);
            let last = r.len() - 1;
            let xi = x[i];
            for (&c, &u) in self.colind[r.clone()][..last].iter().zip(&upper[r]) {
                x[c as usize] -= u * xi;
            }
        }
        for i in 0..self.n() {
            let r = self.row(i);
            let last = r.len() - 1;
            let mut s = x[i] / lower[r.end - 1];
            for (&c, &l) in self.colind[r.clone()][..last].iter().zip(&lower[r]) {
                s -= l * x[c as usize];
            }
            x[i] = s;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Solving undoes multiplying, and multiplying is that of the dense matrix.
        #[test]
        fn solve_lu_inverts_mul(
            parents in prop::collection::vec(0usize..100, 1..14),
            v in prop::collection::vec(-1.0..1.0f64, 2 * 14 * 14),
            x in prop::collection::vec(-1.0..1.0f64, 14),
        ) {
            let parent: Vec<_> =
                parents.iter().enumerate().map(|(i, &x)| (i > 0 && x % 5 > 0).then(|| x % i)).collect();
            let n = parent.len();
            let t = TreePattern::new(&parent, &vec![false; n]);
            let (mut lower, mut upper) = (v[..t.nnz()].to_vec(), v[14 * 14..][..t.nnz()].to_vec());
            let mut dense = vec![0.0; n * n];
            for i in 0..n {
                // Diagonally dominant, so that no pivoting is needed.
                lower[t.diag(i)] += 15.0;
                for a in t.row(i) {
                    let j = t.colind[a] as usize;
                    dense[j * n + i] = upper[a];
                    dense[i * n + j] = lower[a];
                }
            }
            let mut y = vec![0.0; n];
            t.mul_unsymmetric(&lower, &upper, &x[..n], &mut y);
            for i in 0..n {
                prop_assert!((y[i] - dense::dot(&dense[i * n..(i + 1) * n], &x[..n])).abs() < 1e-12);
            }
            prop_assert_eq!(t.factor_lu(&mut lower, &mut upper), None);
            t.solve_lu(&lower, &upper, &mut y);
            for i in 0..n {
                prop_assert!((y[i] - x[i]).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn a_vanishing_pivot_is_reported() {
        let t = TreePattern::new(&[None, Some(0)], &[false; 2]);
        let (mut lower, mut upper) = (vec![1.0, 0.0, 0.0], vec![0.0; 3]);
        assert_eq!(t.factor_lu(&mut lower, &mut upper), Some(1));
    }
}
