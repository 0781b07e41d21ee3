//! Connected problems of few dofs, as dense matrices with rows padded to whole vectors.
//!
//! What saves work in large problems (blocks, runs of columns, panels) costs more than it saves where a row
//! has a few dozen entries: here every loop has a length that the compiler knows. Zeros of the tree are
//! still skipped where that is a matter of looking at bits: in assembling and factoring the Hessian.

mod hessian;
mod kernels;

use crate::problem::Problem;
use hessian::Hessian;
use kernels::{mirror, mul, mul_transposed, rows, rows_mut, vector, vector_mut};
use mj_constraint::ConstraintState;
use mj_math::block::Block;
use mj_math::wide::{Kernel, wide};

/// Greatest number of dofs of one tree; bits of a mask.
const LIMIT: usize = 64;
/// Greatest number of dofs of several trees: of more, the factor of blocks is sparser.
const SEVERAL: usize = 32;

/// A small problem's matrices.
#[derive(Clone, Debug, Default)]
pub struct Compact {
    /// Groups of four in a row.
    groups: usize,
    /// M, symmetric; rows beyond the dofs are those of the identity.
    m: Vec<f64>,
    /// J.
    jac: Vec<f64>,
    hessian: Hessian,
}

impl Compact {
    /// Whether a problem is small enough.
    pub fn fits(p: &Problem) -> bool {
        p.nv() <= SEVERAL || (p.nv() <= LIMIT && p.tree.first() == p.tree.last())
    }

    /// Takes over a problem's matrices.
    pub fn load(&mut self, p: &Problem) {
        let n = p.nv();
        self.groups = match n.div_ceil(4) {
            g @ 0..=8 => g.max(1),
            g => g.next_multiple_of(2),
        };
        let w = self.width();
        self.m.resize(w * w, 0.0);
        self.jac.resize(p.nefc() * w, 0.0);
        fixed(self.groups, Load { p, m: &mut self.m, jac: &mut self.jac });
    }

    /// Length of a vector over the dofs, padding included.
    pub fn width(&self) -> usize {
        4 * self.groups
    }

    /// y = M x; vectors are padded with zeros.
    pub fn mul_m(&self, x: &[f64], y: &mut [f64]) {
        fixed(self.groups, MulTransposed { a: &self.m, f: x, y });
    }

    /// y = J x.
    pub fn mul_jac(&self, x: &[f64], y: &mut [f64]) {
        fixed(self.groups, Mul { a: &self.jac, x, y });
    }

    /// y = Jᵀ f.
    pub fn mul_jac_transposed(&self, f: &[f64], y: &mut [f64]) {
        fixed(self.groups, MulTransposed { a: &self.jac, f, y });
    }

    /// Assembles and factors the Hessian for the given row states.
    pub fn build(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        self.hessian.build(self.groups, &self.m, &self.jac, p, jar, state);
    }

    /// Follows a change of row states from `old`; returns nefc if it factored anew, else 0.
    pub fn update(&mut self, p: &Problem, jar: &[f64], old: &[ConstraintState], state: &[ConstraintState]) -> u32 {
        self.hessian.update(self.groups, &self.jac, p, jar, old, state)
    }

    /// Solves H x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        self.hessian.solve(self.groups, x);
    }
}

/// The columns of a block, as bits.
fn columns(p: &Problem, b: &Block) -> u64 {
    p.rows.jac.runs(b).iter().filter(|r| r.len > 0).fold(0, |bits, r| bits | (u64::MAX >> (64 - r.len)) << r.start)
}

/// A kernel over rows of a fixed number of groups.
trait Fixed {
    type Output;
    fn run<const C: usize>(self) -> Self::Output;
}

/// Runs a kernel for rows of that many groups.
#[inline(always)]
fn fixed<K: Fixed>(groups: usize, k: K) -> K::Output {
    match groups {
        1 => k.run::<1>(),
        2 => k.run::<2>(),
        3 => wide(With::<K, 3>(k)),
        4 => wide(With::<K, 4>(k)),
        5 => wide(With::<K, 5>(k)),
        6 => wide(With::<K, 6>(k)),
        7 => wide(With::<K, 7>(k)),
        8 => wide(With::<K, 8>(k)),
        10 => wide(With::<K, 10>(k)),
        12 => wide(With::<K, 12>(k)),
        14 => wide(With::<K, 14>(k)),
        _ => wide(With::<K, 16>(k)),
    }
}

struct With<K, const C: usize>(K);

impl<K: Fixed, const C: usize> Kernel for With<K, C> {
    type Output = K::Output;

    #[inline(always)]
    fn run(self) -> K::Output {
        self.0.run::<C>()
    }
}

/// Writes M and J.
struct Load<'a> {
    p: &'a Problem<'a>,
    m: &'a mut [f64],
    jac: &'a mut [f64],
}

impl Fixed for Load<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const C: usize>(self) {
        let (p, m) = (self.p, rows_mut::<C>(self.m));
        for (i, row) in m.iter_mut().enumerate() {
            *row = [[0.0; 4]; C];
            let row = row.as_flattened_mut();
            if i >= p.nv() {
                row[i] = 1.0;
                continue;
            }
            let entries = p.pattern.row(i);
            for (&c, &v) in p.pattern.colind[entries.clone()].iter().zip(&p.m[entries]) {
                row[c as usize] = v;
            }
        }
        mirror(m);
        let jac = p.rows.jac;
        let rows = rows_mut::<C>(self.jac);
        for b in jac.blocks() {
            let values = jac.values(b);
            let n = b.ncol as usize;
            for (k, row) in rows[b.row as usize..(b.row + b.nrow) as usize].iter_mut().enumerate() {
                *row = [[0.0; 4]; C];
                let row = row.as_flattened_mut();
                let mut from = values[k * n..(k + 1) * n].iter();
                for r in jac.runs(b) {
                    let to = &mut row[r.start as usize..(r.start + r.len) as usize];
                    to.iter_mut().zip(&mut from).for_each(|(to, from)| *to = *from);
                }
            }
        }
    }
}

struct Mul<'a> {
    a: &'a [f64],
    x: &'a [f64],
    y: &'a mut [f64],
}

impl Fixed for Mul<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const C: usize>(self) {
        mul::<C>(rows(self.a), vector(self.x), self.y);
    }
}

struct MulTransposed<'a> {
    a: &'a [f64],
    f: &'a [f64],
    y: &'a mut [f64],
}

impl Fixed for MulTransposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const C: usize>(self) {
        mul_transposed::<C>(rows(self.a), self.f, vector_mut(self.y));
    }
}
