//! The convex cost of constraint violation: the map from `jar = J q̈ − aref` to cost, force, state
//! and curvature, one file per kind of row.
//!
//! The constrained acceleration minimizes (manual, "Computation: Primal problem")
//!
//! ```text
//! ½ (q̈ − q̈_smooth)ᵀ M (q̈ − q̈_smooth) + s(J q̈ − aref)
//! ```
//!
//! and the constraint force is `f = −∇s`. The cost is a sum over rows and, for elliptic cones,
//! over groups of rows. Every row that is not part of a cone has the same form: let `c(x)` be the
//! projection of its violation `x` on an interval; then
//!
//! ```text
//! s(x) = D c (x − c/2),   s'(x) = D c,   s''(x) = D if c = x, else 0.
//! ```
//!
//! That is the Moreau envelope of a support function: quadratic inside the interval, linear with a
//! matching slope outside. The interval is the whole line for equalities ([`equality`]),
//! `[−Rη, Rη]` for friction loss η ([`friction_loss`]) and `(−∞, 0]` for limits and contacts that
//! only push ([`one_sided`]). Between two points with projections c₀ and c₁ the cost changes by
//!
//! ```text
//! s(x₁) − s(x₀) = D (c₀ (x₁ − x₀) + (c₁ − c₀)(x₁ − (c₀ + c₁)/2)),
//! ```
//!
//! which has no cancellation between large costs: what a line search near its minimum needs.

pub mod elliptic;
pub mod equality;
pub mod friction_loss;
pub mod one_sided;
mod slope;

pub use slope::Slope;

use crate::rows::{ConeRows, RowView};
use crate::state::ConstraintState;
use mj_math::simd::Simd;

/// Kind of cost that a run of consecutive rows has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// Quadratic on both sides.
    Equality,
    /// Quadratic near zero, linear beyond.
    FrictionLoss,
    /// Quadratic below zero, none above.
    OneSided,
    /// An elliptic friction cone.
    Elliptic(&'a ConeRows),
}

