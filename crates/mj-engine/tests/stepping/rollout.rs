//! Rollouts are the same as stepping, for any number of threads.

use mj_engine::{
    ConstraintSolver, Data, Hooks, Model, Problem, RolloutArrays, RolloutEnd, RolloutError, RolloutPlan, Solution,
    State, Trajectory, forward, load, load_str, rollout, rollout_into, rollout_plan, step,
};
use mj_model::Warning;
use std::sync::atomic::{AtomicUsize, Ordering};

const STEPS: usize = 150;

fn humanoid() -> Model {
    load(mj_testkit::bundled("humanoid")).unwrap()
}

/// Starts at different heights and speeds.
fn starts(m: &Model, n: usize) -> Vec<State> {
    (0..n)
        .map(|i| {
            let mut s = State::new(m);
            s.qpos[2] -= 0.01 * i as f64;
            s.qvel[0] = i as f64;
            s
        })
        .collect()
}

/// Controls that differ from one simulation to the next and from step to step.
fn drive(i: usize, n: usize, s: &mut State) {
    for (k, c) in s.ctrl.iter_mut().enumerate() {
        *c = 0.5 * ((i + 1) as f64 * 0.1 * n as f64 + k as f64).sin();
    }
}

fn with_threads(m: &Model, threads: usize) -> Vec<Trajectory> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| rollout(m, &starts(m, 7), STEPS, drive)).unwrap()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let m = humanoid();
    let one = with_threads(&m, 1);
    let bits = |t: &[Trajectory]| -> Vec<u64> {
        let all = t.iter().flat_map(|t| [&t.time, &t.qpos, &t.qvel, &t.act, &t.sensordata]);
        all.flatten().map(|x| x.to_bits()).collect()
    };
    for threads in [2, 5] {
        assert!(bits(&with_threads(&m, threads)) == bits(&one), "{threads} threads");
    }
    assert_ne!(one[0].qpos, one[1].qpos);
}

#[test]
fn a_rollout_is_what_stepping_gives() {
    let m = humanoid();
    let together = with_threads(&m, 2);
    for (i, start) in starts(&m, 7).into_iter().enumerate() {
        let mut d = Data::new(&m).unwrap();
        d.state = start;
        for n in 0..STEPS {
            drive(i, n, &mut d.state);
            step(&m, &mut d).unwrap();
            assert_eq!(together[i].time[n], d.state.time);
            assert_eq!(&together[i].qpos[n * m.nq()..][..m.nq()], &d.state.qpos[..]);
            assert_eq!(&together[i].qvel[n * m.nv()..][..m.nv()], &d.state.qvel[..]);
        }
        assert_eq!(together[i].qpos.len(), STEPS * m.nq());
        assert_eq!(together[i].sensordata.len(), STEPS * m.nsensordata);
    }
}

