//! Newton's method on F(x) = 0: in whole steps, or on ½‖F(x)‖² with a line search that walks from kink to kink.

use crate::hybrid::Scaled;
use mj_math::dense::{axpy, cholesky, cholesky_solve, dot, lu_solve};

/// Damping of the step where Newton's is of no use, relative to the trace of GᵀG.
const DAMPING: [f64; 4] = [1e-10, 1e-6, 1e-3, 1e-1];

/// Compliance of the matrix of whole steps, which redundant contacts make singular. F itself is not softened.
const SINGULAR: f64 = 1e-9;

/// A step is taken no farther than this many times Newton's.
const REACH: f64 = 4.0;

/// Vectors of the iteration. They keep their memory.
#[derive(Clone, Debug, Default)]
pub struct Newton {
    f: Vec<f64>,
    residual: Vec<f64>,
    step: Vec<f64>,
    jacobian: Vec<f64>,
    matrix: Vec<f64>,
    kinks: Vec<f64>,
    at: Vec<f64>,
    slope: Vec<f64>,
    trial: Vec<f64>,
}

/// Outcome of the iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Greatest |F| over the rows, relative to the greatest |b|.
    pub residual: f64,
    /// Newton steps.
    pub iterations: u32,
}

impl Newton {
    /// Takes whole steps, whatever they do to ‖F‖, until the residual is at most `tolerance` or `limit` steps were made.
    ///
    /// Pieces of F are nearly linear, so a whole step ends at the solution once it starts from the right piece, and
    /// else is a guess at that piece. Where contacts contradict each other a little, ‖F‖ has a minimum at each way to
    /// let none of them slip; guesses leave it, descent doesn't.
    pub fn leap(&mut self, p: &Scaled, compliance: f64, tolerance: f64, limit: u32, x: &mut [f64]) -> Outcome {
        let k = p.len();
        self.reserve(k);
        let scale = 1.0 / p.magnitude;
        let mut done = Outcome { residual: self.evaluate(p, compliance, x) * scale, iterations: 0 };
        while done.residual > tolerance && done.iterations < limit {
            p.jacobian(x, compliance.max(SINGULAR), &mut self.matrix);
            self.step.iter_mut().zip(&self.residual).for_each(|(d, r)| *d = -r);
            if !lu_solve(&mut self.matrix, k, &mut self.step) {
                break;
            }
            done.iterations += 1;
            axpy(x, 1.0, &self.step);
            done.residual = self.evaluate(p, compliance, x) * scale;
        }
        done
    }

    /// Lowers ‖F‖ along `x` until the residual is at most `tolerance` or `limit` steps were made.
    pub fn descend(&mut self, p: &Scaled, tolerance: f64, limit: u32, x: &mut [f64]) -> Outcome {
        let k = p.len();
        self.reserve(k);
        self.jacobian.resize(k * k, 0.0);
        let scale = 1.0 / p.magnitude;
        let mut done = Outcome { residual: self.evaluate(p, 0.0, x) * scale, iterations: 0 };
        while done.residual > tolerance && done.iterations < limit {
            done.iterations += 1;
            p.jacobian(x, 0.0, &mut self.jacobian);
            let before = dot(&self.residual, &self.residual);
            if !self.newton_step(p, x) && !self.damped_step(p, x) {
                break;
            }
            done.residual = self.evaluate(p, 0.0, x) * scale;
            if dot(&self.residual, &self.residual) > before * (1.0 - 1e-9) {
                break;
            }
        }
        done
    }

    /// Greatest |F| at `x`, relative to the greatest |b|.
    pub fn residual_at(&mut self, p: &Scaled, x: &[f64]) -> f64 {
        self.reserve(p.len());
        self.evaluate(p, 0.0, x) / p.magnitude
    }

    fn reserve(&mut self, k: usize) {
        for v in [&mut self.f, &mut self.residual, &mut self.step, &mut self.at, &mut self.slope, &mut self.trial] {
            v.resize(k, 0.0);
        }
        self.matrix.resize(k * k, 0.0);
    }

    /// Sets f and F at `x`; the greatest |F|.
    fn evaluate(&mut self, p: &Scaled, compliance: f64, x: &[f64]) -> f64 {
        p.force(x, &mut self.f);
        p.residual(x, &self.f, compliance, &mut self.residual);
        // A number that is none must not look like a solution.
        self.residual.iter().fold(0.0, |s: f64, r| if r.is_nan() { f64::INFINITY } else { s.max(r.abs()) })
    }

