//! Descent on the primal cost with an exact line search: Newton's method and conjugate gradients.
//!
//! The cost is convex, once continuously differentiable and piecewise quadratic (with elliptic
//! cones: piecewise smooth). On a piece, Newton's step is exact; the line search carries it across
//! pieces. Conjugate gradients, preconditioned by M, need no Hessian but more steps (manual,
//! "Computation: Algorithms").

mod shares;

use crate::form::Form;
use crate::groups::{add, difference, dots, subtract, turn};
use crate::islands::Islands;
use crate::line_search::Line;
use crate::part::Part;
use crate::rowspace::RowSpace;
use mj_math::MINVAL;
use mj_problem::cost::elliptic;
use mj_problem::{ConstraintSolver, ConstraintState, Island, Problem, Solution, Stat};
use shares::Shares;
use std::mem::swap;

/// The Newton solver: few iterations, each with an exact Hessian.
#[derive(Clone, Debug, Default)]
pub struct Newton(Primal);

impl Newton {
    /// Among how many shares islands are divided, to be solved in parallel; 0 and 1: one after the other, on the
    /// caller's thread. The result is the same, bit for bit.
    ///
    /// Shares run on the threads of the current rayon pool, with the feature `parallel` alone.
    pub fn set_threads(&mut self, threads: usize) {
        self.0.threads = threads;
    }
}

impl ConstraintSolver for Newton {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.0.solve(p, Method::Newton, out);
    }
}

/// The conjugate-gradient solver: many cheap iterations, no Hessian.
#[derive(Clone, Debug, Default)]
pub struct Cg(Primal);

impl Cg {
    /// As [`Newton::set_threads`].
    pub fn set_threads(&mut self, threads: usize) {
        self.0.threads = threads;
    }
}

impl ConstraintSolver for Cg {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        self.0.solve(p, Method::ConjugateGradient, out);
    }
}

/// Where the search direction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Newton,
    ConjugateGradient,
}

/// Both solvers' memory.
#[derive(Clone, Debug, Default)]
struct Primal {
    islands: Islands,
    works: Works,
    threads: usize,
    shares: Shares,
}

/// Memory for one problem after the other. Small ones, of which a few come again in the same order each step, find
/// their own sizes and patterns again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Works {
    any: Slot,
    small: Vec<Slot>,
}

/// An island's problem, and memory to solve it.
#[derive(Clone, Debug, Default)]
struct Slot {
    part: Part,
    work: Work,
}

/// Vectors of one connected problem; those over the dofs are padded as its matrices want it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    qacc: Vec<f64>,
    /// M q̈ − qfrc_smooth: the force that constraints would have to make for this acceleration.
    needed: Vec<f64>,
    /// What is lacking of it, M q̈ − qfrc_smooth − Jᵀf, and its length.
    grad: Vec<f64>,
    slope: f64,
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
    rows: RowSpace,
}

impl Primal {
    fn solve(&mut self, p: &Problem, method: Method, out: &mut Solution) {
        out.reset(p);
        if p.nefc() == 0 {
            return;
        }
        self.islands.find(p);
        if self.islands.is_whole() {
            let work = &mut self.works.any.work;
            let island = work.solve(p, method, &mut out.stats);
            out.islands.push(island);
            out.qacc.copy_from_slice(&work.qacc[..p.nv()]);
            out.qfrc_constraint.copy_from_slice(&work.qfrc[..p.nv()]);
            out.efc_force.copy_from_slice(&work.force);
            out.efc_state.copy_from_slice(&work.state);
            return;
        }
        if self.threads > 1 && self.islands.count() > 1 {
            self.shares.solve(p, &self.islands, method, self.threads, out);
            return;
        }
        for i in 0..self.islands.count() {
            self.works.solve_island(p, &self.islands, i, method, out);
        }
    }
}

