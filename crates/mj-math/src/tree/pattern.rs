//! Matrices with the sparsity of a kinematic tree.
//!
//! Entry (i, j) of the joint-space inertia can be non-zero only if one of the dofs i, j is an
//! ancestor of the other. Row i stores its ancestors in ascending order and the diagonal last
//! (lower triangle). A factorization M = Lᵀ D L that eliminates leaves first keeps that pattern
//! (Featherstone, "Efficient factorization of the joint-space inertia matrix for branched
//! kinematic trees", 2005). The row of an ancestor is a prefix of the row of its descendant, so
//! every inner loop runs over contiguous memory.

use crate::many::MultiRhs;
use crate::simd::{Kernel, Simd, dispatch};
use crate::{MINVAL, dense};
use std::ops::Range;

/// Rows of a long chain that are eliminated together.
const PANEL: usize = 8;
/// Ancestors from which on a chain is long: those of fewer stay in the nearest cache anyway.
const LONG: usize = 64;

/// The elimination of a panel, as a kernel.
struct Panel<'a, F> {
    pattern: &'a TreePattern,
    first: usize,
    m: &'a mut [f64],
    pivot: &'a mut F,
}

impl<F: FnMut(&mut f64, usize) -> f64> Kernel for Panel<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        self.pattern.eliminate_panel::<P>(self.first, self.m, self.pivot);
    }
}

/// Where the entries of a tree-sparse matrix lie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreePattern {
    /// Number of entries of each row.
    pub rownnz: Vec<u32>,
    /// Address of each row's first entry.
    pub rowadr: Vec<u32>,
    /// Column of each entry: ancestors in ascending order, then the diagonal.
    pub colind: Vec<u32>,
}

impl TreePattern {
    /// Pattern of a forest given each dof's parent (always a lower number). A dof marked `simple`
    /// has a diagonal row whatever its parents: its inertia is known to be decoupled.
    pub fn new(parent: &[Option<usize>], simple: &[bool]) -> Self {
        let mut p = Self::default();
        let mut chain = Vec::new();
        for i in 0..parent.len() {
            chain.clear();
            chain.push(i as u32);
            if !simple[i] {
                let mut j = parent[i];
                while let Some(k) = j {
                    chain.push(k as u32);
                    j = parent[k];
                }
            }
            p.rowadr.push(p.colind.len() as u32);
            p.rownnz.push(chain.len() as u32);
            p.colind.extend(chain.iter().rev());
        }
        p
    }

    /// Number of rows.
    #[inline]
    pub fn n(&self) -> usize {
        self.rownnz.len()
    }

    /// Number of stored entries.
    #[inline]
    pub fn nnz(&self) -> usize {
        self.colind.len()
    }

    /// Range of row `i` in the values, its diagonal last.
    #[inline]
    pub fn row(&self, i: usize) -> Range<usize> {
        let a = self.rowadr[i] as usize;
        a..a + self.rownnz[i] as usize
    }

    /// Address of the diagonal entry of row `i`.
    #[inline]
    pub fn diag(&self, i: usize) -> usize {
        (self.rowadr[i] + self.rownnz[i]) as usize - 1
    }

    /// Whether four rows from `i` on have their diagonals alone, side by side: those of points have.
    #[inline(always)]
    fn four_diagonals(&self, i: usize) -> bool {
        self.rownnz.get(i..).and_then(|n| n.first_chunk()) == Some(&[1; 4]) && self.rowadr[i + 3] == self.rowadr[i] + 3
    }

    /// y = M x for a symmetric matrix of this pattern.
    pub fn mul(&self, m: &[f64], x: &[f64], y: &mut [f64]) {
        y[..self.n()].fill(0.0);
        let mut next = 0;
        while next < self.n() {
            let i = next;
            if self.four_diagonals(i) {
                let (m, x, y) = (&m[self.rowadr[i] as usize..][..4], &x[i..i + 4], &mut y[i..i + 4]);
                (0..4).for_each(|k| y[k] = m[k] * x[k]);
                next += 4;
                continue;
            }
            next += 1;
            let r = self.row(i);
            let (cols, vals) = (&self.colind[r.clone()], &m[r]);
            let last = cols.len() - 1;
            let xi = x[i];
            let mut yi = vals[last] * xi;
            if let Some(side_by_side) = Self::contiguous(&cols[..last]).filter(|r| r.len() >= 4) {
                y[i] += yi + dense::dot(&vals[..last], &x[side_by_side.clone()]);
                dense::axpy(&mut y[side_by_side], xi, &vals[..last]);
                continue;
            }
            for (&c, &v) in cols[..last].iter().zip(&vals[..last]) {
                yi += v * x[c as usize];
                y[c as usize] += v * xi;
            }
            y[i] += yi;
        }
    }

