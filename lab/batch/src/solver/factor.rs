//! Factor of the Hessian in the union of the worlds' patterns. What a world lacks is zero, which changes no bit of it.

use super::{MAX_DOFS, Pattern};
use crate::lane::Lane;

/// Columns before the diagonal of one row.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    list: [u8; MAX_DOFS],
    len: usize,
}

impl Columns {
    /// Lists the bits of a word.
    pub fn of(mut bits: u64) -> Self {
        let mut out = Self { list: [0; MAX_DOFS], len: 0 };
        while bits != 0 {
            out.list[out.len] = bits.trailing_zeros() as u8;
            out.len += 1;
            bits &= bits - 1;
        }
        out
    }

    /// Returns the columns in ascending order.
    #[inline(always)]
    pub fn get(&self) -> &[u8] {
        &self.list[..self.len]
    }
}

/// Returns the columns before the diagonal of each row of the factor, rows eliminated from the last.
pub fn fill_in(pattern: &Pattern, rows: &[u64]) -> Vec<Columns> {
    let below = |i: usize| (1u64 << i) - 1;
    let mut bits = vec![0u64; pattern.nv];
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

/// Factors H = LᵀDL in place, n×n by rows, its lower triangle.
#[inline(always)]
pub fn factor<L: Lane>(n: usize, columns: &[Columns], h: &mut [L], dinv: &mut [L]) {
    for k in (0..n).rev() {
        let (above, row) = h.split_at_mut(k * n);
        let row = &mut row[..n];
        let inverse = row[k].like(1.0) / row[k];
        dinv[k] = inverse;
        let cols = columns[k].get();
        for (at, &i) in cols.iter().enumerate().rev() {
            let i = i as usize;
            let l = row[i] * inverse;
            let target = &mut above[i * n..][..n];
            for &j in &cols[..=at] {
                let j = j as usize;
                target[j] = target[j].minus(l, row[j]);
            }
            row[i] = l;
        }
    }
}

/// Solves with the factor in place.
#[inline(always)]
pub fn solve<L: Lane>(n: usize, columns: &[Columns], h: &[L], dinv: &[L], x: &mut [L]) {
    for k in (0..n).rev() {
        let (row, xk) = (&h[k * n..][..n], x[k]);
        for &i in columns[k].get() {
            x[i as usize] = x[i as usize].minus(row[i as usize], xk);
        }
    }
    for k in 0..n {
        let row = &h[k * n..][..n];
        let mut xk = x[k] * dinv[k];
        for &i in columns[k].get() {
            xk = xk.minus(row[i as usize], x[i as usize]);
        }
        x[k] = xk;
    }
}
