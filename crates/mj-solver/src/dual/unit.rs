//! The units of an island in the memory of a dual solver.

use crate::island::find::Islands;
use mj_problem::{Bound, Problem};
use std::ops::Range;

/// A [unit](mj_problem::Unit), or those of its rows that move, among the rows that a dual solver updates.
#[derive(Clone, Copy, Debug)]
pub struct DualUnit {
    /// First row in the problem.
    pub first: u32,
    /// First row among those that are being solved.
    pub row: u32,
    /// Number of rows.
    pub nrow: u32,
    /// Where its part of A starts.
    pub a: u32,
    /// Bound of the unit's forces.
    pub bound: Bound,
}

impl DualUnit {
    /// Number of rows.
    #[inline(always)]
    pub fn dim(&self) -> usize {
        self.nrow as usize
    }

    /// Its rows in the problem.
    #[inline(always)]
    pub fn rows(&self) -> Range<usize> {
        self.first as usize..(self.first + self.nrow) as usize
    }
}

/// Units of one island in row order.
pub fn find_units(p: &Problem, islands: &Islands, i: usize, out: &mut Vec<DualUnit>) {
    out.clear();
    islands.for_each_block(p, i, |k| {
        let b = &p.rows.jac.blocks()[k];
        let units = p.rows.units(b.row as usize..(b.row + b.nrow) as usize);
        out.extend(units.map(|u| DualUnit { first: u.row as u32, row: 0, nrow: u.dim() as u32, a: 0, bound: u.bound }));
    });
}
