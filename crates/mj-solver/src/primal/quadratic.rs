//! Conjugate gradients for a linear system: a problem whose rows are all quadratic.

use crate::policy;
use crate::primal::preconditioner::Preconditioner;
use crate::vector::{add_scaled, dots, padded, scale_sub};
use mj_problem::Problem;

/// Solves (M + Jᵀ D J) x = qfrc_smooth without a factor of the matrix. Reuse it: it keeps its memory.
///
/// Saad, "Iterative Methods for Sparse Linear Systems", 2003, algorithm 9.1.
#[derive(Clone, Debug, Default)]
pub struct QuadraticCg {
    preconditioner: Preconditioner,
    x: Vec<f64>,
    /// H x − qfrc_smooth, and what the preconditioner makes of it.
    gradient: Vec<f64>,
    mgrad: Vec<f64>,
    search: Vec<f64>,
    /// H search.
    image: Vec<f64>,
    /// D J search.
    force: Vec<f64>,
    scratch: Vec<f64>,
}

impl QuadraticCg {
    /// Returns whether it is faster than a factor, for one system (`newton`: and a tolerance that is mostly small).
    pub fn suits(p: &Problem, newton: bool) -> bool {
        p.stiffness.is_some() && (!newton || p.nv() >= policy::QUADRATIC_DOFS)
    }

    /// Improves `x` (nv) until the residual is less than the problem's tolerance times the right side. Returns whether it
    /// got there within the iterations that a factor would be worth.
    pub fn solve(&mut self, p: &Problem, x: &mut [f64]) -> bool {
        self.start(p, x);
        let right = p.qfrc_smooth.iter().map(|f| f * f).sum::<f64>().sqrt();
        let (mut iteration, mut before) = (0, f64::INFINITY);
        loop {
            let [residual] = dots(&self.gradient, [&self.gradient]);
            if residual.sqrt() <= p.settings.tolerance * right {
                x.copy_from_slice(&self.x[..p.nv()]);
                return true;
            }
            if iteration == policy::QUADRATIC_ITERATIONS {
                return false;
            }
            iteration += 1;
            self.preconditioner.apply(p, &self.gradient, &mut self.mgrad);
            let [squared] = dots(&self.gradient, [&self.mgrad]);
            scale_sub(&mut self.search, squared / before, &self.mgrad);
            before = squared;
            self.multiply(p);
            let [curvature] = dots(&self.search, [&self.image]);
            let alpha = squared / curvature;
            if !alpha.is_finite() {
                return false;
            }
            add_scaled(&mut self.x, alpha, &self.search);
            add_scaled(&mut self.gradient, alpha, &self.image);
        }
    }

    fn start(&mut self, p: &Problem, x: &[f64]) {
        self.preconditioner.load(p);
        self.force.resize(p.nefc(), 0.0);
        self.scratch.resize(p.nv(), 0.0);
        for v in [&mut self.x, &mut self.gradient, &mut self.mgrad, &mut self.search, &mut self.image] {
            v.clear();
            v.resize(padded(p.nv()), 0.0);
        }
        self.x[..x.len()].copy_from_slice(x);
        self.search.copy_from_slice(&self.x);
        self.multiply(p);
        for (g, (h, b)) in self.gradient.iter_mut().zip(self.image.iter().zip(p.qfrc_smooth)) {
            *g = h - b;
        }
    }

    /// Computes H search.
    fn multiply(&mut self, p: &Problem) {
        p.mul_m(&self.search, &mut self.image);
        p.rows.jac.mul(&self.search, &mut self.force, &mut self.scratch);
        self.force.iter_mut().zip(p.rows.d).for_each(|(f, d)| *f *= d);
        p.rows.jac.mul_transposed_add(&self.force, &mut self.image, &mut self.scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::{BlockRows, SparseSymmetric, TreePattern};
    use mj_problem::{RowView, Settings};
    use proptest::prelude::*;

    proptest! {
        /// Three points of three dofs and a single dof, with springs in all directions and a row.
        #[test]
        fn solves_the_system(seed in prop::collection::vec(-1.0..1.0f64, 200), stiff in 0.0..3.0f64) {
            const N: usize = 10;
            let pattern = TreePattern::new(&[None; N], &[true; N]);
            let m: Vec<f64> = (0..N).map(|i| 1.0 + seed[i].abs()).collect();
            let (ld, dinv) = (m.clone(), m.iter().map(|x| 1.0 / x).collect::<Vec<_>>());
            let entries: Vec<_> = (0..N as u32).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
            let mut k = SparseSymmetric::zeros(N, &entries);
            let mut dense = [[0.0; N]; N];
            for s in 0..4 {
                let spring = &seed[20 + 10 * s..];
                for i in 0..N {
                    for j in 0..=i {
                        let v = 10f64.powf(stiff) * spring[i] * spring[j];
                        dense[i][j] += v;
                        match k.address(i, j as u32) {
                            Some(at) => k.values[at] += v,
                            None => k.diagonal[i] += v,
                        }
                    }
                }
            }
            let mut jac = BlockRows::default();
            jac.clear(N);
            jac.push(1, &[mj_math::block::Run { start: 2, len: 5 }]).copy_from_slice(&seed[70..75]);
            let qfrc = &seed[80..80 + N];
            let problem = Problem {
                pattern: &pattern,
                m: &m,
                stiffness: Some(&k),
                ld: &ld,
                dinv: &dinv,
                tree: &[0, 0, 0, 1, 1, 1, 2, 3, 3, 3],
                qfrc_smooth: qfrc,
                qacc_smooth: qfrc,
                qacc_warmstart: qfrc,
                rows: RowView { jac: &jac, ne: 1, nf: 0, d: &[5.0], r: &[0.2], aref: &[0.0], frictionloss: &[0.0], cones: &[] },
                settings: Settings { tolerance: 1e-12, ..Settings::default() },
            };
            let mut x = [0.0; N];
            prop_assert!(QuadraticCg::default().solve(&problem, &mut x));
            let along: f64 = 5.0 * (2..7).map(|i| seed[68 + i] * x[i]).sum::<f64>();
            for i in 0..N {
                let row = if (2..7).contains(&i) { seed[68 + i] } else { 0.0 };
                let image = m[i] * x[i] + (0..N).map(|j| dense[i.max(j)][i.min(j)] * x[j]).sum::<f64>() + along * row;
                prop_assert!((image - qfrc[i]).abs() < 1e-9);
            }
        }
    }
}
