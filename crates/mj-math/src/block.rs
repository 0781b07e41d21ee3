//! Matrices whose rows come in dense blocks over a few contiguous runs of columns.
//!
//! A constraint touches one or two kinematic chains, and the dofs of a chain are a few contiguous
//! runs. All rows of one constraint share those runs, so the block of their coefficients is stored
//! dense and every kernel is a short loop over contiguous numbers.

mod products;

use crate::simd::dispatch_from;
use products::{Mul, MulTransposed, dot_of_runs};

/// A contiguous run of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First column.
    pub start: u32,
    /// Number of columns.
    pub len: u32,
}

/// Consecutive rows that share their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// First row.
    pub row: u32,
    /// Number of rows.
    pub nrow: u32,
    /// First run.
    pub run: u32,
    /// Number of runs.
    pub nrun: u32,
    /// Number of columns: the sum of the runs' lengths.
    pub ncol: u32,
    /// Address of the block's values (nrow×ncol, row-major).
    pub adr: u32,
}

/// A matrix of dense row blocks. Clearing keeps the memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockRows {
    ncols: usize,
    nrows: usize,
    runs: Vec<Run>,
    blocks: Vec<Block>,
    values: Vec<f64>,
    row_block: Vec<u32>,
}

impl BlockRows {
    /// Removes all rows and sets the number of columns.
    pub fn clear(&mut self, ncols: usize) {
        self.ncols = ncols;
        self.nrows = 0;
        self.runs.clear();
        self.blocks.clear();
        self.values.clear();
        self.row_block.clear();
    }

    /// Number of rows.
    #[inline]
    pub fn nrows(&self) -> usize {
        self.nrows
    }

    /// Number of columns.
    #[inline]
    pub fn ncols(&self) -> usize {
        self.ncols
    }

    /// All blocks, in row order.
    #[inline]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Appends a block of `nrow` zero rows over the given runs (ascending, disjoint, inside the
    /// columns) and returns its values to be filled (nrow×ncol, row-major).
    #[inline]
    pub fn push(&mut self, nrow: usize, runs: &[Run]) -> &mut [f64] {
        let ncol: u32 = runs.iter().map(|r| r.len).sum();
        debug_assert!(runs.windows(2).all(|w| w[0].start + w[0].len <= w[1].start));
        debug_assert!(runs.last().is_none_or(|r| (r.start + r.len) as usize <= self.ncols));
        // Mostly one row or few, of one run or two: calls that copy would cost more.
        let block = self.blocks.len() as u32;
        (0..nrow).for_each(|_| self.row_block.push(block));
        let adr = self.values.len();
        self.blocks.push(Block {
            row: self.nrows as u32,
            nrow: nrow as u32,
            run: self.runs.len() as u32,
            nrun: runs.len() as u32,
            ncol,
            adr: adr as u32,
        });
        runs.iter().for_each(|r| self.runs.push(*r));
        self.nrows += nrow;
        self.values.resize(adr + nrow * ncol as usize, 0.0);
        &mut self.values[adr..]
    }

    /// All but the values and the number of columns: the blocks, and the runs of all.
    #[inline]
    pub fn layout(&self) -> (&[Block], &[Run]) {
        (&self.blocks, &self.runs)
    }

    /// Values of block number `i`, to be changed.
    #[inline]
    pub fn block_values_mut(&mut self, i: usize) -> &mut [f64] {
        let b = self.blocks[i];
        self.values_mut(&b)
    }

    /// Runs of a block.
    #[inline]
    pub fn runs(&self, b: &Block) -> &[Run] {
        &self.runs[b.run as usize..(b.run + b.nrun) as usize]
    }

    /// Values of a block (nrow×ncol, row-major).
    #[inline]
    pub fn values(&self, b: &Block) -> &[f64] {
        &self.values[b.adr as usize..b.adr as usize + (b.nrow * b.ncol) as usize]
    }

    /// Values of all blocks, row after row.
    #[inline]
    pub fn all_values(&self) -> &[f64] {
        &self.values
    }

    /// Values of a block, to be changed.
    #[inline]
    pub fn values_mut(&mut self, b: &Block) -> &mut [f64] {
        &mut self.values[b.adr as usize..b.adr as usize + (b.nrow * b.ncol) as usize]
    }

    /// Runs of a block, and its values to be changed.
    #[inline]
    pub fn runs_and_values_mut(&mut self, b: &Block) -> (&[Run], &mut [f64]) {
        let runs = &self.runs[b.run as usize..(b.run + b.nrun) as usize];
        (runs, &mut self.values[b.adr as usize..b.adr as usize + (b.nrow * b.ncol) as usize])
    }

    /// Block that holds row `i`.
    #[inline]
    pub fn block_of(&self, i: usize) -> &Block {
        &self.blocks[self.row_block[i] as usize]
    }

    /// Number of the block that holds row `i`.
    #[inline]
    pub fn number_of_block(&self, i: usize) -> u32 {
        self.row_block[i]
    }

