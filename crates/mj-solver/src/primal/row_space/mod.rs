//! Newton's method in the space of the rows, for problems with fewer rows than dofs.
//!
//! With δ₀ = q̈₀ − q̈_smooth at the start, every iterate has the form
//!
//! q̈ = q̈_smooth + c δ₀ + M⁻¹Jᵀλ:
//!
//! Newton's point is where M (q̈ − q̈_smooth) = Jᵀλ, λ being the forces that the rows' linearized laws give there,
//! so that a step of length α takes c to (1 − α) c and λ towards those forces. Rows move by
//! J q̈ − aref = J q̈_smooth − aref + c Jδ₀ + A λ, A = J M⁻¹ Jᵀ: what is factored is as large as the number of rows
//! that can give way, and nothing that is done in an iteration goes over the dofs but the norm of the gradient. The
//! iterates, and their number, are those of the primal method ("Computation: Algorithms" of the manual).
//!
//! The change Δλ follows from the forces f of the present state, g = f − λ, and the rows' zones. A row whose force
//! doesn't depend on its motion has Δλ = g. A quadratic one wants R (λ + Δλ) = −(its new motion). Rows of an
//! elliptic cone with the Hessian W = B Bᵀ have Δλ = g + B z, z = −Bᵀ (their change of motion). Together they are
//! symmetric and positive definite: T ᵀA T + diag(R or 1), T being B at cones.

mod cone_factor;
mod kernels;

use crate::dual::delassus::Delassus;
use crate::hessian::dense::{Factor, Solve};
use crate::island::gather::IslandSolution;
use crate::policy;
use crate::primal::descent::{Descent, Motion};
use crate::vector::{add_scaled, dots, padded, sub_norm2, subtract};
use cone_factor::ConeFactor;
use kernels::{Assemble, Known, Move};
use mj_math::fixed::{Pivots, fixed, groups};
use mj_problem::{ConstraintState, Problem};

/// The iterate in the space of the rows. Vectors over the rows are padded with zeros to those of A.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSpace {
    /// Groups of four rows.
    groups: usize,
    a: Delassus,
    r: Vec<f64>,
    /// Jδ₀, Mδ₀ and δ₀, its coefficient c, and δ₀ᵀMδ₀.
    start: Vec<f64>,
    needed: Vec<f64>,
    delta: Vec<f64>,
    coefficient: f64,
    norm: f64,
    /// λ, its change Δλ by Newton's step, and the motion of the rows by that.
    lambda: Vec<f64>,
    change: Vec<f64>,
    jv: Vec<f64>,
    /// First and second derivative along the step of ½ (q̈ − q̈_smooth)ᵀM(q̈ − q̈_smooth).
    gauss: [f64; 2],
    /// 1 for quadratic rows, else 0.
    quadratic: Vec<f64>,
    cones: Vec<ConeFactor>,
    /// The factor of the rows' matrix.
    l: Vec<f64>,
    pivots: Vec<Pivots>,
    mask: Vec<u64>,
    x: Vec<f64>,
    /// Over the dofs: the gradient, Jᵀ(f − λ), scratch.
    grad: Vec<f64>,
    excess: Vec<f64>,
    work: Vec<f64>,
    qacc: Vec<f64>,
    qfrc: Vec<f64>,
    /// J q̈ − aref.
    jar: Vec<f64>,
    force: Vec<f64>,
    state: Vec<ConstraintState>,
    old: Vec<ConstraintState>,
}

