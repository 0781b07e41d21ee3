//! The linear-quadratic problem along a trajectory, solved backwards with the limits of the controls.

use crate::expand::Expansion;
use crate::matrix::{View, multiply, multiply_transposed_add, symmetrize};
use crate::simulate::Rollout;
use mj_engine::Model;
use mj_math::{BoxQp, box_qp, dense};

/// Policy δu = α k + K δx of each step, and the memory of its computation.
#[derive(Clone, Debug, Default)]
pub(super) struct Backward {
    /// Expected change of the cost: the parts that go with α and with α².
    pub expected: [f64; 2],
    nx: usize,
    nu: usize,
    /// k, nu a step; K, nu × nx a step.
    k: Vec<f64>,
    gains: Vec<f64>,
    /// Value of the next step: gradient and Hessian.
    vx: Vec<f64>,
    vxx: Vec<f64>,
    va: Vec<f64>,
    vb: Vec<f64>,
    qx: Vec<f64>,
    qu: Vec<f64>,
    qxx: Vec<f64>,
    qux: Vec<f64>,
    quu: Vec<f64>,
    damped: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    column: Vec<f64>,
    product: Vec<f64>,
    qp: BoxQp,
}

impl Backward {
    pub fn is_empty(&self) -> bool {
        self.gains.is_empty()
    }

    pub fn gain(&self, n: usize) -> &[f64] {
        self.gains.chunks_exact((self.nu * self.nx).max(1)).nth(n).unwrap_or_default()
    }

    pub fn feedforward(&self, n: usize) -> &[f64] {
        &self.k[n * self.nu..][..self.nu]
    }

    /// u += K dx.
    pub fn correct(&self, n: usize, dx: &[f64], u: &mut [f64]) {
        for (u, row) in u.iter_mut().zip(self.gain(n).chunks_exact(self.nx.max(1))) {
            *u += dense::dot(row, dx);
        }
    }

    /// Solves all steps; returns whether every one has a minimum.
    pub fn solve(&mut self, m: &Model, expansions: &[Expansion], t: &Rollout, regularization: f64) -> bool {
        let (nx, nu) = (2 * m.nv() + m.na, m.control.len());
        let Some((last, steps)) = expansions.split_last() else { return false };
        (self.nx, self.nu, self.expected) = (nx, nu, [0.0; 2]);
        self.k.resize(steps.len() * nu, 0.0);
        self.gains.resize(steps.len() * nu * nx, 0.0);
        self.vx.clone_from(&last.lx);
        self.vxx.clone_from(&last.lxx);
        steps.iter().enumerate().rev().all(|(n, e)| self.step(m, e, n, t.ctrl(n), regularization))
    }

    fn step(&mut self, m: &Model, e: &Expansion, n: usize, ctrl: &[f64], regularization: f64) -> bool {
        let (nx, nu) = (self.nx, self.nu);
        self.quadratic(e);
        self.damped.clone_from(&self.quu);
        // Regularization holds the next state, BᵀB, and a little the controls.
        let mut damping = std::mem::take(&mut self.product);
        damping.clear();
        damping.resize(nu * nu, 0.0);
        multiply_transposed_add(&mut damping, View(&e.b, nx, nu), View(&e.b, nx, nu));
        dense::axpy(&mut self.damped, regularization, &damping);
        self.product = damping;
        for i in 0..nu {
            self.damped[i * nu + i] += 1e-3 * regularization;
        }
        self.lower.clear();
        self.upper.clear();
        for (i, u) in m.control.ids().zip(ctrl) {
            let [lower, upper] =
                if m.control.ctrllimited[i] { m.control.ctrlrange[i] } else { [f64::NEG_INFINITY, f64::INFINITY] };
            self.lower.push((lower - u).min(0.0));
            self.upper.push((upper - u).max(0.0));
        }
        let k = &mut self.k[n * nu..(n + 1) * nu];
        if k.iter().any(|x| !x.is_finite()) {
            k.fill(0.0);
        }
        if box_qp(&self.damped, &self.qu, &self.lower, &self.upper, k, &mut self.qp).is_err() {
            return false;
        }
        self.find_gain(e, n, regularization);
        let k = &self.k[n * nu..(n + 1) * nu];
        // Value: V = Q + KᵀQuu K + KᵀQux + QuxᵀK, v = q + KᵀQuu k + Kᵀqu + Quxᵀk.
        let gain = &self.gains[n * nu * nx..(n + 1) * nu * nx];
        let (mut quk, mut right) = (std::mem::take(&mut self.product), std::mem::take(&mut self.column));
        multiply(&mut quk, View(&self.quu, nu, nu), View(gain, nu, nx));
        quk.iter_mut().zip(&self.qux).for_each(|(a, b)| *a = 0.5 * *a + b);
        // V gets KᵀX + XᵀK with X = ½ Quu K + Qux.
        self.vxx.clone_from(&self.qxx);
        let mut half = std::mem::take(&mut self.va);
        half.clear();
        half.resize(nx * nx, 0.0);
        multiply_transposed_add(&mut half, View(gain, nu, nx), View(&quk, nu, nx));
        for i in 0..nx {
            for j in 0..nx {
                self.vxx[i * nx + j] += half[i * nx + j] + half[j * nx + i];
            }
        }
        symmetrize(&mut self.vxx, nx);
        self.va = half;
        right.clear();
        right.extend((0..nu).map(|i| dense::dot(&self.quu[i * nu..(i + 1) * nu], k)));
        self.expected[0] += dense::dot(k, &self.qu);
        self.expected[1] += 0.5 * dense::dot(k, &right);
        dense::axpy(&mut right, 1.0, &self.qu);
        self.vx.clone_from(&self.qx);
        for i in 0..nu {
            dense::axpy(&mut self.vx, right[i], &gain[i * nx..(i + 1) * nx]);
            dense::axpy(&mut self.vx, k[i], &self.qux[i * nx..(i + 1) * nx]);
        }
        (self.product, self.column) = (quk, right);
        self.vxx.iter().all(|x| x.is_finite())
    }