    /// Factors M = Lᵀ D L in place: `m` becomes L off the diagonal (unit diagonal implied) and D on
    /// it, `dinv` becomes 1/D. Returns the first row, counted from the leaves, whose pivot was
    /// below [`MINVAL`] and was lifted to it.
    ///
    /// A row and its parent are eliminated together where the parent is the row before, as along
    /// any chain: their common ancestors are then read and written once for both. Of long chains eight
    /// rows are.
    pub fn factor(&self, m: &mut [f64], dinv: &mut [f64]) -> Option<usize> {
        self.factor_rows(0..self.n(), m, dinv)
    }

    /// Factors, as [`Self::factor`] does, only the given rows: whole trees.
    pub fn factor_rows(&self, rows: Range<usize>, m: &mut [f64], dinv: &mut [f64]) -> Option<usize> {
        let mut singular = None;
        let mut pivot = |d: &mut f64, k: usize| {
            if d.is_nan() || *d < MINVAL {
                *d = MINVAL;
                singular = singular.or(Some(k));
            }
            dinv[k] = 1.0 / *d;
            dinv[k]
        };
        let mut k = rows.end;
        while k > rows.start {
            if k >= rows.start + PANEL && self.long_chain(k - PANEL) {
                k -= PANEL;
                dispatch(Panel { pattern: self, first: k, m, pivot: &mut pivot });
                continue;
            }
            k -= 1;
            let rk = self.row(k);
            let last = rk.len() - 1;
            if last == 0 {
                pivot(&mut m[rk.start], k);
                continue;
            }
            let cols = &self.colind[rk.clone()];
            if cols[last - 1] as usize == k - 1 && self.rownnz[k - 1] as usize == last {
                let rp = self.row(k - 1);
                let (head, tail) = m.split_at_mut(rp.start);
                let (row_p, tail) = tail.split_at_mut(last);
                let row_k = &mut tail[rk.start - rp.end..][..=last];
                let inv_k = pivot(&mut row_k[last], k);
                let below = row_k[last - 1] * inv_k;
                dense::axpy(row_p, -below, &row_k[..last]);
                let inv_p = pivot(&mut row_p[last - 1], k - 1);
                row_k[last - 1] = below;
                for j in (0..last - 1).rev() {
                    let ri = self.row(cols[j] as usize);
                    let (a, b) = (row_k[j] * inv_k, row_p[j] * inv_p);
                    let from = j + 1 - ri.len();
                    let (xk, xp) = (&row_k[from..=j], &row_p[from..=j]);
                    dense::axpy2(&mut head[ri], -a, xk, -b, xp);
                    (row_k[j], row_p[j]) = (a, b);
                }
                k -= 1;
                continue;
            }
            let (head, tail) = m.split_at_mut(rk.start);
            let row_k = &mut tail[..=last];
            let inv = pivot(&mut row_k[last], k);
            for j in (0..last).rev() {
                let ri = self.row(cols[j] as usize);
                let a = row_k[j] * inv;
                // A simple ancestor keeps its diagonal row; the entries it lacks are zero.
                let from = j + 1 - ri.len();
                dense::axpy(&mut head[ri], -a, &row_k[from..=j]);
                row_k[j] = a;
            }
        }
        singular
    }

    /// Whether the [`PANEL`] rows from `first` on are a piece of a chain with [`LONG`] ancestors at least.
    #[inline]
    fn long_chain(&self, first: usize) -> bool {
        let n = self.rownnz[first] as usize;
        n > LONG
            && (1..PANEL).all(|i| {
                let row = self.row(first + i);
                row.len() == n + i && self.colind[row.end - 2] as usize == first + i - 1
            })
    }

