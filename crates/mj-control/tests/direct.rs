//! Direct optimization: its trajectories are those of a simulation with its forces.

use mj_control::{Cost, Direct, DirectOptions, Norm, Residual};
use mj_engine::model::Stage;
use mj_engine::{Data, Model, State, differentiate_pos, forward, load_str, step};

/// Simulates with the forces applied; the greatest distance from the path.
fn departure(m: &Model, start: &State, direct: &Direct) -> f64 {
    let mut d = Data::new(m).unwrap();
    d.state.clone_from(start);
    let mut moved = vec![0.0; m.nv()];
    let mut worst = 0.0f64;
    for t in 0..direct.options.steps {
        d.state.qfrc_applied.copy_from_slice(direct.force(t));
        step(m, &mut d).unwrap();
        let want = &direct.path.qpos[(t + 1) * m.nq()..(t + 2) * m.nq()];
        differentiate_pos(m, &mut moved, 1.0, want, &d.state.qpos);
        worst = moved.iter().fold(worst, |w, x| w.max(x.abs()));
    }
    worst
}

/// The state at which a foot carries the mass above it, which a force holds.
fn standing(m: &Model) -> State {
    let mut d = Data::new(m).unwrap();
    for _ in 0..200 {
        d.state.qfrc_applied[2] = 9.81;
        step(m, &mut d).unwrap();
    }
    d.state.qfrc_applied.fill(0.0);
    d.state
}

/// A ball on a hinge, which turns, with a slide: rotations of all kinds.
const TOP: &str = r#"<mujoco><option timestep="0.02" tolerance="1e-14"/><worldbody>
    <body name="top"><joint name="ball" type="ball"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".05" mass="1"/>
      <body pos="0 0 .4"><joint name="hinge" axis="1 0 0"/><geom type="box" size=".05 .1 .02" pos="0 .1 0" mass=".5"/></body></body>
    </worldbody><actuator><motor joint="ball" gear="1 0 0"/><motor joint="ball" gear="0 1 0"/><motor joint="ball" gear="0 0 1"/>
    <motor joint="hinge"/></actuator></mujoco>"#;

#[test]
fn forces_make_the_path() {
    let m = load_str(TOP).unwrap();
    let mut state = State::new(&m);
    state.qvel.copy_from_slice(&[0.5, -0.3, 1.0, 0.2]);
    let goal = [0.6, 0.0, 0.8, 0.0, 0.5];
    let cost = Cost::new().with("goal", Residual::position(&m, &goal).unwrap(), Norm::Quadratic, 0.0, 1e5).with(
        "rest",
        Residual::velocity(&m),
        Norm::Quadratic,
        1e-2,
        1e4,
    );
    let mut direct = Direct::new(&m, &cost, DirectOptions { steps: 60, ..Default::default() }).unwrap();
    direct.start(&m, &cost, &state, None).unwrap();
    let summary = direct.solve(&m, &cost, |_, _| true).unwrap();
    assert!(summary.converged, "{summary:?}");
    let mut left = vec![0.0; m.nv()];
    differentiate_pos(&m, &mut left, 1.0, &goal, &direct.path.qpos[60 * m.nq()..]);
    assert!(left.iter().all(|x| x.abs() < 0.02), "{left:?}");
    assert!(departure(&m, &state, &direct) < 1e-9);
    // Motors at the joints can give any force, and the controls are the forces.
    let ctrl = direct.control(&m, 10).unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.qpos.copy_from_slice(&direct.path.qpos[10 * m.nq()..11 * m.nq()]);
    d.state.ctrl.copy_from_slice(&ctrl);
    forward(&m, &mut d).unwrap();
    for (got, want) in d.smooth.actuation.qfrc_actuator.iter().zip(direct.force(10)) {
        assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "{got} {want}");
    }
}

