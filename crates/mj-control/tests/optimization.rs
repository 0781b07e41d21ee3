//! Derivatives of costs, regulators and iLQR on models.

use mj_control::*;
use mj_engine::model::Stage;
use mj_engine::prelude::*;
use std::path::PathBuf;
use std::time::Instant;

fn model(name: &str) -> Model {
    load(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models").join(name)).unwrap()
}

fn acrobot_cost(m: &Model) -> Cost {
    Cost::new()
        .with("control", Residual::control(m), Norm::Quadratic, 0.02, 0.0)
        .with("upright", Residual::position(m, &[std::f64::consts::PI, 0.0]).unwrap(), Norm::Quadratic, 0.0, 400.0)
        .with("rest", Residual::velocity(m), Norm::Quadratic, 1e-4, 40.0)
}

/// The aim of the project: from zero controls, within a second.
#[test]
fn an_acrobot_swings_up_from_zero_controls() {
    let m = model("acrobot.xml");
    let cost = acrobot_cost(&m);
    let options = IlqrOptions { steps: 300, parallel: false, ..IlqrOptions::default() };
    let start = Instant::now();
    let mut ilqr = Ilqr::new(&m, &cost, options).unwrap();
    assert!(ilqr.gain(0).is_empty());
    let mut state = State::new(&m);
    state.qpos[0] = 0.01;
    ilqr.start(&m, &cost, &state, &[0.0; 300]).unwrap();
    let summary = ilqr.solve(&m, &cost, |_, _| true).unwrap();
    println!("{summary:?} in {:?}", start.elapsed());
    let end = &ilqr.best.states[300];
    println!("{:?} {:?}", end.qpos, end.qvel);
    let upright = std::f64::consts::PI;
    assert!((end.qpos[0].rem_euclid(2.0 * upright) - upright).abs() < 0.05 && end.qpos[1].abs() < 0.05);
    assert!(ilqr.best.states.iter().all(|s| s.ctrl[0].abs() <= 1.0));
}

/// Gradients along a rollout by the expansions agree with differences of its cost.
#[test]
fn expansions_agree_with_differences() {
    let m = model("humanoid.xml");
    let stage = Stage::Vel;
    let head = Residual::function(3, stage, |m, d, r| {
        let id = m.geom_id("head").unwrap();
        r.copy_from_slice(&d.smooth.poses.geom_xpos[id].to_array());
    });
    let cost = Cost::new()
        .with("head", head, Norm::L2(0.1), 2.0, 3.0)
        .with("speed", Residual::sensor(&m, "chest_vel", &[1.0, 0.0, 0.0]).unwrap(), Norm::Quadratic, 1.0, 1.0)
        .with("up", Residual::sensor(&m, "upright", &[0.0, 0.0, 1.0]).unwrap(), Norm::Cosh(0.3), 1.0, 1.0)
        .with("pose", Residual::position(&m, &m.qpos0.clone()).unwrap(), Norm::Quadratic, 0.5, 0.5)
        .with("rest", Residual::velocity(&m), Norm::SmoothAbs(0.5), 0.5, 0.5)
        .with("control", Residual::control(&m), Norm::Quadratic, 1.0, 0.0);
    let mut state = State::new(&m);
    state.qpos[2] += 0.3;
    (0..m.nv()).for_each(|i| state.qvel[i] = 0.3 * (i as f64).sin());
    (0..m.nv()).for_each(|i| integrate_pos(&m, &mut state.qpos, &unit(m.nv(), i), 0.1 * (1.7 * i as f64).sin()));
    (0..21).for_each(|i| state.ctrl[i] = 0.2 * (i as f64).cos());
    let mut d = Data::new(&m).unwrap();
    let mut e = Expansion::default();
    Expander::default().expand(&m, &mut d, &cost, &state, &mut e).unwrap();
    let mut value = |s: &State| {
        d.state.clone_from(s);
        forward(&m, &mut d).unwrap();
        let (mut scratch, mut r) = (vec![0.0; m.nv()], vec![0.0; cost.dim()]);
        cost.residuals_of(&m, &d, &mut scratch, &mut r);
        let mut at = 0;
        cost.terms
            .iter()
            .map(|t| {
                at += t.residual.dim();
                t.weight * t.norm.value(&r[at - t.residual.dim()..at])
            })
            .sum::<f64>()
    };
    let h = 1e-5;
    for i in 0..m.nv() {
        let moved = |h: f64| {
            let mut s = state.clone();
            integrate_pos(&m, &mut s.qpos, &unit(m.nv(), i), h);
            s
        };
        let slope = (value(&moved(h)) - value(&moved(-h))) / (2.0 * h);
        assert!((slope - e.lx[i]).abs() < 1e-4 * (1.0 + slope.abs()), "position {i}: {slope} {}", e.lx[i]);
        let moved = |h: f64| {
            let mut s = state.clone();
            s.qvel[i] += h;
            s
        };
        let slope = (value(&moved(h)) - value(&moved(-h))) / (2.0 * h);
        assert!((slope - e.lx[m.nv() + i]).abs() < 1e-4 * (1.0 + slope.abs()), "velocity {i}");
    }
    (0..21).for_each(|i| assert!((e.lu[i] - state.ctrl[i]).abs() < 1e-12));
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()
}

/// Iterations do the same on one thread and on several.
#[test]
fn threads_do_not_matter() {
    let m = model("acrobot.xml");
    let cost = acrobot_cost(&m);
    let solve = |threads: usize, parallel: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let options = IlqrOptions { steps: 60, iterations: 5, parallel, ..IlqrOptions::default() };
            let mut ilqr = Ilqr::new(&m, &cost, options).unwrap();
            ilqr.start(&m, &cost, &State::new(&m), &[0.3; 60]).unwrap();
            ilqr.solve(&m, &cost, |_, _| true).unwrap();
            ilqr.best.states.clone()
        })
    };
    let one = solve(1, false);
    assert!(one == solve(3, true) && one == solve(2, true));
}