    /// G d = −F, and as far along d as it helps; whether that lowered ‖F‖.
    fn newton_step(&mut self, p: &Scaled, x: &mut [f64]) -> bool {
        self.matrix.copy_from_slice(&self.jacobian);
        self.step.iter_mut().zip(&self.residual).for_each(|(d, r)| *d = -r);
        lu_solve(&mut self.matrix, p.len(), &mut self.step) && self.advance(p, x)
    }

    /// (GᵀG + λ) d = −GᵀF with the least of a few λ that lowers ‖F‖: where G is singular, or ‖F‖ has a
    /// kink just ahead.
    fn damped_step(&mut self, p: &Scaled, x: &mut [f64]) -> bool {
        let k = p.len();
        let trace: f64 = dot(&self.jacobian, &self.jacobian) / k as f64;
        for damping in DAMPING {
            self.matrix.fill(0.0);
            self.step.fill(0.0);
            for i in 0..k {
                let row = &self.jacobian[i * k..(i + 1) * k];
                axpy(&mut self.step, -self.residual[i], row);
                for (j, &g) in row.iter().enumerate() {
                    if g != 0.0 {
                        axpy(&mut self.matrix[j * k..j * k + j + 1], g, &row[..=j]);
                    }
                }
            }
            for i in 0..k {
                self.matrix[i * k + i] += damping * trace;
            }
            cholesky(&mut self.matrix, k);
            cholesky_solve(&self.matrix, k, &mut self.step);
            if self.advance(p, x) {
                return true;
            }
        }
        false
    }

    /// Moves `x` along the step to the first minimum of ‖F‖² on the line, or to the whole step if that
    /// is better; whether it moved.
    fn advance(&mut self, p: &Scaled, x: &mut [f64]) -> bool {
        if self.step.iter().any(|d| !d.is_finite()) {
            return false;
        }
        let start = dot(&self.residual, &self.residual);
        let alpha = self.first_minimum(p, x);
        let mut best = (start, 0.0);
        for alpha in [1.0, alpha] {
            let value = self.value(p, x, alpha);
            if value < best.0 {
                best = (value, alpha);
            }
        }
        axpy(x, best.1, &self.step);
        best.1 > 0.0
    }

    /// ‖F(x + α d)‖².
    fn value(&mut self, p: &Scaled, x: &[f64], alpha: f64) -> f64 {
        self.at.copy_from_slice(x);
        axpy(&mut self.at, alpha, &self.step);
        p.force(&self.at, &mut self.f);
        p.residual(&self.at, &self.f, 0.0, &mut self.trial);
        dot(&self.trial, &self.trial)
    }

    /// Derivative of ½‖F(x + α d)‖² by α, on the smooth piece that holds the step `piece`.
    fn slope(&mut self, p: &Scaled, x: &[f64], alpha: f64, piece: f64) -> f64 {
        self.value(p, x, alpha);
        self.at.copy_from_slice(x);
        axpy(&mut self.at, piece, &self.step);
        p.force_along(&self.at, &self.step, &mut self.slope);
        let mut s = 0.0;
        for i in 0..p.len() {
            let along = dot(p.row(i), &self.slope) + -self.slope[i] + self.step[i];
            s += self.trial[i] * along;
        }
        s
    }

    /// The first step at which ‖F‖² stops falling: at a kink, or within a smooth piece.
    fn first_minimum(&mut self, p: &Scaled, x: &[f64]) -> f64 {
        let mut kinks = std::mem::take(&mut self.kinks);
        p.kinks(x, &self.step, REACH, &mut kinks);
        kinks.push(REACH);
        let mut left = 0.0;
        for &right in &kinks {
            if right <= left {
                continue;
            }
            let middle = 0.5 * (left + right);
            if self.slope(p, x, left, middle) >= 0.0 {
                break;
            }
            if self.slope(p, x, right, middle) > 0.0 {
                left = self.minimum_within(p, x, left, right);
                break;
            }
            left = right;
        }
        self.kinks = kinks;
        left
    }

    /// Root of the slope on a smooth piece where it changes sign from − to +, by bisection with secants.
    fn minimum_within(&mut self, p: &Scaled, x: &[f64], left: f64, right: f64) -> f64 {
        let middle = 0.5 * (left + right);
        let (mut a, mut b) = (left, right);
        let mut sa = self.slope(p, x, a, middle);
        let mut sb = self.slope(p, x, b, middle);
        for k in 0..30 {
            let secant = a - sa * (b - a) / (sb - sa);
            let t = if k % 3 == 2 || secant.is_nan() { 0.5 * (a + b) } else { secant };
            let s = self.slope(p, x, t, middle);
            if s < 0.0 {
                (a, sa) = (t, s);
            } else {
                (b, sb) = (t, s);
            }
            if b - a <= 1e-12 * right || s == 0.0 {
                break;
            }
        }
        if sa.abs() < sb.abs() { a } else { b }
    }
}
