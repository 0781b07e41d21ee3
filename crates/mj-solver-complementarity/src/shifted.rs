//! Coulomb's laws as a series of convex problems, which go where Newton's method on the laws themselves gets stuck.
//!
//! A contact that slips with speed s obeys Coulomb's laws exactly if f minimizes ½ fᵀA f + fᵀ(b + s e) over the
//! cones, with e the normal and s the slip of the minimizer itself (De Saxcé's correction). For s held the problem is
//! convex, and a compliance c makes it strictly so:
//!
//! ```text
//! f = P(−z/c),   z = A f + b + s e,
//! ```
//!
//! P being the projection on the cones. Newton's method on that equation is one of descent for the dual cost
//! ½ fᵀA f + c/2 |P(−z/c)|², so that with a line search it ends at the minimum from anywhere. Rounds of it, s brought up
//! to date in between, needn't converge: they only have to end nearer.

use crate::hybrid::Scaled;
use mj_contact_space::project::cone;
use mj_math::dense::{axpy, dot, lu_solve};
use mj_problem::Bound;

/// Newton steps of one convex problem.
const LIMIT: u32 = 60;
/// Residual of a convex problem, relative to the greatest |b|.
const TOLERANCE: f64 = 1e-12;

/// The series' vectors. They keep their memory.
#[derive(Clone, Debug, Default)]
pub struct Shifted {
    shift: Vec<f64>,
    z: Vec<f64>,
    projected: Vec<f64>,
    step: Vec<f64>,
    response: Vec<f64>,
    matrix: Vec<f64>,
}

impl Shifted {
    /// Brings the scaled forces `f` (k) nearer to Coulomb's laws with `compliance`, by at most so many convex
    /// problems and Newton steps; how many steps there were.
    pub fn improve(&mut self, p: &Scaled, compliance: f64, rounds: u32, limit: u32, f: &mut [f64]) -> u32 {
        let k = p.len();
        for v in [&mut self.z, &mut self.projected, &mut self.step, &mut self.response] {
            v.resize(k, 0.0);
        }
        self.matrix.resize(k * k, 0.0);
        self.shift.clear();
        self.shift.resize(k, 0.0);
        let scale = p.magnitude;
        let mut steps = 0;
        for round in 0..rounds {
            let change = self.follow_slip(p, compliance, f);
            if round > 0 && change <= TOLERANCE * scale || steps >= limit {
                break;
            }
            steps += self.minimize(p, compliance, TOLERANCE * scale, LIMIT.min(limit - steps), f);
        }
        steps
    }

    /// Sets each contact's shift to its slip under `f`; the greatest change.
    fn follow_slip(&mut self, p: &Scaled, c: f64, f: &[f64]) -> f64 {
        let mut change = 0.0f64;
        for u in p.units.iter().filter(|u| matches!(u.bound, Bound::Cone { .. })) {
            let slip =
                u.rows().skip(1).map(|i| dot(p.row(i), f) + p.b[i] + c * f[i]).map(|w| w * w).sum::<f64>().sqrt();
            change = change.max((slip - self.shift[u.row]).abs());
            self.shift[u.row] = slip;
        }
        change
    }

    /// The convex problem of the present shifts, from `f`; Newton steps.
    fn minimize(&mut self, p: &Scaled, c: f64, tolerance: f64, limit: u32, f: &mut [f64]) -> u32 {
        let k = p.len();
        for steps in 0..limit {
            for i in 0..k {
                self.z[i] = dot(p.row(i), f) + p.b[i] + self.shift[i];
            }
            self.project(p, c, 0.0);
            let off = f.iter().zip(&self.projected).fold(0.0f64, |m, (f, g)| m.max((f - g).abs()));
            if off * c <= tolerance {
                f.copy_from_slice(&self.projected);
                return steps;
            }
            self.linearize(p, c);
            for i in 0..k {
                self.step[i] = -c * (f[i] - self.projected[i]);
            }
            if !lu_solve(&mut self.matrix, k, &mut self.step) {
                return steps;
            }
            for i in 0..k {
                self.response[i] = dot(p.row(i), &self.step);
            }
            let length = self.length(p, c, f);
            axpy(f, length, &self.step);
        }
        f.copy_from_slice(&self.projected);
        limit
    }

    /// P(−z/c) a length `t` along the step, into `projected`.
    fn project(&mut self, p: &Scaled, c: f64, t: f64) {
        for i in 0..p.len() {
            self.projected[i] = -(self.z[i] + if t == 0.0 { 0.0 } else { t * self.response[i] }) / c;
        }
        for u in &p.units {
            project(u.bound, &mut self.projected[u.rows()]);
        }
    }

