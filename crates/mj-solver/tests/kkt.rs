//! Random problems of every kind of row: optimality, invariances, warm start.

use mj_math::block::Run;
use mj_math::{SparseSymmetric, TreePattern};
use mj_problem::cost::Kind;
use mj_problem::*;
use mj_solver::*;
use proptest::prelude::*;

/// A problem, and the blocks of rows that it was built from.
#[derive(Clone, Debug)]
struct Sample {
    own: Recorded,
    /// (kind: 0 equality, 1 friction loss, 2 one-sided, 3 cone; runs; rows' values).
    blocks: Vec<(usize, Vec<Run>, Vec<f64>)>,
}

impl Sample {
    fn problem(&self) -> Problem<'_> {
        self.own.problem()
    }
}

/// Numbers in [−1, 1] from a seed.
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as f64) / (1u64 << 30) as f64 - 1.0
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * n as f64) as usize % n
    }
}

/// A forest of `ntree` chains with a few side branches, and rows of all kinds over it.
fn random(seed: u64, ntree: usize, nblock: usize) -> Sample {
    let mut g = Random(seed.wrapping_add(7));
    let sizes: Vec<usize> = (0..ntree).map(|_| 3 + g.below(6)).collect();
    forest(seed, &sizes, nblock)
}

/// The same, with trees of these numbers of dofs.
fn forest(seed: u64, sizes: &[usize], nblock: usize) -> Sample {
    let mut g = Random(seed.wrapping_add(77));
    let (mut parent, mut tree) = (Vec::new(), Vec::new());
    for (t, &size) in sizes.iter().enumerate() {
        let first = parent.len();
        for i in 0..size {
            parent.push(if i == 0 { None } else { Some(first + i - 1 - g.below(2).min(i - 1)) });
            tree.push(t as u32);
        }
    }
    let n = parent.len();
    let pattern = TreePattern::new(&parent, &vec![false; n]);
    let mut dense = vec![0.0; n * n];
    for k in 0..n {
        let chain: Vec<_> = pattern.colind[pattern.row(k)].iter().map(|&c| (c as usize, g.next())).collect();
        for &(i, x) in &chain {
            for &(j, y) in &chain {
                dense[i * n + j] += x * y + if i == j { 0.2 } else { 0.0 };
            }
        }
    }
    let mut m = vec![0.0; pattern.nnz()];
    for i in 0..n {
        for a in pattern.row(i) {
            m[a] = dense[i * n + pattern.colind[a] as usize];
        }
    }
    let (mut ld, mut dinv) = (m.clone(), vec![0.0; n]);
    pattern.factor(&mut ld, &mut dinv);
    let qacc_smooth: Vec<f64> = (0..n).map(|_| 5.0 * g.next()).collect();
    let mut qfrc_smooth = vec![0.0; n];
    pattern.mul(&m, &qacc_smooth, &mut qfrc_smooth);

    let mut blocks = Vec::new();
    for k in 0..nblock {
        let kind = [0, 1, 2, 3][k * 4 / nblock];
        let nrow = match kind {
            1 => 1,
            3 => [3, 4, 6][g.below(3)],
            _ => 1 + g.below(4),
        };
        let a = g.below(n - 2);
        let mut runs = vec![Run { start: a as u32, len: 1 + g.below(2) as u32 }];
        let after = runs[0].start as usize + runs[0].len as usize;
        if g.below(2) == 0 && after + 1 < n {
            let b = after + 1 + g.below(n - after - 1);
            runs.push(Run { start: b as u32, len: 1 });
        }
        let ncol: u32 = runs.iter().map(|r| r.len).sum();
        blocks.push((kind, runs, (0..nrow * ncol as usize).map(|_| g.next()).collect()));
    }
    let qacc_warmstart = (0..n).map(|_| g.next()).collect();
    let own = Recorded {
        pattern,
        m,
        ld,
        dinv,
        tree,
        qfrc_smooth,
        qacc_smooth,
        qacc_warmstart,
        settings: Settings { tolerance: 0.0, ..Settings::default() },
        ..Recorded::default()
    };
    build(own, blocks)
}

