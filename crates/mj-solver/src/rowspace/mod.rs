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

mod bend;
mod kernels;

use crate::compact::{Factor, Solve};
use crate::delassus::Delassus;
use crate::groups::{add, difference, dots, padded, subtract};
use crate::line_search::Line;
use bend::{Bend, bend, root};
use kernels::{Assemble, Known, Move};
use mj_math::MINVAL;
use mj_math::fixed::{LIMIT, Pivots, fixed, groups};
use mj_problem::cost::elliptic;
use mj_problem::{ConstraintState, Island, Problem, Stat};

/// Least regularization beside the diagonal of A with which the rows' matrix is sure to be definite.
const REGULAR: f64 = 1e-9;

/// Numbers of dofs below which the Hessian is small anyway, and from which on it is large for as many rows, too.
const SMALL: usize = 16;
const LARGE: usize = 40;

/// Memory of the method. Vectors over the rows are padded with zeros to those of A.
#[derive(Clone, Debug, Default)]
pub struct RowSpace {
    groups: usize,
    a: Delassus,
    r: Vec<f64>,
    /// Jδ₀, Mδ₀ and δ₀, the part c of it that is left, and δ₀ᵀMδ₀.
    start: Vec<f64>,
    needed: Vec<f64>,
    delta: Vec<f64>,
    left: f64,
    norm: f64,
    /// λ, the change that Newton's step makes of it, and how the rows move by that.
    lambda: Vec<f64>,
    change: Vec<f64>,
    jv: Vec<f64>,
    /// 1 for quadratic rows, else 0.
    quadratic: Vec<f64>,
    bends: Vec<Bend>,
    /// The factor.
    l: Vec<f64>,
    pivots: Vec<Pivots>,
    mask: Vec<u64>,
    x: Vec<f64>,
    old: Vec<ConstraintState>,
    /// Over the dofs: the gradient, Jᵀ(f − λ), scratch.
    grad: Vec<f64>,
    excess: Vec<f64>,
    work: Vec<f64>,
    cones: Vec<elliptic::Line>,
    /// The solution: see [`crate::Solution`]; `jar` is J q̈ − aref.
    pub qacc: Vec<f64>,
    pub qfrc: Vec<f64>,
    jar: Vec<f64>,
    pub force: Vec<f64>,
    pub state: Vec<ConstraintState>,
}

impl RowSpace {
    /// Whether it is the cheaper way: not for small matrices, nor where most of a tree's dofs have rows of their own.
    pub fn fits(p: &Problem) -> bool {
        let (nv, n) = (p.nv(), p.nefc());
        n <= LIMIT && (2 * n <= nv && nv >= SMALL || n <= nv && nv >= LARGE)
    }

    /// Solves one connected problem, and appends its statistics; none if rows are too stiff for this.
    pub fn solve(&mut self, p: &Problem, stats: &mut Vec<Stat>) -> Option<Island> {
        let set = &p.settings;
        let mut done =
            Island { nv: p.nv() as u32, nefc: p.nefc() as u32, stat: stats.len() as u32, ..Island::default() };
        self.begin(p);
        // Cost and gradient are compared after division by the trace of M: accelerations.
        let scale = 1.0 / p.trace();
        let small_gradient = scale * self.slope(p) < set.tolerance;
        // The cost is at least as curved as M, so ½ gᵀM⁻¹g bounds how far it is from its minimum.
        if small_gradient && 0.5 * scale * self.squared_by_inertia(p) < set.tolerance {
            self.finish(p);
            return Some(done);
        }
        self.a.form(p, 4 * self.groups);
        if (0..p.nefc()).any(|i| p.rows.r[i] < REGULAR * self.a.entry(i, i)) {
            return None;
        }
        self.factor(p);
        let mut gauss = self.step();
        if small_gradient && self.predicted(scale, gauss[0]) < set.tolerance {
            self.finish(p);
            return Some(done);
        }
        while done.niter < set.iterations {
            // The length of the step, in the norm of the mean inertia of a dof.
            let length = (gauss[1].max(0.0) * scale * p.nv() as f64).sqrt();
            if length < MINVAL {
                break;
            }
            let n = p.nefc();
            let line = Line::new(p.rows, &self.jar[..n], &self.jv[..n], gauss, &mut self.cones);
            let found = line.search(Some(1.0), set.tolerance * set.ls_tolerance * length / scale, set.ls_iterations);
            if found.alpha == 0.0 {
                break;
            }
            self.advance(p, found.alpha);
            let mut stat = Stat::of_states(&self.state, &self.old);
            stat.improvement = scale * found.improvement;
            stat.gradient = scale * self.slope(p);
            stat.lineslope = found.slope * scale / length;
            stat.neval = found.neval;
            done.niter += 1;
            // On one piece of the cost a whole step is exact.
            let exact = found.alpha == 1.0 && self.bends.is_empty() && self.old == self.state;
            let mut converged = exact
                || (stat.improvement > 0.0 && stat.improvement < set.tolerance)
                || stat.gradient < set.tolerance
                || done.niter == set.iterations;
            if !converged {
                if !self.bends.is_empty() || self.old != self.state {
                    self.factor(p);
                    stat.nupdate = n as u32;
                }
                gauss = self.step();
                // What the quadratic model predicts of the next step.
                converged = self.predicted(scale, gauss[0]) < set.tolerance;
            }
            stats.push(stat);
            if converged {
                break;
            }
        }
        self.finish(p);
        Some(done)
    }

