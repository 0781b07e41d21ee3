//! Newton's method with an exact Hessian and an exact line search.
//!
//! The cost is convex, once continuously differentiable and piecewise quadratic (with elliptic
//! cones: piecewise smooth). On a piece, Newton's step is exact; the line search carries it across
//! pieces (manual, "Computation: Algorithms").

use crate::hessian::Hessian;
use crate::islands::{Islands, Part};
use crate::line_search::Line;
use crate::problem::{ConstraintSolver, Island, Problem, Solution, Stat};
use mj_constraint::ConstraintState;
use mj_constraint::cost::elliptic;
use mj_math::dense::{dot, norm};

/// The Newton solver and its memory.
#[derive(Clone, Debug, Default)]
pub struct Newton {
    islands: Islands,
    part: Part,
    work: Work,
}

/// Vectors of one connected problem.
#[derive(Clone, Debug, Default)]
struct Work {
    qacc: Vec<f64>,
    ma: Vec<f64>,
    grad: Vec<f64>,
    mgrad: Vec<f64>,
    search: Vec<f64>,
    mv: Vec<f64>,
    qfrc: Vec<f64>,
    scratch: Vec<f64>,
    jar: Vec<f64>,
    jv: Vec<f64>,
    force: Vec<f64>,
    state: Vec<ConstraintState>,
    old: Vec<ConstraintState>,
    cones: Vec<elliptic::Line>,
    hessian: Hessian,
}

impl ConstraintSolver for Newton {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        out.reset(p);
        if p.nefc() == 0 {
            return;
        }
        self.islands.find(p);
        if self.islands.is_whole() {
            let island = self.work.solve(p, &mut out.stats);
            out.islands.push(island);
            out.qacc.copy_from_slice(&self.work.qacc);
            out.qfrc_constraint.copy_from_slice(&self.work.qfrc);
            out.efc_force.copy_from_slice(&self.work.force);
            out.efc_state.copy_from_slice(&self.work.state);
            return;
        }
        for i in 0..self.islands.len() {
            self.part.extract(p, &self.islands, i);
            let island = self.work.solve(&self.part.problem(p), &mut out.stats);
            out.islands.push(island);
            let w = &self.work;
            self.part.put_back(&w.qacc, &w.qfrc, &w.force, &w.state, out);
        }
    }
}

impl Work {
    /// Solves one connected problem; the results are in `qacc`, `qfrc`, `force`, `state`.
    fn solve(&mut self, p: &Problem, stats: &mut Vec<Stat>) -> Island {
        let nv = p.nv();
        let set = &p.settings;
        let first_stat = stats.len() as u32;
        let mut done = Island { nv: nv as u32, nefc: p.nefc() as u32, niter: 0, stat: first_stat };
        self.resize(nv, p.nefc());
        self.start(p);
        self.gradient(p);

        // Cost and gradient are compared after division by the trace of M: accelerations.
        let scale = 1.0 / (0..nv).map(|i| p.m[p.pattern.diag(i)]).sum::<f64>();
        let predicted = |grad: &[f64], step: &[f64]| (0.5 * scale * dot(grad, step)).max(0.0);

        // The cost is at least as curved as M, so ½ gᵀM⁻¹g bounds how far it is from its minimum.
        // The gradient's criterion keeps forces of stiff rows exact too.
        let small_gradient = scale * norm(&self.grad) < set.tolerance;
        if small_gradient {
            self.mgrad.copy_from_slice(&self.grad);
            p.pattern.solve(p.ld, p.dinv, &mut self.mgrad);
            if predicted(&self.grad, &self.mgrad) < set.tolerance {
                return done;
            }
        }
        self.hessian.build(p, &self.jar, &self.state);
        self.newton_step();
        if small_gradient && predicted(&self.grad, &self.mgrad) < set.tolerance {
            return done;
        }

        while done.niter < set.iterations {
            for (s, g) in self.search.iter_mut().zip(&self.mgrad) {
                *s = -g;
            }
            let length = norm(&self.search);
            if length < mj_math::MINVAL {
                break;
            }
            p.pattern.mul(p.m, &self.search, &mut self.mv);
            p.rows.jac.mul(&self.search, &mut self.jv, &mut self.scratch);
            let mut slope = 0.0;
            for i in 0..nv {
                slope += self.search[i] * (self.ma[i] - p.qfrc_smooth[i]);
            }
            let gauss = [slope, dot(&self.search, &self.mv)];
            let line = Line::new(p.rows, &self.jar, &self.jv, gauss, &mut self.cones);
            // Newton's own step is α = 1.
            let found = line.search(1.0, set.tolerance * set.ls_tolerance * length / scale, set.ls_iterations);
            if found.alpha == 0.0 {
                break;
            }

            for i in 0..nv {
                self.qacc[i] += found.alpha * self.search[i];
                self.ma[i] += found.alpha * self.mv[i];
            }
            for (x, v) in self.jar.iter_mut().zip(&self.jv) {
                *x += found.alpha * v;
            }
            std::mem::swap(&mut self.state, &mut self.old);
            p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
            self.gradient(p);

            let (mut nactive, mut nchange, mut cones) = (0, 0, false);
            for (s, o) in self.state.iter().zip(&self.old) {
                nactive += u32::from(*s != ConstraintState::Satisfied);
                nchange += u32::from(s != o);
                cones |= *s == ConstraintState::Cone;
            }
            let mut stat = Stat {
                improvement: scale * found.improvement,
                gradient: scale * norm(&self.grad),
                lineslope: found.slope * scale / length,
                nactive,
                nchange,
                neval: found.neval,
                nupdate: 0,
            };
            done.niter += 1;
            let converged = (stat.improvement > 0.0 && stat.improvement < set.tolerance)
                || stat.gradient < set.tolerance
                || done.niter == set.iterations;
            if !converged {
                stat.nupdate = self.hessian.update(p, &self.jar, &self.old, &self.state, cones);
                self.newton_step();
            }
            stats.push(stat);
            // What the quadratic model predicts of the next step.
            if converged || predicted(&self.grad, &self.mgrad) < set.tolerance {
                break;
            }
        }
        done
    }

