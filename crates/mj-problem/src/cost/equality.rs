//! Equality rows: s(x) = ½ D x², a spring on both sides. The projection interval is the whole
//! line, so c = x (manual, "Computation: Constraint model", equality constraints; Todorov,
//! "Convex and analytically-invertible dynamics with contacts and constraints", 2014).

use super::slope::Slope;
use crate::state::ConstraintState;

/// Cost of rows.
#[inline]
pub fn cost(d: &[f64], x: &[f64]) -> f64 {
    d.iter().zip(x).map(|(d, x)| 0.5 * d * x * x).sum()
}

/// Cost, force and state of rows.
#[inline]
pub fn evaluate(d: &[f64], x: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
    for ((f, d), x) in force.iter_mut().zip(d).zip(x) {
        *f = -d * x;
    }
    state.fill(ConstraintState::Quadratic);
    cost(d, x)
}

/// Change of the cost at `x + alpha·v`: α Σ D x v + ½ α² Σ D v².
#[inline]
pub fn along(d: &[f64], x: &[f64], v: &[f64], alpha: f64) -> Slope {
    let (mut c1, mut c2) = (0.0, 0.0);
    for ((d, x), v) in d.iter().zip(x).zip(v) {
        let dv = d * v;
        c1 += dv * x;
        c2 += dv * v;
    }
    Slope { cost: alpha * (c1 + 0.5 * alpha * c2), d1: c1 + alpha * c2, d2: c2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spring() {
        let (mut f, mut st) = ([0.0; 2], [ConstraintState::Satisfied; 2]);
        assert_eq!(evaluate(&[2.0, 4.0], &[3.0, -1.0], &mut f, &mut st), 11.0);
        assert_eq!(f, [-6.0, 4.0]);
        assert_eq!(st, [ConstraintState::Quadratic; 2]);
    }
}
