//! Problems that have no solution, and the proof.
//!
//! No force solves a problem whose normals contradict each other: if y ≥ 0 with A y = 0 on them and bᵀy < 0, then
//! yᵀ(A f + b) < 0 for every f, and some normal acceleration is negative (Farkas). A joint that is out of both
//! limits at once has such a y, a contact between bodies that equalities hold in place, one within a rigid body.
//!
//! With a compliance c the normals alone always have a solution, f(c) = y/c + f₁ + O(c). So y is sought as the difference
//! of two of them, whose part of order 1 cancels.

use crate::hybrid::Scaled;
use crate::shifted::Shifted;
use mj_math::dense::dot;
use mj_problem::{Bound, Unit};

/// Compliances of the two solutions.
const COMPLIANCE: [f64; 2] = [1e-6, 1e-8];
/// Forces that a solution would need, relative to the greatest |b| (with inverse inertias near 1), for it to be none.
const IMPOSSIBLE: f64 = 1e6;

/// The problem of the normals alone.
#[derive(Clone, Debug, Default)]
pub struct Contradiction {
    normals: Scaled,
    rows: Vec<usize>,
    f: Vec<f64>,
    first: Vec<f64>,
}

impl Contradiction {
    /// Whether the normals of a problem contradict each other, and the Newton steps that finding out took.
    pub fn find(&mut self, p: &Scaled, solver: &mut Shifted, limit: u32) -> (bool, u32) {
        self.rows.clear();
        self.rows.extend(p.units.iter().filter(|u| !matches!(u.bound, Bound::Interval(_))).map(|u| u.row));
        let (q, rows) = (&mut self.normals, &self.rows);
        q.a.clear();
        rows.iter().for_each(|&i| q.a.extend(rows.iter().map(|&j| p.row(i)[j])));
        q.b.clear();
        q.b.extend(rows.iter().map(|&i| p.b[i]));
        q.magnitude = p.magnitude;
        q.units.clear();
        q.units.extend((0..rows.len()).map(|row| Unit { row, bound: Bound::Positive }));
        self.f.clear();
        self.f.resize(rows.len(), 0.0);
        let mut steps = 0;
        for c in COMPLIANCE {
            self.first.clone_from(&self.f);
            steps += solver.improve(q, c, 1, limit, &mut self.f);
        }
        self.f.iter_mut().zip(&self.first).for_each(|(f, g)| *f = (*f - g).max(0.0));
        // Forces f with A f + b ≥ 0 have −bᵀy ≤ (A y)ᵀf ≤ |A y| |f|₁.
        let y = &self.f;
        let drive = -dot(&q.b, y);
        let yields = (0..y.len()).fold(0.0f64, |m, i| m.max(dot(q.row(i), y).abs()));
        (drive > IMPOSSIBLE * yields * q.magnitude, steps)
    }
}
