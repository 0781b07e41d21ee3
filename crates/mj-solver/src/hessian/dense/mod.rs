//! Connected problems of few dofs, as dense matrices with rows padded to whole vectors.
//!
//! What saves work in large problems (blocks, runs of columns, panels) costs more than it saves where a row
//! has a few dozen entries: here every loop has a length that the compiler knows. Zeros of the tree are
//! still skipped where that is a matter of looking at bits: in assembling and factoring the Hessian.

mod hessian;

use hessian::Hessian;
pub(crate) use hessian::{Factor, Solve};
use mj_math::fixed::{
    Fixed, Places, entries, expand, fixed, groups, mirror, mul, mul_transposed, rows, rows_mut, vector, vector_mut,
};
use mj_math::lanes::Lanes;
use mj_math::{ManySides, TreePattern};
use mj_problem::{ConstraintState, Problem};

/// A small problem's matrices.
#[derive(Clone, Debug, Default)]
pub struct DenseSystem {
    /// Groups of four in a row.
    groups: usize,
    /// The pattern of M, its entries as bits, and where they lie.
    pattern: TreePattern,
    mask: Vec<u64>,
    places: Places,
    /// M, symmetric; rows beyond the dofs are those of the identity.
    m: Vec<f64>,
    /// J.
    jac: Vec<f64>,
    hessian: Hessian,
}

impl DenseSystem {
    /// Takes over a problem's matrices.
    pub fn load(&mut self, p: &Problem) {
        self.groups = groups(p.nv());
        let w = self.width();
        self.m.resize(w * w, 0.0);
        self.jac.resize(p.nefc() * w, 0.0);
        // A step's problem mostly has the pattern of the step before.
        if self.pattern != *p.pattern {
            self.pattern.rownnz.clone_from(&p.pattern.rownnz);
            self.pattern.rowadr.clone_from(&p.pattern.rowadr);
            self.pattern.colind.clone_from(&p.pattern.colind);
            entries(p.pattern, &mut self.mask);
            self.mask.resize(w, 0);
            self.places.find(p.pattern, w);
        }
        fixed(self.groups, Load { p, places: &self.places, m: &mut self.m, jac: &mut self.jac });
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
    pub fn factor(&mut self, p: &Problem, jar: &[f64], state: &[ConstraintState]) {
        self.hessian.factor(self.groups, (&self.m, &self.mask), &self.jac, p, jar, state);
    }

    /// Follows a change of row states from `old`; returns nefc if it factored anew, else 0.
    pub fn update(&mut self, p: &Problem, jar: &[f64], old: &[ConstraintState], state: &[ConstraintState]) -> u32 {
        self.hessian.update(self.groups, &self.jac, p, jar, old, state)
    }

    /// Solves H x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        self.hessian.solve(self.groups, x);
    }

    /// Exports the Hessian's factor in the form for many right sides.
    pub fn export_factor(&self, n: usize, out: &mut ManySides) {
        self.hessian.export_factor(n, out);
    }
}

/// Writes M and J.
struct Load<'a> {
    p: &'a Problem<'a>,
    places: &'a Places,
    m: &'a mut [f64],
    jac: &'a mut [f64],
}

impl Fixed for Load<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes, const C: usize>(self, _: S) {
        let (p, m) = (self.p, rows_mut::<C>(self.m));
        expand(p.nv(), p.m, self.places, m);
        mirror(m);
        let jac = p.rows.jac;
        let rows = rows_mut::<C>(self.jac);
        for b in jac.blocks() {
            let values = jac.values(b);
            let n = b.ncol as usize;
            let rows = &mut rows[b.row as usize..(b.row + b.nrow) as usize];
            rows.fill([[0.0; 4]; C]);
            let mut at = 0;
            for r in jac.runs(b) {
                let (start, len) = (r.start as usize, r.len as usize);
                let from = values.chunks_exact(n.max(1)).map(|row| &row[at..at + len]);
                let to = rows.iter_mut().map(|row| &mut row.as_flattened_mut()[start..start + len]);
                to.zip(from).for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(to, from)| *to = *from));
                at += len;
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
    fn run<S: Lanes, const C: usize>(self, s: S) {
        mul::<S, C>(s, rows(self.a), vector(self.x), self.y);
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
    fn run<S: Lanes, const C: usize>(self, s: S) {
        mul_transposed::<S, C>(s, rows(self.a), self.f, vector_mut(self.y));
    }
}
