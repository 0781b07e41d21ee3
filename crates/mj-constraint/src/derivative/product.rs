//! Simd of small matrices, added to some rows of a large one.

use mj_math::block::Run;
use mj_math::simd::{F64x4, Kernel, Simd, dispatch};

/// Numbers that a matrix that products are added to must have behind its last row: runs of columns are worked on by fours,
/// beyond their ends with zeros.
pub(super) const BEHIND: usize = 3;

/// C X, with a few rows in X, whose columns are runs of a large matrix'. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    /// Number of X's rows.
    n: usize,
    /// First columns of groups of four, in the large matrix.
    groups: Vec<u32>,
    /// X, group by group, padded with zeros.
    x: Vec<[f64; 4]>,
    /// Where the first row's number of each column is in that.
    places: Vec<u32>,
    /// C, row by row, and the rows of the large matrix that its rows go to.
    c: Vec<f64>,
    rows: Vec<u32>,
}

impl Product {
    /// Begins another, with `n` rows of zeros in X, and no row in C.
    pub fn start(&mut self, runs: &[Run], n: usize) {
        self.n = n;
        self.groups.clear();
        self.places.clear();
        self.c.clear();
        self.rows.clear();
        for r in runs {
            for k in 0..r.len {
                if k % 4 == 0 {
                    self.groups.push(r.start + k);
                }
                self.places.push(((self.groups.len() - 1) * 4 * n) as u32 + k % 4);
            }
        }
        self.x.clear();
        self.x.resize(self.groups.len() * n, [0.0; 4]);
    }

    /// Sets a column of X, counted in the runs.
    #[inline]
    pub fn set_column(&mut self, column: usize, values: impl IntoIterator<Item = f64>) {
        let place = self.places[column] as usize;
        let slots = self.x.as_flattened_mut()[place..].iter_mut().step_by(4);
        slots.take(self.n).zip(values).for_each(|(to, x)| *to = x);
    }

    /// Makes X the rows of a block's values.
    pub fn set_rows(&mut self, values: &[f64]) {
        let w = self.places.len();
        for (r, row) in values.chunks_exact(w.max(1)).enumerate() {
            let x = &mut self.x.as_flattened_mut()[4 * r..];
            self.places.iter().zip(row).for_each(|(&place, value)| x[place as usize] = *value);
        }
    }

    /// Adds a row to C.
    #[inline]
    pub fn push_row(&mut self, row: usize, values: impl IntoIterator<Item = f64>) {
        self.rows.push(row as u32);
        self.c.extend(values);
    }

    /// Adds C X to a matrix with rows of `width` numbers.
    pub fn add_to(&self, width: usize, out: &mut [f64]) {
        if self.n > 0 {
            dispatch(Add { p: self, width, out });
        }
    }
}

struct Add<'a> {
    p: &'a Product,
    width: usize,
    out: &'a mut [f64],
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { p, width, out } = self;
        for (&row, c) in p.rows.iter().zip(p.c.chunks_exact(p.n)) {
            let out = &mut out[row as usize * width..];
            for (&first, x) in p.groups.iter().zip(p.x.chunks_exact(p.n)) {
                let to: &mut [f64; 4] = out[first as usize..].first_chunk_mut().expect("numbers behind the last row");
                let mut sum = F64x4::new(s, to);
                for (c, x) in c.iter().zip(x) {
                    sum = sum.plus(F64x4::splat(s, *c), F64x4::new(s, x));
                }
                *to = sum.get();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_a_product_to_rows() {
        let runs = [Run { start: 1, len: 5 }, Run { start: 7, len: 1 }];
        let x = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [-1.0, 0.5, 0.0, 2.0, 1.0, -3.0]];
        let c = [(0, [2.0, 1.0]), (7, [0.0, -4.0])];
        let mut p = Product::default();
        for by_columns in [false, true] {
            p.start(&runs, 2);
            if by_columns {
                (0..6).for_each(|k| p.set_column(k, x.map(|row| row[k])));
            } else {
                p.set_rows(x.as_flattened());
            }
            c.iter().for_each(|(row, c)| p.push_row(*row, *c));
            let mut out = vec![0.5; 64 + BEHIND];
            p.add_to(8, &mut out);
            for i in 0..8 {
                for j in 0..8 {
                    let column = [1, 2, 3, 4, 5, 7].iter().position(|&k| k == j);
                    let row = c.iter().find(|(row, _)| *row == i);
                    let sum = row.zip(column).map_or(0.0, |((_, c), k)| c[0] * x[0][k] + c[1] * x[1][k]);
                    assert_eq!(out[8 * i + j], 0.5 + sum);
                }
            }
        }
    }
}