/// The problem `p` with these rows in the place of its own.
fn build(mut p: Recorded, blocks: Vec<(usize, Vec<Run>, Vec<f64>)>) -> Sample {
    for v in [&mut p.d, &mut p.r, &mut p.aref, &mut p.frictionloss] {
        v.clear();
    }
    p.cones.clear();
    (p.ne, p.nf) = (0, 0);
    p.jac.clear(p.tree.len());
    for (kind, runs, values) in &blocks {
        let ncol: u32 = runs.iter().map(|r| r.len).sum();
        let nrow = values.len() / ncol as usize;
        let mut g = Random((values[0] * 1e9) as i64 as u64);
        let row = p.d.len() as u32;
        let d0 = 10f64.powf(1.0 + 1.5 * g.next());
        let friction: [f64; 5] = std::array::from_fn(|_| 0.6 + 0.4 * g.next());
        let mu = 0.6 + 0.3 * g.next();
        for j in 0..nrow {
            let d = match *kind {
                3 if j > 0 => d0 * (friction[j - 1] / mu).powi(2),
                _ => d0,
            };
            p.d.push(d);
            p.r.push(1.0 / d);
            p.aref.push(4.0 * g.next());
            p.frictionloss.push(if *kind == 1 { 0.2 + g.next().abs() } else { 0.0 });
        }
        match *kind {
            0 => p.ne += nrow,
            1 => p.nf += nrow,
            3 => p.cones.push(ConeRows { row, dim: nrow as u32, contact: 0, mu, friction }),
            _ => {}
        }
        p.jac.push(nrow, runs).copy_from_slice(values);
    }
    Sample { own: p, blocks }
}

/// ‖M q̈ − qfrc_smooth − Jᵀ f(J q̈ − aref)‖∞.
fn residual(p: &Problem, qacc: &[f64]) -> f64 {
    gradient(p, qacc).into_iter().fold(0.0, |r, g| g.abs().max(r))
}

/// M q̈ − qfrc_smooth − Jᵀ f(J q̈ − aref), with the forces computed from q̈ alone.
fn gradient(p: &Problem, qacc: &[f64]) -> Vec<f64> {
    let (nv, n) = (p.nv(), p.nefc());
    let (mut jar, mut f, mut work) = (vec![0.0; n], vec![0.0; n], vec![0.0; nv]);
    let mut st = vec![ConstraintState::Satisfied; n];
    p.rows.jac.mul(qacc, &mut jar, &mut work);
    jar.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
    p.rows.evaluate(&jar, &mut f, &mut st);
    let (mut g, mut jf) = (vec![0.0; nv], vec![0.0; nv]);
    p.mul_m(qacc, &mut g);
    p.rows.jac.mul_transposed_add(&f, &mut jf, &mut work);
    (0..nv).map(|i| g[i] - p.qfrc_smooth[i] - jf[i]).collect()
}

fn solve(p: &Problem) -> Solution {
    let mut out = Solution::default();
    Newton::default().solve(p, &mut out);
    out
}

