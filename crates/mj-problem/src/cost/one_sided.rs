//! Rows that only push: limits, frictionless contacts and the edges of friction pyramids.
//!
//! f ≥ 0 in the dual is, in the primal, a spring for violation and nothing otherwise:
//! s(x) = ½ D min(x, 0)² (manual, "Computation: Constraint model"). A pyramid needs no more: with
//! J rows n ± μ t its edges' forces are a basis of the pyramid with non-negative coefficients.
//! Projection interval (−∞, 0].

use super::slope::{Slope, change};
use crate::state::ConstraintState;
use mj_math::simd::{F64x4, Simd};

/// Cost of rows.
///
/// Example: [`evaluate`].
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
///
/// ```
/// use mj_math::simd::Separate;
/// use mj_problem::ConstraintState;
/// use mj_problem::cost::one_sided::{along, cost, evaluate, project, zone};
///
/// // A limit pushes where it is violated, and only there.
/// let d = [4.0, 4.0];
/// let (mut force, mut state) = ([0.0; 2], [ConstraintState::Satisfied; 2]);
/// assert_eq!(evaluate(&d, &[-0.5, 0.5], &mut force, &mut state), 0.5);
/// assert_eq!((force, state), ([2.0, 0.0], [ConstraintState::Quadratic, ConstraintState::Satisfied]));
/// assert_eq!((project(-1.0), zone(-1.0)), (0.0, ConstraintState::Satisfied));
/// // Along a line that ends where both rows are satisfied.
/// let slope = along(Separate, &d, &[-0.5, 0.5], &[1.0, 0.0], 1.0);
/// assert_eq!(slope.cost, cost(&d, &[0.5, 0.5]) - 0.5);
/// assert_eq!((slope.d1, slope.d2), (0.0, 0.0));
/// ```
#[inline]
pub fn evaluate(d: &[f64], x: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
    let mut s = 0.0;
    // No branch: which rows push can't be predicted.
    for (((d, x), force), state) in d.iter().zip(x).zip(force).zip(state) {
        let c = negative(*x);
        let dc = d * c;
        *force = 0.0 - dc;
        *state = if c < 0.0 { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
        s += dc * c;
    }
    0.5 * s
}

/// Change of the cost at `x + alpha·v`, four rows at a time.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn along<S: Simd>(lanes: S, d: &[f64], x: &[f64], v: &[f64], alpha: f64) -> Slope {
    let load = |x: &[f64; 4]| F64x4::new(lanes, x);
    let [alphas, half, zero] = [alpha, 0.5, 0.0].map(|x| F64x4::splat(lanes, x));
    let (mut cost, mut d1, mut d2) = (zero, zero, zero);
    let ((ds, d), (xs, x), (vs, v)) = (d.as_chunks(), x.as_chunks(), v.as_chunks());
    for ((d, x), v) in ds.iter().zip(xs).zip(vs) {
        let (d, x, v) = (load(d), load(x), load(v));
        let step = alphas * v;
        let x1 = x + step;
        let (c0, c1) = (x.where_negative(x), x1.where_negative(x1));
        let dv = d * v;
        // See `change`.
        cost = cost.plus(d, (c0 * step).plus(c1 - c0, x1.minus(half, c0 + c1)));
        d1 = d1.plus(dv, c1);
        d2 += (dv * v).where_negative(x1);
    }
    let mut s = Slope { cost: cost.sum(), d1: d1.sum(), d2: d2.sum() };
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

/// Projects a force on [0, ∞).
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn project(f: f64) -> f64 {
    f.max(0.0)
}

/// Zone of the cost by the force.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn zone(f: f64) -> ConstraintState {
    if f <= 0.0 { ConstraintState::Satisfied } else { ConstraintState::Quadratic }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use mj_math::simd::{Kernel, dispatch};
    use proptest::prelude::*;

    struct Along<'a>([&'a [f64]; 3], f64);

    impl Kernel for Along<'_> {
        type Output = Slope;

        #[inline(always)]
        fn run<S: Simd>(self, lanes: S) -> Slope {
            let [d, x, v] = self.0;
            super::along(lanes, d, x, v, self.1)
        }
    }

    /// Of D, x and v.
    pub fn along(rows: [&[f64]; 3], alpha: f64) -> Slope {
        dispatch(Along(rows, alpha))
    }

    proptest! {
        /// Rows together cost what they cost one by one.
        #[test]
        fn rows_add_up(rows in prop::collection::vec((0.1..5.0f64, -1.0..1.0f64, -1.0..1.0f64), 0..14), alpha in -2.0..2.0f64) {
            let d: Vec<f64> = rows.iter().map(|r| r.0).collect();
            let x: Vec<f64> = rows.iter().map(|r| r.1).collect();
            let v: Vec<f64> = rows.iter().map(|r| r.2).collect();
            let mut sum = Slope::default();
            for i in 0..rows.len() {
                sum += along([&d[i..i + 1], &x[i..i + 1], &v[i..i + 1]], alpha);
            }
            let all = along([&d, &x, &v], alpha);
            for (a, b) in [(all.cost, sum.cost), (all.d1, sum.d1), (all.d2, sum.d2)] {
                prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
        }
    }

    #[test]
    fn pushes_only() {
        let (mut f, mut st) = ([0.0; 2], [ConstraintState::Cone; 2]);
        assert_eq!(evaluate(&[2.0, 2.0], &[-3.0, 3.0], &mut f, &mut st), 9.0);
        assert_eq!(f, [6.0, 0.0]);
        assert_eq!(st, [ConstraintState::Quadratic, ConstraintState::Satisfied]);
    }
}
