//! Equality rows: s(x) = ½ D x², a spring on both sides. The projection interval is the whole
//! line, so c = x (manual, "Computation: Constraint model", equality constraints; Todorov,
//! "Convex and analytically-invertible dynamics with contacts and constraints", 2014).

use crate::state::ConstraintState;

/// Cost of rows.
///
/// Example: [`evaluate`].
#[inline]
pub fn cost(d: &[f64], x: &[f64]) -> f64 {
    0.5 * slopes(d, x, x)[0]
}

/// Cost, force and state of rows.
///
/// ```
/// use mj_problem::ConstraintState;
/// use mj_problem::cost::equality::{cost, evaluate, slopes};
///
/// let (d, x) = ([4.0], [0.5]);
/// let (mut force, mut state) = ([0.0], [ConstraintState::Satisfied]);
/// // A spring: ½ D x², force −D x, whichever the sign.
/// assert_eq!(evaluate(&d, &x, &mut force, &mut state), 0.5);
/// assert_eq!((force, state), ([-2.0], [ConstraintState::Quadratic]));
/// assert_eq!(cost(&d, &[-0.5]), 0.5);
/// assert_eq!(slopes(&d, &x, &[3.0]), [6.0, 36.0]);
/// ```
#[inline]
pub fn evaluate(d: &[f64], x: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
    for ((f, d), x) in force.iter_mut().zip(d).zip(x) {
        *f = -d * x;
    }
    state.fill(ConstraintState::Quadratic);
    cost(d, x)
}

/// Derivatives Σ D x v and Σ D v² of the cost along `v`, which it is quadratic along.
///
/// Example: [`evaluate`].
#[inline]
pub fn slopes(d: &[f64], x: &[f64], v: &[f64]) -> [f64; 2] {
    // Sums of four at once: one alone waits for each addition.
    let mut sums = [[0.0; 4]; 2];
    let add = |sums: &mut [[f64; 4]; 2], k: usize, d: f64, x: f64, v: f64| {
        let dv = d * v;
        sums[0][k] += dv * x;
        sums[1][k] += dv * v;
    };
    let [(d, d_rest), (x, x_rest), (v, v_rest)] = [d, x, v].map(<[f64]>::as_chunks::<4>);
    for ((d, x), v) in d.iter().zip(x).zip(v) {
        (0..4).for_each(|k| add(&mut sums, k, d[k], x[k], v[k]));
    }
    for ((d, x), v) in d_rest.iter().zip(x_rest).zip(v_rest) {
        add(&mut sums, 0, *d, *x, *v);
    }
    sums.map(|s| (s[0] + s[2]) + (s[1] + s[3]))
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
        let ones = [1.0; 7];
        assert_eq!(slopes(&[2.0; 7], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &ones), [42.0, 14.0]);
    }
}
