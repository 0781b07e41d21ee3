//! Projected Gauss–Seidel on the dual problem, with momentum.
//!
//! Each row (each cone) in turn is set to its minimum with all others held, then brought back to
//! what is feasible. Between sweeps the forces are extrapolated (Nesterov), and the momentum is
//! dropped when a sweep turns back against it (O'Donoghue & Candès, "Adaptive restart for
//! accelerated gradient schemes", 2015). Rows are visited in a shuffled order, the same in every
//! solve. A problem that takes more than a hundred sweeps is ill conditioned; from there on some sweeps
//! are followed by a step within the face that they found ([`Face`]).

use crate::dual::{Bound, Dual, Search, Unit, cost_change, ellipsoid_minimum, project_friction};
use crate::face::Face;
use crate::islands::Islands;
use crate::problem::{ConstraintSolver, Island, Problem, Solution, Stat};
use mj_constraint::ConstraintState;
use mj_math::MINVAL;
use mj_math::dense::dot;

/// A step may raise the cost by this much of rounding before it is taken back.
const RISE: f64 = 1e-10;

/// Sweeps before steps within the face, and from one of them to the next.
const PATIENCE: u32 = 100;
const BETWEEN: u32 = 10;

/// Tolerance, that of rounding, below which the first sweeps, too, solve each cone exactly: they may stall otherwise,
/// at the tip or far outside.
const EXACT: f64 = f64::EPSILON;

/// The projected Gauss–Seidel solver.
#[derive(Clone, Debug, Default)]
pub struct Pgs {
    islands: Islands,
    dual: Dual,
    face: Face,
    units: Vec<Unit>,
    order: Vec<u32>,
    /// Forces before extrapolation and after it.
    before: Vec<f64>,
    extrapolated: Vec<f64>,
    old: Vec<ConstraintState>,
    smooth: Vec<f64>,
    work: Vec<f64>,
}

impl ConstraintSolver for Pgs {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        out.reset(p);
        if p.nefc() == 0 {
            return;
        }
        self.islands.find(p);
        self.dual.prepare(p);
        if p.settings.warmstart {
            self.warm_start(p, out);
        }
        self.dual.states(p, &mut out.efc_state);
        for i in 0..self.islands.len() {
            let island = self.solve_island(p, i, out);
            out.islands.push(island);
        }
        finish(p, &self.dual, &mut self.work, out);
    }
}

/// Reports the forces, and the acceleration that follows from them.
pub fn finish(p: &Problem, dual: &Dual, work: &mut Vec<f64>, out: &mut Solution) {
    work.resize(p.nv(), 0.0);
    out.efc_force.copy_from_slice(&dual.force);
    out.qfrc_constraint.fill(0.0);
    p.rows.jac.mul_transposed_add(&out.efc_force, &mut out.qfrc_constraint, work);
    out.qacc.copy_from_slice(&out.qfrc_constraint);
    p.pattern.solve(p.ld, p.dinv, &mut out.qacc);
    for (a, s) in out.qacc.iter_mut().zip(p.qacc_smooth) {
        *a += s;
    }
}

impl Pgs {
    /// Starts from the forces of the warm start's acceleration, if they are better than none.
    fn warm_start(&mut self, p: &Problem, out: &mut Solution) {
        let n = p.nefc();
        self.smooth.resize(n, 0.0);
        self.work.resize(p.nv(), 0.0);
        p.rows.jac.mul(p.qacc_warmstart, &mut self.smooth, &mut self.work);
        for (x, a) in self.smooth.iter_mut().zip(p.rows.aref) {
            *x -= a;
        }
        p.rows.evaluate(&self.smooth, &mut out.efc_force, &mut out.efc_state);
        for i in 0..n {
            self.dual.set(i, out.efc_force[i]);
        }
        if self.dual.cost(p, &mut self.smooth, &mut self.work) > 0.0 {
            self.dual.force.fill(0.0);
            self.dual.qacc.copy_from_slice(p.qacc_smooth);
        }
    }