/// The acceleration of a problem whose qacc_smooth and tolerance may be of another one.
fn exact(p: &mut Recorded) -> Vec<f64> {
    p.qacc_smooth.clone_from(&p.qfrc_smooth);
    p.pattern.solve(&p.ld, &p.dinv, &mut p.qacc_smooth);
    p.settings.tolerance = 0.0;
    solve(&p.problem()).qacc
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The gradient vanishes, forces are feasible, and they are what the solution reports.
    #[test]
    fn optimal(seed in any::<u64>(), ntree in 1usize..5, nblock in 1usize..16) {
        let rec = random(seed, ntree, nblock);
        let p = rec.problem();
        let s = solve(&p);
        prop_assert!(residual(&p, &s.qacc) < 1e-7, "residual {}", residual(&p, &s.qacc));
        let mut back = vec![0.0; p.nv()];
        p.rows.jac.mul_transposed_add(&s.efc_force, &mut back, &mut vec![0.0; p.nv()]);
        prop_assert!(distance(&back, &s.qfrc_constraint) < 1e-9);
        for (kind, a, b) in p.rows.runs() {
            let f = &s.efc_force[a..b];
            match kind {
                Kind::Equality => {}
                Kind::FrictionLoss => prop_assert!(f.iter().zip(&rec.own.frictionloss[a..b]).all(|(f, l)| f.abs() <= *l)),
                Kind::OneSided => prop_assert!(f.iter().all(|&f| f >= 0.0)),
                Kind::Elliptic(c) => {
                    let t: f64 = f[1..].iter().zip(&c.friction).map(|(f, m)| (f / m).powi(2)).sum();
                    prop_assert!(f[0] >= 0.0 && t.sqrt() <= f[0] * (1.0 + 1e-9) + 1e-12);
                }
            }
        }
    }

    /// Every solver finds the same minimum, soft rows or stiff (up to a thousand times).
    #[test]
    fn solvers_agree(seed in any::<u64>(), ntree in 1usize..5, nblock in 1usize..12, stiff in 0i32..4) {
        let mut rec = random(seed, ntree, nblock);
        rec.own.d.iter_mut().for_each(|d| *d *= 10f64.powi(stiff));
        rec.own.r.iter_mut().for_each(|r| *r /= 10f64.powi(stiff));
        let mut p = rec.problem();
        p.settings.iterations = 20_000;
        let s = solve(&p);
        p.settings.tolerance = 1e-18;
        let (mut cg, mut pgs) = (Cg::default(), Pgs::default());
        let mut solvers: Vec<(&str, &mut dyn ConstraintSolver)> = vec![("PGS", &mut pgs)];
        // Conjugate gradients with no better preconditioner than M are for soft rows.
        if stiff == 0 {
            solvers.push(("CG", &mut cg));
        }
        for (name, solver) in solvers {
            let mut out = Solution::default();
            solver.solve(&p, &mut out);
            let scale = 1.0 + s.qacc.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            prop_assert!(distance(&out.qacc, &s.qacc) < 1e-5 * scale, "{name}: {}", distance(&out.qacc, &s.qacc));
            prop_assert_eq!(out.islands.len(), s.islands.len());
        }
    }

    /// Few rows on long trees, soft or stiff: optimal, as the dual solver finds, and known when met again.
    #[test]
    fn few_rows(seed in any::<u64>(), size in 16usize..150, nblock in 1usize..9, stiff in 0i32..4, two: bool) {
        let mut rec = forest(seed, &[size, 9][..1 + usize::from(two)], nblock);
        rec.own.d.iter_mut().for_each(|d| *d *= 10f64.powi(stiff));
        rec.own.r.iter_mut().for_each(|r| *r /= 10f64.powi(stiff));
        let mut p = rec.problem();
        let s = solve(&p);
        let scale = 1.0 + s.efc_force.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        prop_assert!(residual(&p, &s.qacc) < 1e-9 * scale * 10f64.powi(stiff), "residual {}", residual(&p, &s.qacc));
        let mut back = vec![0.0; p.nv()];
        p.rows.jac.mul_transposed_add(&s.efc_force, &mut back, &mut vec![0.0; p.nv()]);
        prop_assert!(distance(&back, &s.qfrc_constraint) < 1e-9 * scale);
        p.settings.iterations = 20_000;
        p.settings.tolerance = 1e-18;
        let mut out = Solution::default();
        Pgs::default().solve(&p, &mut out);
        let scale = 1.0 + s.qacc.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        prop_assert!(distance(&out.qacc, &s.qacc) < 1e-5 * scale, "{}", distance(&out.qacc, &s.qacc));
        p.settings.tolerance = 1e-8;
        p.qacc_warmstart = &s.qacc;
        let again = solve(&p);
        // Rounding of stiff rows may be worth a step.
        if stiff == 0 {
            prop_assert_eq!(again.niter(), 0);
            prop_assert_eq!(&again.qacc, &s.qacc);
        }
        prop_assert!(again.niter() < 2 && distance(&again.qacc, &s.qacc) < 1e-9 * scale);
    }

    /// Removing slip lowers the unregularized dual cost of friction and leaves normal forces alone.
    #[test]
    fn noslip_holds_normal_forces(seed in any::<u64>(), nblock in 4usize..12) {
        let rec = random(seed, 2, nblock);
        let p = rec.problem();
        let s = solve(&p);
        let mut out = s.clone();
        NoSlip::default().refine(&p, 20, 1e-10, &mut out);
        let cost = |f: &[f64], qacc: &[f64]| {
            let mut ja = vec![0.0; p.nefc()];
            let mut js = ja.clone();
            let mut work = vec![0.0; p.nv()];
            p.rows.jac.mul(qacc, &mut ja, &mut work);
            p.rows.jac.mul(p.qacc_smooth, &mut js, &mut work);
            f.iter().enumerate().map(|(i, f)| f * (0.5 * (ja[i] + js[i]) - p.rows.aref[i])).sum::<f64>()
        };
        prop_assert!(cost(&out.efc_force, &out.qacc) <= cost(&s.efc_force, &s.qacc) + 1e-8);
        for (kind, a, b) in p.rows.runs() {
            match kind {
                Kind::Equality => prop_assert_eq!(&out.efc_force[a..b], &s.efc_force[a..b]),
                // Pairs of pyramid edges keep their sum.
                Kind::OneSided => {
                    let sum = |f: &[f64]| f[a..b].iter().sum::<f64>();
                    prop_assert!((sum(&out.efc_force) - sum(&s.efc_force)).abs() < 1e-9 * (1.0 + sum(&s.efc_force)));
                }
                Kind::Elliptic(_) => prop_assert_eq!(out.efc_force[a], s.efc_force[a]),
                Kind::FrictionLoss => {}
            }
        }
    }

    /// Problems a nudge away from one that is solved: exact enough to take differences, whatever the tolerance.
    #[test]
    fn neighbours_are_solved_exactly(seed in any::<u64>(), ntree in 1usize..9, nblock in 1usize..16, size in -7i32..1) {
        let mut rec = random(seed, ntree, nblock);
        rec.own.settings.tolerance = 1e-3;
        let (mut nearby, mut out) = (PerturbedSolver::default(), Solution::default());
        nearby.find(&rec.problem(), &mut out);
        prop_assert!(residual(&rec.problem(), &out.qacc) < 1e-10);
        let mut g = Random(seed);
        let nudge = 10f64.powi(size);
        // Cones bend: of far nudges a little more is left.
        let near = 1e-9 + 1e-4 * nudge + 1e-3 * nudge * nudge;
        let mut arrived = 0;
        for _ in 0..5 {
            let mut other = rec.own.clone();
            other.qfrc_smooth.iter_mut().chain(&mut other.aref).for_each(|x| *x += nudge * g.next());
            let s = nearby.solve(&other.problem(), Changed::Forces, &mut out);
            let left = distance(&out.qacc, &exact(&mut other.clone()));
            prop_assert!(!s || left < near, "{left}");
            for i in 0..other.tree.len() {
                other.m[other.pattern.diag(i)] += nudge * (1.0 + g.next());
            }
            other.ld.clone_from(&other.m);
            other.pattern.factor(&mut other.ld, &mut other.dinv);
            other.qacc_smooth.clone_from(&other.qfrc_smooth);
            other.pattern.solve(&other.ld, &other.dinv, &mut other.qacc_smooth);
            let n = nearby.solve(&other.problem(), Changed::All, &mut out);
            if !n {
                nearby.solve_far(&other.problem(), &mut out);
            }
            let (left, bound) = (distance(&out.qacc, &exact(&mut other)), if n { near } else { 1e-5 });
            prop_assert!(left < bound, "{left}");
            arrived += u32::from(s) + u32::from(n);
        }
        prop_assert!(size > -6 || arrived > 5, "{arrived} of 10 arrived");
    }

    /// Islands or not, warm or cold: the same acceleration.
    #[test]
    fn one_minimum(seed in any::<u64>(), ntree in 1usize..5, nblock in 1usize..16) {
        let rec = random(seed, ntree, nblock);
        let mut p = rec.problem();
        let s = solve(&p);
        p.settings.islands = false;
        prop_assert!(distance(&solve(&p).qacc, &s.qacc) < 1e-6);
        p.settings.warmstart = false;
        prop_assert!(distance(&solve(&p).qacc, &s.qacc) < 1e-6);
    }

    /// The order of blocks of one kind doesn't matter.
    #[test]
    fn order_of_blocks(seed in any::<u64>(), nblock in 1usize..16) {
        let a = random(seed, 2, nblock);
        let mut blocks = a.blocks.clone();
        blocks.reverse();
        blocks.sort_by_key(|b| b.0);
        let b = build(a.own.clone(), blocks);
        prop_assert!(distance(&solve(&a.problem()).qacc, &solve(&b.problem()).qacc) < 1e-6);
    }

    /// Started from the solution there is nothing to do.
    #[test]
    fn warm_start_from_the_solution(seed in any::<u64>(), ntree in 1usize..5, nblock in 1usize..16) {
        let mut rec = random(seed, ntree, nblock);
        rec.own.qacc_warmstart = solve(&rec.problem()).qacc;
        let mut p = rec.problem();
        p.settings.tolerance = 1e-8;
        let s = solve(&p);
        prop_assert_eq!(s.niter(), 0);
        prop_assert_eq!(&s.qacc, &rec.own.qacc_warmstart);
    }
}

