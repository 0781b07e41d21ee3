//! Projected Gauss–Seidel on the dual problem, with momentum.
//!
//! Each row (each cone) in turn is set to its minimum with all others held, then brought back to
//! what is feasible. Between sweeps the forces are extrapolated (Nesterov), and the momentum is
//! dropped when a sweep turns back against it (O'Donoghue & Candès, "Adaptive restart for
//! accelerated gradient schemes", 2015). Rows are visited in a shuffled order, the same in every
//! solve. A problem that takes more than a hundred sweeps is ill conditioned; from there on some sweeps
//! are followed by a step within the face that they found ([`Face`]).

use crate::dual::{Bound, Dual, Unit};
use crate::face::Face;
use crate::friction::{ConeProblem, Search};
use crate::islands::Islands;
use crate::problem::{ConstraintSolver, Island, Problem, Solution, Stat};
use mj_constraint::{ConeRows, ConstraintState};
use mj_math::wide::{Kernel, Products, wide};

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
        self.dual.prepare(p, true);
        if p.settings.warmstart {
            self.warm_start(p, out);
        }
        for i in 0..self.islands.len() {
            let island = wide(SolveIsland { solver: self, p, island: i, out });
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
            self.dual.release(p);
        }
    }

    #[inline(always)]
    fn solve_island(&mut self, p: &Problem, island: usize, out: &mut Solution) -> Island {
        self.dual.units(p, &self.islands, island, &mut self.units);
        self.order.clear();
        self.order.extend(0..self.units.len() as u32);
        let (trace, nv) = self.islands.trace(p, island);
        let nefc = self.units.iter().map(|u| u.dim() as u32).sum();
        let mut done = Island { nv: nv as u32, nefc, stat: out.stats.len() as u32, ..Island::default() };
        self.before.resize(p.nefc(), 0.0);
        self.extrapolated.resize(p.nefc(), 0.0);
        self.follow_states(p, &mut out.efc_state);
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
            for &k in &self.order {
                let unit = self.units[k as usize];
                improvement -= match unit.bound {
                    Bound::Cone(c) => update_cone(&mut self.dual, p, &unit, &p.rows.cones[c as usize], search),
                    _ => update_row(&mut self.dual, p, &unit),
                };
            }
            // Also where sweeps seem to be done: a gradient is known more exactly than a difference of costs.
            let slow = improvement / trace < p.settings.tolerance;
            let settle = done.niter >= PATIENCE && (slow || done.niter.is_multiple_of(BETWEEN));
            if settle {
                improvement += self.face.step(p, &mut self.dual, &self.units);
            }
            let (nactive, nchange) = self.follow_states(p, &mut out.efc_state);
            let stat = Stat { improvement: improvement / trace, nactive, nchange, ..Stat::default() };
            out.stats.push(stat);
            run = if settle || done.niter > 0 && self.turned() { 0 } else { run + 1 };
            done.niter += 1;
            if stat.improvement < p.settings.tolerance {
                break;
            }
        }
        done
    }

    /// Brings the states of an island's rows up to date; the number of those that are active and of those that
    /// changed.
    #[inline(always)]
    fn follow_states(&self, p: &Problem, states: &mut [ConstraintState]) -> (u32, u32) {
        let (mut nactive, mut nchange) = (0, 0);
        for u in &self.units {
            let state = self.dual.state(p, u);
            for old in &mut states[u.row as usize..u.row as usize + u.dim()] {
                nchange += u32::from(*old != state);
                *old = state;
            }
            nactive += if state == ConstraintState::Satisfied { 0 } else { u.dim() as u32 };
        }
        (nactive, nchange)
    }

    /// Whether the last sweep went against the momentum.
    #[inline(always)]
    fn turned(&self) -> bool {
        let mut along = 0.0;
        for u in &self.units {
            for i in u.row as usize..u.row as usize + u.dim() {
                along += (self.dual.force[i] - self.extrapolated[i]) * (self.extrapolated[i] - self.before[i]);
            }
        }
        along < 0.0
    }

    /// Goes on by `beta` times the last sweep's change, and back to what is feasible.
    #[inline(always)]
    fn extrapolate(&mut self, p: &Problem, beta: f64) {
        for k in 0..self.units.len() {
            let u = self.units[k];
            let (a, n) = (u.row as usize, u.dim());
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
}

/// Minimizes over one row; returns the change of the cost.
#[inline(always)]
fn update_row(dual: &mut Dual, p: &Problem, u: &Unit) -> f64 {
    let i = u.row as usize;
    let old = dual.force[i];
    let res = dual.residual(p, i) + p.rows.r[i] * old;
    let curvature = dual.a(p, i, i) + p.rows.r[i];
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
    dual.set(i, f);
    change
}

/// Minimizes over one cone; returns the change of the cost.
#[inline(always)]
fn update_cone(dual: &mut Dual, p: &Problem, u: &Unit, cone: &ConeRows, search: Search) -> f64 {
    match cone.dim {
        3 => update_cone_of::<2>(dual, p, u, cone, search),
        4 => update_cone_of::<3>(dual, p, u, cone, search),
        _ => update_cone_of::<5>(dual, p, u, cone, search),
    }
}

#[inline(always)]
fn update_cone_of<const F: usize>(dual: &mut Dual, p: &Problem, u: &Unit, cone: &ConeRows, search: Search) -> f64 {
    let row = u.row as usize;
    let mut problem = ConeProblem::<F> {
        normal: dual.a(p, row, row) + p.rows.r[row],
        mixed: [0.0; F],
        friction: [[0.0; F]; F],
        res: (dual.residual(p, row) + p.rows.r[row] * dual.force[row], [0.0; F]),
    };
    let (mut old, mut mu) = ((dual.force[row], [0.0; F]), [0.0; F]);
    for i in 0..F {
        let k = row + 1 + i;
        mu[i] = cone.friction[i];
        old.1[i] = dual.force[k];
        problem.mixed[i] = dual.a(p, row, k);
        for j in 0..F {
            problem.friction[i][j] = dual.a(p, k, row + 1 + j);
        }
        problem.friction[i][i] += p.rows.r[k];
        problem.res.1[i] = dual.residual(p, k) + p.rows.r[k] * dual.force[k];
    }
    let new = problem.step(old, &mu, search);
    let change = problem.change(old, new);
    if change > RISE {
        return 0.0;
    }
    dual.set(row, new.0);
    for i in 0..F {
        dual.set(row + 1 + i, new.1[i]);
    }
    change
}

/// [`Pgs::solve_island`] as a kernel.
struct SolveIsland<'a> {
    solver: &'a mut Pgs,
    p: &'a Problem<'a>,
    island: usize,
    out: &'a mut Solution,
}

impl Kernel for SolveIsland<'_> {
    type Output = Island;

    #[inline(always)]
    fn run<P: Products>(self) -> Island {
        self.solver.solve_island(self.p, self.island, self.out)
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