    /// Rows `first..first + PANEL`, a piece of a chain, in place: their common ancestors, of whose rows each is read and
    /// written once for all of them, lie before.
    #[inline(always)]
    fn eliminate_panel<P: Simd>(&self, first: usize, m: &mut [f64], pivot: &mut impl FnMut(&mut f64, usize) -> f64) {
        let top = self.row(first);
        let common = top.len() - 1;
        let (head, mut tail) = m.split_at_mut(top.start);
        let mut rows: [&mut [f64]; PANEL] = std::array::from_fn(|i| {
            let (row, rest) = std::mem::take(&mut tail).split_at_mut(common + i + 1);
            tail = rest;
            row
        });
        let mut inv = [0.0; PANEL];
        for i in (0..PANEL).rev() {
            let (above, rest) = rows.split_at_mut(i);
            let row = &mut *rest[0];
            inv[i] = pivot(&mut row[common + i], first + i);
            for j in (0..i).rev() {
                let a = row[common + j] * inv[i];
                dense::axpy(above[j], -a, row);
                row[common + j] = a;
            }
        }
        for j in (0..common).rev() {
            let ancestor = self.row(self.colind[top.start + j] as usize);
            // A simple ancestor keeps its diagonal row; the entries it lacks are zero.
            let from = j + 1 - ancestor.len();
            let a: [f64; PANEL] = std::array::from_fn(|i| rows[i][j] * inv[i]);
            for half in [0, 4] {
                let x = std::array::from_fn(|i| &rows[half + i][from..=j]);
                dense::axpy4::<P>(&mut head[ancestor.clone()], std::array::from_fn(|i| -a[half + i]), x);
            }
            rows.iter_mut().zip(a).for_each(|(row, a)| row[j] = a);
        }
    }

    /// Solves M x = b in place with the factor of [`Self::factor`].
    pub fn solve(&self, ld: &[f64], dinv: &[f64], x: &mut [f64]) {
        self.solve_rows(0..self.n(), ld, dinv, x);
    }

    /// Solves, as [`Self::solve`] does, only for the given rows: whole trees. `x` is that of all rows.
    pub fn solve_rows(&self, rows: Range<usize>, ld: &[f64], dinv: &[f64], x: &mut [f64]) {
        self.transposed_rows(rows.clone(), ld, x);
        for (x, d) in x[rows.clone()].iter_mut().zip(&dinv[rows.clone()]) {
            *x *= d;
        }
        self.forward_rows(rows, ld, x);
    }

    /// Takes the factor of [`Self::factor`] apart, for many right sides.
    pub fn export_factor(&self, ld: &[f64], dinv: &[f64], out: &mut MultiRhs) {
        out.clear();
        for i in (0..self.n()).rev() {
            let before = self.row(i).start..self.diag(i);
            let columns = self.colind[before.clone()].iter().map(|&c| c as usize);
            out.push(i, dinv[i], columns.zip(ld[before].iter().copied()));
        }
    }

    /// Solves Lᵀ x = b in place.
    pub fn solve_transposed(&self, ld: &[f64], x: &mut [f64]) {
        self.transposed_rows(0..self.n(), ld, x);
    }

    /// Solves L x = b in place.
    pub fn solve_forward(&self, ld: &[f64], x: &mut [f64]) {
        self.forward_rows(0..self.n(), ld, x);
    }

    fn transposed_rows(&self, rows: Range<usize>, ld: &[f64], x: &mut [f64]) {
        let mut i = rows.end;
        while i > rows.start {
            if i >= rows.start + 4 && self.four_diagonals(i - 4) {
                i -= 4;
                continue;
            }
            i -= 1;
            let r = self.row(i);
            let last = r.len() - 1;
            let xi = x[i];
            if last == 0 || xi == 0.0 {
                continue;
            }
            for (&c, &v) in self.colind[r.clone()][..last].iter().zip(&ld[r][..last]) {
                x[c as usize] -= v * xi;
            }
        }
    }

