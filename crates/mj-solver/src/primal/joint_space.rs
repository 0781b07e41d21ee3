//! Descent over the acceleration itself: Newton's method, and conjugate gradients preconditioned by M.

use crate::hessian::system::NewtonSystem;
use crate::island::gather::IslandSolution;
use crate::primal::descent::{Descent, Motion};
use crate::primal::preconditioner::Preconditioner;
use crate::vector::{add_scaled, dots, scale_sub, sub_norm2, subtract};
use mj_math::MINVAL;
use mj_problem::{ConstraintState, Problem};
use std::mem::swap;

/// Source of the search direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Direction {
    /// H⁻¹ gradient.
    #[default]
    Newton,
    /// M⁻¹ gradient, made conjugate to the direction before: no Hessian, but more iterations.
    ConjugateGradient,
}

/// The iterate of a descent over the acceleration, and the matrices of the problem. Vectors over the dofs are padded to
/// the width of the matrices.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointSpace {
    pub direction: Direction,
    qacc: Vec<f64>,
    /// Constraint force Jᵀf.
    qfrc: Vec<f64>,
    force: Vec<f64>,
    state: Vec<ConstraintState>,
    old: Vec<ConstraintState>,
    /// M q̈ − qfrc_smooth: the force of constraints that would make this acceleration.
    needed: Vec<f64>,
    /// The gradient M q̈ − qfrc_smooth − Jᵀf, and its length.
    grad: Vec<f64>,
    slope: f64,
    /// H⁻¹ gradient, or preconditioned gradient of conjugate gradients.
    mgrad: Vec<f64>,
    search: Vec<f64>,
    /// M search.
    mv: Vec<f64>,
    /// J q̈ − aref, and J search.
    jar: Vec<f64>,
    jv: Vec<f64>,
    /// Gradient and preconditioned gradient before the last move, of conjugate gradients; empty before the first.
    grad_old: Vec<f64>,
    mgrad_old: Vec<f64>,
    system: NewtonSystem,
    preconditioner: Preconditioner,
}

impl JointSpace {
    /// The solution at the present iterate.
    pub(crate) fn solution(&self) -> IslandSolution<'_> {
        IslandSolution { qacc: &self.qacc, qfrc: &self.qfrc, force: &self.force, state: &self.state }
    }

    fn resize(&mut self, p: &Problem) {
        let width = self.system.width(p);
        let over_dofs = [&mut self.qacc, &mut self.needed, &mut self.grad, &mut self.mgrad, &mut self.search];
        for v in over_dofs.into_iter().chain([&mut self.mv, &mut self.qfrc]) {
            v.resize(width, 0.0);
        }
        for v in [&mut self.jar, &mut self.jv, &mut self.force] {
            v.resize(p.nefc(), 0.0);
        }
        self.state.resize(p.nefc(), ConstraintState::Satisfied);
        self.old.resize(p.nefc(), ConstraintState::Satisfied);
    }

    /// Evaluates the rows at an acceleration; returns their cost.
    fn evaluate_at(&mut self, p: &Problem, qacc: &[f64]) -> f64 {
        self.qacc[..qacc.len()].copy_from_slice(qacc);
        self.qacc[qacc.len()..].fill(0.0);
        self.system.mul_jac(p, &self.qacc, &mut self.jar);
        subtract(&mut self.jar, p.rows.aref);
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state)
    }

    /// Returns the cost of the smooth acceleration; its Gauss term is zero.
    fn cost_of_smooth(&mut self, p: &Problem) -> f64 {
        self.search.fill(0.0);
        self.search[..p.nv()].copy_from_slice(p.qacc_smooth);
        self.system.mul_jac(p, &self.search, &mut self.jv);
        subtract(&mut self.jv, p.rows.aref);
        p.rows.cost(&self.jv)
    }

    /// Computes the gradient; returns its length.
    fn gradient(&mut self, p: &Problem) -> f64 {
        self.system.mul_jac_transposed(p, &self.force, &mut self.qfrc);
        self.slope = sub_norm2(&self.needed, &self.qfrc, &mut self.grad).sqrt();
        self.slope
    }

    /// Evaluates the better of the warm start and the smooth acceleration; returns the length of the gradient there.
    fn start_from_better(&mut self, p: &Problem) -> f64 {
        if p.settings.warmstart {
            let cost = self.evaluate_at(p, p.qacc_warmstart);
            self.system.mul_m(p, &self.qacc, &mut self.needed);
            subtract(&mut self.needed, p.qfrc_smooth);
            let slope = self.gradient(p);
            let (mut needed, mut made) = (0.0, 0.0);
            for i in 0..p.nv() {
                let from_smooth = p.qacc_warmstart[i] - p.qacc_smooth[i];
                needed += self.needed[i] * from_smooth;
                made += self.qfrc[i] * from_smooth;
            }
            // With the cost's gradient here, and a curvature of M at least, the cost of the smooth acceleration is
            // greater by no less than `made` − ½ `needed`; where that doesn't tell, it is evaluated.
            if made >= 0.5 * needed || cost + 0.5 * needed <= self.cost_of_smooth(p) {
                return slope;
            }
        }
        self.evaluate_at(p, p.qacc_smooth);
        if p.stiffness.is_some() {
            // Found to the tolerance alone.
            self.system.mul_m(p, &self.qacc, &mut self.needed);
            subtract(&mut self.needed, p.qfrc_smooth);
        } else {
            self.needed.fill(0.0);
        }
        self.gradient(p)
    }

    /// Returns how much of the old direction to keep (Hager & Zhang, "A new conjugate gradient method with guaranteed
    /// descent and an efficient line search", 2005): with y the change of the gradient,
    ///
    /// β = (yᵀM⁻¹g − 2 (yᵀM⁻¹y)(dᵀg)/(dᵀy)) / dᵀy, bounded below by −1/(|d| min(η, |g|)).
    fn conjugacy(&self) -> f64 {
        const ETA: f64 = 0.01;
        let (mut dy, mut ymy, mut ymg, mut dg) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..self.grad_old.len() {
            let y = self.grad[i] - self.grad_old[i];
            dy += self.search[i] * y;
            ymy += y * (self.mgrad[i] - self.mgrad_old[i]);
            ymg += y * self.mgrad[i];
            dg += self.search[i] * self.grad[i];
        }
        if dy < MINVAL {
            // Conjugacy is lost, or there is no direction yet: steepest descent.
            return 0.0;
        }
        let [length] = dots(&self.search, [&self.search]);
        let bound = -1.0 / (length.sqrt() * self.slope.min(ETA)).max(MINVAL);
        ((ymg - 2.0 * (ymy / dy) * dg) / dy).max(bound)
    }
}

