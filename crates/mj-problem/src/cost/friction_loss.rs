//! Friction loss (dry friction of dofs and tendons): a force of at most η either way.
//!
//! Maximizing dissipation subject to |f| ≤ η with regularization R gives, in the primal, Huber's
//! function: ½ D x² while |x| < Rη, and beyond it a straight line of slope η,
//! η |x| − ½ R η² (manual, "Computation: Constraint model", friction loss). The projection
//! interval is [−Rη, Rη]; force −D c.

use super::slope::{Slope, change};
use crate::state::ConstraintState;

/// Cost of rows with losses `loss`.
///
/// Example: [`evaluate`].
#[inline]
pub fn cost(d: &[f64], r: &[f64], loss: &[f64], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let bound = r[i] * loss[i];
        let c = x[i].max(-bound).min(bound);
        s += d[i] * c * (x[i] - 0.5 * c);
    }
    s
}

/// Cost, force and state of rows.
///
/// ```
/// use mj_problem::ConstraintState;
/// use mj_problem::cost::friction_loss::{along, cost, evaluate, project, zone};
///
/// // A loss of 3 N; within R η = 1.5 the row is a spring.
/// let (d, r, loss) = ([2.0], [0.5], [3.0]);
/// let (mut force, mut state) = ([0.0], [ConstraintState::Satisfied]);
/// assert_eq!(evaluate(&d, &r, &loss, &[1.0], &mut force, &mut state), 1.0);
/// assert_eq!((force, state), ([-2.0], [ConstraintState::Quadratic]));
/// evaluate(&d, &r, &loss, &[4.0], &mut force, &mut state);
/// assert_eq!((force, state), ([-3.0], [ConstraintState::LinearPos]));
/// // By the force that a spring alone would give: bounded by the loss.
/// assert_eq!((project(3.0, -8.0), zone(3.0, -8.0)), (-3.0, ConstraintState::LinearPos));
/// // Along a line from 1 to 4: the difference of the costs, and the slope η beyond the bound.
/// let slope = along(&d, &r, &loss, &[1.0], &[1.0], 3.0);
/// assert_eq!(slope.cost, cost(&d, &r, &loss, &[4.0]) - 1.0);
/// assert_eq!((slope.d1, slope.d2), (3.0, 0.0));
/// ```
#[inline]
pub fn evaluate(
    d: &[f64],
    r: &[f64],
    loss: &[f64],
    x: &[f64],
    force: &mut [f64],
    state: &mut [ConstraintState],
) -> f64 {
    for i in 0..x.len() {
        let bound = r[i] * loss[i];
        (force[i], state[i]) = if x[i] <= -bound {
            (loss[i], ConstraintState::LinearNeg)
        } else if x[i] >= bound {
            (-loss[i], ConstraintState::LinearPos)
        } else {
            (-d[i] * x[i], ConstraintState::Quadratic)
        };
    }
    cost(d, r, loss, x)
}

/// Change of the cost at `x + alpha·v`.
///
/// Example: [`evaluate`].
#[inline]
pub fn along(d: &[f64], r: &[f64], loss: &[f64], x: &[f64], v: &[f64], alpha: f64) -> Slope {
    let mut s = Slope::default();
    for i in 0..x.len() {
        let bound = r[i] * loss[i];
        let step = alpha * v[i];
        let x1 = x[i] + step;
        let (c0, c1) = (x[i].max(-bound).min(bound), x1.max(-bound).min(bound));
        let dv = d[i] * v[i];
        s.cost += change(d[i], x[i], c0, x1, c1, step);
        s.d1 += dv * c1;
        s.d2 += if x1.abs() < bound { dv * v[i] } else { 0.0 };
    }
    s
}

/// Projects a force on [−η, η].
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn project(loss: f64, f: f64) -> f64 {
    f.max(-loss).min(loss)
}

/// Zone of the cost by the force.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn zone(loss: f64, f: f64) -> ConstraintState {
    if f <= -loss {
        ConstraintState::LinearPos
    } else if f >= loss {
        ConstraintState::LinearNeg
    } else {
        ConstraintState::Quadratic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_zones() {
        let (d, r, loss) = ([2.0; 3], [0.5; 3], [3.0; 3]);
        let (mut f, mut st) = ([0.0; 3], [ConstraintState::Satisfied; 3]);
        let s = evaluate(&d, &r, &loss, &[-2.0, 1.0, 4.0], &mut f, &mut st);
        assert_eq!(f, [3.0, -2.0, -3.0]);
        assert_eq!(st, [ConstraintState::LinearNeg, ConstraintState::Quadratic, ConstraintState::LinearPos]);
        // Linear branches: η|x| − ½Rη²; quadratic: ½Dx².
        assert!((s - ((6.0 - 2.25) + 1.0 + (12.0 - 2.25))).abs() < 1e-12);
    }
}