/// A cart stops at a limit of its position that the cost alone would pass, and arrives where the end must be.
#[test]
fn constraints_hold() {
    let m = load_str(
        "<mujoco><option timestep='.02'/><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/>
         </body></worldbody><actuator><motor joint='x' ctrlrange='-5 5' ctrllimited='true'/></actuator></mujoco>",
    )
    .unwrap();
    let mut cost = Cost::new()
        .with("control", Residual::control(&m), Norm::Quadratic, 0.01, 0.0)
        .with("far", Residual::position(&m, &[2.0]).unwrap(), Norm::Quadratic, 1.0, 1.0)
        .within("wall", Residual::position(&m, &[0.0]).unwrap(), -1.0, 0.5);
    cost.constraints.push(Constraint { last_only: true, ..end(&m) });
    let mut ilqr = Ilqr::new(&m, &cost, IlqrOptions { steps: 100, ..IlqrOptions::default() }).unwrap();
    ilqr.start(&m, &cost, &State::new(&m), &[0.0; 100]).unwrap();
    let summary = ilqr.solve(&m, &cost, |_, _| true).unwrap();
    println!("{summary:?}");
    assert!(summary.violation < 1e-3);
    let farthest = ilqr.best.states.iter().map(|s| s.qpos[0]).fold(0.0, f64::max);
    assert!((farthest - 0.5).abs() < 2e-3, "{farthest}");
    assert!((ilqr.best.states[100].qpos[0] - 0.2).abs() < 2e-3);
}

fn end(m: &Model) -> Constraint {
    let residual = Residual::position(m, &[0.2]).unwrap();
    Constraint { name: "end".into(), residual, lower: 0.0, upper: 0.0, last_only: true }
}

#[test]
fn faults_are_told() {
    let m = model("acrobot.xml");
    let cost = acrobot_cost(&m);
    let new = |steps| Ilqr::new(&m, &cost, IlqrOptions { steps, ..IlqrOptions::default() });
    assert!(new(0).is_err() && new(usize::MAX).is_err() && new(1 << 40).is_err());
    assert!(Residual::position(&m, &[0.0]).is_err() && Residual::sensor(&m, "nothing", &[0.0]).is_err());
    let bad = Cost::new().with("control", Residual::control(&m), Norm::L2(0.0), 1.0, 0.0);
    assert!(Ilqr::new(&m, &bad, IlqrOptions::default()).is_err());
}

#[test]
fn a_regulator_holds_the_acrobot_upright() {
    let m = model("acrobot.xml");
    let cost = acrobot_cost(&m).with(
        "position",
        Residual::position(&m, &[std::f64::consts::PI, 0.0]).unwrap(),
        Norm::Quadratic,
        1.0,
        1.0,
    );
    let mut state = State::new(&m);
    state.qpos[0] = std::f64::consts::PI;
    let regulator = Regulator::new(&m, &cost, &state).unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.clone_from(&state);
    d.state.qpos[0] += 0.005;
    for _ in 0..1000 {
        let mut u = [0.0];
        regulator.control(&m, &d.state, &mut u);
        d.state.ctrl[0] = u[0];
        step(&m, &mut d).unwrap();
    }
    assert!(
        (d.state.qpos[0] - std::f64::consts::PI).abs() < 1e-3 && d.state.qpos[1].abs() < 1e-3,
        "{:?}",
        d.state.qpos
    );
}
