//! Descent on the primal cost with an exact line search: Newton's method and conjugate gradients.
//!
//! The cost is convex, once continuously differentiable and piecewise quadratic (with elliptic
//! cones: piecewise smooth). On a piece, Newton's step is exact; the line search carries it across
//! pieces. Conjugate gradients, preconditioned by M, need no Hessian but more steps (manual,
//! "Computation: Algorithms").

use crate::form::Form;
use crate::islands::{Islands, Part};
use crate::line_search::{Found, Line};
use crate::problem::{ConstraintSolver, Island, Problem, Solution, Stat};
use mj_constraint::ConstraintState;
use mj_constraint::cost::elliptic;
use mj_math::MINVAL;
use mj_math::dense::{dot, norm};

/// The Newton solver: few iterations, each with an exact Hessian.
#[derive(Clone, Debug, Default)]
pub struct Newton(Primal);

impl ConstraintSolver for Newton {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.0.solve(p, Method::Newton, out);
    }
}

/// The conjugate-gradient solver: many cheap iterations, no Hessian.
#[derive(Clone, Debug, Default)]
pub struct Cg(Primal);

impl ConstraintSolver for Cg {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.0.solve(p, Method::ConjugateGradient, out);
    }
}

/// Where the search direction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Newton,
    ConjugateGradient,
}

/// Both solvers' memory.
#[derive(Clone, Debug, Default)]
struct Primal {
    islands: Islands,
    part: Part,
    work: Work,
}

/// Vectors of one connected problem; those over the dofs are padded as its matrices want it.
#[derive(Clone, Debug, Default)]
struct Work {
    qacc: Vec<f64>,
    ma: Vec<f64>,
    grad: Vec<f64>,
    mgrad: Vec<f64>,
    search: Vec<f64>,
    mv: Vec<f64>,
    qfrc: Vec<f64>,
    jar: Vec<f64>,
    jv: Vec<f64>,
    force: Vec<f64>,
    state: Vec<ConstraintState>,
    old: Vec<ConstraintState>,
    /// The step before: gradient and preconditioned gradient (conjugate gradients only).
    grad_old: Vec<f64>,
    mgrad_old: Vec<f64>,
    cones: Vec<elliptic::Line>,
    form: Form,
}

impl Primal {
    fn solve(&mut self, p: &Problem, method: Method, out: &mut Solution) {
        out.reset(p);
        if p.nefc() == 0 {
            return;
        }
        self.islands.find(p);
        if self.islands.is_whole() {
            let island = self.work.solve(p, method, &mut out.stats);
            out.islands.push(island);
            out.qacc.copy_from_slice(&self.work.qacc[..p.nv()]);
            out.qfrc_constraint.copy_from_slice(&self.work.qfrc[..p.nv()]);
            out.efc_force.copy_from_slice(&self.work.force);
            out.efc_state.copy_from_slice(&self.work.state);
            return;
        }
        for i in 0..self.islands.len() {
            self.part.extract(p, &self.islands, i);
            let island = self.work.solve(&self.part.problem(p), method, &mut out.stats);
            out.islands.push(island);
            let w = &self.work;
            self.part.put_back(&w.qacc, &w.qfrc, &w.force, &w.state, out);
        }
    }
}