    fn solve_island(&mut self, p: &Problem, island: usize, out: &mut Solution) -> Island {
        self.dual.units(p, &self.islands, island, &mut self.units);
        self.order.clear();
        self.order.extend(0..self.units.len() as u32);
        let (trace, nv) = self.islands.trace(p, island);
        let nefc = self.units.iter().map(|u| u.dim(p)).sum::<usize>();
        let mut done = Island { nv: nv as u32, nefc: nefc as u32, stat: out.stats.len() as u32, ..Island::default() };
        self.before.resize(p.nefc(), 0.0);
        self.extrapolated.resize(p.nefc(), 0.0);
        self.old.resize(p.nefc(), ConstraintState::Satisfied);
        let mut random = Random::new();
        // Sweeps since momentum was last dropped.
        let mut run = 0u32;
        while done.niter < p.settings.iterations {
            // Momentum may raise the cost; with steps in between, nothing may.
            let momentum = (1..PATIENCE).contains(&done.niter);
            let beta = if momentum { (f64::from(run) - 1.0) / (f64::from(run) + 2.0) } else { 0.0 };
            self.extrapolate(p, beta);
            let exact = done.niter >= PATIENCE || p.settings.tolerance < EXACT;
            let search = if exact { Search::Exact } else { Search::Quick };
            random.shuffle(&mut self.order);
            let mut improvement = 0.0;
            for k in 0..self.order.len() {
                let unit = self.units[self.order[k] as usize];
                improvement -= match unit.bound {
                    Bound::Cone(_) => self.update_cone(p, &unit, search),
                    _ => self.update_row(p, &unit),
                };
            }
            // Also where sweeps seem to be done: a gradient is known more exactly than a difference of costs.
            let slow = improvement / trace < p.settings.tolerance;
            let settle = done.niter >= PATIENCE && (slow || done.niter.is_multiple_of(BETWEEN));
            if settle {
                improvement += self.face.step(p, &mut self.dual, &self.units);
            }
            let mut stat = Stat { improvement: improvement / trace, ..Stat::default() };
            self.old.copy_from_slice(&out.efc_state);
            self.dual.states(p, &mut out.efc_state);
            let mut turned = 0.0;
            for u in &self.units {
                for i in u.row as usize..u.row as usize + u.dim(p) {
                    stat.nactive += u32::from(out.efc_state[i] != ConstraintState::Satisfied);
                    stat.nchange += u32::from(out.efc_state[i] != self.old[i]);
                    turned += (self.dual.force[i] - self.extrapolated[i]) * (self.extrapolated[i] - self.before[i]);
                }
            }
            out.stats.push(stat);
            run = if settle || done.niter > 0 && turned < 0.0 { 0 } else { run + 1 };
            done.niter += 1;
            if stat.improvement < p.settings.tolerance {
                break;
            }
        }
        done
    }

    /// Goes on by `beta` times the last sweep's change, and back to what is feasible.
    fn extrapolate(&mut self, p: &Problem, beta: f64) {
        for k in 0..self.units.len() {
            let u = self.units[k];
            let (a, n) = (u.row as usize, u.dim(p));
            let mut f = [0.0; 6];
            f[..n].copy_from_slice(&self.dual.force[a..a + n]);
            let f = &mut f[..n];
            if beta > 0.0 {
                for (j, f) in f.iter_mut().enumerate() {
                    let now = *f;
                    *f += beta * (now - self.before[a + j]);
                    self.before[a + j] = now;
                }
                u.bound(p, f);
                for (j, f) in f.iter().enumerate() {
                    self.dual.set(a + j, *f);
                }
            } else {
                self.before[a..a + n].copy_from_slice(f);
            }
            self.extrapolated[a..a + n].copy_from_slice(f);
        }
    }

    /// Minimizes over one row; returns the change of the cost.
    fn update_row(&mut self, p: &Problem, u: &Unit) -> f64 {
        let i = u.row as usize;
        let old = self.dual.force[i];
        let res = self.dual.residual(p, i) + p.rows.r[i] * old;
        let curvature = self.dual.a(p, i, i) + p.rows.r[i];
        let free = old - res / curvature;
        let f = match u.bound {
            Bound::Interval => free.max(-p.rows.frictionloss[i]).min(p.rows.frictionloss[i]),
            Bound::Positive => free.max(0.0),
            _ => free,
        };
        let step = f - old;
        let change = step * (0.5 * step * curvature + res);
        if change > RISE {
            return 0.0;
        }
        self.dual.set(i, f);
        change
    }

