//! Kernels of an iteration on vectors over the rows of fixed length.

use mj_math::fixed::{Fixed, Row, mul_transposed, rows, rows_mut, vector, vector_mut};
use mj_math::simd::Simd;
use std::array::from_fn;

/// The lower triangle of A between the rows that can give way, with R at quadratic ones; others are rows of the
/// identity.
pub struct Assemble<'a> {
    pub a: &'a [f64],
    pub l: &'a mut [f64],
    pub yielding: u64,
    pub quadratic: &'a [f64],
    pub r: &'a [f64],
}

impl Fixed for Assemble<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, _: S) {
        let columns: Row<C> = from_fn(|k| from_fn(|l| (self.yielding >> (4 * k + l) & 1) as f64));
        let a = rows::<C>(self.a);
        for (i, l) in rows_mut::<C>(self.l).iter_mut().enumerate() {
            if self.yielding >> i & 1 == 0 {
                *l = [[0.0; 4]; C];
                l.as_flattened_mut()[i] = 1.0;
                continue;
            }
            for k in 0..(i / 4 + 1).min(C) {
                for j in 0..4 {
                    l[k][j] = a[i][k][j] * columns[k][j];
                }
            }
            l.as_flattened_mut()[i] += self.r[i] * self.quadratic[i];
        }
    }
}

/// The change of the forces that are known, how the rows move by it and by the start's part that goes, and what is
/// asked of the quadratic rows.
pub struct Known<'a> {
    pub a: &'a [f64],
    pub quadratic: &'a [f64],
    pub r: &'a [f64],
    pub force: &'a [f64],
    pub lambda: &'a [f64],
    pub start: &'a [f64],
    pub coefficient: f64,
    pub change: &'a mut [f64],
    pub jv: &'a mut [f64],
    pub x: &'a mut [f64],
}

impl Fixed for Known<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) {
        let (quadratic, r, lambda, start) =
            (vector::<C>(self.quadratic), vector::<C>(self.r), vector::<C>(self.lambda), vector::<C>(self.start));
        let mut g = [[0.0; 4]; C];
        g.as_flattened_mut()[..self.force.len()].copy_from_slice(self.force);
        let (change, jv, x) = (vector_mut::<C>(self.change), vector_mut::<C>(self.jv), vector_mut::<C>(self.x));
        for k in 0..C {
            for l in 0..4 {
                g[k][l] -= lambda[k][l];
                change[k][l] = g[k][l] * (1.0 - quadratic[k][l]);
            }
        }
        let mut y = [[0.0; 4]; C];
        mul_transposed::<S, C>(s, rows(self.a), change.as_flattened(), &mut y);
        for k in 0..C {
            for l in 0..4 {
                let v = y[k][l] - self.coefficient * start[k][l];
                jv[k][l] = v;
                x[k][l] = quadratic[k][l] * (r[k][l] * g[k][l] - v);
            }
        }
    }
}

/// Adds what was solved for; returns the products of Jδ₀ with the change, of λ with the motion and of the change with
/// the motion.
pub struct Move<'a> {
    pub a: &'a [f64],
    pub x: &'a [f64],
    pub change: &'a mut [f64],
    pub jv: &'a mut [f64],
    pub start: &'a [f64],
    pub lambda: &'a [f64],
}

impl Fixed for Move<'_> {
    type Output = [f64; 3];

    #[inline(always)]
    fn run<S: Simd, const C: usize>(self, s: S) -> [f64; 3] {
        let (x, start, lambda) = (vector::<C>(self.x), vector::<C>(self.start), vector::<C>(self.lambda));
        let (change, jv) = (vector_mut::<C>(self.change), vector_mut::<C>(self.jv));
        let mut y = [[0.0; 4]; C];
        mul_transposed::<S, C>(s, rows(self.a), x.as_flattened(), &mut y);
        let mut sums = [[0.0; 4]; 3];
        for k in 0..C {
            for l in 0..4 {
                change[k][l] += x[k][l];
                jv[k][l] += y[k][l];
                sums[0][l] += start[k][l] * change[k][l];
                sums[1][l] += lambda[k][l] * jv[k][l];
                sums[2][l] += change[k][l] * jv[k][l];
            }
        }
        sums.map(|s| (s[0] + s[2]) + (s[1] + s[3]))
    }
}
