//! Cone-projected Gauss-Seidel: minimize ½ fᵀ(A + R) f + fᵀ b over feasible f, one unit at a time.
//!
//! A row alone takes its minimum, clamped. The rows of a cone take the minimum of their block of A + R where that is
//! within the cone: a contact that holds. Elsewhere they take steps of steepest descent in a metric that bounds the
//! block from above, each brought to the nearest feasible point in that metric and then scaled along its ray, which
//! stays in the cone: a contact that slides mostly lacks the right size. Each of these lowers the cost, and where none
//! does the minimum is reached. The metric is diagonal with the coupling that makes the projection closed-form.

use mj_contact_space::project::{MAX_FRICTION, cone};
use mj_contact_space::{ContactSpace, Equality};
use mj_math::dense::{cholesky, cholesky_solve, dot};
use mj_problem::{Bound, ConstraintSolver, Island, Problem, Solution, Stat, Unit};

/// Greatest number of descents of the rows of a cone in one visit.
const DESCENTS: usize = 6;
/// Rows of the largest cone.
const MOST: usize = MAX_FRICTION + 1;

/// What is prepared of a cone.
#[derive(Clone, Copy, Debug)]
struct Cone {
    dim: usize,
    /// Its block of A + R, and that factored: dim×dim.
    block: [f64; MOST * MOST],
    factor: [f64; MOST * MOST],
    /// Weights of its metric: of the normal, and of all friction rows in units of their coefficients.
    metric: [f64; 2],
    mu: [f64; MAX_FRICTION],
}

/// Gauss-Seidel's workspace.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidel {
    cones: Vec<Cone>,
}

impl GaussSeidel {
    /// Improves `f` (k, feasible) in at most `iterations` sweeps; how many there were.
    pub fn run(&mut self, s: &ContactSpace, iterations: u32, tolerance: f64, f: &mut [f64]) -> u32 {
        self.cones.clear();
        self.cones.extend(s.units.iter().filter_map(|u| match u.bound {
            Bound::Cone { dim, friction, .. } => Some(Cone::new(s, u.row, dim, friction)),
            _ => None,
        }));
        for sweep in 1..=iterations {
            let (mut change, mut size) = (0.0f64, 0.0f64);
            let mut cones = self.cones.iter();
            for u in &s.units {
                change = change.max(match u.bound {
                    Bound::Cone { .. } => cones.next().map_or(0.0, |c| c.visit(s, u.row, f)),
                    bound => visit_row(s, u, bound, f),
                });
                size = f[u.rows()].iter().fold(size, |m, x| m.max(x.abs()));
            }
            if change.is_nan() || change <= tolerance * size {
                return sweep;
            }
        }
        iterations
    }
}

/// The derivative of the cost by a row's force.
fn gradient(s: &ContactSpace, i: usize, f: &[f64]) -> f64 {
    dot(s.row(i), f) + s.r[i] * f[i] + s.b[i]
}

/// The minimum of a row alone; by how much its force changes.
fn visit_row(s: &ContactSpace, u: &Unit, bound: Bound, f: &mut [f64]) -> f64 {
    let i = u.row;
    let old = f[i];
    let best = old - gradient(s, i, f) / (s.diagonal[i] + s.r[i]);
    f[i] = match bound {
        Bound::Free => best,
        Bound::Interval(loss) => best.clamp(-loss, loss),
        _ => best.max(0.0),
    };
    (f[i] - old).abs()
}

impl Cone {
    fn new(s: &ContactSpace, row: usize, dim: usize, mu: [f64; MAX_FRICTION]) -> Self {
        let mut c = Self { dim, block: [0.0; MOST * MOST], factor: [0.0; MOST * MOST], metric: [0.0; 2], mu };
        for i in 0..dim {
            c.block[i * dim..(i + 1) * dim].copy_from_slice(&s.row(row + i)[row..row + dim]);
            c.block[i * dim + i] += s.r[row + i];
        }
        c.factor = c.block;
        cholesky(&mut c.factor[..dim * dim], dim);
        c.metric = c.metric();
        c
    }