    /// Runs and values of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&[Run], &[f64]) {
        let b = self.block_of(i);
        let n = b.ncol as usize;
        let k = i - b.row as usize;
        (self.runs(b), &self.values(b)[k * n..(k + 1) * n])
    }

    /// Entries of a vector at the block's columns, gathered into `work`, or the vector's own slice
    /// where the columns are one run.
    #[inline(always)]
    fn gather<'a>(&self, b: &Block, x: &'a [f64], work: &'a mut [f64]) -> &'a [f64] {
        let runs = self.runs(b);
        if let [r] = runs {
            return &x[r.start as usize..(r.start + r.len) as usize];
        }
        let mut at = 0;
        for r in runs {
            let n = r.len as usize;
            work[at..at + n].copy_from_slice(&x[r.start as usize..r.start as usize + n]);
            at += n;
        }
        &work[..at]
    }

    /// Product of row `i` with a vector.
    #[inline]
    pub fn row_dot(&self, i: usize, x: &[f64]) -> f64 {
        let (runs, values) = self.row(i);
        dot_of_runs(runs, values, x)
    }

    /// y = J x. `work` holds at least `ncols` numbers.
    #[inline]
    pub fn mul(&self, x: &[f64], y: &mut [f64], work: &mut [f64]) {
        dispatch_from(self.values.len(), Mul { rows: self, x, y, work });
    }

    /// y += Jᵀ f. `work` holds at least `ncols` numbers.
    #[inline]
    pub fn mul_transposed_add(&self, f: &[f64], y: &mut [f64], work: &mut [f64]) {
        dispatch_from(self.values.len(), MulTransposed { rows: self, blocks: self.blocks.iter(), f, y, work });
    }

    /// y += Jᵀ f of the blocks of these numbers alone.
    #[inline]
    pub fn mul_blocks_transposed_add(&self, blocks: &[u32], f: &[f64], y: &mut [f64], work: &mut [f64]) {
        let blocks = blocks.iter().map(|&b| &self.blocks[b as usize]);
        dispatch_from(self.values.len(), MulTransposed { rows: self, blocks, f, y, work });
    }

    /// y = J x in the rows of block number `i` alone, of which there are few.
    #[inline]
    pub fn mul_block(&self, i: u32, x: &[f64], y: &mut [f64]) {
        let b = &self.blocks[i as usize];
        let (runs, values, n) = (self.runs(b), self.values(b), b.ncol as usize);
        for (k, y) in y[b.row as usize..][..b.nrow as usize].iter_mut().enumerate() {
            *y = dot_of_runs(runs, &values[k * n..][..n], x);
        }
    }

    /// Calls `f` with every entry of row `i` as (column, value).
    pub fn for_each_in_row(&self, i: usize, mut f: impl FnMut(usize, f64)) {
        let (runs, vals) = self.row(i);
        let mut at = 0;
        for r in runs {
            for c in r.start..r.start + r.len {
                f(c as usize, vals[at]);
                at += 1;
            }
        }
    }

    /// Writes the matrix densely (row-major, nrows×ncols).
    pub fn to_dense(&self, out: &mut [f64]) {
        out[..self.nrows * self.ncols].fill(0.0);
        for i in 0..self.nrows {
            let row = &mut out[i * self.ncols..(i + 1) * self.ncols];
            self.for_each_in_row(i, |c, v| row[c] = v);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_match_the_dense_matrix(seed in prop::collection::vec(-1.0..1.0f64, 200), x in prop::collection::vec(-1.0..1.0f64, 12)) {
            let mut j = BlockRows::default();
            j.clear(12);
            let mut k = 0;
            let mut next = || { k += 1; seed[k % 200] };
            for (nrow, runs) in [(1, vec![Run { start: 2, len: 3 }]), (4, vec![Run { start: 0, len: 6 }, Run { start: 8, len: 4 }]), (1, vec![Run { start: 1, len: 3 }, Run { start: 8, len: 3 }]), (1, vec![Run { start: 5, len: 6 }]), (2, vec![])] {
                j.push(nrow, &runs).iter_mut().for_each(|v| *v = next());
            }
            let n = j.nrows();
            prop_assert_eq!(n, 9);
            let mut dense = vec![0.0; n * 12];
            j.to_dense(&mut dense);
            let (mut y, mut work) = (vec![f64::NAN; n], vec![0.0; 12]);
            j.mul(&x, &mut y, &mut work);
            for i in 0..n {
                prop_assert!((y[i] - dense::dot(&dense[i * 12..(i + 1) * 12], &x)).abs() < 1e-12);
            }
            let mut z = vec![0.0; 12];
            j.mul_transposed_add(&y, &mut z, &mut work);
            for c in 0..12 {
                let want: f64 = (0..n).map(|i| dense[i * 12 + c] * y[i]).sum();
                prop_assert!((z[c] - want).abs() < 1e-12);
            }
        }
    }
}
