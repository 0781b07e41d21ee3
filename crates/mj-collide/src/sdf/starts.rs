//! Descents over triangles from several starting points, and the memory for them.

use super::SignedField;
use crate::SdfOptions;
use mj_math::DVec3;
use std::ops::ControlFlow;

/// Descents that go side by side.
const BATCH: usize = 64;
/// The most starting points that are kept; those beyond are computed again for every triangle.
const KEPT: usize = 1 << 12;

/// Starting points on triangles, and the memory of descents from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts {
    /// Weights of a triangle's second and third corner for each starting point.
    weights: Vec<[f64; 2]>,
    /// Points that descents of a batch are at, each once.
    points: Vec<DVec3>,
    /// Index among them for each descent of a batch.
    of: Vec<u8>,
}

/// Element `index` of the van der Corput sequence of a base: its digits behind the point, in reverse (Halton 1960).
pub(crate) fn halton(index: usize, base: usize) -> f64 {
    let (mut rest, mut fraction, mut sum) = (index, 1.0 / base as f64, 0.0);
    while rest > 0 {
        sum += fraction * (rest % base) as f64;
        fraction /= base as f64;
        rest /= base;
    }
    sum
}

/// Weights of a triangle's second and third corner for a starting point, which are numbered from 1.
fn weights(start: usize) -> [f64; 2] {
    let (u, v) = (halton(start, 2), halton(start, 3));
    if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] }
}

/// The corner that is lowest along a gradient.
#[inline(always)]
fn lowest(corners: &[DVec3; 3], gradient: DVec3) -> DVec3 {
    let [a, b, c] = corners.map(|p| p.dot(gradient));
    // By index: which one it is can't be predicted, so that nothing branches on it.
    let (first, least) = if b < a { (1, b) } else { (0, a) };
    corners[if c < least { 2 } else { first }]
}

impl Starts {
    /// Makes room for a number of starting points, so that no call needs more for them.
    pub fn reserve(&mut self, count: usize) {
        self.points.reserve(BATCH);
        self.of.reserve(BATCH);
        self.weights.extend((self.weights.len()..count.min(KEPT)).map(|i| weights(i + 1)));
    }

    /// Calls `visit` with points of a triangle, in the field's frame, that lie inside the field, each with its distance: the
    /// least ones that are found from several starting points (Frank and Wolfe 1956), in their order. Stops when `visit`
    /// says so.
    pub fn descend(
        &mut self,
        field: &SignedField,
        corners: &[DVec3; 3],
        sdf: &SdfOptions,
        mut visit: impl FnMut(DVec3, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let count = sdf.initpoints.max(1);
        if self.weights.len() < count.min(KEPT) || self.points.capacity() < BATCH {
            self.reserve(count);
        }
        for from in (0..count).step_by(BATCH) {
            self.begin(corners, from..count.min(from + BATCH));
            for step in 0..sdf.iterations {
                let share = 2.0 / (step as f64 + 2.0);
                // None waits for another's roots and quotients.
                for x in &mut self.points {
                    let gradient = field.distance_gradient(*x).1;
                    *x += (lowest(corners, gradient) - *x) * share;
                }
                self.merge();
            }
            let mut dist = [0.0; BATCH];
            dist.iter_mut().zip(&self.points).for_each(|(dist, x)| *dist = field.distance(*x));
            for &i in &self.of {
                let i = usize::from(i);
                if dist[i] < 0.0 {
                    visit(self.points[i], dist[i])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Puts the descents of a batch to their starting points.
    fn begin(&mut self, corners: &[DVec3; 3], batch: std::ops::Range<usize>) {
        self.of.clear();
        self.of.extend((0..batch.len()).map(|i| i as u8));
        self.points.clear();
        for i in batch {
            let [u, v] = self.weights.get(i).copied().unwrap_or_else(|| weights(i + 1));
            self.points.push(corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v);
        }
    }

    /// Goes on with one descent for all that are at the same point. The first step leads each to a corner, but for
    /// rounding, so that few are left.
    fn merge(&mut self) {
        let mut kept = 0;
        let mut to = [0; BATCH];
        for i in 0..self.points.len() {
            let x = self.points[i];
            let at = self.points[..kept].iter().position(|p| *p == x).unwrap_or(kept);
            if at == kept {
                self.points[kept] = x;
                kept += 1;
            }
            to[i] = at as u8;
        }
        if kept < self.points.len() {
            self.points.truncate(kept);
            self.of.iter_mut().for_each(|i| *i = to[usize::from(*i)]);
        }
    }
}
