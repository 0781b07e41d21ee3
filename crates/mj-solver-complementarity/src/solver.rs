//! The solver behind the pipeline's seam.

use crate::hybrid::Scaled;
use crate::newton::{Newton, Outcome};
use crate::relaxation::relax;
use mj_contact_space::{ContactSpace, Equality};
use mj_math::dense::axpy;
use mj_solver::{ConstraintSolver, Island, Problem, Solution, Stat};

/// Shares of the rows' regularization with which the problem is solved in turn where Newton's method
/// doesn't find the exact solution at once: each solution starts the next.
const CONTINUATION: [f64; 6] = [1.0, 0.3, 0.1, 0.01, 1e-3, 0.0];

/// Sweeps of relaxation from which Newton's method starts again where it got stuck, each going on from the last.
const RELAXATION: [u32; 4] = [20, 80, 400, 2000];

/// How well the laws of contact hold at the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Greatest residual of a row, relative to the greatest |b|: 0 where the laws hold exactly.
    pub residual: f64,
    /// Whether that is within [`Complementarity::exactness`].
    pub exact: bool,
    /// Newton steps, those of the continuation included.
    pub iterations: u32,
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
    x: Vec<f64>,
    best: Vec<f64>,
    f: Vec<f64>,
    w: Vec<f64>,
    trial: Vec<f64>,
    relaxed: Vec<f64>,
}

impl Default for Complementarity {
    fn default() -> Self {
        Self {
            exactness: 1e-10,
            certificate: Certificate::default(),
            space: ContactSpace::default(),
            scaled: Scaled::default(),
            newton: Newton::default(),
            x: Vec::new(),
            best: Vec::new(),
            f: Vec::new(),
            w: Vec::new(),
            trial: Vec::new(),
            relaxed: Vec::new(),
        }
    }
}

impl Complementarity {
    /// Certificate of the last solution.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }

    /// Solves A f + b = w with f and w bound by the laws of contact, into `f` (k), starting from the
    /// forces `f` that it is given. `limit` bounds the Newton steps of one attempt.
    pub fn solve_space(&mut self, space: &ContactSpace, limit: u32, f: &mut [f64]) -> Certificate {
        self.scaled.build(space);
        let k = space.len();
        for v in [&mut self.x, &mut self.best, &mut self.w] {
            v.resize(k, 0.0);
        }
        self.start(f);
        let mut best = self.attempt(0.0, limit);
        self.best.copy_from_slice(&self.x);
        let mut iterations = best.iterations;
        let mut keep = |this: &mut Self, next: Outcome| {
            iterations += next.iterations;
            if next.residual < best.residual {
                best = next;
                this.best.copy_from_slice(&this.x);
            }
            best.residual <= this.exactness
        };
        // From where relaxation ends, further each time.
        let mut exact = keep(self, Outcome { residual: f64::INFINITY, iterations: 0 });
        let mut relaxed: Vec<f64> = std::mem::take(&mut self.relaxed);
        relaxed.clear();
        relaxed.extend(f.iter().zip(&self.scaled.scale).map(|(f, s)| f / s));
        for sweeps in RELAXATION {
            if !exact {
                relax(&self.scaled, sweeps, &mut relaxed);
                self.start_scaled(&relaxed);
                let next = self.attempt(0.0, limit);
                exact = keep(self, next);
            }
        }
        self.relaxed = relaxed;
        if !exact {
            self.start(f);
            for compliance in CONTINUATION {
                let next = self.attempt(compliance, limit);
                // Only the last is the problem itself.
                let residual = if compliance == 0.0 { next.residual } else { f64::INFINITY };
                exact = keep(self, Outcome { residual, ..next });
            }
        }
        let residual = best.residual;
        self.scaled.force(&self.best, f);
        f.iter_mut().zip(&self.scaled.scale).for_each(|(f, s)| *f *= s);
        Certificate { residual, exact, iterations }
    }

    fn attempt(&mut self, compliance: f64, limit: u32) -> Outcome {
        self.newton.run(&self.scaled, compliance, 0.1 * self.exactness, limit, &mut self.x)
    }

    /// x = f − w: the hybrid variable of forces and what they cause.
    fn start(&mut self, f: &[f64]) {
        let mut scaled = std::mem::take(&mut self.trial);
        scaled.clear();
        scaled.extend(f.iter().zip(&self.scaled.scale).map(|(f, s)| f / s));
        self.start_scaled(&scaled);
        self.trial = scaled;
    }

    /// The same of scaled forces.
    fn start_scaled(&mut self, f: &[f64]) {
        let p = &self.scaled;
        let k = p.len();
        self.w.copy_from_slice(&p.b);
        for i in 0..k {
            axpy(&mut self.w, f[i], &p.a[i * k..(i + 1) * k]);
        }
        self.x.copy_from_slice(f);
        axpy(&mut self.x, -1.0, &self.w);
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
    for v in [&mut solver.x, &mut solver.f, &mut solver.w] {
        v.resize(space.len(), 0.0);
    }
    solver.start(&s.efc_force[p.rows.ne..]);
    solver.newton.residual_at(&solver.scaled, &solver.x)
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
