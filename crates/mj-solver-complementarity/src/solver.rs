//! The solver behind the pipeline's seam.

use crate::contradiction::Contradiction;
use crate::hybrid::Scaled;
use crate::newton::{Newton, Outcome};
use crate::relaxation::relax;
use crate::shifted::Shifted;
use mj_contact_space::{ContactSpace, Equality};
use mj_math::dense::dot;
use mj_problem::{ConstraintSolver, Island, Problem, Solution, Stat};

/// Sweeps of relaxation from which Newton's method starts, each going on from the last.
const SWEEPS: [u32; 2] = [10, 40];
/// Whole Newton steps of one try.
const LEAPS: u32 = 12;

/// Compliances of the continuation: the first, by what each is less than the last that was solved, and the least.
const SOFT: f64 = 1e-3;
const HARDER: f64 = 0.1;
const HARDEST: f64 = 1e-15;
/// Residual at which a problem with compliance counts as solved.
const SOLVED: f64 = 1e-9;
/// Greatest number of rounds of [`Shifted`] in a row, and how often a compliance is approached in a smaller step.
const ROUNDS: u32 = 32;
const RETREATS: u32 = 12;

/// Newton steps of all tries together, as a multiple of the limit of one.
const EFFORT: u32 = 20;

/// How well the laws of contact hold at the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Greatest residual of a row, relative to the greatest |b|: 0 where the laws hold exactly.
    pub residual: f64,
    /// Whether that is within [`Complementarity::exactness`].
    pub exact: bool,
    /// Newton steps, those of all tries included.
    pub iterations: u32,
    /// Whether the problem is proven to have no solution: its normals contradict each other, or nothing can move them.
    pub contradictory: bool,
}

/// The complementarity solver. It owns its workspace; reuse it.
#[derive(Clone, Debug)]
pub struct Complementarity {
    /// Residual up to which a solution is called exact.
    pub exactness: f64,
    certificate: Certificate,
    space: ContactSpace,
    scaled: Scaled,
    newton: Newton,
    shifted: Shifted,
    contradiction: Contradiction,
    x: Vec<f64>,
    /// Least residual yet, where, and the Newton steps taken.
    residual: f64,
    best: Vec<f64>,
    spent: u32,
    f: Vec<f64>,
    w: Vec<f64>,
    trial: Vec<f64>,
    last: Vec<f64>,
}

impl Default for Complementarity {
    fn default() -> Self {
        Self {
            exactness: 1e-10,
            certificate: Certificate::default(),
            space: ContactSpace::default(),
            scaled: Scaled::default(),
            newton: Newton::default(),
            shifted: Shifted::default(),
            contradiction: Contradiction::default(),
            x: Vec::new(),
            residual: 0.0,
            best: Vec::new(),
            spent: 0,
            f: Vec::new(),
            w: Vec::new(),
            trial: Vec::new(),
            last: Vec::new(),
        }
    }
}

impl Complementarity {
    /// Certificate of the last solution.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }

    /// Solves A f + b = w with f and w bound by the laws of contact, into `f` (k), starting from the
    /// forces `f` that it is given. `limit` bounds the Newton steps of one descent; all tries together take at most
    /// twenty times as many.
    pub fn solve_space(&mut self, space: &ContactSpace, limit: u32, f: &mut [f64]) -> Certificate {
        self.scaled.build(space);
        for v in [&mut self.x, &mut self.best, &mut self.last] {
            v.resize(space.len(), 0.0);
        }
        let effort = limit.saturating_mul(EFFORT);
        (self.residual, self.spent) = (f64::INFINITY, 0);
        let mut trial = std::mem::take(&mut self.trial);
        trial.clear();
        trial.extend(f.iter().zip(&self.scaled.scale).map(|(f, s)| f / s));
        let mut contradictory = self.scaled.stuck > 0.0;
        let mut exact = self.near(&mut trial);
        if !exact {
            let (found, steps) = self.contradiction.find(&self.scaled, &mut self.shifted, limit);
            contradictory |= found;
            self.spent += steps;
            exact = !found && self.harder_and_harder(&mut trial, effort) || self.descend(limit);
        }
        self.trial = trial;
        self.scaled.force(&self.best, f);
        f.iter_mut().zip(&self.scaled.scale).for_each(|(f, s)| *f *= s);
        let residual = self.residual.max(self.scaled.least_residual());
        Certificate { residual, exact: exact && !contradictory, iterations: self.spent, contradictory }
    }

    /// Newton's method from the forces `f` and from where relaxation of them leads; whether that found the solution.
    fn near(&mut self, f: &mut [f64]) -> bool {
        self.start(f, 0.0);
        let given = f.iter().any(|&f| f != 0.0);
        if self.leap(0.0, if given { LEAPS } else { 0 }) <= self.exactness {
            return true;
        }
        for sweeps in SWEEPS {
            relax(&self.scaled, sweeps, f);
            self.start(f, 0.0);
            if self.leap(0.0, LEAPS) <= self.exactness {
                return true;
            }
        }
        false
    }