/// Bits of a batch of boxes in a heap, in arrays of the caller's.
fn heap(threads: usize) -> (Vec<u64>, Vec<RolloutEnd>) {
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/box_heap.xml")).unwrap();
    let (batch, steps) = (5, 60);
    let starts: Vec<_> = (0..batch)
        .map(|i| {
            let mut s = State::new(&m);
            s.qvel[2] = -(i as f64);
            s
        })
        .collect();
    let (mut qpos, mut qvel) = (vec![0.0; batch * steps * m.nq()], vec![0.0; batch * steps * m.nv()]);
    let mut out = RolloutArrays { qpos: &mut qpos, qvel: &mut qvel, ..Default::default() };
    let rows = AtomicUsize::new(0);
    let count = |_: usize, _: &Model, d: &Data| {
        rows.fetch_add(d.rows.nefc(), Ordering::Relaxed);
        false
    };
    let plan = RolloutPlan { stop: Some(&count), ..RolloutPlan::new(steps, &|_, _, _| {}) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let ends = pool.install(|| rollout_into(&m, &starts, plan, &mut out)).unwrap();
    assert!(rows.into_inner() > 20 * batch * steps, "too few contacts to tell");
    (qpos.iter().chain(&qvel).map(|x| x.to_bits()).collect(), ends)
}

#[test]
fn a_heap_of_contacts_gives_the_same_bits_on_any_number_of_threads() {
    let one = heap(1);
    assert!(one.1.iter().all(|e| *e == RolloutEnd { steps: 60, bad: None }));
    for threads in [2, 5] {
        assert!(heap(threads) == one, "{threads} threads");
    }
}

#[test]
fn rows_after_an_early_end_repeat_the_last() {
    let m = humanoid();
    let (batch, steps, nv) = (3, 20, m.nv());
    let (mut time, mut qvel) = (vec![0.0; batch * steps], vec![0.0; batch * steps * nv]);
    let mut out = RolloutArrays { time: &mut time, qvel: &mut qvel, ..Default::default() };
    let bad = |i: usize, n: usize, s: &mut State| {
        if (i, n) == (1, 12) {
            s.qfrc_applied[0] = f64::NAN;
        }
    };
    let stop = |i: usize, _: &Model, d: &Data| i == 2 && d.state.time > 5.5 * 0.005;
    let finished = AtomicUsize::new(0);
    let progress = |n: usize| {
        finished.fetch_max(n, Ordering::Relaxed);
    };
    let plan = RolloutPlan { stop: Some(&stop), progress: Some(&progress), ..RolloutPlan::new(steps, &bad) };
    let ends = rollout_into(&m, &starts(&m, batch), plan, &mut out).unwrap();
    let h = m.opt.timestep;
    assert_eq!(ends[0], RolloutEnd { steps, bad: None });
    assert_eq!(ends[1], RolloutEnd { steps: 12, bad: Some(Warning::BadQacc) });
    assert_eq!(ends[2].bad, None);
    assert!(ends[2].steps < steps);
    assert_eq!(finished.into_inner(), batch);
    for (i, end) in ends.iter().enumerate() {
        let times = &time[i * steps..(i + 1) * steps];
        assert!((times[end.steps - 1] - h * end.steps as f64).abs() < 1e-12);
        assert!(times[end.steps..].iter().all(|t| *t == times[end.steps - 1]));
        let row = |n: usize| &qvel[(i * steps + n) * nv..][..nv];
        assert!((end.steps..steps).all(|n| row(n) == row(end.steps - 1)));
        assert!(row(steps - 1).iter().all(|v| v.is_finite()));
    }
}

/// Gravity of its own for each simulation, the same whatever thread runs it.
#[test]
fn models_vary_from_one_simulation_to_the_next() {
    let m =
        mj_engine::load_str(r#"<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#)
            .unwrap();
    let (batch, steps) = (9, 10);
    let mut qvel = vec![0.0; batch * steps * 6];
    let mut out = RolloutArrays { qvel: &mut qvel, ..Default::default() };
    let vary = |i: usize, m: &mut Model| m.opt.gravity.z = -(i as f64);
    let plan = RolloutPlan { vary: Some(&vary), ..RolloutPlan::new(steps, &|_, _, _| {}) };
    rollout_into(&m, &vec![State::new(&m); batch], plan, &mut out).unwrap();
    for i in 0..batch {
        let fell = qvel[(i * steps + steps - 1) * 6 + 2];
        assert!((fell + i as f64 * 10.0 * m.opt.timestep).abs() < 1e-12, "{i}: {fell}");
    }
}

/// What collision detection and poses know of a model beforehand is that of the variation: sizes, masks, margins and
/// places of geoms that never move, as if the variation were a model of its own. Meshes are not copied.
#[test]
fn variations_are_models_of_their_own() {
    let m = mj_engine::load_str(
        r#"<mujoco><asset><mesh name="t" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset><worldbody>
          <geom name="floor" type="plane" size="1 1 .1" pos="0 0 -.5"/><geom name="step" type="box" size=".5 .5 .02" pos="1 0 0"/>
          <body pos="0 0 .3"><freejoint/><geom size=".1"/></body>
          <body pos="1 0 .3"><freejoint/><geom type="mesh" mesh="t"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    let (batch, steps, nq) = (7, 200, m.nq());
    let vary = |i: usize, v: &mut Model| {
        let by = 0.01 * i as f64;
        assert!(v.mesh_data.is_same(&m.mesh_data));
        v.geom.pos.as_mut_slice()[0].z = -by;
        v.geom.size.as_mut_slice()[1][2] = 0.02 + by;
        v.geom.size.as_mut_slice()[2][0] = 0.1 + by;
        v.geom.rbound.as_mut_slice()[2] = 0.1 + by;
        v.geom.contype.as_mut_slice()[1] = i32::from(i != 3);
        v.geom.conaffinity.as_mut_slice()[1] = i32::from(i != 3);
        v.geom.margin.as_mut_slice()[2] = 0.1 * by;
    };
    let mut qpos = vec![0.0; batch * steps * nq];
    let mut out = RolloutArrays { qpos: &mut qpos, ..Default::default() };
    let plan = RolloutPlan { vary: Some(&vary), ..RolloutPlan::new(steps, &|_, _, _| {}) };
    rollout_into(&m, &vec![State::new(&m); batch], plan, &mut out).unwrap();
    for i in 0..batch {
        let mut own = m.clone();
        vary(i, &mut own);
        let mut d = Data::new(&own).unwrap();
        (0..steps).for_each(|_| step(&own, &mut d).unwrap());
        let end = &qpos[(i * steps + steps - 1) * nq..][..nq];
        assert_eq!(end, &d.state.qpos[..], "{i}");
        // The ball has grown by what the floor has sunk.
        assert!((end[2] - 0.1).abs() < 0.02, "{i}: {}", end[2]);
    }
}

#[test]
fn arrays_of_the_wrong_size_are_refused() {
    let m = humanoid();
    let mut time = vec![0.0; 7];
    let mut out = RolloutArrays { time: &mut time, ..Default::default() };
    let error = rollout_into(&m, &starts(&m, 2), RolloutPlan::new(3, &|_, _, _| {}), &mut out);
    assert_eq!(error, Err(RolloutError::Length { array: "time", expected: 6, got: 7 }));
}

/// A law of the user's: a wind.
#[derive(Debug)]
struct Wind;

impl Hooks for Wind {
    fn passive(&self, _: &Model, d: &mut Data) {
        d.smooth.velocities.qfrc_passive[0] += 3.0;
    }
}

/// A solver of the user's that lets nothing move.
#[derive(Clone, Debug)]
struct Still;

impl ConstraintSolver for Still {
    fn solve(&mut self, problem: &Problem, out: &mut Solution) {
        out.reset(problem);
        out.qacc.fill(0.0);
    }
}

const SLIDER: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
    <geom size=".1" mass="2"/><site name="s"/></body></worldbody><actuator><motor joint="x"/></actuator>
    <sensor><framepos objtype="site" objname="s"/><jointvel joint="x"/></sensor></mujoco>"#;

#[test]
fn rollouts_carry_hooks_and_solvers() {
    let m = load_str(SLIDER).unwrap();
    let mut d = Data::new(&m).unwrap();
    let end = |d: &Data| {
        let done = rollout_plan(&m, &[State::new(&m)], RolloutPlan { data: Some(d), ..RolloutPlan::of(10) }).unwrap();
        *done[0].qvel.last().unwrap()
    };
    assert_eq!(end(&d), 0.0);
    d.hooks = Some(std::sync::Arc::new(Wind));
    assert!((end(&d) - 1.5 * 10.0 * m.opt.timestep).abs() < 1e-12);
    d.solver = Some(Box::new(Still));
    assert_eq!(end(&d), 0.0);
    let other = Data::new(&humanoid()).unwrap();
    let plan = RolloutPlan { data: Some(&other), ..RolloutPlan::of(10) };
    assert!(matches!(rollout_plan(&m, &[State::new(&m)], plan), Err(RolloutError::Data(_))));
}

/// A controller that reads sensors and poses is the same as one that steps by hand.
#[test]
fn feedback_reads_sensors_and_poses() {
    let m = load_str(SLIDER).unwrap();
    let control = |d: &mut Data| {
        let x = d.smooth.poses.site_xpos.as_slice()[0].x;
        assert_eq!(x, d.sensordata[0]);
        d.state.ctrl[0] = 5.0 * (1.0 - x) - 4.0 * d.sensordata[3];
    };
    let starts: Vec<State> = (0..4)
        .map(|i| {
            let mut s = State::new(&m);
            s.qpos[0] = i as f64;
            s
        })
        .collect();
    let feedback = |i: usize, n: usize, _: &Model, d: &mut Data| {
        if n == 0 {
            assert_eq!(d.sensordata[0], i as f64, "the first reading is of the start");
        }
        control(d);
    };
    let done = rollout_plan(&m, &starts, RolloutPlan::of(50).feedback(&feedback)).unwrap();
    for (start, trajectory) in starts.iter().zip(done) {
        let mut d = Data::new(&m).unwrap();
        d.state.clone_from(start);
        forward(&m, &mut d).unwrap();
        for x in &trajectory.qpos {
            control(&mut d);
            step(&m, &mut d).unwrap();
            assert_eq!(*x, d.state.qpos[0]);
        }
        assert_eq!((trajectory.qpos.len(), trajectory.bad), (50, None));
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let m = load_str(SLIDER).unwrap();
    let mut wrong = State::new(&m);
    wrong.ctrl.clear();
    let error = rollout_plan(&m, &[State::new(&m), wrong], RolloutPlan::of(5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the start of simulation 1 is not a state of this model: `ctrl` has length 0, but the model needs 1"
    );
    let resize = |_: usize, n: usize, s: &mut State| s.qvel.truncate(usize::from(n < 3));
    let error = rollout_plan(&m, &[State::new(&m)], RolloutPlan::new(5, &resize)).unwrap_err();
    assert!(matches!(error, RolloutError::Step { simulation: 0, step: 3, .. }), "{error}");
    let mut bad = State::new(&m);
    bad.qvel[0] = 1e300;
    let done = rollout_plan(&m, &[bad.clone()], RolloutPlan::of(5)).unwrap();
    assert_eq!((done[0].qpos.len(), done[0].bad), (0, Some(Warning::BadQvel)));
    let through = RolloutPlan { through_resets: true, ..RolloutPlan::of(5) };
    assert_eq!(rollout_plan(&m, &[bad], through).unwrap()[0].qpos.len(), 5);
}