/// Greatest number of dofs of a small problem.
const SMALL: usize = 32;
/// Among how much memory small problems take turns.
const SLOTS: usize = 8;

impl Works {
    /// Solves island `i` and writes its part of the solution.
    pub(crate) fn solve_island(
        &mut self,
        p: &Problem,
        islands: &Islands,
        i: usize,
        method: Method,
        out: &mut Solution,
    ) {
        let nv: usize = islands.dofs(i).map(|dofs| dofs.len()).sum();
        let slot = if nv <= SMALL {
            let slot = i % SLOTS;
            if self.small.len() <= slot {
                self.small.resize_with(slot + 1, Slot::default);
            }
            &mut self.small[slot]
        } else {
            &mut self.any
        };
        let Slot { part, work } = slot;
        part.extract(p, islands, i);
        let island = work.solve(&part.problem(p), method, &mut out.stats);
        out.islands.push(island);
        part.put_back(&work.qacc, &work.qfrc, &work.force, &work.state, out);
    }
}

impl Work {
    /// Solves one connected problem; the results are in `qacc`, `qfrc`, `force`, `state`.
    fn solve(&mut self, p: &Problem, method: Method, stats: &mut Vec<Stat>) -> Island {
        let nv = p.nv();
        let set = &p.settings;
        let newton = method == Method::Newton;
        if newton
            && RowSpace::fits(p)
            && let Some(done) = self.rows.solve(p, stats)
        {
            swap(&mut self.qacc, &mut self.rows.qacc);
            swap(&mut self.qfrc, &mut self.rows.qfrc);
            swap(&mut self.force, &mut self.rows.force);
            swap(&mut self.state, &mut self.rows.state);
            return done;
        }
        let mut done = Island { nv: nv as u32, nefc: p.nefc() as u32, stat: stats.len() as u32, ..Island::default() };
        self.form.load(p);
        self.resize(self.form.width(p), p.nefc());
        self.start(p);

        // Cost and gradient are compared after division by the trace of M: accelerations.
        let scale = 1.0 / p.trace();

        // The cost is at least as curved as M, so ½ gᵀM⁻¹g bounds how far it is from its minimum.
        // For Newton the gradient's criterion keeps forces of stiff rows exact too.
        let small_gradient = scale * self.slope < set.tolerance;
        if small_gradient || !newton {
            self.precondition(p);
            if self.predicted(scale) < set.tolerance {
                return done;
            }
        }
        if newton {
            self.form.build(p, &self.jar, &self.state);
            self.newton_step();
            if small_gradient && self.predicted(scale) < set.tolerance {
                return done;
            }
        }
        turn(&mut self.search, 0.0, &self.mgrad);

        while done.niter < set.iterations {
            self.form.mul_m(p, &self.search, &mut self.mv);
            let [slope, curvature, length] = dots(&self.search, [&self.needed, &self.mv, &self.search]);
            let length = length.sqrt();
            if length < MINVAL {
                break;
            }
            self.form.mul_jac(p, &self.search, &mut self.jv);
            let line = Line::new(p.rows, &self.jar, &self.jv, [slope, curvature], &mut self.cones);
            // Newton's own step is α = 1.
            let gtol = set.tolerance * set.ls_tolerance * length / scale;
            let found = line.search(newton.then_some(1.0), gtol, set.ls_iterations);
            if found.alpha == 0.0 {
                break;
            }
            self.advance(p, found.alpha, method);

            let mut stat = Stat::of_states(&self.state, &self.old);
            stat.improvement = scale * found.improvement;
            stat.gradient = scale * self.slope;
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
                converged = self.predicted(scale) < set.tolerance;
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
            turn(&mut self.search, beta, &self.mgrad);
        }
        done
    }

    /// By how much the step at hand lowers the cost, if the model that it comes from is right.
    fn predicted(&self, scale: f64) -> f64 {
        let [product] = dots(&self.grad, [&self.mgrad]);
        (0.5 * scale * product).max(0.0)
    }