    /// Newton steps that lower ‖F‖, from where the residual was least; whether that found the solution.
    fn descend(&mut self, limit: u32) -> bool {
        self.x.copy_from_slice(&self.best);
        let done = self.newton.descend(&self.scaled, 0.1 * self.exactness, limit, &mut self.x);
        self.keep(done, done.residual) <= self.exactness
    }

    /// Solves with ever less compliance, each solution starting the next; whether that found the solution.
    ///
    /// Compliance keeps solutions apart that only the hard problem lets run into each other, and one of them leads
    /// there. Where the next isn't near the last, [`Shifted`] goes looking for it, ever longer, and then a
    /// compliance nearer to the last is tried.
    fn harder_and_harder(&mut self, f: &mut [f64], effort: u32) -> bool {
        self.last.fill(0.0);
        let (mut c, mut solved, mut retreats) = (SOFT, 1.0, 0);
        while c > HARDEST && retreats <= RETREATS && self.spent < effort {
            f.copy_from_slice(&self.last);
            let mut rounds = u32::from(c == SOFT);
            let mut found = false;
            while !found && rounds <= ROUNDS && self.spent < effort {
                self.spent += self.shifted.improve(&self.scaled, c, rounds, effort - self.spent, f);
                self.start(f, c);
                found = self.leap(c, LEAPS) <= SOLVED;
                rounds = (2 * rounds).max(1);
            }
            if self.residual <= self.exactness {
                return true;
            }
            if found {
                self.scaled.force(&self.x, &mut self.last);
                solved = c;
                c *= HARDER;
            } else {
                retreats += 1;
                c = (solved * c).sqrt();
            }
        }
        false
    }

    /// Whole Newton steps from x with a compliance; the residual with that. What it means for the problem itself is
    /// kept.
    fn leap(&mut self, compliance: f64, limit: u32) -> f64 {
        let done = self.newton.leap(&self.scaled, compliance, 0.1 * self.exactness, limit, &mut self.x);
        let hard = if compliance == 0.0 { done.residual } else { self.newton.residual_at(&self.scaled, &self.x) };
        self.keep(done, hard);
        done.residual
    }

    /// Counts the steps, and keeps x if its residual is the least yet; that.
    fn keep(&mut self, done: Outcome, residual: f64) -> f64 {
        self.spent += done.iterations;
        if residual < self.residual || self.residual == f64::INFINITY {
            self.residual = residual;
            self.best.copy_from_slice(&self.x);
        }
        self.residual
    }

    /// x = f − w: the hybrid variable of scaled forces and what they cause, with a compliance.
    fn start(&mut self, f: &[f64], compliance: f64) {
        let p = &self.scaled;
        for i in 0..p.len() {
            self.x[i] = f[i] - (dot(p.row(i), f) + p.b[i] + compliance * f[i]);
        }
    }
}

impl ConstraintSolver for Complementarity {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        let mut space = std::mem::take(&mut self.space);
        space.build(p, Equality::Hard);
        let mut f = std::mem::take(&mut self.f);
        start_forces(p, &mut self.w, &mut self.x, out);
        f.clear();
        f.extend_from_slice(&out.efc_force[p.rows.ne..]);
        self.certificate = self.solve_space(&space, p.settings.iterations, &mut f);
        space.report(p, &f, out);
        out.islands.push(Island {
            nv: p.nv() as u32,
            nefc: p.nefc() as u32,
            niter: self.certificate.iterations,
            ..Island::default()
        });
        out.stats.resize(self.certificate.iterations as usize, Stat::default());
        (self.space, self.f) = (space, f);
    }
}

/// How far any solver's forces are from the exact laws of contact, as [`Certificate::residual`] measures it: 0 where
/// forces and the accelerations that they cause obey them.
pub fn law_residual(p: &Problem, s: &Solution) -> f64 {
    let mut space = ContactSpace::default();
    space.build(p, Equality::Hard);
    let mut solver = Complementarity::default();
    solver.scaled.build(&space);
    solver.x.resize(space.len(), 0.0);
    let q = &solver.scaled;
    let scaled: Vec<f64> = s.efc_force[p.rows.ne..].iter().zip(&q.scale).map(|(f, s)| f / s).collect();
    solver.start(&scaled, 0.0);
    solver.newton.residual_at(&solver.scaled, &solver.x).max(solver.scaled.least_residual())
}

/// Whether a problem is proven to have no solution under the exact laws of contact ([`Certificate::contradictory`]).
pub fn contradictory(p: &Problem) -> bool {
    let mut space = ContactSpace::default();
    space.build(p, Equality::Hard);
    let mut scaled = Scaled::default();
    scaled.build(&space);
    let found = || Contradiction::default().find(&scaled, &mut Shifted::default(), u32::MAX).0;
    scaled.stuck > 0.0 || found()
}

/// Forces of the convex model at the warm start's acceleration, or none: where the iteration begins.
fn start_forces(p: &Problem, jar: &mut Vec<f64>, work: &mut Vec<f64>, out: &mut Solution) {
    out.reset(p);
    if !p.settings.warmstart {
        return;
    }
    jar.resize(p.nefc(), 0.0);
    work.resize(p.nv().max(work.len()), 0.0);
    p.rows.jac.mul(p.qacc_warmstart, jar, work);
    jar.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
    p.rows.evaluate(jar, &mut out.efc_force, &mut out.efc_state);
}
