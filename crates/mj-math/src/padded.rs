//! The factor of a small matrix of a tree's pattern, in rows of fixed length.

use crate::dense;
use crate::fixed::{
    Fixed, LIMIT, Pivots, Places, entries, expand, export_factor, factor, fixed, groups, inverses, rows, rows_mut,
    solve,
};
use crate::many::MultiRhs;
use crate::simd::Simd;
use crate::tree::pattern::TreePattern;

/// Factor of a positive definite matrix of a tree's pattern. For a few dozen dofs in long chains it is made and
/// applied several times faster than by [`TreePattern::factor`], whose rows are too short for long loops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaddedFactor {
    groups: usize,
    dl: Vec<f64>,
    pivots: Vec<Pivots>,
    mask: Vec<u64>,
    /// Where the matrix's entries lie in DL.
    places: Places,
    known: bool,
}

impl PaddedFactor {
    /// Whether matrices of this pattern are worth it.
    #[inline]
    pub fn suits(pattern: &TreePattern) -> bool {
        let n = pattern.n();
        (8..=LIMIT).contains(&n) && pattern.nnz() >= 4 * n
    }

    /// For matrices of a pattern, which must suit.
    pub fn new(pattern: &TreePattern) -> Self {
        let mut f = Self { groups: groups(pattern.n()), ..Self::default() };
        entries(pattern, &mut f.mask);
        f.mask.resize(4 * f.groups, 0);
        f.places.find(pattern, 4 * f.groups);
        f
    }

    /// Makes it one for matrices of the same pattern as another; what it holds is lost.
    pub fn fit(&mut self, other: &Self) {
        self.groups = other.groups;
        self.mask.clone_from(&other.mask);
        self.places.clone_from(&other.places);
        self.known = false;
    }

    /// Factors the matrix of these values, with `add` for each row added to its diagonal. `pattern` is that
    /// which it was made for. Pivots
    /// below [`crate::MINVAL`] are lifted to it; returns the last row of which that is true.
    pub fn factor(&mut self, pattern: &TreePattern, values: &[f64], add: impl Fn(usize) -> f64) -> Option<usize> {
        let w = 4 * self.groups;
        self.dl.resize(w * w, 0.0);
        self.pivots.resize(self.groups, Pivots::default());
        self.known = true;
        let Self { groups, dl, pivots, mask, places, .. } = self;
        fixed(*groups, Factor { n: pattern.n(), values, places, add, dl, pivots, mask })
    }

    /// Whether it holds a factor.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// Forgets the factor.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Writes the factor as [`TreePattern::factor`] does.
    pub fn write(&self, pattern: &TreePattern, ld: &mut [f64], dinv: &mut [f64]) {
        let w = 4 * self.groups;
        dinv.iter_mut().zip(inverses(&self.pivots)).for_each(|(d, inv)| *d = inv);
        for ((i, row), &inv) in self.dl.chunks_exact(w).enumerate().zip(&*dinv) {
            let r = pattern.row(i);
            let (ld, cols) = (&mut ld[r.clone()], &pattern.colind[r]);
            if let Some(side_by_side) = TreePattern::contiguous(cols) {
                dense::scale_into(ld, inv, &row[side_by_side]);
            } else {
                ld.iter_mut().zip(cols).for_each(|(x, &c)| *x = row[c as usize] * inv);
            }
            ld[ld.len() - 1] = row[i];
        }
    }

    /// Takes it apart, for many right-hand sides; of a matrix of `n` rows.
    pub fn export_factor(&self, n: usize, out: &mut MultiRhs) {
        export_factor(n, &self.dl, &self.pivots, &self.mask, out);
    }

    /// Solves for a right-hand side, in place.
    pub fn solve(&self, x: &mut [f64]) {
        fixed(self.groups, Solve { factor: self, x });
    }
}

struct Factor<'a, F> {
    n: usize,
    values: &'a [f64],
    places: &'a Places,
    add: F,
    dl: &'a mut [f64],
    pivots: &'a mut [Pivots],
    mask: &'a [u64],
}

impl<F: Fn(usize) -> f64> Fixed for Factor<'_, F> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) -> Option<usize> {
        let a = rows_mut::<C>(self.dl);
        expand(self.n, self.values, self.places, a);
        for (i, row) in a[..self.n].iter_mut().enumerate() {
            row.as_flattened_mut()[i] += (self.add)(i);
        }
        factor(s, a, self.pivots, self.mask)
    }
}

struct Solve<'a> {
    factor: &'a PaddedFactor,
    x: &'a mut [f64],
}

impl Fixed for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) {
        let mut x = [[0.0; 4]; C];
        x.as_flattened_mut()[..self.x.len()].copy_from_slice(self.x);
        solve(s, rows(&self.factor.dl), &self.factor.pivots, &mut x);
        self.x.copy_from_slice(&x.as_flattened()[..self.x.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The same factor and solution as those of the packed rows, simple rows and several trees included.
        #[test]
        fn is_the_trees_factor(
            parents in prop::collection::vec(0usize..100, 8..40),
            seed in prop::collection::vec(-1.0..1.0f64, 211),
        ) {
            let parent: Vec<_> =
                parents.iter().enumerate().map(|(i, &x)| if i == 0 || x % 9 == 0 { None } else { Some(i - 1 - x % i.min(3)) }).collect();
            let simple: Vec<_> = (0..parent.len()).map(|i| parent[i].is_none() && parents[i] % 2 == 0).collect();
            let p = TreePattern::new(&parent, &simple);
            let n = p.n();
            let mut m: Vec<f64> = (0..p.nnz()).map(|i| seed[i % 211]).collect();
            // Dominant diagonals.
            for i in 0..n {
                m[p.diag(i)] = 100.0 + i as f64;
            }
            let add = |i: usize| 0.5 * i as f64;
            let (mut ld, mut dinv) = (m.clone(), vec![0.0; n]);
            for i in 0..n {
                ld[p.diag(i)] += add(i);
            }
            p.factor(&mut ld, &mut dinv);
            let mut padded = PaddedFactor::default();
            padded.fit(&PaddedFactor::new(&p));
            prop_assert_eq!(padded.factor(&p, &m, add), None);
            let (mut ld2, mut dinv2) = (m, vec![0.0; n]);
            padded.write(&p, &mut ld2, &mut dinv2);
            for (a, b) in ld.iter().zip(&ld2).chain(dinv.iter().zip(&dinv2)) {
                prop_assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{a} {b}");
            }
            let mut x: Vec<f64> = (0..n).map(|i| seed[(3 * i) % 211]).collect();
            let mut y = x.clone();
            p.solve(&ld, &dinv, &mut x);
            padded.solve(&mut y);
            for (a, b) in x.iter().zip(&y) {
                prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
            // The same for many right sides, by either.
            let mut many = MultiRhs::default();
            for by_tree in [false, true] {
                if by_tree { p.export_factor(&ld, &dinv, &mut many) } else { padded.export_factor(n, &mut many) }
                let mut z: Vec<f64> = (0..8 * n).map(|k| seed[(3 * (k / 8)) % 211] * (k % 8) as f64).collect();
                many.solve(&mut z, 8);
                for (k, z) in z.iter().enumerate() {
                    prop_assert!((z - x[k / 8] * (k % 8) as f64).abs() < 1e-11, "{k}: {z}");
                }
            }
        }
    }
}
