//! Newton's method in lanes against the engine's.

use mj_lab_batch::lane::Width;
use mj_lab_batch::solver::{Compact, Mode, Outcome, Pattern, Settings, solve_all};
use mj_lab_batch::worlds::{problems, spread};
use mj_problem::{ConstraintSolver, Quality, Recorded, Solution};
use std::sync::Arc;

/// Recorded problems of a bundled model, with the pattern they share.
fn recorded(name: &str, n: usize) -> (Pattern, Vec<Recorded>) {
    let path = format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let m = Arc::new(mj_engine::load(path).unwrap());
    let all = problems(&m, &spread(&m, n, 600).unwrap()).unwrap();
    (Pattern::of(&all[0].problem()), all)
}

fn compact(all: &[Recorded]) -> Vec<Compact> {
    all.iter().map(|p| Compact::of(&p.problem()).unwrap()).collect()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / size).fold(0.0, f64::max)
}

#[test]
fn solutions_are_the_engines() {
    for name in ["humanoid", "quadruped", "drivetrain", "four_bar"] {
        let (pattern, all) = recorded(name, 60);
        let settings = Settings { tolerance: 1e-20, ..Settings::default() };
        let mut out = Vec::new();
        solve_all(Width::F64x4, Mode::Refilled, &pattern, &compact(&all), &settings, &mut out).unwrap();
        assert!(all.iter().any(|p| !p.d.is_empty()), "{name} has no rows");
        for (w, (p, o)) in all.iter().zip(&out).enumerate() {
            let mut p = p.clone();
            p.settings.tolerance = 1e-15;
            let mut want = Solution::default();
            mj_solver::Newton::default().solve(&p.problem(), &mut want);
            let error = difference(&o.qacc, &want.qacc);
            assert!(error < 1e-6, "{name} world {w}: {error:e} after {} iterations", o.iterations);
            let mut mine = want.clone();
            mine.qacc.clone_from(&o.qacc);
            mine.efc_force.clone_from(&o.efc_force);
            let quality = Quality::of(&p.problem(), &mine);
            assert!(quality.stationarity < 1e-6, "{name} world {w}: {quality:?}");
        }
    }
}

#[test]
fn bits_depend_on_neither_width_nor_mode() {
    let (pattern, all) = recorded("humanoid", 45);
    let all = compact(&all);
    let solve = |width, mode, all: &[Compact]| {
        let mut out: Vec<Outcome> = Vec::new();
        solve_all(width, mode, &pattern, all, &Settings::default(), &mut out).unwrap();
        out
    };
    let one = solve(Width::F64x1, Mode::LockStep, &all);
    assert!(one.iter().any(|o| o.iterations > 2));
    for mode in [Mode::LockStep, Mode::Sorted, Mode::Refilled] {
        for width in [Width::F64x4, Width::F64x8] {
            assert!(one == solve(width, mode, &all), "{} {mode:?}", width.name());
        }
    }
    let narrow = solve(Width::F32x8, Mode::Sorted, &all);
    assert!(narrow == solve(Width::F32x16, Mode::Refilled, &all));
    // Some of the worlds, in another order.
    let order: Vec<usize> = (0..45).map(|i| i * 17 % 45).take(30).collect();
    let some: Vec<Compact> = order.iter().map(|&w| all[w].clone()).collect();
    for (o, w) in solve(Width::F64x4, Mode::Refilled, &some).iter().zip(order) {
        assert!(*o == one[w], "world {w}");
    }
}

#[test]
fn narrow_numbers_are_near() {
    let (pattern, all) = recorded("humanoid", 45);
    let settings = Settings { tolerance: 1e-7, ..Settings::default() };
    let (mut wide, mut narrow) = (Vec::new(), Vec::new());
    solve_all(Width::F64x4, Mode::Sorted, &pattern, &compact(&all), &Settings::default(), &mut wide).unwrap();
    solve_all(Width::F32x8, Mode::Sorted, &pattern, &compact(&all), &settings, &mut narrow).unwrap();
    for (w, (a, b)) in narrow.iter().zip(&wide).enumerate() {
        assert!(a.iterations < 30, "world {w}");
        assert!(difference(&a.qacc, &b.qacc) < 2e-3, "world {w}: {:e}", difference(&a.qacc, &b.qacc));
    }
}