    /// c + P′A, into `matrix`.
    fn linearize(&mut self, p: &Scaled, c: f64) {
        let k = p.len();
        let (mut x, mut slope) = ([0.0; 6], [0.0; 36]);
        for u in &p.units {
            let (n, row) = (u.dim(), u.row);
            (0..n).for_each(|i| x[i] = -self.z[row + i]);
            derivative(u.bound, c, &x[..n], &mut slope);
            for i in 0..n {
                let out = &mut self.matrix[(row + i) * k..(row + i + 1) * k];
                out.fill(0.0);
                for j in 0..n {
                    axpy(out, slope[i * n + j], p.row(row + j));
                }
                out[row + i] += c;
            }
        }
    }

    /// How far to go along the step: to where the dual cost nearly stops falling, at most the whole.
    fn length(&mut self, p: &Scaled, c: f64, f: &[f64]) -> f64 {
        let start = self.slope(p, c, f, 0.0);
        let (mut a, mut b) = (0.0, 1.0);
        let (mut sa, mut sb) = (start, self.slope(p, c, f, 1.0));
        if sb <= 0.1 * start.abs() {
            return 1.0;
        }
        for k in 0..40 {
            let t = if k % 3 == 2 { 0.5 * (a + b) } else { a - sa * (b - a) / (sb - sa) };
            let s = self.slope(p, c, f, t);
            if s.abs() < 0.1 * start.abs() {
                return t;
            }
            if s < 0.0 {
                (a, sa) = (t, s);
            } else {
                (b, sb) = (t, s);
            }
        }
        a
    }

    /// Derivative of the dual cost a length `t` along the step.
    fn slope(&mut self, p: &Scaled, c: f64, f: &[f64], t: f64) -> f64 {
        self.project(p, c, t);
        (0..p.len()).map(|i| self.response[i] * (f[i] + t * self.step[i] - self.projected[i])).sum()
    }
}

/// The nearest feasible force of a unit, in place; cones are round.
fn project(bound: Bound, x: &mut [f64]) {
    match bound {
        Bound::Free => {}
        Bound::Interval(loss) => x[0] = x[0].clamp(-loss, loss),
        Bound::Positive => x[0] = x[0].max(0.0),
        Bound::Cone { dim, .. } => cone(x, &[1.0; 5][..dim - 1], 1.0),
    }
}

/// Derivative of [`project`] at x/c, into `out` (n×n).
fn derivative(bound: Bound, c: f64, x: &[f64], out: &mut [f64; 36]) {
    let n = x.len();
    out.fill(0.0);
    let slip = dot(&x[1..], &x[1..]).sqrt();
    let inside = match bound {
        Bound::Free => true,
        Bound::Interval(loss) => x[0].abs() <= loss * c,
        Bound::Positive => x[0] > 0.0,
        Bound::Cone { .. } => slip <= x[0],
    };
    if inside {
        (0..n).for_each(|i| out[i * n + i] = 1.0);
    } else if matches!(bound, Bound::Cone { .. }) && slip > -x[0] {
        // The foot on the surface is (x₀ + |x_F|)/2 (1, t), with t = x_F/|x_F|.
        let ratio = x[0] / slip;
        out[0] = 0.5;
        for i in 1..n {
            let t = x[i] / slip;
            out[i] = 0.5 * t;
            out[i * n] = 0.5 * t;
            (1..n).for_each(|j| out[i * n + j] = -0.5 * ratio * t * x[j] / slip);
            out[i * n + i] += 0.5 * (1.0 + ratio);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The derivative of the projection against differences, away from its kinks.
        #[test]
        fn the_projection_changes_as_its_derivative_says(
            x in prop::collection::vec(-2.0..2.0f64, 4), v in prop::collection::vec(-1.0..1.0f64, 4), c in 0.01..3.0f64,
        ) {
            let round = dot(&x[1..], &x[1..]).sqrt();
            prop_assume!((round - x[0].abs()).abs() > 1e-2 && round > 1e-2);
            let bound = Bound::Cone { dim: 4, mu: 1.0, friction: [1.0; 5] };
            let mut slope = [0.0; 36];
            derivative(bound, c, &x, &mut slope);
            let h = 1e-6;
            let at = |s: f64| {
                let mut y: Vec<f64> = x.iter().zip(&v).map(|(x, v)| (x + s * v) / c).collect();
                project(bound, &mut y);
                y
            };
            let (right, left) = (at(h), at(-h));
            for i in 0..4 {
                let want = (right[i] - left[i]) / (2.0 * h);
                let got = dot(&slope[4 * i..4 * i + 4], &v) / c;
                prop_assert!((got - want).abs() < 1e-5 * (1.0 + want.abs()), "{got} {want}");
            }
        }
    }
}
