//! Additions of the papers to velocity stepping: coupled critical damping (2014) and the penetration cost (2012).

mod common;

use common::load;
use mj_impulse::*;
use mj_model::{Model, State};

/// Two carts, one on the other, that equalities hold somewhere else; without gravity nothing else acts on them.
fn carts(more: &str) -> Model {
    load(&format!(
        r#"<mujoco><option gravity="0 0 0" timestep="0.004"/><worldbody>
          <body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/>
            <body><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="3"/></body></body></worldbody>
          <equality><joint joint1="a" polycoef="0.1 0 0 0 0"/><joint joint1="b" polycoef="-0.3 0 0 0 0"/>{more}</equality>
        </mujoco>"#
    ))
}

/// Greatest deviation of the rows from ẍ + 2/κ ẋ + x/κ² = 0 in a step, relative to their accelerations.
fn deviation(m: &Model, stabilization: Stabilization) -> f64 {
    let options = Options { stabilization, iterations: 1000, tolerance: 1e-14, ..Options::default() };
    let mut p = Pipeline::new(m, options).unwrap();
    let mut s = State::new(m);
    s.qvel.copy_from_slice(&[0.2, -0.7]);
    p.forward(m, &s);
    let (h, kappa) = (m.opt.timestep, p.options.kappa);
    let rate = |i: usize, v: &[f64]| {
        let mut sum = 0.0;
        p.rows.jac.for_each_in_row(i, |c, x| sum += x * v[c]);
        sum
    };
    let mut worst = 0.0f64;
    for i in 0..p.rows.nefc() {
        let (before, after) = (rate(i, &s.qvel), rate(i, &p.solution.qacc));
        let wanted = -2.0 / kappa * before - p.rows.pos[i] / (kappa * kappa);
        worst = worst.max(((after - before) / h - wanted).abs() / wanted.abs());
    }
    worst
}

/// Equation 25 with the matrices at the end of section V: rows that move each other are critically damped, each by itself.
#[test]
fn coupled_stabilization_damps_every_row_critically() {
    let m = carts("");
    let diagonal = deviation(&m, Stabilization::ProportionalDerivative);
    assert!(diagonal > 1e-3, "{diagonal:e}");
    let coupled = deviation(&m, Stabilization::Coupled);
    assert!(coupled < 1e-8, "{coupled:e}");
}

/// With an equality twice A is singular; what can move still does so as it should.
#[test]
fn coupled_stabilization_takes_the_pseudo_inverse() {
    let m = carts(r#"<joint joint1="b" polycoef="-0.3 0 0 0 0"/>"#);
    let coupled = deviation(&m, Stabilization::Coupled);
    assert!(coupled < 1e-6, "{coupled:e}");
}

const DROP: &str = r#"<mujoco><option timestep="0.01" cone="elliptic"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 0.099"><freejoint/><geom type="box" size=".2 .2 .1" mass="2"/></body></worldbody></mujoco>"#;

/// The cost leaves less of the velocity into the ground, and without bound nothing.
#[test]
fn a_penetration_cost_keeps_normal_velocities_up() {
    let m = load(DROP);
    let below = |penetration: f64| {
        let options = Options { penetration, epsilon: 1.0, iterations: 10_000, tolerance: 1e-13, ..Options::default() };
        let mut p = Pipeline::new(&m, options).unwrap();
        let mut s = State::new(&m);
        (s.qvel[0], s.qvel[2]) = (0.3, -1.0);
        p.forward(&m, &s);
        let mut worst = 0.0f64;
        for c in &p.rows.cones {
            let mut v = 0.0;
            p.rows.jac.for_each_in_row(c.row as usize, |c, x| v += x * p.solution.qacc[c]);
            worst = worst.max(p.target[c.row as usize] - v);
        }
        assert!(p.solution.efc_force.iter().all(|f| f.is_finite()));
        worst
    };
    let depths: Vec<f64> = [0.0, 1.0, 10.0, 1e3, 1e5].map(below).to_vec();
    assert!(depths[0] > 0.1, "{depths:?}");
    assert!(depths.windows(2).all(|d| d[1] < 0.9 * d[0]), "{depths:?}");
    assert!(depths[4] < 1e-3 * depths[0], "{depths:?}");
}

/// Holds two carts at one place.
#[derive(Debug)]
struct Together;

impl CustomEquality for Together {
    fn rows(&self, _: &Model, s: &State, _: &mj_dynamics::Poses, out: &mut CustomRows) {
        out.push(s.qpos[0] - s.qpos[1], [0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0]).copy_from_slice(&[1.0, -1.0]);
    }
}

#[test]
fn an_equality_of_the_program_s_own_holds() {
    let m = load(
        r#"<mujoco><option gravity="0 0 0" timestep="0.004"/><worldbody>
          <body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
          <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="3"/></body></worldbody></mujoco>"#,
    );
    for equality in [Equality::Soft, Equality::Hard] {
        let mut p = Pipeline::new(&m, Options { equality, ..Options::default() }).unwrap();
        p.custom = Some(std::sync::Arc::new(Together));
        let mut s = State::new(&m);
        s.qvel[0] = 1.0;
        (0..500).for_each(|_| p.step(&m, &mut s));
        // Momentum stays, and is shared.
        assert!((s.qvel[0] - 0.25).abs() < 1e-6 && (s.qvel[1] - 0.25).abs() < 1e-6, "{:?}", s.qvel);
        assert!((s.qpos[0] - s.qpos[1]).abs() < 1e-6, "{:?}", s.qpos);
    }
}
