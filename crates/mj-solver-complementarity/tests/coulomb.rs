//! The laws of contact, checked one by one on random problems.

use mj_contact_space::ContactSpace;
use mj_math::dense::dot;
use mj_problem::{Bound, Unit};
use mj_solver_complementarity::Complementarity;
use proptest::prelude::*;

/// An elliptic cone.
fn cone(dim: usize, friction: [f64; 5]) -> Bound {
    Bound::Cone { dim, mu: friction[0], friction }
}

/// A random problem of `contacts` cones, a few limits and friction losses, with an inverse inertia of
/// rank `rank` (redundant contacts where that is less than the number of rows).
fn problem(seed: u64, contacts: usize, rank: usize, friction: f64) -> ContactSpace {
    let mut state = seed.wrapping_mul(2654435761).wrapping_add(99);
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    let mut s = ContactSpace::default();
    let mut k = 0;
    for i in 0..contacts + 2 {
        let bound = match i {
            0 => Bound::Interval(0.5),
            1 => Bound::Positive,
            _ => cone([3, 3, 4, 6][i % 4], [friction, 0.7 * friction, 0.02, 0.01, 0.01]),
        };
        s.units.push(Unit { row: k, bound });
        k += s.units[i].dim();
    }
    let j: Vec<f64> = (0..k * rank).map(|_| next()).collect();
    // A motion without contact, and what the rows see of it: redundant rows see consistent motions.
    let free: Vec<f64> = (0..rank).map(|_| 3.0 * next()).collect();
    for a in 0..k {
        let row = &j[a * rank..(a + 1) * rank];
        s.b.push(dot(row, &free));
        s.a.extend((0..k).map(|b| dot(row, &j[b * rank..(b + 1) * rank])));
        s.diagonal.push(dot(row, row));
        s.r.push(0.05 * dot(row, row));
    }
    s
}

/// Greatest violation of the laws by forces `f`, relative to the greatest |b|.
fn violation(s: &ContactSpace, f: &[f64]) -> f64 {
    let w: Vec<f64> = (0..s.len()).map(|i| dot(s.row(i), f) + s.b[i]).collect();
    let scale = s.b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
    let mut worst: f64 = 0.0;
    for u in &s.units {
        let (f, w) = (&f[u.rows()], &w[u.rows()]);
        match u.bound {
            Bound::Interval(loss) => {
                assert!(f[0].abs() <= loss * (1.0 + 1e-12));
                // At the bound the motion goes against the force, inside it there is none.
                worst = worst.max(if f[0].abs() < loss * (1.0 - 1e-12) { w[0].abs() } else { w[0] * f[0].signum() });
            }
            _ => {
                assert!(f[0] >= 0.0);
                worst = worst.max(-w[0]).max(f[0].min(w[0]));
            }
        }
        if let Bound::Cone { friction: mu, .. } = u.bound {
            let g: Vec<f64> = f[1..].iter().zip(&mu).map(|(f, m)| f / m).collect();
            let v: Vec<f64> = w[1..].iter().zip(&mu).map(|(w, m)| w * m).collect();
            let (size, speed) = (dot(&g, &g).sqrt(), dot(&v, &v).sqrt());
            assert!(size <= f[0] * (1.0 + 1e-9) + 1e-15);
            // Greatest dissipation: either no slip, or friction at its bound against it.
            if f[0] > 1e-9 {
                worst = worst.max((speed * f[0] + dot(&g, &v)) / f[0]);
            }
        }
    }
    worst / scale
}

/// How many of a batch are solved exactly; each that claims it is checked.
fn exact(count: u64, contacts: usize, rank: usize, friction: f64) -> (u64, f64) {
    let mut solver = Complementarity::default();
    let (mut exact, mut iterations) = (0, 0);
    for seed in 0..count {
        let s = problem(seed, contacts, rank, friction);
        let mut f = vec![0.0; s.len()];
        let c = solver.solve_space(&s, 100, &mut f);
        iterations += c.iterations;
        if c.exact {
            exact += 1;
            let v = violation(&s, &f);
            assert!(v < 1e-8, "seed {seed}: {v:e} with residual {:e}", c.residual);
        }
    }
    (exact, f64::from(iterations) / count as f64)
}

#[test]
fn most_random_problems_are_solved_exactly() {
    for (contacts, rank, friction) in [(1, 12, 0.5), (4, 30, 0.5), (4, 30, 2.0), (8, 40, 1.0), (8, 12, 0.5)] {
        let (n, iterations) = exact(100, contacts, rank, friction);
        println!("{contacts} contacts, rank {rank}, friction {friction}: {n} of 100 exact, {iterations:.1} steps");
        assert!(n >= 98, "{contacts} contacts, rank {rank}, friction {friction}: {n} of 100");
    }
}