    /// Gradient and Hessian of the cost from a step on: q = l + fᵀv, Q = l'' + fᵀV f.
    fn quadratic(&mut self, e: &Expansion) {
        let (nx, nu) = (self.nx, self.nu);
        multiply(&mut self.va, View(&self.vxx, nx, nx), View(&e.a, nx, nx));
        multiply(&mut self.vb, View(&self.vxx, nx, nx), View(&e.b, nx, nu));
        self.qxx.clone_from(&e.lxx);
        self.qux.clone_from(&e.lux);
        self.quu.clone_from(&e.luu);
        multiply_transposed_add(&mut self.qxx, View(&e.a, nx, nx), View(&self.va, nx, nx));
        multiply_transposed_add(&mut self.qux, View(&e.b, nx, nu), View(&self.va, nx, nx));
        multiply_transposed_add(&mut self.quu, View(&e.b, nx, nu), View(&self.vb, nx, nu));
        symmetrize(&mut self.quu, nu);
        self.qx.clone_from(&e.lx);
        self.qu.clone_from(&e.lu);
        for i in 0..nx {
            dense::axpy(&mut self.qx, self.vx[i], &e.a[i * nx..(i + 1) * nx]);
            dense::axpy(&mut self.qu, self.vx[i], &e.b[i * nu..(i + 1) * nu]);
        }
    }

    /// K of a step: zero where a control is held at a limit.
    fn find_gain(&mut self, e: &Expansion, n: usize, regularization: f64) {
        let (nx, nu) = (self.nx, self.nu);
        // Regularization of the next state sees the feedback too: Bᵀ A.
        let mut right = std::mem::take(&mut self.product);
        right.clear();
        right.resize(nu * nx, 0.0);
        multiply_transposed_add(&mut right, View(&e.b, nx, nu), View(&e.a, nx, nx));
        right.iter_mut().zip(&self.qux).for_each(|(r, q)| *r = q + regularization * *r);
        let gain = &mut self.gains[n * nu * nx..(n + 1) * nu * nx];
        gain.fill(0.0);
        let rank = self.qp.free.len();
        // Forward and back substitution for all columns at once, by rows.
        let l = &self.qp.factor;
        for (a, &i) in self.qp.free.iter().enumerate() {
            gain[i * nx..(i + 1) * nx].copy_from_slice(&right[i * nx..(i + 1) * nx]);
            for (b, &j) in self.qp.free[..a].iter().enumerate() {
                let (above, below) = gain.split_at_mut(i * nx);
                dense::axpy(&mut below[..nx], -l[a * rank + b], &above[j * nx..(j + 1) * nx]);
            }
            gain[i * nx..(i + 1) * nx].iter_mut().for_each(|x| *x /= l[a * rank + a]);
        }
        for (a, &i) in self.qp.free.iter().enumerate().rev() {
            gain[i * nx..(i + 1) * nx].iter_mut().for_each(|x| *x /= l[a * rank + a]);
            for (b, &j) in self.qp.free[..a].iter().enumerate() {
                let (above, below) = gain.split_at_mut(i * nx);
                dense::axpy(&mut above[j * nx..(j + 1) * nx], -l[a * rank + b], &below[..nx]);
            }
        }
        gain.iter_mut().for_each(|x| *x = -*x);
        self.product = right;
    }
}