impl<'a> RowView<'a> {
    /// The rows in order, as runs of one kind: (kind, first row, one past the last).
    #[inline]
    pub fn runs(&self) -> impl Iterator<Item = (Kind<'a>, usize, usize)> + use<'a> {
        let n = self.nefc();
        let head = [(Kind::Equality, 0, self.ne), (Kind::FrictionLoss, self.ne, self.ne + self.nf)];
        let mut at = self.ne + self.nf;
        let mut cones = self.cones.iter().peekable();
        let tail = std::iter::from_fn(move || {
            let start = at;
            match cones.peek() {
                Some(c) if c.row as usize == start => {
                    let c = cones.next()?;
                    at += c.dim as usize;
                    Some((Kind::Elliptic(c), start, at))
                }
                Some(c) => {
                    at = c.row as usize;
                    Some((Kind::OneSided, start, at))
                }
                None if start < n => {
                    at = n;
                    Some((Kind::OneSided, start, at))
                }
                None => None,
            }
        });
        head.into_iter().filter(|r| r.1 < r.2).chain(tail)
    }

    /// Cost s(jar).
    #[inline]
    pub fn cost(&self, jar: &[f64]) -> f64 {
        let mut s = 0.0;
        for (kind, a, b) in self.runs() {
            match kind {
                Kind::Equality => s += equality::cost(&self.d[a..b], &jar[a..b]),
                Kind::FrictionLoss => {
                    s += friction_loss::cost(&self.d[a..b], &self.r[a..b], &self.frictionloss[a..b], &jar[a..b]);
                }
                Kind::OneSided => s += one_sided::cost(&self.d[a..b], &jar[a..b]),
                Kind::Elliptic(c) => s += elliptic::cost(c, &self.d[a..b], &jar[a..b]),
            }
        }
        s
    }

    /// Cost s(jar), the force −∇s into `force` and each row's zone into `state` (nefc each).
    ///
    /// This is also the whole of inverse dynamics for the constraints: given the acceleration, the
    /// force follows row by row, without a solver.
    #[inline]
    pub fn evaluate(&self, jar: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
        let mut s = 0.0;
        for (kind, a, b) in self.runs() {
            let (d, x, f, st) = (&self.d[a..b], &jar[a..b], &mut force[a..b], &mut state[a..b]);
            s += match kind {
                Kind::Equality => equality::evaluate(d, x, f, st),
                Kind::FrictionLoss => friction_loss::evaluate(d, &self.r[a..b], &self.frictionloss[a..b], x, f, st),
                Kind::OneSided => one_sided::evaluate(d, x, f, st),
                Kind::Elliptic(c) => elliptic::evaluate(c, d, x, f, st),
            };
        }
        s
    }

    /// Returns the first and second derivative of the equalities' cost from `jar` along `jv`.
    #[inline(always)]
    pub fn equality_slopes(&self, jar: &[f64], jv: &[f64]) -> [f64; 2] {
        equality::slopes(&self.d[..self.ne], &jar[..self.ne], &jv[..self.ne])
    }

    /// Adds the change of the cost from `jar` to `jar + alpha·jv`, with its derivatives along that line, to `s`: that of all
    /// rows but equalities, whose cost is quadratic along the line ([`Self::equality_slopes`]). `cones` are the lines of the
    /// elliptic cones, in order.
    #[inline(always)]
    pub fn along<S: Simd>(
        &self,
        lanes: S,
        jar: &[f64],
        jv: &[f64],
        cones: &[elliptic::Line],
        alpha: f64,
        s: &mut Slope,
    ) {
        let mut cones = cones.iter();
        for (kind, a, b) in self.runs() {
            let (d, x, v) = (&self.d[a..b], &jar[a..b], &jv[a..b]);
            *s += match kind {
                Kind::Equality => continue,
                Kind::FrictionLoss => friction_loss::along(d, &self.r[a..b], &self.frictionloss[a..b], x, v, alpha),
                Kind::OneSided => one_sided::along(lanes, d, x, v, alpha),
                Kind::Elliptic(_) => cones.next().map_or(Slope::default(), |c| c.at(alpha)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::BlockRows;
    use proptest::prelude::*;

    /// Rows of every kind with random parameters, and a violation.
    fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<ConeRows>, Vec<f64>)> {
        let n = 1 + 2 + 2 + 3 + 1 + 4 + 6;
        (
            prop::collection::vec(0.1..5.0f64, n),
            prop::collection::vec(0.0..2.0f64, n),
            prop::collection::vec(0.2..1.5f64, 7),
            prop::collection::vec(-2.0..2.0f64, n),
        )
            .prop_map(|(mut d, loss, fr, jar)| {
                let mut cones = Vec::new();
                for (row, dim) in [(5u32, 3u32), (9, 4), (13, 6)] {
                    let friction = [fr[0], fr[1], fr[2], fr[3], fr[4]];
                    let mu = fr[5];
                    // Regularization of friction rows follows from the normal's (R_j f_j² = const).
                    for j in 1..dim as usize {
                        let k = row as usize;
                        d[k + j] = d[k] * (friction[j - 1] / mu).powi(2);
                    }
                    cones.push(ConeRows { row, dim, contact: 0, mu, friction });
                }
                (d, loss, cones, jar)
            })
    }

    proptest! {
        #[test]
        fn force_is_minus_the_gradient((d, loss, cones, jar) in rows()) {
            let r: Vec<f64> = d.iter().map(|d| 1.0 / d).collect();
            let jac = BlockRows::default();
            let n = d.len();
            let v = RowView { jac: &jac, ne: 1, nf: 2, d: &d, r: &r, aref: &r, frictionloss: &loss, cones: &cones };
            prop_assert_eq!(v.runs().map(|(_, a, b)| b - a).sum::<usize>(), n);
            let (mut f, mut st) = (vec![0.0; n], vec![ConstraintState::Satisfied; n]);
            let s = v.evaluate(&jar, &mut f, &mut st);
            prop_assert!((s - v.cost(&jar)).abs() < 1e-12 * (1.0 + s));
            prop_assert!(s >= -f64::EPSILON || loss.iter().any(|&l| l > 0.0));
            for i in 0..n {
                let h = 1e-6;
                let mut x = jar.clone();
                x[i] += h;
                let up = v.cost(&x);
                x[i] -= 2.0 * h;
                let g = (up - v.cost(&x)) / (2.0 * h);
                prop_assert!((g + f[i]).abs() < 1e-4 * (1.0 + g.abs()), "row {i}: {g} {}", f[i]);
            }
        }

        #[test]
        fn cone_hessian_is_the_gradients_derivative((d, _, cones, jar) in rows()) {
            for c in &cones {
                let (a, n) = (c.row as usize, c.dim as usize);
                let (d, mut x) = (&d[a..a + n], jar[a..a + n].to_vec());
                let (mut f, mut st) = (vec![0.0; n], vec![ConstraintState::Satisfied; n]);
                elliptic::evaluate(c, d, &x, &mut f, &mut st);
                if st[0] != ConstraintState::Cone {
                    continue;
                }
                let mut hess = vec![0.0; n * n];
                elliptic::hessian(c, d, &x, &mut hess);
                let root = elliptic::curvature_root(c, d, &x);
                for (at, w) in hess.iter().enumerate() {
                    let s: f64 = (0..n).map(|k| root[at / n][k] * root[at % n][k]).sum();
                    prop_assert!((s - w).abs() < 1e-6 * (1.0 + w.abs()), "{s} {w}");
                }
                for j in 0..n {
                    let h = 1e-6;
                    let at = x[j];
                    let (mut up, mut down) = (vec![0.0; n], vec![0.0; n]);
                    x[j] = at + h;
                    elliptic::evaluate(c, d, &x, &mut up, &mut st);
                    let same = st[0] == ConstraintState::Cone;
                    x[j] = at - h;
                    elliptic::evaluate(c, d, &x, &mut down, &mut st);
                    x[j] = at;
                    if !same || st[0] != ConstraintState::Cone {
                        continue;
                    }
                    for i in 0..n {
                        let want = -(up[i] - down[i]) / (2.0 * h);
                        prop_assert!((hess[i * n + j] - want).abs() < 1e-4 * (1.0 + want.abs()), "{} {want}", hess[i * n + j]);
                    }
                }
            }
        }

        #[test]
        fn slopes_along_a_line((d, loss, cones, jar) in rows(), dir in prop::collection::vec(-1.0..1.0f64, 19), alpha in 0.0..3.0f64) {
            let r: Vec<f64> = d.iter().map(|d| 1.0 / d).collect();
            let at = |alpha: f64| -> Slope {
                let [c1, c2] = equality::slopes(&d[..1], &jar[..1], &dir[..1]);
                let mut s = Slope { cost: alpha * (c1 + 0.5 * alpha * c2), d1: c1 + alpha * c2, d2: c2 };
                s += friction_loss::along(&d[1..3], &r[1..3], &loss[1..3], &jar[1..3], &dir[1..3], alpha);
                s += one_sided::tests::along([&d[3..5], &jar[3..5], &dir[3..5]], alpha);
                s += one_sided::tests::along([&d[8..9], &jar[8..9], &dir[8..9]], alpha);
                for c in &cones {
                    let w = c.row as usize..(c.row + c.dim) as usize;
                    s += elliptic::Line::new(c, &d[w.clone()], &jar[w.clone()], &dir[w]).at(alpha);
                }
                s
            };
            let jac = BlockRows::default();
            let v = RowView { jac: &jac, ne: 1, nf: 2, d: &d, r: &r, aref: &r, frictionloss: &loss, cones: &cones };
            let moved: Vec<f64> = jar.iter().zip(&dir).map(|(x, v)| x + alpha * v).collect();
            let s = at(alpha);
            let want = v.cost(&moved) - v.cost(&jar);
            prop_assert!((s.cost - want).abs() < 1e-9 * (1.0 + v.cost(&jar).abs() + want.abs()));
            let h = 1e-6;
            let g = (at(alpha + h).cost - at(alpha - h).cost) / (2.0 * h);
            prop_assert!((g - s.d1).abs() < 1e-4 * (1.0 + g.abs()));
            prop_assert!(s.d2 >= 0.0);
        }
    }
}