impl RowSpace {
    /// Computes the acceleration and the constraint force in joint space of the present iterate.
    pub(crate) fn solution(&mut self, p: &Problem) -> IslandSolution<'_> {
        let nv = p.nv();
        if self.coefficient == 1.0 {
            self.qacc[..nv].copy_from_slice(p.qacc_warmstart);
            self.qfrc.copy_from_slice(&self.excess);
        } else {
            self.qfrc.fill(0.0);
            p.rows.jac.mul_transposed_add(&self.lambda[..p.nefc()], &mut self.qfrc, &mut self.work);
            self.work.copy_from_slice(&self.qfrc);
            p.pattern.solve(p.ld, p.dinv, &mut self.work[..nv]);
            for i in 0..nv {
                self.qacc[i] = p.qacc_smooth[i] + self.coefficient * self.delta[i] + self.work[i];
                self.qfrc[i] += self.excess[i];
            }
        }
        IslandSolution { qacc: &self.qacc, qfrc: &self.qfrc, force: &self.force, state: &self.state }
    }

    fn resize(&mut self, p: &Problem) {
        let n = p.nefc();
        self.groups = groups(n);
        let over_dofs = [&mut self.needed, &mut self.delta, &mut self.grad, &mut self.excess, &mut self.qfrc];
        for v in over_dofs.into_iter().chain([&mut self.qacc, &mut self.work]) {
            v.clear();
            v.resize(padded(p.nv()), 0.0);
        }
        let over_rows = [&mut self.start, &mut self.lambda, &mut self.change, &mut self.jv, &mut self.quadratic];
        for v in over_rows.into_iter().chain([&mut self.x, &mut self.r, &mut self.jar]) {
            v.clear();
            v.resize(4 * self.groups, 0.0);
        }
        self.r[..n].copy_from_slice(p.rows.r);
        self.force.resize(n, 0.0);
        self.state.resize(n, ConstraintState::Satisfied);
        self.old.resize(n, ConstraintState::Satisfied);
    }

    /// Starts from the warm start; returns whether it is no worse than the smooth acceleration.
    fn warm_start(&mut self, p: &Problem) -> bool {
        let (nv, n) = (p.nv(), p.nefc());
        for (d, (w, s)) in self.delta.iter_mut().zip(p.qacc_warmstart.iter().zip(p.qacc_smooth)) {
            *d = w - s;
        }
        p.pattern.mul(p.m, &self.delta[..nv], &mut self.needed[..nv]);
        [self.norm] = dots(&self.delta, [&self.needed]);
        let jar = &mut self.jar[..n];
        p.rows.jac.mul(p.qacc_warmstart, jar, &mut self.work);
        p.rows.jac.mul(&self.delta, &mut self.start[..n], &mut self.work);
        subtract(jar, p.rows.aref);
        let cost = p.rows.evaluate(jar, &mut self.force, &mut self.state);
        // With the cost's gradient here, and a curvature of M at least, the cost of the smooth acceleration is
        // greater by no less than `made` − ½ `norm`; where that doesn't tell, it is evaluated.
        let made: f64 = self.force.iter().zip(&self.start).map(|(f, s)| f * s).sum();
        if made >= 0.5 * self.norm {
            return true;
        }
        let smooth = &mut self.x[..n];
        for (x, (j, s)) in smooth.iter_mut().zip(jar.iter().zip(&self.start)) {
            *x = j - s;
        }
        cost + 0.5 * self.norm <= p.rows.cost(smooth)
    }

    /// Computes the gradient c Mδ₀ − Jᵀ(f − λ); returns its length.
    fn gradient(&mut self, p: &Problem) -> f64 {
        let Self { grad, excess, work, force, lambda, needed, coefficient, x, .. } = self;
        for (x, (f, l)) in x.iter_mut().zip(force.iter().zip(lambda)) {
            *x = f - *l;
        }
        excess.fill(0.0);
        p.rows.jac.mul_transposed_add(&x[..p.nefc()], excess, work);
        for (w, n) in work.iter_mut().zip(needed) {
            *w = *coefficient * *n;
        }
        sub_norm2(work, excess, grad).sqrt()
    }

    /// Factors the matrix of the rows whose force depends on their motion.
    fn factor_rows(&mut self, p: &Problem) {
        let mut yielding = 0;
        for (i, (q, s)) in self.quadratic.iter_mut().zip(&self.state).enumerate() {
            *q = if *s == ConstraintState::Quadratic { 1.0 } else { 0.0 };
            yielding |= u64::from(*s == ConstraintState::Cone || *q == 1.0) << i;
        }
        self.cones.clear();
        let middle = p.rows.cones.iter().filter(|c| self.state[c.row as usize] == ConstraintState::Cone);
        self.cones.extend(middle.map(|c| ConeFactor::new(c, p.rows.d, &self.jar)));
        let w = 4 * self.groups;
        self.l.resize(w * w, 0.0);
        self.pivots.resize(self.groups, Pivots::default());
        self.mask.clear();
        self.mask.extend((0..w).map(|i| if yielding >> i & 1 == 1 { yielding & ((1 << i) - 1) } else { 0 }));
        let Self { a, l, pivots, mask, quadratic, r, cones, .. } = self;
        fixed(self.groups, Assemble { a: a.rows(), l, yielding, quadratic, r });
        cones.iter().for_each(|c| c.transform(l, w, p.nefc()));
        fixed(self.groups, Factor { l, pivots, mask });
    }
}

