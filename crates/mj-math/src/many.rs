//! Solutions for many right sides at once.
//!
//! A solution for one right side is a chain of short steps. For many of them an entry of the factor A = LᵀDL takes a row of
//! numbers, one for each right side, from another: long loops without remainders, whatever form the factor was made in, and
//! entries that are zero cost nothing.

use crate::simd::{F64x4, Kernel, Simd, dispatch};

/// A factor A = LᵀDL, L with a unit diagonal, by its entries. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct MultiRhs {
    /// Rows of L in the order of elimination, with 1/D and the end of their entries.
    rows: Vec<Row>,
    entries: Vec<Entry>,
    /// The entries by columns, where each begins, and one past the last.
    columns: Vec<Entry>,
    starts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    index: u32,
    end: u32,
    inv: f64,
}

/// An entry of L, and the other row of X that it is about.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    value: f64,
    other: u32,
}

/// Numbers that the rows of a matrix of right sides are padded to a multiple of.
pub const PADDING: usize = 8;

/// Greatest number of groups of four that are held at once.
const STRIPE: usize = 10;

impl MultiRhs {
    /// Begins another factor.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.entries.clear();
    }

    /// Adds a row of L in the order of elimination, with 1/D and its entries before the diagonal.
    #[inline]
    pub fn push(&mut self, row: usize, inv: f64, entries: impl Iterator<Item = (usize, f64)>) {
        let nonzero = entries.filter(|(_, value)| *value != 0.0);
        self.entries.extend(nonzero.map(|(column, value)| Entry { value, other: column as u32 }));
        self.rows.push(Row { index: row as u32, end: self.entries.len() as u32, inv });
    }

    /// Solves A X = B in place, a row of `width` numbers for each unknown, a multiple of [`PADDING`].
    pub fn solve(&mut self, x: &mut [f64], width: usize) {
        self.transpose();
        let groups = width / 4;
        let (pairs, stripes) = (groups / 2, groups.div_ceil(STRIPE));
        let mut first = 0;
        for i in 0..stripes {
            // Stripes of about the same width.
            let end = 2 * (pairs * (i + 1) / stripes);
            let s = (&*self, &mut *x, groups, first);
            match end - first {
                2 => dispatch(Stripe::<2>(s)),
                4 => dispatch(Stripe::<4>(s)),
                6 => dispatch(Stripe::<6>(s)),
                8 => dispatch(Stripe::<8>(s)),
                _ => dispatch(Stripe::<STRIPE>(s)),
            }
            first = end;
        }
    }

    /// Sorts the entries by columns.
    fn transpose(&mut self) {
        self.starts.clear();
        self.starts.resize(self.rows.len() + 1, 0);
        self.columns.resize(self.entries.len(), Entry::default());
        for e in &self.entries {
            self.starts[e.other as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        // From the last entry of each column to its first: then that is where the column starts.
        let mut last = self.entries.len();
        for i in (0..self.rows.len()).rev() {
            let first = self.first_entry(i);
            for e in &self.entries[first..last] {
                let at = &mut self.starts[e.other as usize];
                *at -= 1;
                self.columns[*at as usize] = Entry { value: e.value, other: self.rows[i].index };
            }
            last = first;
        }
    }

    /// Where the entries of the row eliminated as number `i` begin.
    #[inline(always)]
    fn first_entry(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.rows[i - 1].end as usize }
    }
}

/// Some columns: the factor, X, groups of four in its rows, the first of the columns' own.
struct Stripe<'a, const G: usize>((&'a MultiRhs, &'a mut [f64], usize, usize));

impl<const G: usize> Kernel for Stripe<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (f, x, stride, first) = self.0;
        let x = x.as_chunks_mut::<4>().0;
        // Lᵀ: a row is done when all that were eliminated before it are.
        for row in &f.rows {
            let i = row.index as usize;
            let range = f.starts[i] as usize..f.starts[i + 1] as usize;
            let sum = subtract::<S, G>(s, x, i, None, &f.columns[range], stride, first);
            put(x, i * stride + first, sum);
        }
        // D and L.
        let mut end = f.entries.len();
        for (k, row) in f.rows.iter().enumerate().rev() {
            let start = f.first_entry(k);
            let sum = subtract::<S, G>(s, x, row.index as usize, Some(row.inv), &f.entries[start..end], stride, first);
            put(x, row.index as usize * stride + first, sum);
            end = start;
        }
    }
}

/// A row of X, scaled, less some others.
#[inline(always)]
fn subtract<S: Simd, const G: usize>(
    s: S,
    x: &[[f64; 4]],
    row: usize,
    scale: Option<f64>,
    entries: &[Entry],
    stride: usize,
    first: usize,
) -> [F64x4<S>; G] {
    let at = |i: usize| -> &[[f64; 4]; G] { x[i * stride + first..].first_chunk().expect("a stripe of each row") };
    // Loops, since maps of arrays aren't always compiled for the lanes.
    let (own, mut sum) = (at(row), [F64x4::splat(s, 0.0); G]);
    for g in 0..G {
        sum[g] = F64x4::new(s, &own[g]);
    }
    if let Some(scale) = scale {
        let scale = F64x4::splat(s, scale);
        for g in 0..G {
            sum[g] = sum[g] * scale;
        }
    }
    for e in entries {
        let (value, other) = (F64x4::splat(s, e.value), at(e.other as usize));
        for g in 0..G {
            sum[g] = sum[g].minus(value, F64x4::new(s, &other[g]));
        }
    }
    sum
}

#[inline(always)]
fn put<S: Simd, const G: usize>(x: &mut [[f64; 4]], at: usize, values: [F64x4<S>; G]) {
    let to: &mut [[f64; 4]; G] = x[at..].first_chunk_mut().expect("a stripe of each row");
    for g in 0..G {
        to[g] = values[g].get();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A = LᵀDL times the solution is the right side, whatever the order of elimination and the number of right sides.
        #[test]
        fn solves_for_all_sides(
            n in 1usize..12,
            sides in 1usize..60,
            shift in 0usize..12,
            seed in prop::collection::vec(-1.0..1.0f64, 97),
        ) {
            let at = |i: usize, j: usize| seed[(7 * i + 13 * j) % seed.len()];
            // Eliminated are the rows from the last one on, but those before `shift` first.
            let order: Vec<usize> = (0..n).map(|k| (n - 1 - k + shift) % n).collect();
            let mut l = vec![0.0; n * n];
            let mut f = MultiRhs::default();
            f.clear();
            for (k, &i) in order.iter().enumerate() {
                let later = || order[k + 1..].iter().map(move |&j| (j, if (i + j) % 3 == 0 { 0.0 } else { at(i, j) }));
                l[i * n + i] = 1.0;
                later().for_each(|(j, x)| l[i * n + j] = x);
                f.push(i, 1.0 / (1.5 + at(i, i)), later());
            }
            let width = sides.next_multiple_of(PADDING);
            let mut x: Vec<f64> = (0..n * width).map(|i| seed[(5 * i) % seed.len()]).collect();
            let b = x.clone();
            f.solve(&mut x, width);
            for c in 0..sides {
                let y: Vec<f64> = (0..n).map(|i| (1.5 + at(i, i)) * (0..n).map(|j| l[i * n + j] * x[j * width + c]).sum::<f64>()).collect();
                for i in 0..n {
                    let sum: f64 = (0..n).map(|k| l[k * n + i] * y[k]).sum();
                    let size = x.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
                    prop_assert!((sum - b[i * width + c]).abs() < 1e-11 * size);
                }
            }
        }
    }
}
