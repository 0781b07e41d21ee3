//! Rollouts are the same as stepping, for any number of threads.

use mj_engine::{Data, Model, State, Trajectory, load, rollout, step};

const STEPS: usize = 150;

fn humanoid() -> Model {
    load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml")).unwrap()
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
            step(&m, &mut d);
            assert_eq!(together[i].time[n], d.state.time);
            assert_eq!(&together[i].qpos[n * m.nq()..][..m.nq()], &d.state.qpos[..]);
            assert_eq!(&together[i].qvel[n * m.nv()..][..m.nv()], &d.state.qvel[..]);
        }
        assert_eq!(together[i].qpos.len(), STEPS * m.nq());
        assert_eq!(together[i].sensordata.len(), STEPS * m.nsensordata);
    }
}
