//! Removes slip that softness leaves: after the main solver, friction forces are solved again
//! without regularization, with normal forces held (manual, "Computation: Algorithms", noslip).

use crate::dual::{Bound, Dual, Search, Unit, cost_change};
use crate::islands::Islands;
use crate::pgs::{finish, solve_friction};
use crate::problem::{Problem, Solution};
use mj_math::MINVAL;
use mj_math::dense::dot;

/// Cost above which a step is taken back.
const RISE: f64 = 1e-10;

/// The noslip pass and its memory.
#[derive(Clone, Debug, Default)]
pub struct NoSlip {
    islands: Islands,
    dual: Dual,
    units: Vec<Unit>,
    work: Vec<f64>,
}

impl NoSlip {
    /// Improves a solution in at most `iterations` sweeps, until a sweep improves by less than
    /// `tolerance` (scaled by 1/trace(M)). One-sided rows that share a block are pairs of opposing
    /// pyramid edges.
    pub fn refine(&mut self, p: &Problem, iterations: u32, tolerance: f64, out: &mut Solution) {
        if p.nefc() == 0 || iterations == 0 {
            return;
        }
        self.islands.find(p);
        self.dual.prepare(p);
        for i in 0..p.nefc() {
            self.dual.set(i, out.efc_force[i]);
        }
        for k in 0..self.islands.len() {
            let (trace, _) = self.islands.trace(p, k);
            self.dual.units(p, &self.islands, k, &mut self.units);
            let mut sweeps = 0;
            while sweeps < iterations {
                let improvement = self.sweep(p, sweeps == 0) / trace;
                sweeps += 1;
                if improvement < tolerance {
                    break;
                }
            }
            if let Some(island) = out.islands.get_mut(k) {
                island.noslip = sweeps;
            }
        }
        self.dual.states(p, &mut out.efc_state);
        finish(p, &self.dual, &mut self.work, out);
    }

    /// One sweep over friction losses, pyramids and cones of an island; returns the improvement.
    fn sweep(&mut self, p: &Problem, first: bool) -> f64 {
        let mut improvement = 0.0;
        if first {
            // What the regularization of the present forces costs.
            for u in &self.units {
                let n = if let Bound::Cone(c) = u.bound { p.rows.cones[c as usize].dim } else { 1 };
                for i in u.row as usize..(u.row + n) as usize {
                    improvement += 0.5 * self.dual.force[i] * self.dual.force[i] * p.rows.r[i];
                }
            }
        }
        let mut k = 0;
        while k < self.units.len() {
            let u = self.units[k];
            let i = u.row as usize;
            k += 1;
            improvement -= match u.bound {
                Bound::Free => 0.0,
                Bound::Interval => self.friction_loss(p, i),
                Bound::Positive if starts_pair(p, i) => {
                    k += 1;
                    self.edges(p, i)
                }
                Bound::Positive => 0.0,
                Bound::Cone(c) => self.cone(p, i, c as usize),
            };
        }
        improvement
    }

    fn friction_loss(&mut self, p: &Problem, i: usize) -> f64 {
        let old = self.dual.force[i];
        let (res, a) = (self.dual.residual(p, i), self.dual.a(p, i, i).max(MINVAL));
        let loss = p.rows.frictionloss[i];
        let f = (old - res / a).max(-loss).min(loss);
        self.dual.set(i, f);
        let step = f - old;
        step * (0.5 * step * a + res)
    }

    /// A pair of opposing edges with forces mid ± y: their sum, the normal force, is held.
    fn edges(&mut self, p: &Problem, i: usize) -> f64 {
        let old = [self.dual.force[i], self.dual.force[i + 1]];
        let res = [self.dual.residual(p, i), self.dual.residual(p, i + 1)];
        let mut a = [0.0; 4];
        self.dual.block_without_r(p, i, 2, &mut a);
        let b = [res[0] - dot(&a[..2], &old), res[1] - dot(&a[2..], &old)];
        let mid = 0.5 * (old[0] + old[1]);
        let curvature = a[0] + a[3] - a[1] - a[2];
        let y = if curvature < MINVAL {
            0.0
        } else {
            (-(mid * (a[0] - a[3]) + b[0] - b[1]) / curvature).max(-mid).min(mid)
        };
        self.accept(i, &a, &res, &old, &[mid + y, mid - y])
    }

    fn cone(&mut self, p: &Problem, row: usize, c: usize) -> f64 {
        let cone = &p.rows.cones[c];
        let n = cone.dim as usize - 1;
        let (mut a, mut res, mut old, mut b) = ([0.0; 25], [0.0; 5], [0.0; 5], [0.0; 5]);
        self.dual.block_without_r(p, row + 1, n, &mut a);
        for k in 0..n {
            old[k] = self.dual.force[row + 1 + k];
            res[k] = self.dual.residual(p, row + 1 + k);
        }
        for k in 0..n {
            b[k] = res[k] - dot(&a[k * n..(k + 1) * n], &old[..n]);
        }
        let normal = self.dual.force[row];
        let mut f = [0.0; 5];
        if normal >= MINVAL {
            solve_friction(&a[..n * n], &b[..n], &cone.friction[..n], normal, Search::Quick, &mut f[..n]);
        }
        self.accept(row + 1, &a[..n * n], &res[..n], &old[..n], &f[..n])
    }

    /// Sets forces unless that raises the cost; returns the change.
    fn accept(&mut self, row: usize, a: &[f64], res: &[f64], old: &[f64], f: &[f64]) -> f64 {
        let n = f.len();
        let mut step = [0.0; 5];
        for k in 0..n {
            step[k] = f[k] - old[k];
        }
        let change = cost_change(a, &step[..n], res);
        if change > RISE {
            return 0.0;
        }
        for k in 0..n {
            self.dual.set(row + k, f[k]);
        }
        change
    }
}

/// Whether one-sided row `i` is the first of a pair of opposing pyramid edges.
fn starts_pair(p: &Problem, i: usize) -> bool {
    let b = p.rows.jac.block_of(i);
    i + 1 < (b.row + b.nrow) as usize
}
