//! Linear-quadratic regulators.

use crate::cost::Cost;
use crate::error::{ControlError, check_length};
use crate::expand::{Expander, Expansion};
use crate::matrix::{View, multiply, multiply_by_transposed_add, multiply_transposed_add, solve, symmetrize};
use mj_engine::{Data, Model, State, differentiate_pos};

/// Most doublings: each squares the number of steps that count.
const DOUBLINGS: usize = 60;

/// Solution of a linear-quadratic problem over all time: u = −K x, with the cost ½ xᵀP x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lqr {
    /// Gain K, nu × nx.
    pub gain: Vec<f64>,
    /// Hessian P of the cost, nx × nx.
    pub value: Vec<f64>,
}

/// Minimizes Σ ½ (xᵀQ x + uᵀR u) for x' = A x + B u over all time: solves the discrete algebraic Riccati equation by
/// structure-preserving doubling.
///
/// `a` is nx × nx, `b` nx × nu, `q` nx × nx, `r` nu × nu, row-major; `q` and `r` are symmetric, `r` is positive definite.
///
/// # Errors
/// If sizes differ, or no gain makes the system stable.
///
/// Source: Chu, Fan, Lin, Wang, "Structure-preserving algorithms for periodic discrete-time algebraic Riccati equations", 2004.
pub fn lqr(a: &[f64], b: &[f64], q: &[f64], r: &[f64]) -> Result<Lqr, ControlError> {
    let (nx, nu) = (integer_root(a.len()), integer_root(r.len()));
    check_length("a", a.len(), nx * nx)?;
    check_length("r", r.len(), nu * nu)?;
    check_length("b", b.len(), nx * nu)?;
    check_length("q", q.len(), nx * nx)?;
    if [a, b, q, r].iter().any(|m| m.iter().any(|x| !x.is_finite())) {
        return Err(ControlError::Riccati);
    }
    if nx == 0 || nu == 0 {
        return Ok(Lqr::default());
    }
    let transposed: Vec<f64> = (0..nu).flat_map(|j| (0..nx).map(move |i| b[i * nu + j])).collect();
    // G = B R⁻¹ Bᵀ.
    let mut g = Vec::new();
    multiply(&mut g, View(b, nx, nu), View(&solve(View(r, nu, nu), View(&transposed, nu, nx)), nu, nx));
    let (mut step, mut h) = (a.to_vec(), q.to_vec());
    for _ in 0..DOUBLINGS {
        // W = I + G H; then A W⁻¹ A, G + A W⁻¹ G Aᵀ, H + Aᵀ H W⁻¹ A.
        let mut w = Vec::new();
        multiply(&mut w, View(&g, nx, nx), View(&h, nx, nx));
        (0..nx).for_each(|i| w[i * nx + i] += 1.0);
        let (by_a, by_g) = (solve(View(&w, nx, nx), View(&step, nx, nx)), solve(View(&w, nx, nx), View(&g, nx, nx)));
        let (mut next, mut product) = (Vec::new(), Vec::new());
        multiply(&mut next, View(&step, nx, nx), View(&by_a, nx, nx));
        multiply(&mut product, View(&step, nx, nx), View(&by_g, nx, nx));
        multiply_by_transposed_add(&mut g, View(&product, nx, nx), View(&step, nx, nx));
        multiply(&mut product, View(&h, nx, nx), View(&by_a, nx, nx));
        let before = h.clone();
        multiply_transposed_add(&mut h, View(&step, nx, nx), View(&product, nx, nx));
        symmetrize(&mut g, nx);
        symmetrize(&mut h, nx);
        step = next;
        let change = h.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let size = h.iter().map(|x| x.abs()).fold(0.0, f64::max);
        if !size.is_finite() {
            return Err(ControlError::Riccati);
        }
        if change <= 1e-13 * size {
            let gain = gain(a, b, &h, r, nx, nu);
            return if is_stable(a, b, &gain, nx, nu) {
                Ok(Lqr { gain, value: h })
            } else {
                Err(ControlError::Riccati)
            };
        }
    }
    Err(ControlError::Riccati)
}

/// (R + BᵀP B)⁻¹ BᵀP A.
fn gain(a: &[f64], b: &[f64], p: &[f64], r: &[f64], nx: usize, nu: usize) -> Vec<f64> {
    let (mut pa, mut pb, mut curve, mut right) = (Vec::new(), Vec::new(), r.to_vec(), vec![0.0; nu * nx]);
    multiply(&mut pa, View(p, nx, nx), View(a, nx, nx));
    multiply(&mut pb, View(p, nx, nx), View(b, nx, nu));
    multiply_transposed_add(&mut curve, View(b, nx, nu), View(&pb, nx, nu));
    multiply_transposed_add(&mut right, View(b, nx, nu), View(&pa, nx, nx));
    solve(View(&curve, nu, nu), View(&right, nu, nx))
}

/// Whether powers of A − B K vanish.
fn is_stable(a: &[f64], b: &[f64], gain: &[f64], nx: usize, nu: usize) -> bool {
    let mut closed = Vec::new();
    multiply(&mut closed, View(b, nx, nu), View(gain, nu, nx));
    closed.iter_mut().zip(a).for_each(|(c, a)| *c = a - *c);
    for _ in 0..DOUBLINGS {
        let mut square = Vec::new();
        multiply(&mut square, View(&closed, nx, nx), View(&closed, nx, nx));
        closed = square;
        let size = closed.iter().map(|x| x.abs()).fold(0.0, f64::max);
        if size < 1e-3 {
            return true;
        }
        if size.is_nan() || size >= 1e100 {
            return false;
        }
    }
    false
}

fn integer_root(n: usize) -> usize {
    n.isqrt()
}