impl Work {
    /// Solves one connected problem; the results are in `qacc`, `qfrc`, `force`, `state`.
    fn solve(&mut self, p: &Problem, method: Method, stats: &mut Vec<Stat>) -> Island {
        let nv = p.nv();
        let set = &p.settings;
        let newton = method == Method::Newton;
        let mut done = Island { nv: nv as u32, nefc: p.nefc() as u32, stat: stats.len() as u32, ..Island::default() };
        self.form.load(p);
        self.resize(self.form.width(p), p.nefc());
        self.start(p);
        self.gradient(p);

        // Cost and gradient are compared after division by the trace of M: accelerations.
        let scale = 1.0 / trace(p);
        let predicted = |grad: &[f64], step: &[f64]| (0.5 * scale * dot(grad, step)).max(0.0);

        // The cost is at least as curved as M, so ½ gᵀM⁻¹g bounds how far it is from its minimum.
        // For Newton the gradient's criterion keeps forces of stiff rows exact too.
        let small_gradient = scale * norm(&self.grad) < set.tolerance;
        if small_gradient || !newton {
            self.precondition(p);
            if predicted(&self.grad, &self.mgrad) < set.tolerance {
                return done;
            }
        }
        if newton {
            self.form.build(p, &self.jar, &self.state);
            self.newton_step();
            if small_gradient && predicted(&self.grad, &self.mgrad) < set.tolerance {
                return done;
            }
        }
        for (s, g) in self.search.iter_mut().zip(&self.mgrad) {
            *s = -g;
        }

        while done.niter < set.iterations {
            let length = norm(&self.search);
            if length < MINVAL {
                break;
            }
            let found = self.search(p, newton, set.tolerance * set.ls_tolerance * length / scale);
            if found.alpha == 0.0 {
                break;
            }
            self.advance(p, found.alpha, method);

            let mut stat = self.count();
            stat.improvement = scale * found.improvement;
            stat.gradient = scale * norm(&self.grad);
            stat.lineslope = found.slope * scale / length;
            stat.neval = found.neval;
            done.niter += 1;
            let mut converged = (stat.improvement > 0.0 && stat.improvement < set.tolerance)
                || stat.gradient < set.tolerance
                || done.niter == set.iterations;
            if !converged && newton {
                stat.nupdate = self.form.update(p, &self.jar, &self.old, &self.state);
                self.newton_step();
                // What the quadratic model predicts of the next step.
                converged = predicted(&self.grad, &self.mgrad) < set.tolerance;
            }
            stats.push(stat);
            if converged {
                break;
            }
            let beta = if newton {
                0.0
            } else {
                self.precondition(p);
                self.conjugate()
            };
            for (s, g) in self.search.iter_mut().zip(&self.mgrad) {
                *s = beta * *s - g;
            }
        }
        done
    }

    /// Searches along `search`; J search and M search are left in `jv` and `mv`.
    fn search(&mut self, p: &Problem, newton: bool, gtol: f64) -> Found {
        self.form.mul_m(p, &self.search, &mut self.mv);
        self.form.mul_jac(p, &self.search, &mut self.jv);
        let mut slope = 0.0;
        for i in 0..p.nv() {
            slope += self.search[i] * (self.ma[i] - p.qfrc_smooth[i]);
        }
        let gauss = [slope, dot(&self.search, &self.mv)];
        let line = Line::new(p.rows, &self.jar, &self.jv, gauss, &mut self.cones);
        // Newton's own step is α = 1.
        line.search(newton.then_some(1.0), gtol, p.settings.ls_iterations)
    }

    /// Moves by `alpha` along the search direction and evaluates there.
    fn advance(&mut self, p: &Problem, alpha: f64, method: Method) {
        for i in 0..self.qacc.len() {
            self.qacc[i] += alpha * self.search[i];
            self.ma[i] += alpha * self.mv[i];
        }
        for (x, v) in self.jar.iter_mut().zip(&self.jv) {
            *x += alpha * v;
        }
        if method == Method::ConjugateGradient {
            self.grad_old.clone_from(&self.grad);
            self.mgrad_old.clone_from(&self.mgrad);
        }
        std::mem::swap(&mut self.state, &mut self.old);
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
        self.gradient(p);
    }

    /// Active rows, and rows whose state changed.
    fn count(&self) -> Stat {
        let mut stat = Stat::default();
        for (s, o) in self.state.iter().zip(&self.old) {
            stat.nactive += u32::from(*s != ConstraintState::Satisfied);
            stat.nchange += u32::from(s != o);
        }
        stat
    }

