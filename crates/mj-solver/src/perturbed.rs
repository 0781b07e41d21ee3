//! Solutions of problems near one that is solved.

use crate::Newton;
use crate::hessian::system::NewtonSystem;
use mj_math::dense::dot;
use mj_problem::{ConstraintSolver, ConstraintState, Problem, Solution};

/// An optimum with the Hessian H = M + JᵀSJ there (S: second derivative of the rows' cost), and from them the optima
/// of problems that differ from it by a nudge, as finite differences need them.
///
/// They are found by Newton's method, without its line search and, unless the problem is small, with this one Hessian:
/// chords in the place of tangents. Such a step takes a product with J and a triangular solution, and gains as many
/// digits as the nudge is small. Where too many rows change their states for that, Newton's own solver is called for.
///
/// A solver that starts from the optimum would find it good enough for its tolerance, and the difference would
/// be lost; one that starts elsewhere leaves an error of its own in it. Here both optima are exact up to rounding.
#[derive(Clone, Debug, Default)]
pub struct PerturbedSolver {
    /// Matrices of the optimum's problem, factored, and of the problem at hand.
    optimum: NewtonSystem,
    own: NewtonSystem,
    newton: Newton,
    states: Vec<ConstraintState>,
    /// Squared length of a step, in the metric of the Hessian, that is rounding.
    rounding: f64,
    known: bool,
    /// States for which the Hessian in use is right.
    piece: Vec<ConstraintState>,
    /// States before the last step.
    before: Vec<ConstraintState>,
    /// Acceleration at the optimum; those below, too, are padded as the matrices want it.
    start: Vec<f64>,
    qacc: Vec<f64>,
    gradient: Vec<f64>,
    change: Vec<f64>,
    qfrc: Vec<f64>,
    jar: Vec<f64>,
}

/// Parts of a problem that a perturbation changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Forces and references alone: inertia, Jacobian and regularization are those of the optimum.
    Forces,
    /// Any part.
    All,
}

/// Greatest number of steps: what isn't there by then is not near.
const STEPS: usize = 6;
/// A step whose squared length is more than this part of the last one's does not converge fast enough.
const SLOW: f64 = 1e-3;
/// Squared error that may remain, relative to the first step.
const ENOUGH: f64 = 1e-16;
/// Tolerance of Newton's solver.
const TOLERANCE: f64 = 1e-14;

impl PerturbedSolver {
    /// Solves a problem, to which others will be near, as exactly as can be.
    pub fn find(&mut self, p: &Problem, out: &mut Solution) {
        self.solve_far(p, out);
        self.known = false;
        if p.nefc() == 0 {
            return;
        }
        self.optimum.load(p);
        let width = self.optimum.width(p);
        for v in [&mut self.start, &mut self.qacc, &mut self.gradient, &mut self.change, &mut self.qfrc] {
            v.clear();
            v.resize(width, 0.0);
        }
        self.start[..p.nv()].copy_from_slice(&out.qacc);
        self.states.clone_from(&out.efc_state);
        self.qacc.copy_from_slice(&self.start);
        self.forces(p, Changed::Forces, out);
        self.optimum.factor(p, &self.jar, &self.states);
        // Two steps for what the solver has left; the others are rounding.
        self.rounding = 0.0;
        for n in 0..4 {
            let length = self.step(p, Changed::Forces, false);
            self.rounding = if n < 2 { 0.0 } else { length.max(self.rounding) };
            self.forces(p, Changed::Forces, out);
        }
        self.known = out.efc_state == self.states && self.rounding.is_finite();
        self.start.copy_from_slice(&self.qacc);
        self.write(p, out);
    }

    /// Whether there is an optimum from which [`Self::solve`] can start.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// Solves a nudged problem from the optimum. False if it is not near enough for that: then
    /// [`Self::solve_far`] does.
    pub fn solve(&mut self, p: &Problem, changed: Changed, out: &mut Solution) -> bool {
        if !self.known || p.nefc() == 0 {
            return false;
        }
        out.resize(p);
        if changed == Changed::All {
            self.own.load(p);
        }
        // A small Hessian of its own costs less than the steps that it saves.
        let own = changed == Changed::All && self.own.is_dense();
        self.piece.clone_from(&self.states);
        self.qacc.copy_from_slice(&self.start);
        self.forces(p, changed, out);
        let (mut first, mut last) = (0.0, f64::INFINITY);
        for n in 0..STEPS {
            if own {
                self.own.factor(p, &self.jar, &out.efc_state);
                self.piece.clone_from(&out.efc_state);
            }
            let quadratic = (own || changed == Changed::Forces) && !self.piece.contains(&ConstraintState::Cone);
            let from_piece = quadratic && out.efc_state == self.piece;
            self.before.clone_from(&out.efc_state);
            let length = self.step(p, changed, own);
            self.forces(p, changed, out);
            first = if n == 0 { length } else { first };
            // A step from and to one piece of a quadratic cost is exact. Else convergence is linear at least: how long the
            // next step would be is known before it is made, unless it has just come to another piece.
            let settled = out.efc_state == self.before;
            let exact = from_piece && out.efc_state == self.piece;
            if exact || length <= self.rounding || (n > 0 && settled && length * length <= ENOUGH * first * last) {
                self.write(p, out);
                return true;
            }
            if length.is_nan() || (!own && length > SLOW * last) {
                return false;
            }
            last = length;
        }
        false
    }

    /// Solves any problem, to a tight tolerance.
    pub fn solve_far(&mut self, p: &Problem, out: &mut Solution) {
        let mut p = *p;
        p.settings.tolerance = p.settings.tolerance.min(TOLERANCE);
        self.newton.solve(&p, out);
    }

    /// Forces and states of the rows at the acceleration at hand.
    fn forces(&mut self, p: &Problem, changed: Changed, out: &mut Solution) {
        let form = if changed == Changed::Forces { &mut self.optimum } else { &mut self.own };
        self.jar.resize(p.nefc(), 0.0);
        form.mul_jac(p, &self.qacc, &mut self.jar);
        self.jar.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
        p.rows.evaluate(&self.jar, &mut out.efc_force, &mut out.efc_state);
        form.mul_jac_transposed(p, &out.efc_force, &mut self.qfrc);
    }

    /// One step, with the problem's own Hessian or with the optimum's; returns its squared length.
    fn step(&mut self, p: &Problem, changed: Changed, own: bool) -> f64 {
        let form = if changed == Changed::Forces { &mut self.optimum } else { &mut self.own };
        form.mul_m(p, &self.qacc, &mut self.gradient);
        for (x, (smooth, rows)) in self.gradient.iter_mut().zip(p.qfrc_smooth.iter().zip(&self.qfrc)) {
            *x -= smooth + rows;
        }
        self.change.copy_from_slice(&self.gradient);
        if own {
            self.own.solve(&mut self.change)
        } else {
            self.optimum.solve(&mut self.change)
        }
        self.qacc.iter_mut().zip(&self.change).for_each(|(a, x)| *a -= x);
        dot(&self.change, &self.gradient)
    }

    fn write(&self, p: &Problem, out: &mut Solution) {
        out.qacc.copy_from_slice(&self.qacc[..p.nv()]);
        out.qfrc_constraint.copy_from_slice(&self.qfrc[..p.nv()]);
    }
}