    fn forward_rows(&self, rows: Range<usize>, ld: &[f64], x: &mut [f64]) {
        let mut next = rows.start;
        while next < rows.end {
            let i = next;
            if i + 4 <= rows.end && self.four_diagonals(i) {
                next += 4;
                continue;
            }
            next += 1;
            let r = self.row(i);
            let last = r.len() - 1;
            if last == 0 {
                continue;
            }
            let mut s = x[i];
            for (&c, &v) in self.colind[r.clone()][..last].iter().zip(&ld[r][..last]) {
                s -= v * x[c as usize];
            }
            x[i] = s;
        }
    }

    /// Writes the symmetric matrix densely (row-major, n×n).
    pub fn to_dense(&self, m: &[f64], out: &mut [f64]) {
        let n = self.n();
        out[..n * n].fill(0.0);
        for i in 0..n {
            for a in self.row(i) {
                let j = self.colind[a] as usize;
                out[i * n + j] = m[a];
                out[j * n + i] = m[a];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A random forest and a positive definite matrix of its pattern: the sum over dofs of an
    /// outer product supported on the dof's chain.
    fn forest() -> impl Strategy<Value = (TreePattern, Vec<f64>)> {
        (prop::collection::vec(0usize..100, 1..14), prop::collection::vec(-1.0..1.0f64, 14 * 14)).prop_map(|(p, v)| {
            let parent: Vec<_> =
                p.iter().enumerate().map(|(i, &x)| if i == 0 || x % 5 == 0 { None } else { Some(x % i) }).collect();
            let t = TreePattern::new(&parent, &vec![false; parent.len()]);
            let n = t.n();
            let mut dense = vec![0.0; n * n];
            for k in 0..n {
                let cols = &t.colind[t.row(k)];
                for &i in cols {
                    for &j in cols {
                        let (i, j) = (i as usize, j as usize);
                        dense[i * n + j] += v[k * 14 + i] * v[k * 14 + j] + if i == j { 0.3 } else { 0.0 };
                    }
                }
            }
            let mut m = vec![0.0; t.nnz()];
            for i in 0..n {
                for a in t.row(i) {
                    m[a] = dense[i * n + t.colind[a] as usize];
                }
            }
            (t, m)
        })
    }

    proptest! {
        /// The factorization without fill-in solves what a dense Cholesky of another library solves.
        #[test]
        fn agrees_with_a_dense_factorization((t, m) in forest(), b in prop::collection::vec(-1.0..1.0f64, 14)) {
            use faer::prelude::Solve;
            let n = t.n();
            let mut dense = vec![0.0; n * n];
            t.to_dense(&m, &mut dense);
            let llt = faer::Mat::from_fn(n, n, |i, j| dense[i * n + j]).llt(faer::Side::Lower);
            prop_assume!(llt.is_ok());
            let wanted = llt.unwrap().solve(faer::Mat::from_fn(n, 1, |i, _| b[i]));
            let (mut ld, mut dinv, mut x) = (m.clone(), vec![0.0; n], b[..n].to_vec());
            t.factor(&mut ld, &mut dinv);
            t.solve(&ld, &dinv, &mut x);
            for i in 0..n {
                prop_assert!((x[i] - wanted[(i, 0)]).abs() < 1e-8 * (1.0 + x[i].abs()));
            }
        }

        #[test]
        fn solve_inverts_mul((t, m) in forest(), x in prop::collection::vec(-1.0..1.0f64, 14)) {
            let n = t.n();
            let mut y = vec![0.0; n];
            t.mul(&m, &x[..n], &mut y);
            let mut dense = vec![0.0; n * n];
            t.to_dense(&m, &mut dense);
            for i in 0..n {
                prop_assert!((y[i] - dense::dot(&dense[i * n..(i + 1) * n], &x[..n])).abs() < 1e-12);
            }
            let (mut ld, mut dinv) = (m.clone(), vec![0.0; n]);
            prop_assert_eq!(t.factor(&mut ld, &mut dinv), None);
            t.solve(&ld, &dinv, &mut y);
            for i in 0..n {
                prop_assert!((y[i] - x[i]).abs() < 1e-8);
            }
        }
    }

    /// Long chains, which are eliminated eight rows at a time, with and without branches at their end.
    #[test]
    fn long_chains_are_factored() {
        let chain = |n: usize| (0..n).map(|i: usize| i.checked_sub(1)).collect::<Vec<_>>();
        let mut branched = chain(90);
        branched.extend((90..120).map(|i| Some(if i % 11 == 0 { 80 } else { i - 1 })));
        for parent in [chain(73), chain(131), branched] {
            let n = parent.len();
            let t = TreePattern::new(&parent, &vec![false; n]);
            assert!((0..=n - PANEL).any(|first| t.long_chain(first)));
            let mut m = vec![0.0; t.nnz()];
            for i in 0..n {
                for a in t.row(i) {
                    let j = t.colind[a] as usize;
                    m[a] = if i == j { n as f64 } else { ((i * 7 + j * 13) % 17) as f64 / 17.0 - 0.5 };
                }
            }
            let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let mut y = vec![0.0; n];
            t.mul(&m, &x, &mut y);
            let (mut ld, mut dinv) = (m.clone(), vec![0.0; n]);
            assert_eq!(t.factor(&mut ld, &mut dinv), None);
            t.solve(&ld, &dinv, &mut y);
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12), "{n}");
        }
        // The pivot that is lifted is found within a panel too.
        let t = TreePattern::new(&chain(80), &[false; 80]);
        let mut m = vec![0.0; t.nnz()];
        (0..80).filter(|&i| i != 76).for_each(|i| m[t.diag(i)] = 1.0);
        assert_eq!(t.factor(&mut m, &mut [0.0; 80]), Some(76));
    }

    #[test]
    fn trees_are_factored_and_solved_one_by_one() {
        // Two chains of two dofs each.
        let t = TreePattern::new(&[None, Some(0), None, Some(2)], &[false; 4]);
        let m = [4.0, 1.0, 3.0, 5.0, 2.0, 6.0];
        let (mut whole, mut whole_inv, mut x) = (m, [0.0; 4], [1.0, 2.0, 3.0, 4.0]);
        t.factor(&mut whole, &mut whole_inv);
        t.solve(&whole, &whole_inv, &mut x);
        let (mut parts, mut parts_inv, mut y) = (m, [0.0; 4], [1.0, 2.0, 3.0, 4.0]);
        for tree in [2..4, 0..2] {
            t.factor_rows(tree.clone(), &mut parts, &mut parts_inv);
            t.solve_rows(tree, &parts, &parts_inv, &mut y);
        }
        assert_eq!((whole, whole_inv, x), (parts, parts_inv, y));
    }

    /// Points between two chains: rows that are their diagonals alone.
    #[test]
    fn points_are_multiplied_and_solved() {
        let parent: Vec<_> = (0..17usize).map(|i| (i % 13 != 0 && i != 3).then(|| i - 1)).collect();
        let simple: Vec<_> = (0..17).map(|i| (3..13).contains(&i)).collect();
        let t = TreePattern::new(&parent, &simple);
        let mut m: Vec<f64> = (0..t.nnz()).map(|a| 0.1 + 0.01 * a as f64).collect();
        (0..17).for_each(|i| m[t.diag(i)] += 2.0);
        let x: Vec<f64> = (0..17).map(|i| 1.0 - 0.3 * f64::from(i)).collect();
        let (mut y, mut dense, mut dinv) = ([0.0; 17], [0.0; 17 * 17], [0.0; 17]);
        t.mul(&m, &x, &mut y);
        t.to_dense(&m, &mut dense);
        for i in 0..17 {
            assert!((y[i] - dense::dot(&dense[17 * i..17 * (i + 1)], &x)).abs() < 1e-12);
        }
        assert_eq!(t.factor(&mut m, &mut dinv), None);
        t.solve(&m, &dinv, &mut y);
        assert!(y.iter().zip(&x).all(|(y, x)| (y - x).abs() < 1e-12));
    }

    #[test]
    fn singular_pivot_is_reported() {
        let t = TreePattern::new(&[None, Some(0)], &[false; 2]);
        let mut m = vec![1.0, 0.0, 0.0];
        assert_eq!(t.factor(&mut m, &mut [0.0; 2]), Some(1));
    }
}
