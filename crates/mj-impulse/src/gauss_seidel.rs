//! Cone-projected Gauss-Seidel: minimize ½ fᵀ(A + R) f + fᵀ b over feasible f, one unit at a time.
//!
//! A row alone takes its minimum, clamped. The rows of a cone take a step of steepest descent in a
//! metric that bounds their block of A + R from above, and are brought to the nearest feasible point in that
//! metric: each such step lowers the cost, and where none does the minimum is reached. The metric is
//! diagonal with the coupling that makes the projection closed-form.

use mj_contact_space::project::cone;
use mj_contact_space::{Bound, ContactSpace, Equality};
use mj_math::dense::dot;
use mj_solver::{ConstraintSolver, Island, Problem, Solution, Stat};

/// Steps that the rows of a cone take in one visit.
const VISIT: usize = 2;

/// Weights of one cone's metric: of the normal, and of all friction rows in units of their coefficients.
type Metric = [f64; 2];

/// Gauss-Seidel's workspace.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidel {
    metrics: Vec<Metric>,
}

impl GaussSeidel {
    /// Improves `f` (k, feasible) in at most `iterations` sweeps; how many there were.
    pub fn run(&mut self, s: &ContactSpace, iterations: u32, tolerance: f64, f: &mut [f64]) -> u32 {
        self.metrics.clear();
        self.metrics.extend(s.units.iter().map(|u| match u.bound {
            Bound::Cone { dim, mu } => metric(s, u.row, &mu[..dim - 1]),
            _ => [s.diagonal[u.row] + s.r[u.row]; 2],
        }));
        for sweep in 1..=iterations {
            let (mut change, mut size) = (0.0f64, 0.0f64);
            for (u, metric) in s.units.iter().zip(&self.metrics) {
                let steps = if u.dim() > 1 { VISIT } else { 1 };
                for _ in 0..steps {
                    change = change.max(step(s, u.row, u.bound, metric, f));
                }
                size = f[u.range()].iter().fold(size, |m, x| m.max(x.abs()));
            }
            if change.is_nan() || change <= tolerance * size {
                return sweep;
            }
        }
        iterations
    }
}

/// A diagonal that is nowhere less than a cone's block of A + R: after scaling friction by its coefficients,
/// the sums of the rows' magnitudes (Gershgorin).
fn metric(s: &ContactSpace, row: usize, mu: &[f64]) -> Metric {
    let scale = |j: usize| if j == 0 { 1.0 } else { mu[j - 1] };
    let mut out = [0.0f64; 2];
    for i in 0..=mu.len() {
        let a = &s.row(row + i)[row..=row + mu.len()];
        let sum: f64 = a.iter().enumerate().map(|(j, a)| (a * scale(i) * scale(j)).abs()).sum();
        let sum = sum + s.r[row + i] * scale(i) * scale(i);
        let side = &mut out[i.min(1)];
        *side = side.max(sum);
    }
    out
}

/// One step of one unit; its greatest change of force.
fn step(s: &ContactSpace, row: usize, bound: Bound, metric: &Metric, f: &mut [f64]) -> f64 {
    let gradient = |i: usize, f: &[f64]| dot(s.row(i), f) + s.r[i] * f[i] + s.b[i];
    let old = f[row];
    match bound {
        Bound::Interval(loss) => f[row] = (old - gradient(row, f) / metric[0]).clamp(-loss, loss),
        Bound::Positive => f[row] = (old - gradient(row, f) / metric[0]).max(0.0),
        Bound::Cone { dim, mu } => {
            let mut x = [0.0; 6];
            x[0] = old - gradient(row, f) / metric[0];
            for j in 1..dim {
                // Its weight is that of the scaled row over μ².
                x[j] = f[row + j] - gradient(row + j, f) * mu[j - 1] * mu[j - 1] / metric[1];
            }
            cone(&mut x[..dim], &mu[..dim - 1], metric[1] / metric[0]);
            let unit = &mut f[row..row + dim];
            let change = unit.iter().zip(&x).fold(0.0, |m: f64, (f, x)| m.max((f - x).abs()));
            unit.copy_from_slice(&x[..dim]);
            return change;
        }
    }
    (f[row] - old).abs()
}

/// The same sweeps as a solver of acceleration problems, behind the pipeline's seam. Equality constraints are
/// eliminated with the regularization of their rows, so that the convex problem solved is the whole one.
#[derive(Clone, Debug, Default)]
pub struct ConeGaussSeidel {
    space: ContactSpace,
    sweeps: GaussSeidel,
    f: Vec<f64>,
}

impl ConstraintSolver for ConeGaussSeidel {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        let mut space = std::mem::take(&mut self.space);
        space.build(p, Equality::Soft);
        self.f.clear();
        self.f.resize(space.len(), 0.0);
        let niter = self.sweeps.run(&space, p.settings.iterations, p.settings.tolerance, &mut self.f);
        space.report(p, &self.f, out);
        out.islands.push(Island { nv: p.nv() as u32, nefc: p.nefc() as u32, niter, ..Island::default() });
        out.stats.resize(niter as usize, Stat::default());
        self.space = space;
    }
}