impl Descent for RowSpace {
    fn is_newton(&self) -> bool {
        true
    }

    fn start(&mut self, p: &Problem) -> f64 {
        self.resize(p);
        self.coefficient = 1.0;
        if !(p.settings.warmstart && self.warm_start(p)) {
            for v in [&mut self.start, &mut self.needed, &mut self.delta] {
                v.fill(0.0);
            }
            (self.coefficient, self.norm) = (0.0, 0.0);
            let jar = &mut self.jar[..p.nefc()];
            p.rows.jac.mul(p.qacc_smooth, jar, &mut self.work);
            subtract(jar, p.rows.aref);
            p.rows.evaluate(jar, &mut self.force, &mut self.state);
        }
        self.gradient(p)
    }

    fn squared_by_inertia(&mut self, p: &Problem) -> f64 {
        self.work.copy_from_slice(&self.grad);
        p.pattern.solve(p.ld, p.dinv, &mut self.work[..p.nv()]);
        let [s] = dots(&self.grad, [&self.work]);
        s
    }

    fn factor(&mut self, p: &Problem) -> bool {
        self.a.form(p, 4 * self.groups);
        let stiff = |i: usize| p.rows.r[i] < policy::ROW_SPACE_REGULARIZATION * self.a.entry(i, i);
        if (0..p.nefc()).any(stiff) {
            return false;
        }
        self.factor_rows(p);
        true
    }

    fn update(&mut self, p: &Problem) -> u32 {
        if self.cones.is_empty() && self.old == self.state {
            return 0;
        }
        self.factor_rows(p);
        p.nefc() as u32
    }

    fn direct(&mut self, _: &Problem) -> f64 {
        let Self { a, quadratic, r, force, lambda, change, jv, start, coefficient, x, l, pivots, cones, .. } = self;
        let c = *coefficient;
        fixed(self.groups, Known { a: a.rows(), quadratic, r, force, lambda, start, coefficient: c, change, jv, x });
        cones.iter().for_each(|c| c.right_side(jv, x));
        fixed(self.groups, Solve { l, pivots, x });
        cones.iter().for_each(|c| c.expand(x));
        let [along, first, second] = fixed(self.groups, Move { a: a.rows(), x, change, jv, start, lambda });
        self.gauss = [c * along + first - c * c * self.norm, c * c * self.norm - c * along + second];
        let rows: f64 = self.force.iter().zip(&self.jv).map(|(f, v)| f * v).sum();
        (0.5 * (rows - self.gauss[0])).max(0.0)
    }

    fn motion(&mut self, p: &Problem) -> Motion<'_> {
        // The length of the step, in the norm of the mean inertia of a dof.
        let length = (self.gauss[1].max(0.0) / p.trace() * p.nv() as f64).sqrt();
        Motion { jar: &self.jar[..p.nefc()], jv: &self.jv[..p.nefc()], gauss: self.gauss, length }
    }

    fn advance(&mut self, p: &Problem, alpha: f64) -> f64 {
        self.coefficient *= 1.0 - alpha;
        add_scaled(&mut self.lambda, alpha, &self.change);
        add_scaled(&mut self.jar, alpha, &self.jv);
        std::mem::swap(&mut self.state, &mut self.old);
        p.rows.evaluate(&self.jar[..p.nefc()], &mut self.force, &mut self.state);
        self.gradient(p)
    }

    fn states(&self) -> [&[ConstraintState]; 2] {
        [&self.state, &self.old]
    }
}
