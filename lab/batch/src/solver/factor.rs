//! Factor of the Hessian in the union of the worlds' patterns. Entries that a world lacks are zero there, which changes no bit of it.

use super::{Bits, MAX_DOFS, Pattern};
use crate::lane::Lane;

/// Columns of one row, as runs of neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// First column and end of each run.
    runs: [(u8, u8); MAX_DOFS / 2],
    len: usize,
}

impl Columns {
    /// Lists the runs of bits of a word.
    pub fn of(mut bits: Bits) -> Self {
        let mut out = Self { runs: [(0, 0); MAX_DOFS / 2], len: 0 };
        while bits != 0 {
            let start = bits.trailing_zeros();
            let length = (!(bits >> start)).trailing_zeros();
            out.runs[out.len] = (start as u8, (start + length) as u8);
            out.len += 1;
            let end = start + length;
            bits = if end == Bits::BITS { 0 } else { bits >> end << end };
        }
        out
    }

    /// Returns the runs in ascending order.
    #[inline(always)]
    pub fn get(&self) -> &[(u8, u8)] {
        &self.runs[..self.len]
    }
}

/// Adds s·row to the target in the columns of the runs.
#[inline(always)]
pub fn add_scaled<L: Lane>(runs: &[(u8, u8)], s: L, row: &[L], target: &mut [L]) {
    for &(start, end) in runs {
        let (start, end) = (start as usize, end as usize);
        for (t, x) in target[start..end].iter_mut().zip(&row[start..end]) {
            *t = t.plus(s, *x);
        }
    }
}

/// Subtracts s·row from the target in the columns of the runs.
#[inline(always)]
pub fn subtract_scaled<L: Lane>(runs: &[(u8, u8)], s: L, row: &[L], target: &mut [L]) {
    for &(start, end) in runs {
        let (start, end) = (start as usize, end as usize);
        for (t, x) in target[start..end].iter_mut().zip(&row[start..end]) {
            *t = t.minus(s, *x);
        }
    }
}

/// Returns sum + row·x over the columns of the runs.
#[inline(always)]
pub fn product<L: Lane>(runs: &[(u8, u8)], mut sum: L, row: &[L], x: &[L]) -> L {
    for &(start, end) in runs {
        let (start, end) = (start as usize, end as usize);
        for (a, b) in row[start..end].iter().zip(&x[start..end]) {
            sum = sum.plus(*a, *b);
        }
    }
    sum
}

/// Returns the columns before the diagonal of each row of the factor, rows eliminated from the last.
pub fn fill_in(pattern: &Pattern, rows: &[Bits]) -> Vec<Columns> {
    let below = |i: usize| ((1 as Bits) << i) - 1;
    let mut bits = vec![0 as Bits; pattern.nv];
    for (i, bits) in bits.iter_mut().enumerate() {
        for &c in &pattern.colind[pattern.rowadr[i]..pattern.rowadr[i + 1]] {
            *bits |= (1 << c) & below(i);
        }
        for r in rows.iter().filter(|r| *r >> i & 1 == 1) {
            *bits |= r & below(i);
        }
    }
    for k in (0..pattern.nv).rev() {
        let row = bits[k];
        let mut rest = row;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            bits[i] |= row & below(i);
            rest &= rest - 1;
        }
    }
    bits.into_iter().map(Columns::of).collect()
}

/// Adds Σ curvature·row·rowᵀ of K rows with equal columns to a lower triangle.
#[inline(always)]
pub fn add_squares<L: Lane, const K: usize>(runs: &[(u8, u8)], curvature: [L; K], rows: [&[L]; K], h: &mut [L]) {
    for (at, &(start, end)) in runs.iter().enumerate() {
        for i in start as usize..end as usize {
            let mut scaled = curvature;
            for k in 0..K {
                scaled[k] = curvature[k] * rows[k][i];
            }
            let target = &mut h[triangle(i)..][..=i];
            for &(first, last) in &runs[..at] {
                add_rows(first as usize, last as usize, scaled, rows, target);
            }
            add_rows(start as usize, i + 1, scaled, rows, target);
        }
    }
}

/// Adds Σ s·row of K rows to the target in the columns from `first` to before `last`, row by row in each column.
#[inline(always)]
fn add_rows<L: Lane, const K: usize>(first: usize, last: usize, s: [L; K], mut rows: [&[L]; K], target: &mut [L]) {
    let target = &mut target[first..last];
    for k in 0..K {
        rows[k] = &rows[k][first..last];
    }
    for c in 0..target.len() {
        let mut t = target[c];
        for k in 0..K {
            t = t.plus(s[k], rows[k][c]);
        }
        target[c] = t;
    }
}

/// Returns where row `i` of a lower triangle starts.
#[inline(always)]
pub fn triangle(i: usize) -> usize {
    i * (i + 1) / 2
}

/// Factors H = LᵀDL in place: its lower triangle by rows.
#[inline(always)]
pub fn factor<L: Lane>(n: usize, columns: &[Columns], h: &mut [L], dinv: &mut [L]) {
    for k in (0..n).rev() {
        let (above, row) = h.split_at_mut(triangle(k));
        let row = &mut row[..=k];
        let inverse = row[k].like(1.0) / row[k];
        dinv[k] = inverse;
        let runs = columns[k].get();
        for (at, &(start, end)) in runs.iter().enumerate().rev() {
            let start = start as usize;
            for i in (start..end as usize).rev() {
                let l = row[i] * inverse;
                let target = &mut above[triangle(i)..][..=i];
                subtract_scaled(&runs[..at], l, row, target);
                for (t, x) in target[start..=i].iter_mut().zip(&row[start..=i]) {
                    *t = t.minus(l, *x);
                }
                row[i] = l;
            }
        }
    }
}

/// Solves with the factor in place.
#[inline(always)]
pub fn solve<L: Lane>(n: usize, columns: &[Columns], h: &[L], dinv: &[L], x: &mut [L]) {
    for k in (0..n).rev() {
        let xk = x[k];
        subtract_scaled(columns[k].get(), xk, &h[triangle(k)..][..=k], x);
    }
    for k in 0..n {
        let sum = product(columns[k].get(), x[k].like(0.0), &h[triangle(k)..][..=k], x);
        x[k] = x[k] * dinv[k] - sum;
    }
}