    /// Moves by `alpha` along the search direction and evaluates there.
    fn advance(&mut self, p: &Problem, alpha: f64, method: Method) {
        add(&mut self.qacc, alpha, &self.search);
        add(&mut self.needed, alpha, &self.mv);
        for (x, v) in self.jar.iter_mut().zip(&self.jv) {
            *x += alpha * v;
        }
        if method == Method::ConjugateGradient {
            self.grad_old.clone_from(&self.grad);
            self.mgrad_old.clone_from(&self.mgrad);
        }
        swap(&mut self.state, &mut self.old);
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
        self.gradient(p);
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
        let [length] = dots(&self.search, [&self.search]);
        let bound = -1.0 / (length.sqrt() * self.slope.min(ETA)).max(MINVAL);
        ((ymg - 2.0 * (ymy / dy) * dg) / dy).max(bound)
    }

    fn resize(&mut self, width: usize, nefc: usize) {
        for v in [
            &mut self.qacc,
            &mut self.needed,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
            &mut self.mv,
            &mut self.qfrc,
        ] {
            v.resize(width, 0.0);
        }
        for v in [&mut self.jar, &mut self.jv, &mut self.force] {
            v.resize(nefc, 0.0);
        }
        self.state.resize(nefc, ConstraintState::Satisfied);
        self.old.resize(nefc, ConstraintState::Satisfied);
    }

    /// Starts from the better of the warm start and the smooth acceleration, with the gradient there.
    fn start(&mut self, p: &Problem) {
        if p.settings.warmstart {
            let cost = self.start_at(p, p.qacc_warmstart);
            self.form.mul_m(p, &self.qacc, &mut self.needed);
            subtract(&mut self.needed, p.qfrc_smooth);
            self.gradient(p);
            let (mut needed, mut made) = (0.0, 0.0);
            for i in 0..p.nv() {
                let from_smooth = p.qacc_warmstart[i] - p.qacc_smooth[i];
                needed += self.needed[i] * from_smooth;
                made += self.qfrc[i] * from_smooth;
            }
            // With the cost's gradient here, and a curvature of M at least, the cost of the smooth acceleration is
            // greater by no less than `made` − ½ `needed`; where that doesn't tell, it is evaluated.
            if made >= 0.5 * needed || cost + 0.5 * needed <= self.cost_of_smooth(p) {
                return;
            }
        }
        self.start_at(p, p.qacc_smooth);
        self.needed.fill(0.0);
        self.gradient(p);
    }

    /// Evaluates the rows at an acceleration; returns their cost.
    fn start_at(&mut self, p: &Problem, qacc: &[f64]) -> f64 {
        self.qacc[..qacc.len()].copy_from_slice(qacc);
        self.qacc[qacc.len()..].fill(0.0);
        self.form.mul_jac(p, &self.qacc, &mut self.jar);
        subtract(&mut self.jar, p.rows.aref);
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state)
    }

    /// Cost of the smooth acceleration: its Gauss term is zero.
    fn cost_of_smooth(&mut self, p: &Problem) -> f64 {
        self.search.fill(0.0);
        self.search[..p.nv()].copy_from_slice(p.qacc_smooth);
        self.form.mul_jac(p, &self.search, &mut self.jv);
        subtract(&mut self.jv, p.rows.aref);
        p.rows.cost(&self.jv)
    }

    /// Constraint force in joint space, and the gradient M q̈ − qfrc_smooth − Jᵀf.
    fn gradient(&mut self, p: &Problem) {
        self.form.mul_jac_transposed(p, &self.force, &mut self.qfrc);
        self.slope = difference(&self.needed, &self.qfrc, &mut self.grad).sqrt();
    }

    fn newton_step(&mut self) {
        self.mgrad.copy_from_slice(&self.grad);
        self.form.solve(&mut self.mgrad);
    }
}
