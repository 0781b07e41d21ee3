//! Each ingredient of velocity stepping against its formula.

mod common;

use common::load;
use mj_impulse::*;
use mj_math::dense::{cholesky, cholesky_solve, dot};
use mj_model::{Model, State};

/// A free fall of `n` steps: where each of Euler's rules ends, and that the fourth-order rules are exact.
#[test]
fn integrators_fall_as_their_rules_say() {
    let (h, g, n) = (0.01, 9.81, 20.0);
    let m = load(
        r#"<mujoco><option timestep="0.01"/><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#,
    );
    for (integrator, squares) in [
        (Integrator::Explicit, n * (n - 1.0)),
        (Integrator::Midpoint, n * n),
        (Integrator::SemiImplicit, n * (n + 1.0)),
        (Integrator::Rk4, n * n),
        (Integrator::Interleaved, n * n),
    ] {
        let mut s = State::new(&m);
        let mut p = Pipeline::new(&m, Options { integrator, ..Options::default() }).unwrap();
        (0..n as usize).for_each(|_| p.step(&m, &mut s));
        let want = -0.5 * g * h * h * squares;
        assert!((s.qpos[2] - want).abs() < 1e-12, "{integrator:?}: {} {want}", s.qpos[2]);
        assert!((s.qvel[2] + g * h * n).abs() < 1e-12 && (s.time - h * n).abs() < 1e-12);
    }
}

/// Two joints that an equality ties together, moving and out of place.
fn tied() -> (Model, State) {
    let m = load(
        r#"<mujoco><option timestep="0.01"/><worldbody><body><joint name="a" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0"/>
        <body pos="0.3 0 0"><joint name="b" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0"/></body></body></worldbody>
        <equality><joint joint1="a" joint2="b" polycoef="0 2 0 0 0"/></equality></mujoco>"#,
    );
    let mut s = State::new(&m);
    s.qpos.copy_from_slice(&[0.3, 0.1]);
    s.qvel.copy_from_slice(&[0.5, -0.7]);
    s.qfrc_applied[1] = 0.2;
    (m, s)
}

/// M, J_E and h (p + u − c) of the last forward computation.
fn parts(p: &Pipeline, m: &Model, s: &State) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut inertia = vec![0.0; 4];
    m.m_pattern.to_dense(&p.dynamics.smooth.inertia.M, &mut inertia);
    let mut jac = vec![0.0; 2];
    p.rows.jac.for_each_in_row(0, |c, x| jac[c] = x);
    let v = &p.dynamics.smooth.velocities;
    let push = |i: usize| m.opt.timestep * (v.qfrc_passive[i] - v.qfrc_bias[i] + s.qfrc_applied[i]);
    (inertia, jac, vec![push(0), push(1)])
}

/// Soft equalities: equation 7 of 2014 with its apparent inertia M + Jᵀ R⁻¹ J, whether R is given by ε or by λ.
#[test]
fn soft_equalities_are_equation_7() {
    let (m, s) = tied();
    for options in [Options { epsilon: 0.3, ..Options::default() }, Options { lambda: Some(7.0), ..Options::default() }]
    {
        let mut p = Pipeline::new(&m, options).unwrap();
        p.forward(&m, &s);
        if let Some(lambda) = options.lambda {
            assert_eq!(p.r, [1.0 / lambda]);
        }
        let (mut apparent, jac, mut rest) = parts(&p, &m, &s);
        let lack = (p.target[0] - dot(&jac, &s.qvel)) / p.r[0];
        for i in 0..2 {
            (0..2).for_each(|j| apparent[2 * i + j] += jac[i] * jac[j] / p.r[0]);
            rest[i] += jac[i] * lack;
        }
        cholesky(&mut apparent, 2);
        cholesky_solve(&apparent, 2, &mut rest);
        for i in 0..2 {
            let want = s.qvel[i] + rest[i];
            assert!((p.solution.qacc[i] - want).abs() < 1e-12, "{options:?}: {} {want}", p.solution.qacc[i]);
        }
    }
}

/// Hard equalities: M̂⁻¹ = M⁻¹ − M⁻¹Jᵀ A_E⁻¹ J M⁻¹.
#[test]
fn hard_equalities_are_their_formula() {
    let (m, s) = tied();
    let mut p = Pipeline::new(&m, Options { equality: Equality::Hard, ..Options::default() }).unwrap();
    p.forward(&m, &s);
    let (mut factor, jac, push) = parts(&p, &m, &s);
    cholesky(&mut factor, 2);
    let solved = |b: &[f64]| {
        let mut x = b.to_vec();
        cholesky_solve(&factor, 2, &mut x);
        x
    };
    let (y, free) = (solved(&jac), solved(&push));
    let a = dot(&jac, &y);
    let lack = p.target[0] - dot(&jac, &s.qvel) - dot(&jac, &free);
    for i in 0..2 {
        let want = s.qvel[i] + free[i] + y[i] * lack / a;
        assert!((p.solution.qacc[i] - want).abs() < 1e-12, "{} {want}", p.solution.qacc[i]);
    }
}

