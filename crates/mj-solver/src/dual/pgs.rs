//! Projected Gauss–Seidel on the dual problem, with momentum.
//!
//! Each row (each cone) in turn is set to its minimum with all others held, then brought back to
//! what is feasible. Between sweeps the forces are extrapolated (Nesterov), and the momentum is
//! dropped when a sweep turns back against it (O'Donoghue & Candès, "Adaptive restart for
//! accelerated gradient schemes", 2015). Rows are visited in a shuffled order, the same in every
//! solve.
//!
//! Some sweeps are followed by a step within the face that they found ([`SubspaceStep`]). Where A is formed and there are
//! no cones it comes once a sweep has changed no row's state. Elsewhere it comes after a hundred sweeps, which only an
//! ill conditioned problem takes.

use crate::dual::cone_qp::{ConeProblem, Search};
use crate::dual::state::{DualState, gradient, respond};
use crate::dual::subspace::SubspaceStep;
use crate::dual::unit::{DualUnit, find_units};
use crate::island::find::Islands;
use crate::policy::{SWEEPS_BEFORE_SUBSPACE, SWEEPS_BETWEEN_SUBSPACES};
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_problem::{Bound, ConstraintSolver, ConstraintState, Island, Problem, Solution, Stat};

/// A step may raise the cost by this much of rounding before it is taken back.
const RISE: f64 = 1e-10;

/// Tolerance, that of rounding, below which the first sweeps, too, solve each cone exactly: they may stall otherwise,
/// at the tip or far outside.
const EXACT: f64 = f64::EPSILON;

/// The projected Gauss–Seidel solver.
#[derive(Clone, Debug, Default)]
pub struct Pgs {
    islands: Islands,
    dual: DualState,
    subspace: SubspaceStep,
    units: Vec<DualUnit>,
    order: Vec<u32>,
    /// Forces of an island before extrapolation and after it.
    before: Vec<f64>,
    extrapolated: Vec<f64>,
    /// The gradient at the start, over all rows.
    gradient: Vec<f64>,
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
        gradient(p, p.qacc_smooth, &mut self.work, &mut self.smooth);
        if !(p.settings.warmstart && self.warm_start(p, out)) {
            out.efc_force.fill(0.0);
            self.gradient.clone_from(&self.smooth);
        }
        for i in 0..self.islands.count() {
            let island = dispatch(SolveIsland { solver: self, p, island: i, out });
            out.islands.push(island);
        }
        respond(p, &mut self.work, out);
    }
}

impl Pgs {
    /// Starts from the forces of the warm start's acceleration; whether they are no worse than none.
    fn warm_start(&mut self, p: &Problem, out: &mut Solution) -> bool {
        gradient(p, p.qacc_warmstart, &mut self.work, &mut self.gradient);
        p.rows.evaluate(&self.gradient, &mut out.efc_force, &mut out.efc_state);
        respond(p, &mut self.work, out);
        gradient(p, &out.qacc, &mut self.work, &mut self.gradient);
        let ends = self.smooth.iter().zip(&self.gradient);
        let cost = out.efc_force.iter().zip(p.rows.r).zip(ends).map(|((f, r), (a, b))| 0.5 * f * (a + b + r * f));
        cost.sum::<f64>() <= 0.0
    }

    #[inline(always)]
    fn solve_island<P: Simd>(&mut self, p: &Problem, island: usize, out: &mut Solution) -> Island {
        find_units(p, &self.islands, island, &mut self.units);
        self.dual.load::<P>(p, (&self.islands, island), &mut self.units, &out.efc_force, &self.gradient);
        self.order.clear();
        self.order.extend(0..self.units.len() as u32);
        let (trace, nv) = self.islands.trace(p, island);
        let nefc = self.dual.force.len() as u32;
        let mut done = Island { nv: nv as u32, nefc, stat: out.stats.len() as u32, ..Island::default() };
        self.follow_states(&mut out.efc_state);
        let mut random = Random::new();
        // Sweeps since momentum was last dropped.
        let mut run = 0u32;
        // Whether the last sweep changed no state, where that is enough for a step within the face.
        let mut found = false;
        // With cones quick sweeps end where the reference's do, at the tips; steps between them would end elsewhere.
        let direct = self.dual.formed().is_some() && !self.units.iter().any(|u| matches!(u.bound, Bound::Cone { .. }));
        while done.niter < p.settings.iterations {
            // Momentum may raise the cost; with steps in between, nothing may.
            let momentum = (1..SWEEPS_BEFORE_SUBSPACE).contains(&done.niter);
            let beta = if momentum { (f64::from(run) - 1.0) / (f64::from(run) + 2.0) } else { 0.0 };
            self.extrapolate::<P>(beta);
            let exact = done.niter >= SWEEPS_BEFORE_SUBSPACE || p.settings.tolerance < EXACT;
            let search = if exact { Search::Exact } else { Search::Quick };
            random.shuffle(&mut self.order);
            let mut improvement = 0.0;
            for &k in &self.order {
                let unit = &self.units[k as usize];
                improvement -= match &unit.bound {
                    Bound::Cone { friction, .. } => update_cone::<P>(&mut self.dual, unit, friction, search),
                    _ => update_row::<P>(&mut self.dual, unit),
                };
            }
            // Also where sweeps seem to be done: a gradient is known more exactly than a difference of costs.
            let slow = improvement / trace < p.settings.tolerance;
            let settle = found
                || done.niter >= SWEEPS_BEFORE_SUBSPACE
                    && (slow || done.niter.is_multiple_of(SWEEPS_BETWEEN_SUBSPACES));
            if settle {
                improvement += self.subspace.step::<P>(&mut self.dual, &self.units);
            }
            let (nactive, nchange) = self.follow_states(&mut out.efc_state);
            found = direct && nchange == 0 && !settle;
            let stat = Stat { improvement: improvement / trace, nactive, nchange, ..Stat::default() };
            out.stats.push(stat);
            run = if settle || done.niter > 0 && self.turned() { 0 } else { run + 1 };
            done.niter += 1;
            if stat.improvement < p.settings.tolerance {
                break;
            }
        }
        self.dual.put_back(&mut out.efc_force);
        done
    }

