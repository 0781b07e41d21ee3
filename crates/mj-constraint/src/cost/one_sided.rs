//! Rows that only push: limits, frictionless contacts and the edges of friction pyramids.
//!
//! f ≥ 0 in the dual is, in the primal, a spring for violation and nothing otherwise:
//! s(x) = ½ D min(x, 0)² (manual, "Computation: Constraint model"). A pyramid needs no more: with
//! J rows n ± μ t its edges' forces are a basis of the pyramid with non-negative coefficients.
//! Projection interval (−∞, 0].

use super::{Slope, change};
use mj_model::ConstraintState;

/// Cost of rows.
#[inline]
pub fn cost(d: &[f64], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (d, x) in d.iter().zip(x) {
        let c = negative(*x);
        s += 0.5 * d * c * c;
    }
    s
}

/// Cost, force and state of rows.
#[inline]
pub fn evaluate(d: &[f64], x: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let active = x[i] < 0.0;
        let c = if active { x[i] } else { 0.0 };
        let dc = d[i] * c;
        force[i] = if active { -dc } else { 0.0 };
        state[i] = if active { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
        s += dc * c;
    }
    0.5 * s
}

/// Change of the cost at `x + alpha·v`.
#[inline]
pub fn along(d: &[f64], x: &[f64], v: &[f64], alpha: f64) -> Slope {
    let mut s = Slope::default();
    for ((&d, &x), &v) in d.iter().zip(x).zip(v) {
        let step = alpha * v;
        let x1 = x + step;
        let (c0, c1) = (negative(x), negative(x1));
        let dv = d * v;
        s.cost += change(d, x, c0, x1, c1, step);
        s.d1 += dv * c1;
        s.d2 += if x1 < 0.0 { dv * v } else { 0.0 };
    }
    s
}

/// The projection on the interval.
#[inline(always)]
fn negative(x: f64) -> f64 {
    if x < 0.0 { x } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_only() {
        let (mut f, mut st) = ([0.0; 2], [ConstraintState::Cone; 2]);
        assert_eq!(evaluate(&[2.0, 2.0], &[-3.0, 3.0], &mut f, &mut st), 9.0);
        assert_eq!(f, [6.0, 0.0]);
        assert_eq!(st, [ConstraintState::Quadratic, ConstraintState::Satisfied]);
    }
}