/// A unit mass, a contact with friction 1 that recedes at 0.1 and slides at 1: a force needs the slip, the normal motion
/// alone calls for none. By hand, with round cone f₀ = |f₁| = f and D = 1: 2 (1 + R) f = 1 − 0.1, so f = 0.225.
#[test]
fn a_cone_is_left_by_its_tip() {
    let pattern = TreePattern::new(&[None, Some(0), Some(1)], &[false; 3]);
    let m: Vec<f64> = (0..3).flat_map(|i| (0..=i).map(move |j| if i == j { 1.0 } else { 0.0 })).collect();
    let (mut ld, mut dinv) = (m.clone(), vec![0.0; 3]);
    pattern.factor(&mut ld, &mut dinv);
    let mut own = Recorded {
        pattern,
        m,
        ld,
        dinv,
        tree: vec![0; 3],
        qfrc_smooth: vec![0.1, 1.0, 0.0],
        qacc_smooth: vec![0.1, 1.0, 0.0],
        qacc_warmstart: vec![0.0; 3],
        d: vec![1.0; 3],
        r: vec![1.0; 3],
        aref: vec![0.0; 3],
        frictionloss: vec![0.0; 3],
        cones: vec![ConeRows { row: 0, dim: 3, contact: 0, mu: 1.0, friction: [1.0; 5] }],
        settings: Settings { tolerance: 1e-18, ..Settings::default() },
        ..Recorded::default()
    };
    own.jac.clear(3);
    own.jac.push(3, &[Run { start: 0, len: 3 }]).copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    for warmstart in [false, true] {
        own.settings.warmstart = warmstart;
        let p = own.problem();
        for solver in [&mut Newton::default() as &mut dyn ConstraintSolver, &mut Cg::default(), &mut Pgs::default()] {
            let mut out = Solution::default();
            solver.solve(&p, &mut out);
            assert!(distance(&out.efc_force, &[0.225, -0.225, 0.0]) < 1e-6, "{:?}", out.efc_force);
        }
    }
}