    /// Starts from the better of the warm start and the smooth acceleration.
    fn begin(&mut self, p: &Problem) {
        let (nv, n) = (p.nv(), p.nefc());
        self.groups = groups(n);
        let over_dofs = [&mut self.needed, &mut self.delta, &mut self.grad, &mut self.excess, &mut self.qfrc];
        for v in over_dofs.into_iter().chain([&mut self.qacc, &mut self.work]) {
            v.clear();
            v.resize(padded(nv), 0.0);
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
        (self.left, self.norm) = (1.0, 0.0);
        if p.settings.warmstart {
            let jar = &mut self.jar[..n];
            for (d, (w, s)) in self.delta.iter_mut().zip(p.qacc_warmstart.iter().zip(p.qacc_smooth)) {
                *d = w - s;
            }
            p.pattern.mul(p.m, &self.delta[..nv], &mut self.needed[..nv]);
            [self.norm] = dots(&self.delta, [&self.needed]);
            p.rows.jac.mul(p.qacc_warmstart, jar, &mut self.work);
            p.rows.jac.mul(&self.delta, &mut self.start[..n], &mut self.work);
            subtract(jar, p.rows.aref);
            let cost = p.rows.evaluate(jar, &mut self.force, &mut self.state);
            // With the cost's gradient here, and a curvature of M at least, the cost of the smooth acceleration is
            // greater by no less than `made` − ½ `norm`; where that doesn't tell, it is evaluated.
            let made: f64 = self.force.iter().zip(&self.start).map(|(f, s)| f * s).sum();
            if made >= 0.5 * self.norm {
                return;
            }
            let smooth = &mut self.x[..n];
            for (x, (j, s)) in smooth.iter_mut().zip(jar.iter().zip(&self.start)) {
                *x = j - s;
            }
            if cost + 0.5 * self.norm <= p.rows.cost(smooth) {
                return;
            }
            for v in [&mut self.start, &mut self.needed, &mut self.delta] {
                v.fill(0.0);
            }
        }
        (self.left, self.norm) = (0.0, 0.0);
        let jar = &mut self.jar[..n];
        p.rows.jac.mul(p.qacc_smooth, jar, &mut self.work);
        subtract(jar, p.rows.aref);
        p.rows.evaluate(jar, &mut self.force, &mut self.state);
    }

    /// Computes the gradient c Mδ₀ − Jᵀ(f − λ); returns its length.
    fn slope(&mut self, p: &Problem) -> f64 {
        let Self { grad, excess, work, force, lambda, needed, left, x, .. } = self;
        for (x, (f, l)) in x.iter_mut().zip(force.iter().zip(lambda)) {
            *x = f - *l;
        }
        excess.fill(0.0);
        p.rows.jac.mul_transposed_add(&x[..p.nefc()], excess, work);
        for (w, n) in work.iter_mut().zip(needed) {
            *w = *left * *n;
        }
        difference(work, excess, grad).sqrt()
    }

    /// gᵀM⁻¹g for the gradient g.
    fn squared_by_inertia(&mut self, p: &Problem) -> f64 {
        self.work.copy_from_slice(&self.grad);
        p.pattern.solve(p.ld, p.dinv, &mut self.work[..p.nv()]);
        let [s] = dots(&self.grad, [&self.work]);
        s
    }

    /// Factors the matrix of the rows that can give way.
    fn factor(&mut self, p: &Problem) {
        let mut given = 0;
        for (i, (q, s)) in self.quadratic.iter_mut().zip(&self.state).enumerate() {
            let bent = *s == ConstraintState::Cone;
            *q = if *s == ConstraintState::Quadratic { 1.0 } else { 0.0 };
            given |= u64::from(bent || *q == 1.0) << i;
        }
        self.bends.clear();
        for c in p.rows.cones.iter().filter(|c| self.state[c.row as usize] == ConstraintState::Cone) {
            let (row, dim) = (c.row as usize, c.dim as usize);
            let mut w = [0.0; 36];
            elliptic::hessian(c, &p.rows.d[row..row + dim], &self.jar[row..row + dim], &mut w[..dim * dim]);
            self.bends.push(Bend { row, dim, root: root(&w[..dim * dim], dim) });
        }
        let w = 4 * self.groups;
        self.l.resize(w * w, 0.0);
        self.pivots.resize(self.groups, Pivots::default());
        self.mask.clear();
        self.mask.extend((0..w).map(|i| if given >> i & 1 == 1 { given & ((1 << i) - 1) } else { 0 }));
        let Self { a, l, pivots, mask, quadratic, r, bends, .. } = self;
        fixed(self.groups, Assemble { a: a.rows(), l, given, quadratic, r });
        for b in bends.iter() {
            bend(l, w, p.nefc(), b);
        }
        fixed(self.groups, Factor { l, pivots, mask });
    }

    /// Newton's step from here: Δλ and how the rows move; returns the derivatives along it of
    /// ½ (q̈ − q̈_smooth)ᵀM(q̈ − q̈_smooth).
    fn step(&mut self) -> [f64; 2] {
        let Self { a, quadratic, r, force, lambda, change, jv, start, left, x, l, pivots, bends, .. } = self;
        fixed(self.groups, Known { a: a.rows(), quadratic, r, force, lambda, start, left: *left, change, jv, x });
        for b in bends.iter() {
            let (x, jv) = (&mut x[b.row..b.row + b.dim], &jv[b.row..b.row + b.dim]);
            for j in 0..b.dim {
                x[j] = -(j..b.dim).map(|k| b.root[k][j] * jv[k]).sum::<f64>();
            }
        }
        fixed(self.groups, Solve { l, pivots, x });
        for b in bends.iter() {
            let x = &mut x[b.row..b.row + b.dim];
            for j in (0..b.dim).rev() {
                x[j] = (0..=j).map(|k| b.root[j][k] * x[k]).sum();
            }
        }
        let [along, first, second] = fixed(self.groups, Move { a: a.rows(), x, change, jv, start, lambda });
        let c = *left;
        [c * along + first - c * c * self.norm, c * c * self.norm - c * along + second]
    }

    /// By how much the step at hand lowers the cost, if the model that it comes from is right.
    fn predicted(&self, scale: f64, first: f64) -> f64 {
        let rows: f64 = self.force.iter().zip(&self.jv).map(|(f, v)| f * v).sum();
        (0.5 * scale * (rows - first)).max(0.0)
    }

    /// Moves by `alpha` along the step and evaluates there.
    fn advance(&mut self, p: &Problem, alpha: f64) {
        self.left *= 1.0 - alpha;
        add(&mut self.lambda, alpha, &self.change);
        add(&mut self.jar, alpha, &self.jv);
        std::mem::swap(&mut self.state, &mut self.old);
        p.rows.evaluate(&self.jar[..p.nefc()], &mut self.force, &mut self.state);
    }

    /// The acceleration and the constraint force in joint space, after `slope`.
    fn finish(&mut self, p: &Problem) {
        let nv = p.nv();
        if self.left == 1.0 {
            self.qacc[..nv].copy_from_slice(p.qacc_warmstart);
            self.qfrc.copy_from_slice(&self.excess);
            return;
        }
        self.qfrc.fill(0.0);
        p.rows.jac.mul_transposed_add(&self.lambda[..p.nefc()], &mut self.qfrc, &mut self.work);
        self.work.copy_from_slice(&self.qfrc);
        p.pattern.solve(p.ld, p.dinv, &mut self.work[..nv]);
        for i in 0..nv {
            self.qacc[i] = p.qacc_smooth[i] + self.left * self.delta[i] + self.work[i];
            self.qfrc[i] += self.excess[i];
        }
    }
}
