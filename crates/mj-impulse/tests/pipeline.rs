//! Whole steps: the inverse against the forward computation, physics with known answers.

mod common;

use common::load;
use mj_impulse::*;
use mj_model::{Model, State};
use proptest::prelude::*;

/// A model of this repository.
fn bundled(name: &str) -> Model {
    let path = format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let (spec, report) = mj_mjcf::read(std::path::Path::new(&path), &mj_mjcf::FileSystem::default());
    let (model, diagnostics) = mj_compile::compile(&spec.unwrap_or_else(|| panic!("{report}")));
    model.unwrap_or_else(|| panic!("{:?}", diagnostics.list))
}

/// Numbers in [−1, 1] from a seed.
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as f64) / (1u64 << 30) as f64 - 1.0
    }
}

/// Everything that a walker has: a loop, a weld of two chains, dry friction, limits, contacts of each kind.
const MIXED: &str = r#"<mujoco>
  <option timestep="0.005" cone="elliptic"/>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="3"/>
    <body pos="0 0 0.35"><freejoint/><geom type="box" size="0.2 0.1 0.1" mass="2" condim="4"/>
      <body pos="0.25 0 0"><joint name="a" axis="0 1 0" range="-20 20" limited="true" frictionloss="0.3" damping="0.2" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 -0.2" size="0.04" condim="6" friction="0.8 0.02 0.01"/>
        <site name="tip" pos="0.3 0 -0.2"/></body>
      <body pos="-0.25 0 0"><joint name="b" axis="0 1 0" damping="0.2"/>
        <geom type="capsule" fromto="0 0 0 -0.3 0 -0.2" size="0.04" condim="1"/></body>
    </body>
    <body pos="0.5 0.3 0.2"><freejoint/><geom type="sphere" size="0.1" condim="3"/></body>
  </worldbody>
  <equality><joint joint1="a" joint2="b" polycoef="0 -1 0 0 0"/></equality>
  <actuator><motor joint="a" gear="2"/><position joint="b" kp="5"/></actuator>
</mujoco>"#;

/// Steps that a model goes through under random controls, each inverted; the greatest error of the
/// force that the inverse recovers, relative to the greatest force, and how many rows there were at most.
fn round_trip(m: &Model, options: Options, steps: usize, seed: u64) -> (f64, usize) {
    let mut g = Random(seed);
    let mut s = State::new(m);
    let mut p = Pipeline::new(m, options).unwrap();
    let mut back = p.clone();
    let (mut worst, mut rows) = (0.0f64, 0);
    for k in 0..steps {
        if k % 10 == 0 {
            s.ctrl.iter_mut().for_each(|c| *c = g.next());
            s.qfrc_applied.iter_mut().for_each(|f| *f = 0.3 * g.next());
        }
        p.forward(m, &s);
        let next = p.solution.qacc.clone();
        back.inverse(m, &s, &next).unwrap();
        let scale = p.solution.qfrc_constraint.iter().fold(1.0, |a: f64, f| a.max(f.abs() / m.opt.timestep));
        for i in 0..m.nv() {
            let want = p.dynamics.smooth.actuation.qfrc_actuator[i] + s.qfrc_applied[i];
            worst = worst.max((back.qfrc_inverse[i] - want).abs() / scale);
        }
        rows = rows.max(p.rows.nefc());
        p.step(m, &mut s);
        assert!(s.qpos.iter().all(|x| x.is_finite()));
    }
    (worst, rows)
}

#[test]
fn the_inverse_undoes_the_forward_computation() {
    let m = load(MIXED);
    let converged = Options { iterations: 100_000, tolerance: 1e-13, epsilon: 0.1, ..Options::default() };
    for options in [
        converged,
        Options { lambda: Some(50.0), ..converged },
        Options { stabilization: Stabilization::Critical { equality: 0.02, inequality: 0.02 }, ..converged },
        Options { post_hoc: Some(PostHoc { equality: 3.0, contact: 1.0 }), ..converged },
        Options { integrator: Integrator::Rk4, ..converged },
        Options { stabilization: Stabilization::Coupled, ..converged },
        Options { penetration: 0.5, ..converged },
    ] {
        let (error, rows) = round_trip(&m, options, 150, 3);
        assert!(rows > 10, "{rows} rows");
        assert!(error < 1e-8, "{options:?}: {error:e}");
    }
    // Pyramids: their edges are rows that push.
    let mut m = m;
    m.opt.cone = mj_model::Cone::Pyramidal;
    let (error, rows) = round_trip(&m, converged, 150, 3);
    assert!(rows > 10, "{rows} rows");
    assert!(error < 1e-8, "pyramids: {error:e}");
}

