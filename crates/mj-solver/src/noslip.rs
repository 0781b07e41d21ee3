//! Removes slip that softness leaves: after the main solver, friction forces are solved again
//! without regularization, with normal forces held (manual, "Computation: Algorithms", noslip).

use crate::dual::{Bound, Dual, Unit};
use crate::friction::{Search, best_friction};
use crate::islands::Islands;
use crate::pgs::finish;
use crate::problem::{Problem, Solution};
use mj_constraint::ConeRows;
use mj_math::MINVAL;
use mj_math::wide::{Kernel, Products, wide};
use std::array::from_fn;

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
        // Few sweeps don't make up for forming A.
        self.dual.prepare(p, false);
        for i in 0..p.nefc() {
            self.dual.set(i, out.efc_force[i]);
        }
        for k in 0..self.islands.len() {
            self.dual.units(p, &self.islands, k, &mut self.units);
            let (trace, _) = self.islands.trace(p, k);
            let sweeps = wide(Sweeps { pass: self, p, iterations, tolerance: tolerance * trace });
            if let Some(island) = out.islands.get_mut(k) {
                island.noslip = sweeps;
            }
            for u in &self.units {
                out.efc_state[u.row as usize..u.row as usize + u.dim()].fill(self.dual.state(p, u));
            }
        }
        finish(p, &self.dual, &mut self.work, out);
    }

    /// One sweep over friction losses, pyramids and cones of an island; returns the improvement.
    #[inline(always)]
    fn sweep(&mut self, p: &Problem, first: bool) -> f64 {
        let dual = &mut self.dual;
        let mut improvement = 0.0;
        if first {
            // What the regularization of the present forces costs.
            for u in &self.units {
                for i in u.row as usize..u.row as usize + u.dim() {
                    improvement += 0.5 * dual.force[i] * dual.force[i] * p.rows.r[i];
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
                Bound::Interval => friction_loss(dual, p, i),
                Bound::Positive if starts_pair(p, i) => {
                    k += 1;
                    edges(dual, p, i)
                }
                Bound::Positive => 0.0,
                Bound::Cone(c) => {
                    let cone = &p.rows.cones[c as usize];
                    match cone.dim {
                        3 => friction::<2>(dual, p, i, cone),
                        4 => friction::<3>(dual, p, i, cone),
                        _ => friction::<5>(dual, p, i, cone),
                    }
                }
            };
        }
        improvement
    }
}

/// Sweeps over an island until one improves by less than `tolerance`; returns their number.
struct Sweeps<'a> {
    pass: &'a mut NoSlip,
    p: &'a Problem<'a>,
    iterations: u32,
    tolerance: f64,
}

impl Kernel for Sweeps<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<P: Products>(self) -> u32 {
        let mut sweeps = 0;
        while sweeps < self.iterations {
            let improvement = self.pass.sweep(self.p, sweeps == 0);
            sweeps += 1;
            if improvement < self.tolerance {
                break;
            }
        }
        sweeps
    }
}

#[inline(always)]
fn friction_loss(dual: &mut Dual, p: &Problem, i: usize) -> f64 {
    let old = dual.force[i];
    let (res, a) = (dual.residual(p, i), dual.a(p, i, i).max(MINVAL));
    let loss = p.rows.frictionloss[i];
    let f = (old - res / a).max(-loss).min(loss);
    dual.set(i, f);
    let step = f - old;
    step * (0.5 * step * a + res)
}

/// A pair of opposing edges with forces mid ± y: their sum, the normal force, is held.
#[inline(always)]
fn edges(dual: &mut Dual, p: &Problem, i: usize) -> f64 {
    let q = Quadratic::<2>::new(dual, p, i);
    let mid = 0.5 * (q.old[0] + q.old[1]);
    let curvature = q.a[0][0] + q.a[1][1] - q.a[0][1] - q.a[1][0];
    let b = q.linear();
    let y = if curvature < MINVAL {
        0.0
    } else {
        (-(mid * (q.a[0][0] - q.a[1][1]) + b[0] - b[1]) / curvature).max(-mid).min(mid)
    };
    q.accept(dual, i, &[mid + y, mid - y])
}

/// The friction of a cone; its normal force is held.
#[inline(always)]
fn friction<const F: usize>(dual: &mut Dual, p: &Problem, row: usize, cone: &ConeRows) -> f64 {
    let q = Quadratic::<F>::new(dual, p, row + 1);
    let normal = dual.force[row];
    let f = if normal >= MINVAL {
        best_friction(&q.a, &q.linear(), &from_fn(|i| cone.friction[i]), normal, Search::Quick)
    } else {
        [0.0; F]
    };
    q.accept(dual, row + 1, &f)
}

/// The dual cost without regularization as a function of a few forces, around the present ones.
struct Quadratic<const F: usize> {
    a: [[f64; F]; F],
    res: [f64; F],
    old: [f64; F],
}

impl<const F: usize> Quadratic<F> {
    #[inline(always)]
    fn new(dual: &Dual, p: &Problem, row: usize) -> Self {
        Self {
            a: from_fn(|i| from_fn(|j| if i == j { dual.diagonal(p, row + i) } else { dual.a(p, row + i, row + j) })),
            res: from_fn(|i| dual.residual(p, row + i)),
            old: from_fn(|i| dual.force[row + i]),
        }
    }

    /// The gradient where the forces are zero.
    #[inline(always)]
    fn linear(&self) -> [f64; F] {
        from_fn(|i| (0..F).fold(self.res[i], |s, j| s - self.a[i][j] * self.old[j]))
    }

    /// Sets forces unless that raises the cost; returns the change.
    #[inline(always)]
    fn accept(&self, dual: &mut Dual, row: usize, f: &[f64; F]) -> f64 {
        let step: [f64; F] = from_fn(|i| f[i] - self.old[i]);
        let mut change = 0.0;
        for i in 0..F {
            change += step[i] * ((0..F).map(|j| self.a[i][j] * step[j]).sum::<f64>() * 0.5 + self.res[i]);
        }
        if change > RISE {
            return 0.0;
        }
        for i in 0..F {
            dual.set(row + i, f[i]);
        }
        change
    }
}

/// Whether one-sided row `i` is the first of a pair of opposing pyramid edges.
fn starts_pair(p: &Problem, i: usize) -> bool {
    let b = p.rows.jac.block_of(i);
    i + 1 < (b.row + b.nrow) as usize
}
