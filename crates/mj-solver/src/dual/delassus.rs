//! A = J M⁻¹ Jᵀ of a small problem or a part of one, whole: the Delassus matrix.

use crate::dual::whitened::{Dofs, add};
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_problem::Problem;

/// A, and its root.
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    /// Length of a row of A: the number of rows, padded to fours.
    stride: usize,
    a: Vec<f64>,
    /// For each four rows of W a vector for each dof.
    w: Vec<[f64; 4]>,
    /// The dofs at which each four rows can differ from zero, as bits.
    bits: Vec<u64>,
    /// All dofs.
    all: Dofs,
}

impl Delassus {
    /// Forms A for all rows, with rows of at least `width` numbers.
    pub fn form(&mut self, p: &Problem, width: usize) {
        let mut dofs = std::mem::take(&mut self.all);
        dofs.clear(p);
        dofs.add(p, 0..p.nv(), 1);
        self.size(p.nefc().next_multiple_of(4).max(width), p.nefc().div_ceil(4), &dofs);
        dispatch(Form { p, rows: 0..p.nefc(), dofs: &dofs, d: self });
        self.all = dofs;
    }

    /// Forms A for some rows, which touch no other dofs than these; part of a kernel.
    #[inline(always)]
    pub fn form_part<P: Simd>(&mut self, p: &Problem, rows: &[u32], dofs: &Dofs) {
        self.size(rows.len().next_multiple_of(4), rows.len().div_ceil(4), dofs);
        Form { p, rows: rows.iter().map(|&i| i as usize), dofs, d: self }.form::<P>();
    }

    /// For so many fours of rows.
    fn size(&mut self, stride: usize, fours: usize, dofs: &Dofs) {
        if stride > 4 * fours {
            self.a.clear();
        }
        self.stride = stride;
        self.a.resize(stride * stride, 0.0);
        self.w.clear();
        self.w.resize(fours * dofs.len(), [0.0; 4]);
        self.bits.clear();
        self.bits.resize(fours * dofs.len().div_ceil(64), 0);
    }

    /// Length of a vector over the rows, padding included.
    pub fn width(&self) -> usize {
        self.stride
    }

    /// Entry of A.
    #[inline(always)]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.a[i * self.stride + j]
    }

    /// A, row by row, padding included.
    #[inline(always)]
    pub fn rows(&self) -> &[f64] {
        &self.a
    }

    /// Row of A, padding included.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &[[f64; 4]] {
        self.a[i * self.stride..(i + 1) * self.stride].as_chunks().0
    }
}

/// Calls `f` with the numbers of the bits that both have.
#[inline(always)]
fn for_each_common(a: &[u64], b: &[u64], mut f: impl FnMut(usize)) {
    for (word, (a, b)) in a.iter().zip(b).enumerate() {
        let mut bits = a & b;
        while bits != 0 {
            f(64 * word + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

struct Form<'a, R> {
    p: &'a Problem<'a>,
    rows: R,
    dofs: &'a Dofs,
    d: &'a mut Delassus,
}

impl<R: Iterator<Item = usize>> Kernel for Form<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        self.form::<P>();
    }
}

impl<R: Iterator<Item = usize>> Form<'_, R> {
    #[inline(always)]
    fn form<P: Simd>(self) {
        let Self { p, rows, dofs, d } = self;
        let (nv, stride) = (dofs.len(), d.stride);
        let words = nv.div_ceil(64);
        for (k, row) in rows.enumerate() {
            let four = k / 4;
            dofs.load(p, row, k % 4, &mut d.w[four * nv..][..nv], &mut d.bits[four * words..][..words]);
        }
        for (w, bits) in d.w.chunks_exact_mut(nv.max(1)).zip(d.bits.chunks_exact_mut(words.max(1))) {
            dofs.solve::<P>(p, w, bits);
        }
        // A by blocks of 4×4.
        for i in 0..d.bits.len() / words.max(1) {
            for j in 0..=i {
                let (bi, bj) = (&d.bits[i * words..][..words], &d.bits[j * words..][..words]);
                let (wi, wj) = (&d.w[i * nv..][..nv], &d.w[j * nv..][..nv]);
                let mut block = [[0.0; 4]; 4];
                for_each_common(bi, bj, |k| {
                    for r in 0..4 {
                        add::<P>(&mut block[r], wi[k][r], &wj[k]);
                    }
                });
                for r in 0..4 {
                    d.a[(4 * i + r) * stride + 4 * j..][..4].copy_from_slice(&block[r]);
                }
                if i != j {
                    for r in 0..4 {
                        let column: [f64; 4] = [block[0][r], block[1][r], block[2][r], block[3][r]];
                        d.a[(4 * j + r) * stride + 4 * i..][..4].copy_from_slice(&column);
                    }
                }
            }
        }
    }
}