    fn resize(&mut self, nv: usize, nefc: usize) {
        for v in [
            &mut self.qacc,
            &mut self.ma,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
            &mut self.mv,
            &mut self.qfrc,
            &mut self.scratch,
        ] {
            v.resize(nv, 0.0);
        }
        for v in [&mut self.jar, &mut self.jv, &mut self.force] {
            v.resize(nefc, 0.0);
        }
        self.state.resize(nefc, ConstraintState::Satisfied);
        self.old.resize(nefc, ConstraintState::Satisfied);
    }

    /// Starts from the better of the warm start and the smooth acceleration.
    fn start(&mut self, p: &Problem) {
        // Cost of the smooth acceleration: its Gauss term is zero.
        p.rows.jac.mul(p.qacc_smooth, &mut self.jar, &mut self.scratch);
        subtract(&mut self.jar, p.rows.aref);
        if p.settings.warmstart {
            let cost_smooth = p.rows.cost(&self.jar);
            std::mem::swap(&mut self.jar, &mut self.jv);
            p.rows.jac.mul(p.qacc_warmstart, &mut self.jar, &mut self.scratch);
            subtract(&mut self.jar, p.rows.aref);
            let mut cost = p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
            p.pattern.mul(p.m, p.qacc_warmstart, &mut self.ma);
            for i in 0..self.ma.len() {
                cost += 0.5 * (self.ma[i] - p.qfrc_smooth[i]) * (p.qacc_warmstart[i] - p.qacc_smooth[i]);
            }
            if cost <= cost_smooth {
                self.qacc.copy_from_slice(p.qacc_warmstart);
                return;
            }
            std::mem::swap(&mut self.jar, &mut self.jv);
        }
        p.rows.evaluate(&self.jar, &mut self.force, &mut self.state);
        self.qacc.copy_from_slice(p.qacc_smooth);
        self.ma.copy_from_slice(p.qfrc_smooth);
    }

    /// Constraint force in joint space, and the gradient M q̈ − qfrc_smooth − Jᵀf.
    fn gradient(&mut self, p: &Problem) {
        self.qfrc.fill(0.0);
        p.rows.jac.mul_transposed_add(&self.force, &mut self.qfrc, &mut self.scratch);
        for i in 0..self.grad.len() {
            self.grad[i] = self.ma[i] - p.qfrc_smooth[i] - self.qfrc[i];
        }
    }

    fn newton_step(&mut self) {
        self.mgrad.copy_from_slice(&self.grad);
        self.hessian.solve(&mut self.mgrad);
    }
}

fn subtract(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= y;
    }
}
