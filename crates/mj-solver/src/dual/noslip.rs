//! Removes slip that softness leaves: after the main solver, friction forces are solved again
//! without regularization, with normal forces held (manual, "Computation: Algorithms", noslip).

use crate::dual::cone_qp::{Search, best_friction};
use crate::dual::state::{DualState, accelerate, gradient, respond};
use crate::dual::unit::{DualUnit, find_units};
use crate::island::find::Islands;
use mj_math::MINVAL;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_problem::{Bound, Problem, Solution};
use std::array::from_fn;

/// Least diagonal of a block of A.
const LEAST_DIAGONAL: f64 = 1e-10;

/// Cost above which a step is taken back.
const RISE: f64 = 1e-10;

/// The noslip pass and its memory.
#[derive(Clone, Debug, Default)]
pub struct NoSlip {
    islands: Islands,
    dual: DualState,
    units: Vec<DualUnit>,
    /// Those of the units' rows that move: friction losses, pairs of opposing edges, the friction of cones.
    moving: Vec<DualUnit>,
    gradient: Vec<f64>,
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
        // Of the forces, and not of the solver's iterate, which is as exact as its tolerance.
        accelerate(p, out);
        gradient(p, &out.qacc, &mut self.work, &mut self.gradient);
        for k in 0..self.islands.count() {
            find_units(p, &self.islands, k, &mut self.units);
            self.find_moving(p);
            let (trace, _) = self.islands.trace(p, k);
            let force = &mut out.efc_force;
            let sweeps = dispatch(Sweeps { pass: self, p, island: k, iterations, tolerance: tolerance * trace, force });
            if let Some(island) = out.islands.get_mut(k) {
                island.noslip = sweeps;
            }
            for u in &self.units {
                out.efc_state[u.rows()].fill(u.bound.zone(&out.efc_force[u.rows()]));
            }
        }
        respond(p, &mut self.work, out);
    }

    /// Finds what moves.
    fn find_moving(&mut self, p: &Problem) {
        self.moving.clear();
        let mut units = self.units.iter();
        while let Some(u) = units.next() {
            match u.bound {
                Bound::Free => {}
                Bound::Interval(_) => self.moving.push(*u),
                Bound::Positive if starts_pair(p, u.first as usize) => {
                    units.next();
                    self.moving.push(DualUnit { nrow: 2, ..*u });
                }
                Bound::Positive => {}
                Bound::Cone { .. } => self.moving.push(DualUnit { first: u.first + 1, nrow: u.nrow - 1, ..*u }),
            }
        }
    }

    /// One sweep over friction losses, pyramids and cones of an island; returns the improvement.
    #[inline(always)]
    fn sweep<P: Simd>(&mut self, force: &[f64]) -> f64 {
        let mut improvement = 0.0;
        for u in &self.moving {
            improvement += match &u.bound {
                Bound::Interval(loss) => friction_loss::<P>(&mut self.dual, u, *loss),
                Bound::Cone { friction: mu, .. } => {
                    let normal = force[u.first as usize - 1];
                    match u.dim() {
                        2 => friction::<P, 2>(&mut self.dual, u, mu, normal),
                        3 => friction::<P, 3>(&mut self.dual, u, mu, normal),
                        _ => friction::<P, 5>(&mut self.dual, u, mu, normal),
                    }
                }
                _ => edges::<P>(&mut self.dual, u),
            };
        }
        -improvement
    }
}

/// Sweeps over an island until one improves by less than `tolerance`; returns their number.
struct Sweeps<'a> {
    pass: &'a mut NoSlip,
    p: &'a Problem<'a>,
    island: usize,
    iterations: u32,
    tolerance: f64,
    force: &'a mut [f64],
}

impl Kernel for Sweeps<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<P: Simd>(self, _: P) -> u32 {
        let Self { pass, p, island, iterations, tolerance, force } = self;
        pass.dual.load::<P>(p, (&pass.islands, island), &mut pass.moving, force, &pass.gradient);
        // The first sweep is credited with what the regularization of the forces costs.
        let mut credit = 0.0;
        for i in pass.units.iter().flat_map(DualUnit::rows) {
            credit += 0.5 * force[i] * force[i] * p.rows.r[i];
        }
        let mut sweeps = 0;
        while sweeps < iterations {
            let improvement = credit + pass.sweep::<P>(force);
            sweeps += 1;
            credit = 0.0;
            if improvement < tolerance {
                break;
            }
        }
        pass.dual.put_back(force);
        sweeps
    }
}