#[test]
fn no_rows() {
    let mut rec = random(3, 2, 1);
    rec = build(rec.own, vec![]);
    let s = solve(&rec.problem());
    assert_eq!(s.niter(), 0);
    assert_eq!(s.qacc, rec.own.qacc_smooth);
}

/// H x = b with the Hessian of the cost, against differences of its gradient.
#[test]
fn the_hessian_is_the_gradients_derivative() {
    for (seed, ntree) in [(1, 1), (2, 3), (3, 9)] {
        let rec = random(seed, ntree, 8);
        let p = rec.problem();
        let s = solve(&p);
        let nv = p.nv();
        let mut hessian = CostHessian::default();
        hessian.factor(&p, &s.qacc, &s.efc_state);
        let x: Vec<f64> = (0..nv).map(|i| (i as f64).sin()).collect();
        let moved = |by: f64| gradient(&p, &s.qacc.iter().zip(&x).map(|(a, x)| a + by * x).collect::<Vec<_>>());
        let mut b: Vec<f64> = moved(1e-6).iter().zip(moved(-1e-6)).map(|(p, m)| (p - m) / 2e-6).collect();
        let mut many: Vec<f64> = b.iter().flat_map(|b| (0..8).map(move |c| b * (c as f64 - 3.5))).collect();
        hessian.solve(&mut b);
        assert!(distance(&b, &x) < 1e-5, "{ntree} trees: {}", distance(&b, &x));
        hessian.solve_many(nv, &mut many, 8);
        let alone: Vec<f64> = b.iter().flat_map(|b| (0..8).map(move |c| b * (c as f64 - 3.5))).collect();
        assert!(distance(&many, &alone) < 1e-12, "{ntree} trees: {}", distance(&many, &alone));
    }
}