    /// A diagonal that is nowhere less than the block: after scaling friction by its coefficients, the sums of the
    /// rows' magnitudes (Gershgorin).
    fn metric(&self) -> [f64; 2] {
        let scale = |j: usize| if j == 0 { 1.0 } else { self.mu[j - 1] };
        let mut out = [0.0f64; 2];
        for (i, row) in self.block[..self.dim * self.dim].chunks(self.dim).enumerate() {
            let sum: f64 = row.iter().enumerate().map(|(j, a)| (a * scale(i) * scale(j)).abs()).sum();
            let side = &mut out[i.min(1)];
            *side = side.max(sum);
        }
        out
    }

    /// Improves the cone's forces; their greatest change.
    fn visit(&self, s: &ContactSpace, row: usize, f: &mut [f64]) -> f64 {
        let n = self.dim;
        let mut slope = [0.0; MOST];
        (0..n).for_each(|i| slope[i] = gradient(s, row + i, f));
        let old = &mut f[row..row + n];
        let mut x = [0.0; MOST];
        x[..n].copy_from_slice(old);
        if !self.hold(&slope, &mut x) {
            self.slide(slope, &mut x);
        }
        let change = old.iter().zip(&x).fold(0.0, |m: f64, (f, x)| m.max((f - x).abs()));
        old.copy_from_slice(&x[..n]);
        change
    }

    /// Takes the minimum of the block, if it is within the cone.
    fn hold(&self, slope: &[f64; MOST], x: &mut [f64; MOST]) -> bool {
        let n = self.dim;
        let mut d = *slope;
        cholesky_solve(&self.factor[..n * n], n, &mut d[..n]);
        (0..n).for_each(|i| d[i] = x[i] - d[i]);
        let round: f64 = d[1..n].iter().zip(&self.mu).map(|(f, m)| (f / m) * (f / m)).sum();
        let within = d[0] >= 0.0 && round <= d[0] * d[0];
        if within {
            *x = d;
        }
        within
    }

    /// Descends along the cone, given the cost's slope at `x`.
    fn slide(&self, mut slope: [f64; MOST], x: &mut [f64; MOST]) {
        let (n, mu) = (self.dim, &self.mu[..self.dim - 1]);
        // The slope at no force: what doesn't change within the visit.
        let mut constant = slope;
        self.add_product(x, -1.0, &mut constant);
        for _ in 0..DESCENTS {
            let before = *x;
            x[0] -= slope[0] / self.metric[0];
            for j in 1..n {
                // Its weight is that of the scaled row over μ².
                x[j] -= slope[j] * mu[j - 1] * mu[j - 1] / self.metric[1];
            }
            cone(&mut x[..n], mu, self.metric[1] / self.metric[0]);
            let mut product = [0.0; MOST];
            self.add_product(x, 1.0, &mut product);
            let curvature = dot(&x[..n], &product[..n]);
            let size = if curvature > 0.0 { (-dot(&x[..n], &constant[..n]) / curvature).max(0.0) } else { 0.0 };
            let mut moved = 0.0f64;
            for i in 0..n {
                x[i] *= size;
                slope[i] = constant[i] + size * product[i];
                moved = moved.max((x[i] - before[i]).abs());
            }
            if moved <= 1e-14 * x[0] {
                break;
            }
        }
    }

    /// Adds `scale` times the block's product with `x`.
    fn add_product(&self, x: &[f64; MOST], scale: f64, out: &mut [f64; MOST]) {
        let n = self.dim;
        for i in 0..n {
            out[i] += scale * dot(&self.block[i * n..(i + 1) * n], &x[..n]);
        }
    }
}

/// Solver of acceleration problems by the sweeps of projected Gauss-Seidel. Equality constraints are
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
