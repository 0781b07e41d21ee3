//! Exact search along a line: Newton's method on the derivative of the cost, in a bracket.
//!
//! Along q̈ + α·search the cost is convex and, without elliptic cones, piecewise quadratic: Newton's
//! step lands on the minimum as soon as no row changes its zone on the way, and the sign of the
//! derivative brackets it otherwise.

use mj_math::MINVAL;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_problem::RowView;
use mj_problem::cost::{Slope, elliptic};

/// Result of the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Step; 0: no improvement.
    pub alpha: f64,
    /// Decrease of the cost.
    pub improvement: f64,
    /// Derivative of the cost at the step.
    pub slope: f64,
    /// Number of evaluations.
    pub neval: u32,
}

/// The cost along a line.
pub struct Line<'a> {
    rows: RowView<'a>,
    jar: &'a [f64],
    jv: &'a [f64],
    /// Cost of the smooth part and of the equalities: α quadratic[0] + ½ α² quadratic[1].
    quadratic: [f64; 2],
    cones: &'a [elliptic::Line],
}

impl<'a> Line<'a> {
    /// The line `jar + α jv`, with the cost α gauss[0] + ½ α² gauss[1] beside the rows; `cones` is scratch.
    pub fn new(
        rows: RowView<'a>,
        jar: &'a [f64],
        jv: &'a [f64],
        gauss: [f64; 2],
        cones: &'a mut Vec<elliptic::Line>,
    ) -> Self {
        cones.clear();
        cones.extend(rows.cones.iter().map(|c| {
            let w = c.row as usize..(c.row + c.dim) as usize;
            elliptic::Line::new(c, &rows.d[w.clone()], &jar[w.clone()], &jv[w])
        }));
        let equality = rows.equality_slopes(jar, jv);
        Self { rows, jar, jv, quadratic: [gauss[0] + equality[0], gauss[1] + equality[1]], cones }
    }

    /// Change of the cost and its derivatives at α.
    fn at(&self, alpha: f64) -> Slope {
        dispatch(At { line: self, alpha })
    }

    #[inline(always)]
    fn at_in<S: Simd>(&self, lanes: S, alpha: f64) -> Slope {
        let [g1, g2] = self.quadratic;
        let mut s = Slope { cost: alpha * (g1 + 0.5 * alpha * g2), d1: g1 + alpha * g2, d2: g2 };
        self.rows.along(lanes, self.jar, self.jv, self.cones, alpha, &mut s);
        s.d2 = s.d2.max(MINVAL);
        s
    }

    /// Finds the minimum: stops where the derivative is below `gtol` in magnitude, or after `limit`
    /// evaluations at the best point so far. `first` is a first guess of α; without one, Newton's step
    /// from 0.
    pub fn search(&self, first: Option<f64>, gtol: f64, limit: u32) -> Found {
        let mut spent = 0;
        let mut alpha = first.unwrap_or_else(|| {
            spent = 1;
            let s = self.at(0.0);
            -s.d1 / s.d2
        });
        // Bracket: the derivative is negative at lo and positive at hi.
        let (mut lo, mut hi) = (0.0, f64::INFINITY);
        let mut best = Found::default();
        // Width of the bracket two evaluations ago, to notice when Newton creeps.
        let mut width = [f64::INFINITY; 2];
        for neval in spent + 1..=limit.max(spent + 1) {
            let s = self.at(alpha);
            if s.cost < 0.0 && -s.cost >= best.improvement {
                best = Found { alpha, improvement: -s.cost, slope: s.d1.abs(), neval };
            }
            best.neval = neval;
            if s.d1.abs() < gtol || s.d1 == 0.0 || !s.d1.is_finite() {
                if s.cost < 0.0 {
                    best = Found { alpha, improvement: -s.cost, slope: s.d1.abs(), neval };
                }
                return best;
            }
            if s.d1 < 0.0 {
                lo = alpha
            } else {
                hi = alpha
            }
            let newton = alpha - s.d1 / s.d2;
            // Newton's point, unless it leaves the bracket or the bracket hardly shrinks.
            let creeping = hi.is_finite() && hi - lo > 0.5 * width[0];
            let next = if newton > lo && newton < hi && !creeping { newton } else { 0.5 * (lo + hi) };
            width = [width[1], hi - lo];
            // Rounding is all that is left.
            if (newton - alpha).abs() <= 2.0 * f64::EPSILON * alpha.abs() || next <= lo || next >= hi {
                return best;
            }
            alpha = next;
        }
        best
    }
}

/// One evaluation.
struct At<'a> {
    line: &'a Line<'a>,
    alpha: f64,
}

impl Kernel for At<'_> {
    type Output = Slope;

    #[inline(always)]
    fn run<S: Simd>(self, lanes: S) -> Slope {
        self.line.at_in(lanes, self.alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::BlockRows;

    /// One spring on one side: ½ g₂ α² + g₁ α + ½ D min(x + αv, 0)².
    #[test]
    fn finds_the_kink() {
        let jac = BlockRows::default();
        let (d, r, z) = ([1e6], [1e-6], [0.0]);
        let rows = RowView { jac: &jac, ne: 0, nf: 0, d: &d, r: &r, aref: &z, frictionloss: &z, cones: &[] };
        // Free minimum at α = 2; the spring comes in at α = 1.
        let mut cones = Vec::new();
        let line = Line::new(rows, &[1.0], &[-1.0], [-2.0, 1.0], &mut cones);
        let f = line.search(Some(1.0), 1e-12, 50);
        // (1 + 1e6) α = 2 + 1e6
        assert!((f.alpha - (2.0 + 1e6) / (1.0 + 1e6)).abs() < 1e-12);
        assert!(f.improvement > 0.0 && f.neval < 10);
    }
}