/// Regulator that holds a model at a state: u = u₀ − K (x ⊖ x₀), within the controls' ranges.
#[derive(Clone, Debug)]
pub struct Regulator {
    /// Solution of the linear-quadratic problem around the state.
    pub lqr: Lqr,
    /// State to hold, with its controls.
    pub state: State,
}

impl Regulator {
    /// Makes the regulator of a model around a state with its controls, for the second-order expansion of a cost there.
    ///
    /// # Errors
    /// If the cost doesn't fit the model, the step has no derivative there, or no gain makes it stable.
    pub fn new(m: &Model, cost: &Cost, state: &State) -> Result<Self, ControlError> {
        cost.check(m)?;
        let mut d = Data::new(m)?;
        mj_engine::check_state(m, state)?;
        let mut e = Expansion::default();
        Expander::default().expand(m, &mut d, cost, state, &mut e)?;
        Ok(Self { lqr: lqr(&e.a, &e.b, &e.lxx, &e.luu)?, state: state.clone() })
    }

    /// Writes the controls at a state, nu.
    pub fn control(&self, m: &Model, state: &State, ctrl: &mut [f64]) {
        let nv = m.nv();
        let mut dx = vec![0.0; 2 * nv + m.na];
        state_difference(m, &self.state, state, &mut dx);
        for (i, u) in ctrl.iter_mut().enumerate() {
            *u = self.state.ctrl[i] - mj_math::dense::dot(&self.lqr.gain[i * dx.len()..][..dx.len()], &dx);
        }
        clamp(m, ctrl);
    }
}

/// Writes x ⊖ y in the tangent space: position, velocity, activation.
pub(crate) fn state_difference(m: &Model, from: &State, to: &State, dx: &mut [f64]) {
    let nv = m.nv();
    differentiate_pos(m, &mut dx[..nv], 1.0, &from.qpos, &to.qpos);
    for i in 0..nv {
        dx[nv + i] = to.qvel[i] - from.qvel[i];
    }
    for i in 0..m.na {
        dx[2 * nv + i] = to.act[i] - from.act[i];
    }
}

/// Puts controls within their ranges.
pub(crate) fn clamp(m: &Model, ctrl: &mut [f64]) {
    for (u, i) in ctrl.iter_mut().zip(m.control.ids()) {
        if m.control.ctrllimited[i] {
            let [lower, upper] = m.control.ctrlrange[i];
            *u = u.max(lower).min(upper);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A mass without friction: the gains in closed form of a double integrator are those of its Riccati equation, which is
    /// iterated here.
    #[test]
    fn agrees_with_the_recursion() {
        let (a, b) = ([1.0, 0.1, 0.0, 1.0], [0.005, 0.1]);
        let found = lqr(&a, &b, &[1.0, 0.0, 0.0, 1.0], &[0.5]).unwrap();
        let (mut p, mut k) = (vec![1.0, 0.0, 0.0, 1.0], vec![]);
        for _ in 0..2000 {
            k = gain(&a, &b, &p, &[0.5], 2, 1);
            let closed: Vec<f64> = (0..4).map(|i| a[i] - b[i / 2] * k[i % 2]).collect();
            let mut next = vec![1.0, 0.0, 0.0, 1.0];
            let mut pc = Vec::new();
            multiply(&mut pc, View(&p, 2, 2), View(&closed, 2, 2));
            multiply_transposed_add(&mut next, View(&a, 2, 2), View(&pc, 2, 2));
            p = next;
        }
        for (x, y) in found.gain.iter().zip(&k).chain(found.value.iter().zip(&p)) {
            assert!((x - y).abs() < 1e-9 * y.abs().max(1.0), "{x} {y}");
        }
    }

    #[test]
    fn what_cannot_be_stable_is_refused() {
        // The unstable mode is out of reach.
        assert!(matches!(
            lqr(&[2.0, 0.0, 0.0, 0.5], &[0.0, 1.0], &[1.0, 0.0, 0.0, 1.0], &[1.0]),
            Err(ControlError::Riccati)
        ));
        // The cost doesn't see it.
        assert!(matches!(lqr(&[1.0], &[1.0], &[0.0], &[1.0]), Err(ControlError::Riccati)));
        assert!(lqr(&[f64::NAN], &[1.0], &[1.0], &[1.0]).is_err());
        assert!(matches!(lqr(&[1.0], &[1.0, 2.0], &[1.0], &[1.0]), Err(ControlError::Length { array: "b", .. })));
    }

    proptest! {
        /// P solves Riccati's equation.
        #[test]
        fn solves_the_equation(n in 1usize..7, nu in 1usize..4, seed in prop::collection::vec(-1.0..1.0f64, 80)) {
            let (a, b) = (&seed[..n * n], &seed[n * n..n * n + n * nu]);
            let mut q = vec![0.0; n * n];
            let mut r = vec![0.0; nu * nu];
            (0..n).for_each(|i| q[i * n + i] = 1.0);
            (0..nu).for_each(|i| r[i * nu + i] = 0.7);
            let Ok(found) = lqr(a, b, &q, &r) else { return Ok(()) };
            // P = Q + AᵀP (A − B K).
            let mut closed = Vec::new();
            multiply(&mut closed, View(b, n, nu), View(&found.gain, nu, n));
            closed.iter_mut().zip(a).for_each(|(c, a)| *c = a - *c);
            let mut pc = Vec::new();
            multiply(&mut pc, View(&found.value, n, n), View(&closed, n, n));
            multiply_transposed_add(&mut q, View(a, n, n), View(&pc, n, n));
            let size = found.value.iter().map(|x| x.abs()).fold(1.0, f64::max);
            for (x, y) in q.iter().zip(&found.value) {
                prop_assert!((x - y).abs() < 1e-7 * size, "{x} {y}");
            }
        }
    }
}