/// The slope of the cost along any direction is that of the gradient: the optimum has none.
#[test]
fn an_optimum_has_no_slope() {
    let m = load_str(TOP).unwrap();
    let mut state = State::new(&m);
    state.qvel.copy_from_slice(&[0.5, -0.3, 1.0, 0.2]);
    let cost = Cost::new().with(
        "goal",
        Residual::position(&m, &[0.6, 0.0, 0.8, 0.0, 0.5]).unwrap(),
        Norm::Cosh(0.5),
        1.0,
        100.0,
    );
    let options = DirectOptions { steps: 20, tolerance: 1e-14, ..Default::default() };
    let mut direct = Direct::new(&m, &cost, options).unwrap();
    direct.start(&m, &cost, &state, None).unwrap();
    direct.solve(&m, &cost, |_, _| true).unwrap();
    let (best, least) = (direct.path.qpos.clone(), direct.cost());
    let mut nudged = direct.clone();
    for t in 1..=20 {
        for i in 0..m.nv() {
            let mut value = |by: f64| {
                let mut qpos = best.clone();
                let mut along = vec![0.0; m.nv()];
                along[i] = 1.0;
                mj_engine::integrate_pos(&m, &mut qpos[t * m.nq()..(t + 1) * m.nq()], &along, by);
                nudged.start(&m, &cost, &state, Some(&qpos)).unwrap();
                nudged.cost()
            };
            let h = 1e-5;
            let (slope, curve) = ((value(h) - value(-h)) / (2.0 * h), (value(h) + value(-h) - 2.0 * least) / (h * h));
            assert!(slope.abs() < 1e-4 * curve.abs().max(1.0), "step {t}, dof {i}: slope {slope}, curvature {curve}");
        }
    }
}

/// A mass rises on a leg that nothing holds but the floor: the force at the foot's dofs vanishes, and contact carries all.
#[test]
fn nothing_pulls_on_what_nothing_drives() {
    let m = load_str(
        r#"<mujoco><option timestep="0.01" tolerance="1e-14" iterations="200"/><worldbody>
        <geom type="plane" size="5 5 1"/><body pos="0 0 .1"><joint name="x" type="slide" axis="1 0 0"/>
        <joint name="z" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/>
        <body pos="0 0 .3"><joint name="mass" type="slide" axis="0 0 1"/><geom size=".08" mass="1" contype="0"
        conaffinity="0"/></body></body></worldbody><actuator><motor joint="mass"/></actuator></mujoco>"#,
    )
    .unwrap();
    let (start, steps) = (standing(&m), 80);
    let height = Residual::function(1, Stage::Pos, |_, d, out| out[0] = d.state.qpos[2] - 0.2);
    let cost = Cost::new().with("height", height, Norm::Quadratic, 0.0, 1e5).with(
        "rest",
        Residual::velocity(&m),
        Norm::Quadratic,
        1e-3,
        1e4,
    );
    let options = DirectOptions { steps, ..Default::default() };
    let mut direct = Direct::new(&m, &cost, options).unwrap();
    assert_eq!(direct.efforts[0].range, [0.0; 2]);
    direct.start(&m, &cost, &start, None).unwrap();
    let summary = direct.solve(&m, &cost, |_, _| true).unwrap();
    assert!(summary.converged && summary.force < 1e-3, "{summary:?}");
    let end = &direct.path.qpos[steps * m.nq()..];
    assert!((end[2] - 0.2).abs() < 0.01 && (end[1] - start.qpos[1]).abs() < 0.01, "{end:?}");
    assert!(departure(&m, &start, &direct) < 1e-6);
}

/// An acrobot, whose shoulder nothing drives, swings itself up.
#[test]
fn an_acrobot_swings_up() {
    let m = load_str(
        r#"<mujoco><option timestep="0.02" tolerance="1e-14"/><default><geom type="capsule" size=".03" mass="1"/></default>
        <worldbody><body><joint name="shoulder" axis="0 1 0"/><geom fromto="0 0 0 0 0 -.5"/><body pos="0 0 -.5">
        <joint name="elbow" axis="0 1 0"/><geom fromto="0 0 0 0 0 -.5"/></body></body></worldbody>
        <actuator><motor joint="elbow"/></actuator></mujoco>"#,
    )
    .unwrap();
    let start = State::new(&m);
    let (steps, up) = (150, std::f64::consts::PI);
    let cost = Cost::new().with("up", Residual::position(&m, &[up, 0.0]).unwrap(), Norm::Quadratic, 0.0, 1e4).with(
        "rest",
        Residual::velocity(&m),
        Norm::Quadratic,
        0.0,
        1e4,
    );
    let mut direct = Direct::new(&m, &cost, DirectOptions { steps, ..Default::default() }).unwrap();
    let line: Vec<f64> = (0..=steps).flat_map(|t| [up * t as f64 / steps as f64, 0.0]).collect();
    direct.start(&m, &cost, &start, Some(&line)).unwrap();
    let summary = direct.solve(&m, &cost, |_, _| true).unwrap();
    assert!(summary.converged && summary.force < 1e-3, "{summary:?}");
    let end = &direct.path.qpos[2 * steps..];
    assert!((end[0] - up).abs() < 0.02 && end[1].abs() < 0.02, "{end:?}");
    assert!(departure(&m, &start, &direct) < 1e-6);
}