/// Adds stiffness between dofs of any trees to a problem: Σ w bbᵀ, each b over three dofs.
fn stiffen(p: &mut Recorded, seed: u64) {
    let (n, mut g) = (p.tree.len(), Random(seed.wrapping_add(777)));
    let sets: Vec<[usize; 3]> = (0..n / 2).map(|_| [(); 3].map(|()| g.below(n))).collect();
    let places =
        |s: &[usize; 3]| s.map(|i| s.map(|j| (i as u32, j as u32))).into_iter().flatten().filter(|(i, j)| j < i);
    let mut entries: Vec<(u32, u32)> = sets.iter().flat_map(|s| places(s).collect::<Vec<_>>()).collect();
    entries.sort_unstable();
    entries.dedup();
    let mut k = SparseSymmetric::zeros(n, &entries);
    for s in &sets {
        let (mut b, w) = (vec![0.0; n], 100.0 * g.next().abs());
        s.iter().for_each(|&i| b[i] += g.next());
        (0..n).for_each(|i| k.diagonal[i] += w * b[i] * b[i]);
        entries.iter().zip(&mut k.values).for_each(|(&(i, j), v)| *v += w * b[i as usize] * b[j as usize]);
    }
    p.stiffness = Some(k);
    let mut qfrc = vec![0.0; n];
    p.problem().mul_m(&p.qacc_smooth, &mut qfrc);
    p.qfrc_smooth = qfrc;
}

proptest! {
    /// With stiffness between trees, both solvers find the optimum, island by island or not, and alike from any start;
    /// without rows that is the acceleration without constraints.
    #[test]
    fn stiffness_is_part_of_the_inertia(seed in any::<u64>(), ntree in 1usize..12, nblock in 0usize..16) {
        let mut rec = random(seed, ntree, nblock);
        stiffen(&mut rec.own, seed);
        let s = solve(&rec.problem());
        prop_assert!(residual(&rec.problem(), &s.qacc) < 1e-6, "residual {}", residual(&rec.problem(), &s.qacc));
        if nblock == 0 {
            prop_assert!(distance(&s.qacc, &rec.own.qacc_smooth) < 1e-8);
        }
        rec.own.settings.islands = false;
        let whole = solve(&rec.problem());
        prop_assert!(distance(&whole.qacc, &s.qacc) < 1e-6);
        rec.own.settings.iterations = 3000;
        let mut cg = Solution::default();
        Cg::default().solve(&rec.problem(), &mut cg);
        prop_assert!(distance(&cg.qacc, &s.qacc) < 1e-4, "{}", distance(&cg.qacc, &s.qacc));
    }
}