/// Both forms of stabilization recommend the velocity of their formula, and a nearly hard limit takes it.
#[test]
fn a_violated_limit_returns_as_recommended() {
    let m = load(
        r#"<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body><joint axis="0 1 0" range="-10 10" limited="true"/>
        <geom size="0.1" pos="0.2 0 0" contype="0"/></body></worldbody></mujoco>"#,
    );
    let mut s = State::new(&m);
    let upper = 10f64.to_radians();
    s.qpos[0] = upper + 0.05;
    s.qvel[0] = 0.3;
    let (h, e, rate, w) = (0.01, -0.05, -0.3, 1.0 / 0.03);
    let epsilon = 1e-9;
    for (stabilization, want) in [
        (
            Stabilization::Critical { equality: 1.0, inequality: 1.0 / w },
            (rate - h * w * rate - h * w * w * e) * f64::exp(-h * w),
        ),
        (Stabilization::ProportionalDerivative, rate - (1.0 + epsilon) * (2.0 * h * w * rate + h * w * w * e)),
        // All of the error within the step.
        (Stabilization::Critical { equality: 1.0, inequality: 0.0 }, -e / h),
    ] {
        let mut p =
            Pipeline::new(&m, Options { stabilization, epsilon, kappa: 1.0 / w, ..Options::default() }).unwrap();
        p.forward(&m, &s);
        assert!((p.target[0] - want).abs() < 1e-12 * want.abs(), "{stabilization:?}: {} {want}", p.target[0]);
        // The row grows away from the limit, the joint's angle towards it.
        assert!((p.solution.qacc[0] + want).abs() < 1e-6 * want.abs(), "{stabilization:?}: {}", p.solution.qacc[0]);
    }
}

/// The regularizers of a cone are coupled (2014, equations 17 and 22): μ_j² r_j is the same for all j, and their mean
/// is that of ε A_jj.
#[test]
fn regularizers_of_a_cone_are_coupled() {
    let m = load(
        r#"<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.09"><freejoint/><geom size="0.1" condim="6" friction="0.7 0.03 0.002"/></body></worldbody></mujoco>"#,
    );
    let mut p = Pipeline::new(&m, Options { epsilon: 0.2, ..Options::default() }).unwrap();
    p.forward(&m, &State::new(&m));
    let c = p.rows.cones[0];
    assert_eq!((c.dim, p.r.len()), (6, 6));
    let coupled: Vec<f64> = (0..5).map(|j| c.friction[j] * c.friction[j] * p.r[j + 1]).collect();
    assert!(coupled.iter().all(|x| (x - coupled[0]).abs() < 1e-12 * coupled[0]), "{coupled:?}");
    let mean = p.r[1..].iter().sum::<f64>() / 5.0;
    let want = p.rows.diag_a[1..6].iter().map(|a| 0.2 * a).sum::<f64>() / 5.0;
    assert!((mean - want).abs() < 1e-12 * want, "{mean} {want}");
    assert!((p.r[0] - 0.2 * p.rows.diag_a[0]).abs() < 1e-15);
}

/// Post-hoc mode: impulses don't know the controls, and these push the less along a contact the heavier it weighs.
#[test]
fn post_hoc_impulses_do_not_know_the_controls() {
    let m = load(
        r#"<mujoco><option timestep="0.01" cone="elliptic"/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.0999"><freejoint/><geom size="0.1" mass="1"/></body></worldbody></mujoco>"#,
    );
    let velocity = |push: f64, contact: f64| {
        let options = Options { post_hoc: Some(PostHoc { equality: 1.0, contact }), ..Options::default() };
        let mut p = Pipeline::new(&m, options).unwrap();
        let mut s = State::new(&m);
        s.qfrc_applied[2] = push;
        p.forward(&m, &s);
        (p.solution.efc_force.clone(), p.solution.qacc[2])
    };
    let (idle, rest) = velocity(0.0, 3.0);
    let (pushed, moved) = velocity(-50.0, 3.0);
    assert!(idle[0] > 0.0);
    assert_eq!(idle, pushed);
    // On the inertia m + w_C = 4 of the normal.
    assert!((moved - rest + 50.0 * 0.01 / 4.0).abs() < 1e-12, "{}", moved - rest);
    let (_, heavier) = velocity(-50.0, 99.0);
    assert!((heavier - rest + 50.0 * 0.01 / 100.0).abs() < 1e-12, "{}", heavier - rest);
}