    /// Minimizes over one cone: first along its ray (or the normal, where there is no force yet),
    /// then over friction with the normal force held. Returns the change of the cost.
    fn update_cone(&mut self, p: &Problem, u: &Unit, search: Search) -> f64 {
        let (row, n) = (u.row as usize, u.dim(p));
        let Bound::Cone(c) = u.bound else { return 0.0 };
        let mu = &p.rows.cones[c as usize].friction[..n - 1];
        let (mut a, mut res, mut old) = ([0.0; 36], [0.0; 6], [0.0; 6]);
        for i in 0..n {
            old[i] = self.dual.force[row + i];
            res[i] = self.dual.residual(p, row + i) + p.rows.r[row + i] * old[i];
            for j in 0..n {
                a[i * n + j] = self.dual.a(p, row + i, row + j);
            }
            a[i * n + i] += p.rows.r[row + i];
        }
        let mut f = old;
        if f[0] < MINVAL {
            f = [0.0; 6];
            f[0] = (old[0] - res[0] / a[0]).max(0.0);
            if f[0] < MINVAL && search == Search::Exact {
                leave_tip(&a, &res[..n], mu, &mut f);
            }
        } else {
            let curvature: f64 = (0..n).map(|i| old[i] * dot(&a[i * n..(i + 1) * n], &old[..n])).sum();
            if curvature >= MINVAL {
                // The ray ends at the cone's tip.
                let x = (-dot(&old[..n], &res[..n]) / curvature).max(-1.0);
                for f in &mut f[..n] {
                    *f += x * *f;
                }
            }
        }
        if f[0] < MINVAL {
            f[1..n].fill(0.0);
        } else {
            let (mut sub, mut b) = ([0.0; 25], [0.0; 5]);
            friction_problem(&a, n, &res, &old, f[0], &mut sub, &mut b);
            solve_friction(&sub[..(n - 1) * (n - 1)], &b[..n - 1], mu, f[0], search, &mut f[1..n]);
        }
        let mut step = [0.0; 6];
        for i in 0..n {
            step[i] = f[i] - old[i];
        }
        let change = cost_change(&a[..n * n], &step[..n], &res[..n]);
        if change > RISE {
            return 0.0;
        }
        for i in 0..n {
            self.dual.set(row + i, f[i]);
        }
        change
    }
}

/// The force from the tip of a cone along the ray that descends most, for a normal force that alone would not: the
/// tip is the minimum only where the gradient g has g₀ ≥ ‖μ g_t‖, that is, lies in the dual cone.
fn leave_tip(a: &[f64], g: &[f64], mu: &[f64], f: &mut [f64; 6]) {
    let n = g.len();
    let size = g[1..].iter().zip(mu).map(|(g, m)| (g * m) * (g * m)).sum::<f64>().sqrt();
    if size <= g[0] {
        return;
    }
    let mut ray = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for (k, m) in mu.iter().enumerate() {
        ray[1 + k] = -m * m * g[1 + k] / size;
    }
    let curvature: f64 = (0..n).map(|i| ray[i] * dot(&a[i * n..(i + 1) * n], &ray[..n])).sum();
    let length = (size - g[0]) / curvature.max(MINVAL);
    for (f, r) in f[..n].iter_mut().zip(&ray) {
        *f = length * r;
    }
}

/// Hessian and linear term of the friction forces when the normal force becomes `normal`.
fn friction_problem(a: &[f64], n: usize, res: &[f64], old: &[f64], normal: f64, sub: &mut [f64], b: &mut [f64]) {
    let m = n - 1;
    for i in 0..m {
        let row = &a[(i + 1) * n..(i + 2) * n];
        sub[i * m..(i + 1) * m].copy_from_slice(&row[1..]);
        b[i] = res[i + 1] - dot(&row[1..], &old[1..n]) + row[0] * (normal - old[0]);
    }
}

/// Minimizes over friction forces within the ellipsoid of a normal force.
pub fn solve_friction(a: &[f64], b: &[f64], mu: &[f64], normal: f64, search: Search, f: &mut [f64]) {
    if ellipsoid_minimum(a, b, mu, normal, search, f) {
        project_friction(f, normal, mu, true);
    }
}

/// PCG32 (O'Neill 2014), always from the same seed.
struct Random {
    state: u64,
}

impl Random {
    const INCREMENT: u64 = 1;

    fn new() -> Self {
        let mut r = Self { state: 0 };
        r.next();
        r
    }

    fn next(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(Self::INCREMENT);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        xorshifted.rotate_right((old >> 59) as u32)
    }

    /// Fisher–Yates.
    fn shuffle(&mut self, x: &mut [u32]) {
        for i in (1..x.len()).rev() {
            let j = self.next() as usize % (i + 1);
            x.swap(i, j);
        }
    }
}
