//! A = J M⁻¹ Jᵀ of a small problem, whole: the Delassus matrix.
//!
//! M = LᵀDL, so A = W Wᵀ with W = J L⁻¹ D⁻¹ᐟ². Four rows of W lie side by side in the lanes of a vector, and
//! only the dofs that they touch, ancestors included, are visited.

use crate::problem::Problem;
use mj_math::block::Run;
use mj_math::wide::{Kernel, Products, wide};

/// A, and its root.
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    /// Length of a row of A: the number of rows, padded to fours.
    stride: usize,
    a: Vec<f64>,
    /// For each four rows of W a vector for each dof.
    w: Vec<[f64; 4]>,
    /// The dofs at which each four rows can differ from zero, as bits of so many words.
    dofs: Vec<u64>,
    words: usize,
    /// D⁻¹ᐟ².
    root: Vec<f64>,
}

impl Delassus {
    /// Forms A, with rows of at least `width` numbers.
    pub fn form(&mut self, p: &Problem, width: usize) {
        self.stride = p.nefc().next_multiple_of(4).max(width);
        if self.stride > p.nefc().next_multiple_of(4) {
            self.a.clear();
        }
        self.a.resize(self.stride * self.stride, 0.0);
        self.load(p);
        self.root.clear();
        self.root.extend(p.dinv.iter().map(|d| d.sqrt()));
        wide(Form { p, d: self });
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

    /// Takes over J, into `w`.
    fn load(&mut self, p: &Problem) {
        let (jac, nv, n) = (p.rows.jac, p.nv(), p.nefc().div_ceil(4));
        self.w.clear();
        self.w.resize(n * nv, [0.0; 4]);
        self.words = nv.div_ceil(64);
        self.dofs.clear();
        self.dofs.resize(n * self.words, 0);
        for b in jac.blocks() {
            let values = jac.values(b).chunks_exact((b.ncol as usize).max(1));
            for (row, values) in (b.row as usize..).zip(values) {
                let to = &mut self.w[row / 4 * nv..][..nv];
                let dofs = &mut self.dofs[row / 4 * self.words..][..self.words];
                let mut values = values.iter();
                for r in jac.runs(b) {
                    mark(dofs, r);
                    let to = &mut to[r.start as usize..(r.start + r.len) as usize];
                    to.iter_mut().zip(&mut values).for_each(|(to, &v)| to[row % 4] = v);
                }
            }
        }
    }
}

/// Sets the bits of a run.
#[inline(always)]
fn mark(bits: &mut [u64], r: &Run) {
    let (mut at, end) = (r.start as usize, (r.start + r.len) as usize);
    while at < end {
        let n = (64 - at % 64).min(end - at);
        bits[at / 64] |= (u64::MAX >> (64 - n)) << (at % 64);
        at += n;
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

/// y += s x.
#[inline(always)]
fn add<P: Products>(y: &mut [f64; 4], s: f64, x: &[f64; 4]) {
    for k in 0..4 {
        y[k] = P::plus(y[k], s, x[k]);
    }
}

struct Form<'a> {
    p: &'a Problem<'a>,
    d: &'a mut Delassus,
}

impl Kernel for Form<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Products>(self) {
        let Self { p, d } = self;
        let (nv, stride) = (p.nv(), d.stride);
        // W: rows Lᵀ⁻¹ j, from the leaves to the roots, scaled.
        let words = d.words.max(1);
        for (w, dofs) in d.w.chunks_exact_mut(nv.max(1)).zip(d.dofs.chunks_exact_mut(words)) {
            for word in (0..words).rev() {
                let mut rest = dofs[word];
                while rest != 0 {
                    let bit = rest.ilog2() as usize;
                    let i = 64 * word + bit;
                    let x = w[i];
                    let r = p.pattern.row(i);
                    let last = r.len() - 1;
                    // Ancestors come before it.
                    for (&c, &v) in p.pattern.colind[r.clone()][..last].iter().zip(&p.ld[r][..last]) {
                        add::<P>(&mut w[c as usize], -v, &x);
                        dofs[c as usize / 64] |= 1 << (c % 64);
                    }
                    rest = dofs[word] & ((1 << bit) - 1);
                    w[i] = x.map(|x| x * d.root[i]);
                }
            }
        }
        // A by blocks of 4×4.
        for i in 0..d.dofs.len() / words {
            for j in 0..=i {
                let (di, dj) = (&d.dofs[i * words..][..words], &d.dofs[j * words..][..words]);
                let (wi, wj) = (&d.w[i * nv..][..nv], &d.w[j * nv..][..nv]);
                let mut block = [[0.0; 4]; 4];
                for_each_common(di, dj, |k| {
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