/// A block on two feet that share one friction force but should be accelerated a little differently: one of them has
/// to slip, however little, against friction at its bound. Solutions that let neither slip are not exact.
#[test]
fn contacts_that_contradict_each_other_a_little_slip() {
    for mismatch in [1e-2, 1e-5, 1e-8] {
        let mut s = ContactSpace::default();
        // Normals of two feet under one mass and its tilt; both friction rows along x push the mass.
        let jac = [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
        for a in jac {
            s.a.extend(jac.map(|b| dot(&a, &b)));
            s.diagonal.push(dot(&a, &a));
            s.r.push(0.01);
        }
        s.b = vec![-10.0, 1.0, -10.0, 1.0 + mismatch];
        s.units = [0, 2].map(|row| Unit { row, bound: cone(2, [0.6; 5]) }).to_vec();
        let mut f = [0.0; 4];
        let c = Complementarity::default().solve_space(&s, 100, &mut f);
        assert!(c.exact && !c.contradictory, "{mismatch:e}: {c:?}");
        assert!(violation(&s, &f) < 1e-9, "{mismatch:e}: {:e}", violation(&s, &f));
        // Friction takes 1 of the load's 6, one foot is at its bound, and their motions still differ.
        let slip = [1, 3].map(|i| dot(s.row(i), &f) + s.b[i]);
        assert!((slip[1] - slip[0] - mismatch).abs() < 1e-12);
        let bound = [0, 2].map(|i| 0.6 * f[i] - f[i + 1].abs());
        assert!(bound[0].min(bound[1]).abs() < 1e-9, "{mismatch:e}: {bound:?}");
    }
}

/// Two rows that want opposite accelerations of one coordinate, and a row that nothing moves.
#[test]
fn problems_without_a_solution_are_told() {
    for (a, b) in [(vec![1.0, -1.0, -1.0, 1.0], vec![-1.0, -2.0]), (vec![0.0], vec![-1.0])] {
        let k = b.len();
        let mut s = ContactSpace::default();
        (s.a, s.b, s.r) = (a, b, vec![0.1; k]);
        s.diagonal = (0..k).map(|i| s.a[i * k + i]).collect();
        s.units = (0..k).map(|row| Unit { row, bound: Bound::Positive }).collect();
        let mut f = vec![0.0; k];
        let c = Complementarity::default().solve_space(&s, 100, &mut f);
        assert!(c.contradictory && !c.exact && c.residual > 0.1, "{c:?}");
        assert!(f.iter().all(|f| f.is_finite() && *f >= 0.0));
        // The other way round, all is well.
        s.b.iter_mut().for_each(|b| *b = -*b);
        f.fill(0.0);
        let c = Complementarity::default().solve_space(&s, 100, &mut f);
        assert!(c.exact && !c.contradictory && f.iter().all(|&f| f == 0.0), "{c:?}");
    }
}

/// A row that nothing moves leaves the solution of the others what it is.
#[test]
fn a_stuck_contact_takes_nothing_from_the_others() {
    let s = problem(7, 4, 30, 0.5);
    let mut alone = vec![0.0; s.len()];
    assert!(Complementarity::default().solve_space(&s, 100, &mut alone).exact);
    let k = s.len();
    let mut with = s.clone();
    with.a = (0..k).flat_map(|i| s.row(i).iter().copied().chain([0.0])).chain(vec![0.0; k + 1]).collect();
    with.diagonal.push(0.0);
    with.b.push(-100.0);
    with.r.push(0.1);
    with.units.push(Unit { row: k, bound: Bound::Positive });
    let mut f = vec![0.0; k + 1];
    let c = Complementarity::default().solve_space(&with, 100, &mut f);
    assert!(c.contradictory && c.residual > 0.1, "{c:?}");
    f.iter().zip(&alone).for_each(|(f, g)| assert!((f - g).abs() < 1e-9 * (1.0 + g.abs())));
}

proptest! {
    /// What has a solution is not called contradictory: rows of a motion that exists always have one.
    #[test]
    fn problems_of_a_motion_are_not_contradictory(seed in 0u64..100_000, contacts in 1usize..7, rank in 3usize..30, friction in 0.05..2.0f64) {
        let s = problem(seed, contacts, rank, friction);
        let mut f = vec![0.0; s.len()];
        let c = Complementarity::default().solve_space(&s, 100, &mut f);
        prop_assert!(!c.contradictory);
        if c.exact {
            let v = violation(&s, &f);
            prop_assert!(v < 1e-8, "{v:e} with residual {:e}", c.residual);
        }
    }

    /// A warm start from the solution changes nothing.
    #[test]
    fn a_solution_is_kept(seed in 0u64..10000) {
        let s = problem(seed, 3, 20, 0.6);
        let mut solver = Complementarity::default();
        let mut f = vec![0.0; s.len()];
        let c = solver.solve_space(&s, 100, &mut f);
        prop_assume!(c.exact);
        let mut again = f.clone();
        let c = solver.solve_space(&s, 100, &mut again);
        prop_assert!(c.exact && c.iterations <= 1);
        for (a, b) in f.iter().zip(&again) {
            prop_assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()));
        }
    }
}