impl Descent for JointSpace {
    fn is_newton(&self) -> bool {
        self.direction == Direction::Newton
    }

    fn start(&mut self, p: &Problem) -> f64 {
        self.grad_old.clear();
        self.system.load(p);
        self.resize(p);
        self.preconditioner.load(p);
        self.start_from_better(p)
    }

    fn squared_by_inertia(&mut self, p: &Problem) -> f64 {
        self.preconditioner.apply(p, &self.grad, &mut self.mgrad);
        let [product] = dots(&self.grad, [&self.mgrad]);
        product.max(0.0)
    }

    fn factor(&mut self, p: &Problem) -> bool {
        if self.is_newton() {
            self.system.factor(p, &self.jar, &self.state);
        }
        true
    }

    fn update(&mut self, p: &Problem) -> u32 {
        if self.is_newton() { self.system.update(p, &self.jar, &self.old, &self.state) } else { 0 }
    }

    fn direct(&mut self, p: &Problem) -> f64 {
        if !self.is_newton() {
            let squared = self.squared_by_inertia(p);
            let beta = self.conjugacy();
            scale_sub(&mut self.search, beta, &self.mgrad);
            return 0.5 * squared;
        }
        self.mgrad.copy_from_slice(&self.grad);
        self.system.solve(&mut self.mgrad);
        scale_sub(&mut self.search, 0.0, &self.mgrad);
        let [product] = dots(&self.grad, [&self.mgrad]);
        (0.5 * product).max(0.0)
    }

    fn motion(&mut self, p: &Problem) -> Motion<'_> {
        self.system.mul_m(p, &self.search, &mut self.mv);
        self.system.mul_jac(p, &self.search, &mut self.jv);
        let [slope, curvature, squared] = dots(&self.search, [&self.needed, &self.mv, &self.search]);
        Motion { jar: &self.jar, jv: &self.jv, gauss: [slope, curvature], length: squared.sqrt() }
    }

    fn advance(&mut self, p: &Problem, alpha: f64) -> f64 {
        if !self.is_newton() {
            self.grad_old.clone_from(&self.grad);
            self.mgrad_old.clone_from(&self.mgrad);
        }
        add_scaled(&mut self.qacc, alpha, &self.search);
        add_scaled(&mut self.needed, alpha, &self.mv);
        for (x, v) in self.jar.iter_mut().zip(&self.jv) {
            *x += alpha * v;
        }
        swap(&mut self.state, &mut self.old);
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
        self.gradient(p)
    }

    fn states(&self) -> [&[ConstraintState]; 2] {
        [&self.state, &self.old]
    }
}