    /// M⁻¹ gradient.
    fn precondition(&mut self, p: &Problem) {
        self.mgrad.copy_from_slice(&self.grad);
        p.pattern.solve(p.ld, p.dinv, &mut self.mgrad[..p.nv()]);
    }

    /// How much of the old direction to keep (Hager & Zhang, "A new conjugate gradient method with
    /// guaranteed descent and an efficient line search", 2005): with y the change of the gradient,
    ///
    /// β = (yᵀM⁻¹g − 2 (yᵀM⁻¹y)(dᵀg)/(dᵀy)) / dᵀy, bounded below by −1/(|d| min(η, |g|)).
    fn conjugate(&self) -> f64 {
        const ETA: f64 = 0.01;
        let (mut dy, mut ymy, mut ymg, mut dg) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..self.grad.len() {
            let y = self.grad[i] - self.grad_old[i];
            dy += self.search[i] * y;
            ymy += y * (self.mgrad[i] - self.mgrad_old[i]);
            ymg += y * self.mgrad[i];
            dg += self.search[i] * self.grad[i];
        }
        if dy < MINVAL {
            // Conjugacy is lost: steepest descent.
            return 0.0;
        }
        let bound = -1.0 / (norm(&self.search) * norm(&self.grad).min(ETA)).max(MINVAL);
        ((ymg - 2.0 * (ymy / dy) * dg) / dy).max(bound)
    }

    fn resize(&mut self, width: usize, nefc: usize) {
        for v in [
            &mut self.qacc,
            &mut self.ma,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
            &mut self.mv,
            &mut self.qfrc,
        ] {
            v.clear();
            v.resize(width, 0.0);
        }
        for v in [&mut self.jar, &mut self.jv, &mut self.force] {
            v.resize(nefc, 0.0);
        }
        self.state.resize(nefc, ConstraintState::Satisfied);
        self.old.resize(nefc, ConstraintState::Satisfied);
    }

    /// Starts from the better of the warm start and the smooth acceleration.
    fn start(&mut self, p: &Problem) {
        let nv = p.nv();
        // Cost of the smooth acceleration: its Gauss term is zero.
        self.qacc[..nv].copy_from_slice(p.qacc_smooth);
        self.form.mul_jac(p, &self.qacc, &mut self.jar);
        subtract(&mut self.jar, p.rows.aref);
        if p.settings.warmstart {
            let cost_smooth = p.rows.cost(&self.jar);
            std::mem::swap(&mut self.jar, &mut self.jv);
            self.qacc[..nv].copy_from_slice(p.qacc_warmstart);
            self.form.mul_jac(p, &self.qacc, &mut self.jar);
            subtract(&mut self.jar, p.rows.aref);
            let mut cost = p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
            self.form.mul_m(p, &self.qacc, &mut self.ma);
            for i in 0..nv {
                cost += 0.5 * (self.ma[i] - p.qfrc_smooth[i]) * (p.qacc_warmstart[i] - p.qacc_smooth[i]);
            }
            if cost <= cost_smooth {
                return;
            }
            std::mem::swap(&mut self.jar, &mut self.jv);
        }
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
        self.qacc[..nv].copy_from_slice(p.qacc_smooth);
        self.ma[..nv].copy_from_slice(p.qfrc_smooth);
    }

    /// Constraint force in joint space, and the gradient M q̈ − qfrc_smooth − Jᵀf.
    fn gradient(&mut self, p: &Problem) {
        self.form.mul_jac_transposed(p, &self.force, &mut self.qfrc);
        for i in 0..p.nv() {
            self.grad[i] = self.ma[i] - p.qfrc_smooth[i] - self.qfrc[i];
        }
    }

    fn newton_step(&mut self) {
        self.mgrad.copy_from_slice(&self.grad);
        self.form.solve(&mut self.mgrad);
    }
}

/// Sum of the diagonal of M.
fn trace(p: &Problem) -> f64 {
    (0..p.nv()).map(|i| p.m[p.pattern.diag(i)]).sum()
}

fn subtract(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= y;
    }
}