#[inline(always)]
fn friction_loss<P: Simd>(dual: &mut DualState, u: &DualUnit, loss: f64) -> f64 {
    let i = u.row as usize;
    let old = dual.force[i];
    let (res, a) = (dual.residual::<P>(i), dual.a(u, 0, 0).max(MINVAL));
    let f = (old - res / a).max(-loss).min(loss);
    dual.set::<P>(i, f);
    let step = f - old;
    step * (0.5 * step * a + res)
}

/// A pair of opposing edges with forces mid ± y: their sum, the normal force, is held.
#[inline(always)]
fn edges<P: Simd>(dual: &mut DualState, u: &DualUnit) -> f64 {
    let q = Quadratic::<2>::new::<P>(dual, u);
    let mid = 0.5 * (q.old[0] + q.old[1]);
    let curvature = q.a[0][0] + q.a[1][1] - q.a[0][1] - q.a[1][0];
    let b = q.linear();
    let y = if curvature < MINVAL {
        0.0
    } else {
        (-(mid * (q.a[0][0] - q.a[1][1]) + b[0] - b[1]) / curvature).max(-mid).min(mid)
    };
    q.accept::<P>(dual, u, &[mid + y, mid - y])
}

/// The friction of a cone; its normal force is held.
#[inline(always)]
fn friction<P: Simd, const F: usize>(dual: &mut DualState, u: &DualUnit, mu: &[f64; 5], normal: f64) -> f64 {
    let q = Quadratic::<F>::new::<P>(dual, u);
    let f = if normal >= MINVAL {
        best_friction(&q.a, &q.linear(), &from_fn(|i| mu[i]), normal, Search::Quick)
    } else {
        [0.0; F]
    };
    q.accept::<P>(dual, u, &f)
}

/// The dual cost without regularization as a function of a few forces, around the present ones.
struct Quadratic<const F: usize> {
    a: [[f64; F]; F],
    res: [f64; F],
    old: [f64; F],
}

impl<const F: usize> Quadratic<F> {
    #[inline(always)]
    fn new<P: Simd>(dual: &DualState, u: &DualUnit) -> Self {
        let row = u.row as usize;
        let (mut a, mut res, mut old) = ([[0.0; F]; F], [0.0; F], [0.0; F]);
        for i in 0..F {
            for j in 0..F {
                a[i][j] = dual.a(u, i, j);
            }
            a[i][i] = a[i][i].max(LEAST_DIAGONAL);
            res[i] = dual.residual::<P>(row + i);
            old[i] = dual.force[row + i];
        }
        Self { a, res, old }
    }

    /// The gradient where the forces are zero.
    #[inline(always)]
    fn linear(&self) -> [f64; F] {
        from_fn(|i| (0..F).fold(self.res[i], |s, j| s - self.a[i][j] * self.old[j]))
    }

    /// Sets forces unless that raises the cost; returns the change.
    #[inline(always)]
    fn accept<P: Simd>(&self, dual: &mut DualState, u: &DualUnit, f: &[f64; F]) -> f64 {
        let step: [f64; F] = from_fn(|i| f[i] - self.old[i]);
        let mut change = 0.0;
        for i in 0..F {
            change += step[i] * ((0..F).map(|j| self.a[i][j] * step[j]).sum::<f64>() * 0.5 + self.res[i]);
        }
        if change > RISE {
            return 0.0;
        }
        for i in 0..F {
            dual.set::<P>(u.row as usize + i, f[i]);
        }
        change
    }
}

/// Whether one-sided row `i` is the first of a pair of opposing pyramid edges.
fn starts_pair(p: &Problem, i: usize) -> bool {
    let b = p.rows.jac.block_of(i);
    i + 1 < (b.row + b.nrow) as usize
}