#[test]
fn hard_equalities_have_no_inverse() {
    let m = load(MIXED);
    let mut p = Pipeline::new(&m, Options { equality: Equality::Hard, ..Options::default() }).unwrap();
    let s = State::new(&m);
    assert_eq!(p.inverse(&m, &s, &vec![0.0; m.nv()]), Err(InverseError::Hard));
}

/// Hard elimination leaves nothing of the rows' velocity error, and soft ones come near as λ grows.
#[test]
fn soft_equalities_approach_hard_ones() {
    let m = load(MIXED);
    let mut s = State::new(&m);
    s.qvel[6] = 1.0;
    let run = |options: Options| {
        let mut p = Pipeline::new(&m, options).unwrap();
        p.forward(&m, &s);
        let row: f64 = {
            let mut v = 0.0;
            p.rows.jac.for_each_in_row(0, |c, x| v += x * p.solution.qacc[c]);
            v - p.target[0]
        };
        (row.abs(), p.solution.qacc.clone())
    };
    let base = Options { iterations: 1000, ..Options::default() };
    let (hard, want) = run(Options { equality: Equality::Hard, ..base });
    assert!(hard < 1e-12);
    let mut last = f64::INFINITY;
    for lambda in [1.0, 1e2, 1e4] {
        let (_, v) = run(Options { lambda: Some(lambda), ..base });
        let error = v.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 0.1 * last, "{error} after {last}");
        last = error;
    }
}

/// A box that slides on a plane is stopped by Coulomb's friction: v² = 2 μ g x.
#[test]
fn a_sliding_box_stops_where_coulomb_says() {
    let m = load(
        r#"<mujoco><option timestep="0.002" cone="elliptic"/><worldbody>
        <geom type="plane" size="9 9 1" friction="0.4 0 0"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.2 0.2 0.1" friction="0.4 0 0"/></body>
        </worldbody></mujoco>"#,
    );
    for integrator in [Integrator::SemiImplicit, Integrator::Midpoint, Integrator::Interleaved, Integrator::Explicit] {
        let mut s = State::new(&m);
        let mut p = Pipeline::new(&m, Options { integrator, iterations: 200, ..Options::default() }).unwrap();
        // Settled first.
        for _ in 0..200 {
            p.step(&m, &mut s);
        }
        let from = s.qpos[0];
        s.qvel[0] = 1.0;
        for _ in 0..500 {
            p.step(&m, &mut s);
        }
        let (went, want) = (s.qpos[0] - from, 1.0 / (2.0 * 0.4 * 9.81));
        assert!((went - want).abs() < 0.05 * want, "{integrator:?}: {went} {want}");
        assert!(s.qvel[0].abs() < 5e-3, "{integrator:?}: still {:?} at height {}", s.qvel, s.qpos[2]);
        assert!(s.qpos[2] > 0.095 && s.qpos[2] < 0.101, "{integrator:?}: height {}", s.qpos[2]);
    }
}

/// Dry friction takes off its torque, whatever the step: v = (τ − η) t/I, and nothing moves below η.
#[test]
fn dry_friction_takes_off_its_torque() {
    for timestep in [0.001, 0.01] {
        let m = load(&format!(
            r#"<mujoco><option timestep="{timestep}" gravity="0 0 0"/><worldbody><body>
            <joint axis="0 1 0" frictionloss="0.4"/><inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/>
            </body></worldbody></mujoco>"#
        ));
        let speed = |torque: f64| {
            let mut s = State::new(&m);
            let mut p = Pipeline::new(&m, Options { epsilon: 1e-6, ..Options::default() }).unwrap();
            s.qfrc_applied[0] = torque;
            for _ in 0..(1.0 / timestep) as usize {
                p.step(&m, &mut s);
            }
            s.qvel[0]
        };
        assert!((speed(1.0) - 0.6 / 0.5).abs() < 1e-6, "{}", speed(1.0));
        assert!(speed(-0.39).abs() < 1e-4, "{}", speed(-0.39));
    }
}

