//! W of many rows, row by row: each in as few vectors of eight dofs as it touches.

use crate::dual::whitened::{Dofs, add, add_lanes, sum};
use mj_math::simd::Simd;
use mj_problem::Problem;

/// Numbers of eight dofs: those of a free body and two zeros.
pub type Eight = [[f64; 4]; 2];

/// W. What stands for a vector over the dofs has vectors of eight of them.
#[derive(Clone, Debug, Default)]
pub struct SparseWhitened {
    rows: Vec<Row>,
    w: Vec<Eight>,
    /// Which eight dofs the vectors of w belong to; rows of one block share them.
    eights: Vec<u32>,
    /// Four rows while they are solved.
    lanes: Vec<[f64; 4]>,
    bits: Vec<u64>,
}

/// Where a row's numbers start, and where those of their dofs, and how many vectors they are.
#[derive(Clone, Copy, Debug)]
struct Row {
    at: u32,
    eights: u32,
    len: u32,
}

impl SparseWhitened {
    /// Forms W for some rows, which touch no other dofs than these; trees are aligned to eights.
    #[inline(always)]
    pub fn form<P: Simd>(&mut self, p: &Problem, rows: &[u32], dofs: &Dofs) {
        self.rows.clear();
        self.w.clear();
        self.eights.clear();
        self.lanes.resize(dofs.len().next_multiple_of(8), [0.0; 4]);
        self.bits.resize(dofs.len().div_ceil(64), 0);
        let mut last = (u32::MAX, 0..0);
        let mut rest = rows;
        while let Some(&row) = rest.first() {
            let block = p.rows.jac.block_of(row as usize);
            let n = rest.iter().take(4).take_while(|&&i| i < block.row + block.nrow).count();
            for (lane, &row) in rest[..n].iter().enumerate() {
                dofs.load(p, row as usize, lane, &mut self.lanes, &mut self.bits);
            }
            rest = &rest[n..];
            dofs.solve::<P>(p, &mut self.lanes, &mut self.bits);
            if last.0 != block.row {
                last = (block.row, self.eights.len()..self.eights.len());
                for (word, &bits) in self.bits.iter().enumerate() {
                    let mut bits = bits;
                    while bits != 0 {
                        let eight = bits.trailing_zeros() / 8;
                        self.eights.push(8 * word as u32 + eight);
                        bits &= !(0xff << (8 * eight));
                    }
                }
                last.1.end = self.eights.len();
            }
            let at = self.w.len();
            let len = last.1.len();
            let start = last.1.start as u32;
            self.rows.extend((0..n).map(|r| Row { at: (at + r * len) as u32, eights: start, len: len as u32 }));
            self.w.resize(at + n * len, [[0.0; 4]; 2]);
            let w = &mut self.w[at..];
            for (k, &eight) in self.eights[last.1.clone()].iter().enumerate() {
                let lanes = &mut self.lanes.as_chunks_mut::<8>().0[eight as usize];
                for r in 0..n {
                    let half = |i: usize| [lanes[i][r], lanes[i + 1][r], lanes[i + 2][r], lanes[i + 3][r]];
                    w[r * len + k] = [half(0), half(4)];
                }
                *lanes = [[0.0; 4]; 8];
                self.bits[eight as usize / 8] = 0;
            }
        }
    }

    #[inline(always)]
    fn row(&self, i: usize) -> (&[Eight], &[u32]) {
        let r = self.rows[i];
        (&self.w[r.at as usize..(r.at + r.len) as usize], &self.eights[r.eights as usize..(r.eights + r.len) as usize])
    }

    /// Product of two rows of one block: an entry of A.
    #[inline(always)]
    pub fn entry<P: Simd>(&self, i: usize, j: usize) -> f64 {
        let mut s = [[0.0; 4]; 2];
        for (x, y) in self.row(i).0.iter().zip(self.row(j).0) {
            add_lanes::<P>(&mut s[0], &x[0], &y[0]);
            add_lanes::<P>(&mut s[1], &x[1], &y[1]);
        }
        sum(s)
    }

    /// Wᵢ z.
    #[inline(always)]
    pub fn dot<P: Simd>(&self, i: usize, z: &[Eight]) -> f64 {
        let (w, eights) = self.row(i);
        let mut s = [[0.0; 4]; 2];
        for (x, &eight) in w.iter().zip(eights) {
            let z = &z[eight as usize];
            add_lanes::<P>(&mut s[0], &x[0], &z[0]);
            add_lanes::<P>(&mut s[1], &x[1], &z[1]);
        }
        sum(s)
    }

    /// z += s Wᵢ.
    #[inline(always)]
    pub fn add<P: Simd>(&self, i: usize, s: f64, z: &mut [Eight]) {
        let (w, eights) = self.row(i);
        for (x, &eight) in w.iter().zip(eights) {
            let z = &mut z[eight as usize];
            add::<P>(&mut z[0], s, &x[0]);
            add::<P>(&mut z[1], s, &x[1]);
        }
    }
}