#[test]
fn problems_that_do_not_fit_are_told() {
    let m = load_str(TOP).unwrap();
    let control = Cost::new().with("control", Residual::control(&m), Norm::Quadratic, 1.0, 0.0);
    let error = Direct::new(&m, &control, DirectOptions::default()).unwrap_err().to_string();
    assert!(error.contains("forces have weights of their own"), "{error}");
    let cost = Cost::new();
    for options in [
        DirectOptions { steps: 0, ..Default::default() },
        DirectOptions { steps: usize::MAX, ..Default::default() },
        DirectOptions { penalty: [f64::NAN, 1.0], ..Default::default() },
    ] {
        assert!(Direct::new(&m, &cost, options).is_err());
    }
    let mut direct = Direct::new(&m, &cost, DirectOptions { steps: 3, ..Default::default() }).unwrap();
    assert!(direct.solve(&m, &cost, |_, _| true).is_err() && direct.control(&m, 0).is_err());
    assert!(direct.iterate(&m, &cost).is_err() && direct.force(0).is_empty());
    direct.start(&m, &cost, &State::new(&m), None).unwrap();
    assert!(direct.control(&m, 2).is_ok() && direct.control(&m, 3).is_err() && direct.control(&m, 99).is_err());
    // Settings that are changed hold from the next start on.
    direct.options.steps = 7;
    direct.start(&m, &cost, &State::new(&m), None).unwrap();
    direct.solve(&m, &cost, |_, _| true).unwrap();
    assert_eq!(direct.force(6).len(), m.nv());
    direct.efforts.pop();
    assert!(direct.solve(&m, &cost, |_, _| true).is_err());
    let mut direct = Direct::new(&m, &cost, DirectOptions { steps: 3, ..Default::default() }).unwrap();
    assert!(direct.start(&m, &cost, &State::new(&m), Some(&[0.0; 3])).is_err());
    assert!(direct.start(&m, &cost, &State::new(&m), Some(&[f64::NAN; 20])).is_err());
    // A world in which nothing moves has nothing to optimize.
    let still = load_str("<mujoco/>").unwrap();
    let mut direct = Direct::new(&still, &cost, DirectOptions { steps: 3, ..Default::default() }).unwrap();
    direct.start(&still, &cost, &State::new(&still), None).unwrap();
    assert!(direct.solve(&still, &cost, |_, _| true).unwrap().converged);
}

/// A hopper leaves the floor: it crouches, pushes off, and lifts its foot in flight.
#[test]
fn a_hopper_leaps() {
    let m = load_str(
        r#"<mujoco><option timestep="0.01" tolerance="1e-14" iterations="200"/><worldbody>
        <geom type="plane" size="5 5 1"/><body pos="0 0 .1"><joint name="x" type="slide" axis="1 0 0"/>
        <joint name="z" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/>
        <body pos="0 0 .3"><joint name="mass" type="slide" axis="0 0 1"/><geom size=".08" mass="1" contype="0"
        conaffinity="0"/></body></body></worldbody><actuator><motor joint="mass"/></actuator></mujoco>"#,
    )
    .unwrap();
    let (start, steps) = (standing(&m), 60);
    let height = Residual::function(1, Stage::Pos, |_, d, out| out[0] = d.state.qpos[1] - 0.2);
    let reach = Residual::Position { target: vec![0.0; 3], dofs: vec![2] };
    let cost = Cost::new()
        .with("height", height, Norm::Quadratic, 0.0, 1e5)
        .with("reach", reach, Norm::Quadratic, 100.0, 0.0)
        .with("calm", Residual::velocity(&m), Norm::Quadratic, 1e-3, 0.0);
    let mut direct = Direct::new(&m, &cost, DirectOptions { steps, ..Default::default() }).unwrap();
    // Contact has no slope in the air: begin with a flight that nothing carries.
    let mut qpos = start.qpos.repeat(steps + 1);
    for (t, q) in qpos.chunks_exact_mut(m.nq()).enumerate() {
        q[1] += 0.3 * (t as f64 / steps as f64 - 0.3).max(0.0);
    }
    direct.start(&m, &cost, &start, Some(&qpos)).unwrap();
    let summary = direct.solve(&m, &cost, |_, _| true).unwrap();
    assert!(summary.force < 1e-3, "{summary:?}");
    let end = &direct.path.qpos[steps * m.nq()..];
    assert!((end[1] - 0.2).abs() < 0.01 && end[2].abs() < 0.4, "{end:?} {summary:?}");
    assert!(departure(&m, &start, &direct) < 1e-6);
}