/// Smooth motion is what it is in any scheme: a pendulum's energy under the fourth-order integrators.
#[test]
fn runge_kutta_keeps_a_pendulums_energy() {
    let m = load(
        r#"<mujoco><option timestep="0.01"/><worldbody><body><joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" contype="0"/></body></worldbody></mujoco>"#,
    );
    for integrator in [Integrator::Rk4, Integrator::Interleaved] {
        let mut s = State::new(&m);
        s.qpos[0] = 1.0;
        let mut p = Pipeline::new(&m, Options { integrator, ..Options::default() }).unwrap();
        let mut highest = 0.0f64;
        for _ in 0..2000 {
            p.step(&m, &mut s);
            highest = highest.max(s.qpos[0].abs());
        }
        assert!((highest - 1.0).abs() < 1e-4, "{integrator:?}: {highest}");
    }
}

/// A free fall ends one step's gap above the floor, not in it: separated contacts let the gap close.
#[test]
fn separated_contacts_close_their_gap_in_a_step() {
    let m = load(
        r#"<mujoco><option timestep="0.01" cone="elliptic"/><worldbody><geom type="plane" size="1 1 1" margin="0.1"/>
        <body pos="0 0 0.13"><freejoint/><geom size="0.1" condim="3"/></body></worldbody></mujoco>"#,
    );
    let mut s = State::new(&m);
    s.qvel[2] = -20.0;
    let options = Options { epsilon: 1e-6, iterations: 1000, ..Options::default() };
    let mut p = Pipeline::new(&m, options).unwrap();
    // The row's margin is the distance at which it comes in; from there the gap is measured.
    p.forward(&m, &s);
    let gap = p.rows.pos[0] - p.rows.margin[0];
    assert_eq!(p.target[0], if gap > 0.0 { -gap / 0.01 } else { p.target[0] });
    p.step(&m, &mut s);
    assert!(s.qpos[2] > 0.1, "{}", s.qpos[2]);
}

#[test]
fn later_features_are_named() {
    let m = load(
        r#"<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
        <tendon><fixed name="t" frictionloss="1"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"#,
    );
    let fault = Pipeline::new(&m, Options::default()).unwrap_err();
    assert_eq!(fault.to_string(), "velocity stepping doesn't know dry friction of tendons (tendon 0)");
}

#[test]
fn the_humanoid_stands_its_fall() {
    let mut m = bundled("humanoid");
    m.opt.timestep = 0.01;
    let mut s = State::new(&m);
    let mut p = Pipeline::new(&m, Options { epsilon: 0.1, ..Options::default() }).unwrap();
    for _ in 0..300 {
        p.step(&m, &mut s);
    }
    assert!(s.qpos[2] > 0.05 && s.qpos[2] < 1.5, "{}", s.qpos[2]);
    assert!(s.qvel.iter().all(|v| v.abs() < 5.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Impulses obey their cones, whatever the state.
    #[test]
    fn impulses_are_feasible(seed in 0u64..1000, sweeps in 1u32..20) {
        let m = load(MIXED);
        let mut g = Random(seed);
        let mut s = State::new(&m);
        s.qvel.iter_mut().for_each(|v| *v = 2.0 * g.next());
        s.qpos[2] -= 0.1 * (1.0 + g.next());
        let mut p = Pipeline::new(&m, Options { iterations: sweeps, ..Options::default() }).unwrap();
        p.forward(&m, &s);
        let f = &p.solution.efc_force;
        for i in p.rows.ne..p.rows.ne + p.rows.nf {
            prop_assert!(f[i].abs() <= m.opt.timestep * p.rows.frictionloss[i]);
        }
        for c in &p.rows.cones {
            let f = &f[c.row as usize..(c.row + c.dim) as usize];
            let round = f[1..].iter().zip(&c.friction).map(|(f, m)| (f / m).powi(2)).sum::<f64>().sqrt();
            prop_assert!(f[0] >= 0.0 && round <= f[0] * (1.0 + 1e-9));
        }
    }
}