    /// Brings the states of an island's rows up to date; the number of those that are active and of those that
    /// changed.
    #[inline(always)]
    fn follow_states(&self, states: &mut [ConstraintState]) -> (u32, u32) {
        let (mut nactive, mut nchange) = (0, 0);
        for u in &self.units {
            let state = u.bound.zone(&self.dual.force[u.row as usize..]);
            for old in &mut states[u.rows()] {
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
        let mut along = [0.0; 4];
        let (f, f_last) = self.dual.force.as_chunks::<4>();
        let (e, e_last) = self.extrapolated.as_chunks::<4>();
        let (b, b_last) = self.before.as_chunks::<4>();
        for (f, (e, b)) in f.iter().zip(e.iter().zip(b)) {
            for k in 0..4 {
                along[k] += (f[k] - e[k]) * (e[k] - b[k]);
            }
        }
        for (f, (e, b)) in f_last.iter().zip(e_last.iter().zip(b_last)) {
            along[0] += (f - e) * (e - b);
        }
        along.iter().sum::<f64>() < 0.0
    }

    /// Goes on by `beta` times the last sweep's change, and back to what is feasible.
    #[inline(always)]
    fn extrapolate<P: Simd>(&mut self, beta: f64) {
        if beta > 0.0 {
            self.dual.extrapolate::<P>(beta, &mut self.before);
            for u in &self.units {
                let (a, n) = (u.row as usize, u.dim());
                let mut f = [0.0; 6];
                f[..n].copy_from_slice(&self.dual.force[a..a + n]);
                u.bound.project(&mut f[..n]);
                for (j, f) in f[..n].iter().enumerate() {
                    self.dual.set::<P>(a + j, *f);
                }
            }
        } else {
            self.dual.remember();
            self.before.clone_from(&self.dual.force);
        }
        self.extrapolated.clone_from(&self.dual.force);
    }
}

/// Minimizes over one row; returns the change of the cost.
#[inline(always)]
fn update_row<P: Simd>(dual: &mut DualState, u: &DualUnit) -> f64 {
    let i = u.row as usize;
    let (old, r) = (dual.force[i], dual.r[i]);
    let (gradient, inverse) = (dual.residual::<P>(i), dual.inverse[i]);
    let (res, curvature) = (gradient + r * old, dual.a(u, 0, 0) + r);
    // The gradient comes last, from the row before: as little as possible waits for it.
    let mut f = [(old - r * old * inverse) - gradient * inverse];
    u.bound.project(&mut f);
    let step = f[0] - old;
    let change = step * (0.5 * step * curvature + res);
    if change > RISE {
        return 0.0;
    }
    dual.set::<P>(i, f[0]);
    change
}

/// Minimizes over one cone; returns the change of the cost.
#[inline(always)]
fn update_cone<P: Simd>(dual: &mut DualState, u: &DualUnit, friction: &[f64; 5], search: Search) -> f64 {
    match u.dim() {
        3 => update_cone_of::<P, 2>(dual, u, friction, search),
        4 => update_cone_of::<P, 3>(dual, u, friction, search),
        _ => update_cone_of::<P, 5>(dual, u, friction, search),
    }
}

#[inline(always)]
fn update_cone_of<P: Simd, const F: usize>(
    dual: &mut DualState,
    u: &DualUnit,
    friction: &[f64; 5],
    search: Search,
) -> f64 {
    let row = u.row as usize;
    let mut problem = ConeProblem::<F> {
        normal: dual.a(u, 0, 0) + dual.r[row],
        mixed: [0.0; F],
        friction: [[0.0; F]; F],
        res: (dual.residual::<P>(row) + dual.r[row] * dual.force[row], [0.0; F]),
    };
    let (mut old, mut mu) = ((dual.force[row], [0.0; F]), [0.0; F]);
    for i in 0..F {
        let k = row + 1 + i;
        mu[i] = friction[i];
        old.1[i] = dual.force[k];
        problem.mixed[i] = dual.a(u, 0, 1 + i);
        for j in 0..F {
            problem.friction[i][j] = dual.a(u, 1 + i, 1 + j);
        }
        problem.friction[i][i] += dual.r[k];
        problem.res.1[i] = dual.residual::<P>(k) + dual.r[k] * dual.force[k];
    }
    let new = problem.step(old, &mu, search);
    let change = problem.change(old, new);
    if change > RISE {
        return 0.0;
    }
    dual.set::<P>(row, new.0);
    for i in 0..F {
        dual.set::<P>(row + 1 + i, new.1[i]);
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
    fn run<P: Simd>(self, _: P) -> Island {
        self.solver.solve_island::<P>(self.p, self.island, self.out)
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
            let j = self.next() % (i as u32 + 1);
            x.swap(i, j as usize);
        }
    }
}
